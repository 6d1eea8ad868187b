// Products by pieces have the values of whole ones: parts of equal and of unequal size, groups of one axis and of two, in the order of devices that the mesh has.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// DEFINE: %{mesh} = ["x"=2, "y"=2]
// DEFINE: %{try} = sed 's/= <\["x"=2, "y"=2\]/= <%{mesh}/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t.mlir && tessera-opt --tessera-decompose-products=always %t.mlir -o %t.pieces.mlir \
// DEFINE:   && tessera-interpret %t.pieces.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=3, "y"=1]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=4]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=5, "y"=2]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=2], device_ids=[2, 0, 3, 1]
// RUN: %{try}
// RUN: tessera-interpret %t.pieces.mlir --random=1 --count | FileCheck %s

// Gathers and scattered sums are permutes now, also where the last part is smaller.
// CHECK-NOT: all_gather
// CHECK-NOT: reduce_scatter
// CHECK: permute {"x", "y"}
// CHECK-NOT: all_gather
// CHECK-NOT: reduce_scatter
// CHECK: in all
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(
    %tokens: tensor<10x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    %up: tensor<6x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}]>},
    %gate: tensor<12x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    %down: tensor<12x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    %experts: tensor<4x6x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"x"}]>},
    %queues: tensor<4x5x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>})
    -> (tensor<10x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>}, tensor<10x6xf32>, tensor<4x5x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"x"}]>}) {
  %all = tessera.constrain %tokens to <@mesh, [{}, {}]> : tensor<10x6xf32>
  %a = tessera.dot_general %all, %up batching = [] x [] contracting = [1] x [0] : (tensor<10x6xf32>, tensor<6x12xf32>) -> tensor<10x12xf32>
  %b = tessera.dot_general %all, %gate batching = [] x [] contracting = [1] x [1] : (tensor<10x6xf32>, tensor<12x6xf32>) -> tensor<10x12xf32>
  %ab = arith.mulf %a, %b : tensor<10x12xf32>
  %y = tessera.dot_general %ab, %down batching = [] x [] contracting = [1] x [0] : (tensor<10x12xf32>, tensor<12x6xf32>) -> tensor<10x6xf32>
  %z = tessera.dot_general %a, %down batching = [] x [] contracting = [1] x [0] : (tensor<10x12xf32>, tensor<12x6xf32>) -> tensor<10x6xf32>
  %q = tessera.constrain %queues to <@mesh, [{}, {}, {}]> : tensor<4x5x6xf32>
  %e = tessera.dot_general %q, %experts batching = [0] x [0] contracting = [2] x [1] : (tensor<4x5x6xf32>, tensor<4x6x3xf32>) -> tensor<4x5x3xf32>
  return %y, %z, %e : tensor<10x6xf32>, tensor<10x6xf32>, tensor<4x5x3xf32>
}
