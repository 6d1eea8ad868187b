// Rows that fill a product up to equal shards stay zero by pieces, too, where the other operand is infinite: the rows of the operand that the pieces pad instead would make NaN of them.
// RUN: tessera-opt %s --tessera-shard-phase --tessera-partition-phase -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-decompose-products=always %t.mlir -o %t.pieces.mlir && FileCheck %s --input-file=%t.pieces.mlir
// RUN: tessera-interpret %t.pieces.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// CHECK-NOT: spmd.reduce_scatter
// CHECK: spmd.permute
tessera.mesh @mesh = <["x"=3]>
func.func @main(%x: tensor<5x9xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) -> tensor<1x4xf32> {
  %0 = tessera.manual_computation(%x) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{}, {"x"}]>] out [#tessera.sharding<@mesh, [{"x"}, {}]>] : (tensor<5x9xf32>) -> tensor<6x4xf32> {
  ^bb0(%a: tensor<5x3xf32>):
    %w = arith.constant dense<[[0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000], [1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<3x4xf32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    %1 = tessera.dot_general %a, %w batching = [] x [] contracting = [1] x [0] : (tensor<5x3xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %2 = tessera.pad %1 with %zero low = [0, 0] high = [1, 0] interior = [0, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<6x4xf32>
    %3 = spmd.reduce_scatter sum %2 dim = 0 over <@mesh, ["x"]> : tensor<6x4xf32> -> tensor<2x4xf32>
    tessera.yield %3 : tensor<2x4xf32>
  }
  %last = tessera.slice %0 [5, 0] to [6, 4] by [1, 1] : tensor<6x4xf32> -> tensor<1x4xf32>
  return %last : tensor<1x4xf32>
}
