// Moves along split dimensions send the elements that are needed to the neighbours, once for all uses, and give the same values as on one device.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s
// RUN: sed 's/"x"=4, "y"=2/"x"=3, "y"=5/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t3x5.mlir
// RUN: tessera-interpret %t3x5.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// A part of the field is 4 x 6. Four neighbours of every element: one column left and right, one row up and down.
// CHECK: 16 1 permute {"y"} tensor<4x1xf32>
// CHECK-NEXT: 16 1 permute {"y"} tensor<4x1xf32>
// CHECK-NEXT: 24 1 permute {"x"} tensor<1x6xf32>
// CHECK-NEXT: 24 1 permute {"x"} tensor<1x6xf32>
// The rotation by two rows, round the ends and not, sends them once.
// CHECK-NEXT: 48 1 permute {"x"} tensor<2x6xf32>
// Seven rows further on lie the last row of the next part and three of that behind it; then two columns in front.
// CHECK-NEXT: 24 1 permute {"x"} tensor<1x6xf32>
// CHECK-NEXT: 72 1 permute {"x"} tensor<3x6xf32>
// CHECK-NEXT: 32 1 permute {"y"} tensor<4x2xf32>
// Windows without a border, and then the middle.
// CHECK-NEXT: 48 1 permute {"x"} tensor<2x6xf32>
// CHECK-NEXT: 24 1 permute {"x"} tensor<1x6xf32>
// The strided window.
// CHECK-NEXT: 24 1 permute {"x"} tensor<1x6xf32>
// CHECK-NEXT: 11 in all
tessera.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%u: tensor<16x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>, tensor<8x12xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %seven = arith.constant dense<7.0> : tensor<f32>
  %p = tessera.pad %u with %zero low = [1, 1] high = [1, 1] interior = [0, 0] : (tensor<16x12xf32>, tensor<f32>) -> tensor<18x14xf32>
  %north = tessera.slice %p [0, 1] to [16, 13] by [1, 1] : tensor<18x14xf32> -> tensor<16x12xf32>
  %south = tessera.slice %p [2, 1] to [18, 13] by [1, 1] : tensor<18x14xf32> -> tensor<16x12xf32>
  %west = tessera.slice %p [1, 0] to [17, 12] by [1, 1] : tensor<18x14xf32> -> tensor<16x12xf32>
  %east = tessera.slice %p [1, 2] to [17, 14] by [1, 1] : tensor<18x14xf32> -> tensor<16x12xf32>
  %ns = arith.addf %north, %south : tensor<16x12xf32>
  %we = arith.addf %west, %east : tensor<16x12xf32>
  %laplace = arith.subf %ns, %we : tensor<16x12xf32>
  // The same rows serve a rotation of what was computed before.
  %last = tessera.slice %laplace [14, 0] to [16, 12] by [1, 1] : tensor<16x12xf32> -> tensor<2x12xf32>
  %first = tessera.slice %laplace [0, 0] to [14, 12] by [1, 1] : tensor<16x12xf32> -> tensor<14x12xf32>
  %rotated = tessera.concatenate %last, %first dim = 0 : (tensor<2x12xf32>, tensor<14x12xf32>) -> tensor<16x12xf32>
  // Beyond the neighbour, with another element behind the end.
  %e = math.exp %u : tensor<16x12xf32>
  %far = tessera.pad %e with %seven low = [-7, 2] high = [7, -2] interior = [0, 0] : (tensor<16x12xf32>, tensor<f32>) -> tensor<16x12xf32>
  // Windows without a border, put back into the middle.
  %t = math.tanh %u : tensor<16x12xf32>
  %above = tessera.slice %t [0, 0] to [14, 12] by [1, 1] : tensor<16x12xf32> -> tensor<14x12xf32>
  %below = tessera.slice %t [2, 0] to [16, 12] by [1, 1] : tensor<16x12xf32> -> tensor<14x12xf32>
  %mean = arith.addf %above, %below : tensor<14x12xf32>
  %one = arith.constant dense<1> : tensor<i32>
  %none = arith.constant dense<0> : tensor<i32>
  %middle = tessera.dynamic_update_slice %t, %mean[%one, %none] : (tensor<16x12xf32>, tensor<14x12xf32>, tensor<i32>, tensor<i32>) -> tensor<16x12xf32>
  // One of every two rows, from the second.
  %c = math.cos %u : tensor<16x12xf32>
  %pc = tessera.pad %c with %seven low = [1, 0] high = [1, 0] interior = [0, 0] : (tensor<16x12xf32>, tensor<f32>) -> tensor<18x12xf32>
  %strided = tessera.slice %pc [2, 0] to [18, 12] by [2, 1] : tensor<18x12xf32> -> tensor<8x12xf32>
  return %laplace, %rotated, %far, %middle, %strided
      : tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>, tensor<8x12xf32>
}
