// Devices of a group take different branches, which make the same calls: they meet in them. A sum in each, one call of several, and three ways.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tesserac %s --compile-from=communicate -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-6
tessera.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8xf32> {tessera.name = "x", tessera.global_type = tensor<32xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
                %y: tensor<4xf64> {tessera.name = "y", tessera.global_type = tensor<16xf64>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<4xf64> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %is_first = arith.cmpi slt, %device, %one : tensor<i32>
  %condition = tensor.extract %is_first[] : tensor<i1>
  %0:2 = scf.if %condition -> (tensor<8xf32>, tensor<4xf64>) {
    %2:2 = spmd.combined(%x, %y) : (tensor<8xf32>, tensor<4xf64>) -> (tensor<8xf32>, tensor<4xf64>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<4xf64>):
      %3 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
      %4 = spmd.all_reduce max %b over <@mesh, ["x"]> : tensor<4xf64>
      spmd.yield %3, %4 : tensor<8xf32>, tensor<4xf64>
    }
    scf.yield %2#0, %2#1 : tensor<8xf32>, tensor<4xf64>
  } else {
    %twice = arith.addf %x, %x : tensor<8xf32>
    %2:2 = spmd.combined(%twice, %y) : (tensor<8xf32>, tensor<4xf64>) -> (tensor<8xf32>, tensor<4xf64>) {
    ^bb0(%a: tensor<8xf32>, %b: tensor<4xf64>):
      %3 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
      %4 = spmd.all_reduce max %b over <@mesh, ["x"]> : tensor<4xf64>
      spmd.yield %3, %4 : tensor<8xf32>, tensor<4xf64>
    }
    scf.yield %2#0, %2#1 : tensor<8xf32>, tensor<4xf64>
  }
  %number = tensor.extract %device[] : tensor<i32>
  %way = arith.index_cast %number : i32 to index
  %1 = scf.index_switch %way -> tensor<8xf32>
  case 0 {
    %2 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
    %3 = spmd.all_reduce sum %2 over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  case 2 {
    %half = arith.addf %x, %0#0 : tensor<8xf32>
    %2 = spmd.all_reduce sum %half over <@mesh, ["x"]> : tensor<8xf32>
    %3 = spmd.all_reduce sum %2 over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  default {
    %2 = spmd.all_reduce sum %0#0 over <@mesh, ["x"]> : tensor<8xf32>
    %twice = arith.addf %2, %2 : tensor<8xf32>
    %3 = spmd.all_reduce sum %twice over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  return %0#0, %0#1, %1 : tensor<8xf32>, tensor<4xf64>, tensor<8xf32>
}
