// RUN: tessera-opt %s -tessera-align-reductions | FileCheck %s

// CHECK-LABEL: func @middle
// CHECK: %[[T:.*]] = tessera.transpose %arg0 permutation = [0, 2, 1] : tensor<2x4x8xf32> -> tensor<2x8x4xf32>
// CHECK: tessera.reduce sum %[[T]] dims = [2] : tensor<2x8x4xf32> -> tensor<2x8xf32>
func.func @middle(%x: tensor<2x4x8xf32>) -> tensor<2x8xf32> {
  %0 = tessera.reduce sum %x dims = [1] : tensor<2x4x8xf32> -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// Rows and columns stay; dimensions of size 1 do not matter.
// CHECK-LABEL: func @aligned
// CHECK-NOT: tessera.transpose
func.func @aligned(%x: tensor<1x4x1x8xf32>) -> (tensor<1x8xf32>, tensor<1x4xf32>) {
  %0 = tessera.reduce sum %x dims = [1, 2] : tensor<1x4x1x8xf32> -> tensor<1x8xf32>
  %1 = tessera.reduce sum %x dims = [2, 3] : tensor<1x4x1x8xf32> -> tensor<1x4xf32>
  return %0, %1 : tensor<1x8xf32>, tensor<1x4xf32>
}

// The sum of everything is first one of rows, which threads share.
// CHECK-LABEL: func @everything
// CHECK: %[[R:.*]] = tessera.reduce sum %arg0 dims = [1] : tensor<256x256xf32> -> tensor<256xf32>
// CHECK: tessera.reduce sum %[[R]] dims = [0] : tensor<256xf32> -> tensor<f32>
func.func @everything(%x: tensor<256x256xf32>) -> tensor<f32> {
  %0 = tessera.reduce sum %x dims = [0, 1] : tensor<256x256xf32> -> tensor<f32>
  return %0 : tensor<f32>
}
