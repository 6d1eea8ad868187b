// Look-ups that count their rows get batching dimensions; values stay, and devices that have some rows send nothing.
// RUN: tessera-opt %s --tessera-pair-batches --cse | FileCheck %s
// RUN: tessera-opt %s --tessera-pair-batches --cse -o %t.mlir
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors
// RUN: sed 's/"x"=1/"x"=2/' %t.mlir | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t.parts.mlir
// RUN: tessera-interpret %t.parts.mlir --random=1 --expect=%t.expected.safetensors
// RUN: not grep spmd %t.parts.mlir

tessera.mesh @mesh = <["x"=1]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[CACHE:[a-z0-9]+]]: tensor<4x8x3xf32> {{.*}}, %[[PLACES:[a-z0-9]+]]: tensor<4xi32> {{.*}}, %[[ROWS:[a-z0-9]+]]:
func.func @main(%cache: tensor<4x8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>},
                %place: tensor<4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
                %row: tensor<4x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<4x2xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<4x3xf32>) {
  // As JAX writes it: counted from the end where negative.
  %iota = tessera.iota dim = 0 : tensor<4xi32>
  %none = arith.constant dense<0> : tensor<4xi32>
  %four = arith.constant dense<4> : tensor<4xi32>
  %below = arith.cmpi slt, %iota, %none : tensor<4xi32>
  %fromEnd = arith.addi %iota, %four : tensor<4xi32>
  %counted = arith.select %below, %fromEnd, %iota : tensor<4xi1>, tensor<4xi32>
  %0 = tessera.broadcast %counted dims = [0] : tensor<4xi32> -> tensor<4x1xi32>
  // CHECK: %[[P:.*]] = tessera.broadcast %[[PLACES]] dims = [0] : tensor<4xi32> -> tensor<4x1xi32>
  %1 = tessera.broadcast %place dims = [0] : tensor<4xi32> -> tensor<4x1xi32>
  %2 = tessera.concatenate %0, %1 dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  // CHECK: %[[NEW:.*]] = tessera.scatter %[[CACHE]], %[[ROWS]] at %[[P]] window = [1] inserted = [1] batching = [0] x [0] map = [1] vector = 1
  %new = tessera.scatter %cache, %row at %2 window = [1] inserted = [0, 1] batching = [] x [] map = [0, 1] vector = 1
      : (tensor<4x8x3xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> tensor<4x8x3xf32>
  // Two places are left beside the counted one, the one counted along another dimension.
  %i = tessera.reshape %iota : tensor<4xi32> -> tensor<4x1x1xi32>
  %i2 = tessera.broadcast %i dims = [0, 1, 2] : tensor<4x1x1xi32> -> tensor<4x2x1xi32>
  %p2 = tessera.broadcast %place dims = [0] : tensor<4xi32> -> tensor<4x2x1xi32>
  %k2 = tessera.iota dim = 1 : tensor<4x2x1xi32>
  %places = tessera.concatenate %i2, %p2, %k2 dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x3xi32>
  // CHECK: %[[BOTH:.*]] = tessera.concatenate {{.*}} dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x2xi32>
  // CHECK: tessera.gather %[[NEW]] at %[[BOTH]] offset = [] collapsed = [1, 2] batching = [0] x [0] map = [1, 2] vector = 2
  %taken = tessera.gather %new at %places offset = [] collapsed = [0, 1, 2] batching = [] x [] map = [0, 1, 2] vector = 2 sizes = [1, 1, 1]
      : (tensor<4x8x3xf32>, tensor<4x2x3xi32>) -> tensor<4x2xf32>
  // Fewer places than the operand has rows are no batch.
  // CHECK: tessera.gather {{.*}} collapsed = [0, 1] batching = [] x [] map = [0, 1]
  %j = tessera.iota dim = 0 : tensor<4x1xi32>
  %two = arith.constant dense<2> : tensor<4x1xi32>
  %half = arith.divsi %j, %two : tensor<4x1xi32>
  %jk = tessera.concatenate %half, %j dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %constant = arith.constant dense<1.0> : tensor<4x8x3xf32>
  %other = tessera.gather %constant at %jk offset = [1] collapsed = [0, 1] batching = [] x [] map = [0, 1] vector = 1 sizes = [1, 1, 3]
      : (tensor<4x8x3xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
  return %new, %taken, %other : tensor<4x8x3xf32>, tensor<4x2xf32>, tensor<4x3xf32>
}
