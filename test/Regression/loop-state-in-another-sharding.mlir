// What a loop carries and what it gives may be parts of different sizes: each has memory of its own.
// RUN: tessera-fuzz %s --execute
// RUN: tessera-opt %s --tessera-import-phase --tessera-shard-phase --tessera-partition-phase | FileCheck %s

tessera.mesh @mesh = <["data"=2]>
func.func @main(%state: tensor<64x48xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %rows: tensor<64x48xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<64x48xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
        tensor<64x48xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %limit = arith.constant dense<3> : tensor<i32>

  // Whole on every device, returned in shards.
  // CHECK: scf.while {{.*}} : (tensor<i32>, tensor<64x48xf32>) -> (tensor<i32>, tensor<32x48xf32>)
  %0:2 = scf.while (%i = %zero, %x = %state) : (tensor<i32>, tensor<64x48xf32>) -> (tensor<i32>, tensor<64x48xf32>) {
    %below = arith.cmpi slt, %i, %limit : tensor<i32>
    %go = tensor.extract %below[] : tensor<i1>
    %same = tessera.constrain %x to <@mesh, [{}, {}]> : tensor<64x48xf32>
    %split = tessera.constrain %same to <@mesh, [{"data"}, {}]> : tensor<64x48xf32>
    scf.condition(%go) %i, %split : tensor<i32>, tensor<64x48xf32>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<64x48xf32>):
    %next = arith.addi %i, %one : tensor<i32>
    %sum = arith.addf %x, %x : tensor<64x48xf32>
    %whole = tessera.constrain %sum to <@mesh, [{}, {}]> : tensor<64x48xf32>
    scf.yield %next, %whole : tensor<i32>, tensor<64x48xf32>
  }

  // In shards, returned whole.
  // CHECK: scf.while {{.*}} : (tensor<i32>, tensor<32x48xf32>) -> (tensor<i32>, tensor<64x48xf32>)
  %1:2 = scf.while (%i = %zero, %x = %rows) : (tensor<i32>, tensor<64x48xf32>) -> (tensor<i32>, tensor<64x48xf32>) {
    %below = arith.cmpi slt, %i, %limit : tensor<i32>
    %go = tensor.extract %below[] : tensor<i1>
    %whole = tessera.constrain %x to <@mesh, [{}, {}]> : tensor<64x48xf32>
    scf.condition(%go) %i, %whole : tensor<i32>, tensor<64x48xf32>
  } do {
  ^bb0(%i: tensor<i32>, %x: tensor<64x48xf32>):
    %next = arith.addi %i, %one : tensor<i32>
    %sum = arith.addf %x, %rows : tensor<64x48xf32>
    %split = tessera.constrain %sum to <@mesh, [{"data"}, {}]> : tensor<64x48xf32>
    scf.yield %next, %split : tensor<i32>, tensor<64x48xf32>
  }
  return %0#1, %1#1 : tensor<64x48xf32>, tensor<64x48xf32>
}
