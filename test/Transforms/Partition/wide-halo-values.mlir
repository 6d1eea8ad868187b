// Windows that reach beyond the neighbour's part are extended by the parts behind it, once for all shifts; values are those of one device.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s
// RUN: sed 's/"x"=8/"x"=2/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t2.mlir
// RUN: tessera-interpret %t2.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// Parts of 4, of which 6 are needed on the left: half of one from two places further on, and a whole part.
// CHECK: 8 1 permute {"x"} tensor<2xf32>
// CHECK-NEXT: 16 1 permute {"x"} tensor<4xf32>
// 15 on the right. A shift by itself takes its window where it is.
// CHECK-NEXT: 16 1 permute {"x"} tensor<4xf32>
// CHECK-NEXT: 16 1 permute {"x"} tensor<4xf32>
// CHECK-NEXT: 16 1 permute {"x"} tensor<4xf32>
// CHECK-NEXT: 12 1 permute {"x"} tensor<3xf32>
// CHECK-NEXT: 4 1 permute {"x"} tensor<1xf32>
// CHECK-NEXT: 12 1 permute {"x"} tensor<3xf32>
// CHECK-NEXT: 8 in all
tessera.mesh @mesh = <["x"=8]>
func.func @main(%u: tensor<32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %seven = arith.constant dense<7.0> : tensor<f32>
  %0 = tessera.pad %u with %zero low = [3] high = [-3] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %1 = tessera.pad %u with %seven low = [6] high = [-6] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %2 = arith.subf %0, %1 : tensor<32xf32>
  %e = math.exp %u : tensor<32xf32>
  %3 = tessera.pad %e with %zero low = [-4] high = [4] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %4 = tessera.pad %e with %zero low = [-8] high = [8] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %5 = tessera.pad %e with %zero low = [-12] high = [12] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %6 = tessera.pad %e with %seven low = [-15] high = [15] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  %7 = arith.subf %3, %4 : tensor<32xf32>
  %8 = arith.subf %5, %6 : tensor<32xf32>
  %9 = arith.addf %7, %8 : tensor<32xf32>
  %s = math.sin %u : tensor<32xf32>
  %10 = tessera.pad %s with %seven low = [-7] high = [7] interior = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<32xf32>
  return %2, %9, %10 : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
}
