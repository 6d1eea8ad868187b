// RUN: tessera-opt %s -tessera-simplify-shapes | FileCheck %s

// A broadcast, a reduction and a transpose that only move dimensions of size 1 are reshapes, and end in one.
// CHECK-LABEL: func @relabelling
// CHECK: %[[R:.*]] = tessera.reshape %arg0 : tensor<8x1xf32> -> tensor<1x8xf32>
// CHECK: return %[[R]]
func.func @relabelling(%x: tensor<8x1xf32>) -> tensor<1x8xf32> {
  %0 = tessera.broadcast %x dims = [0, 2] : tensor<8x1xf32> -> tensor<8x1x1xf32>
  %1 = tessera.reduce sum %0 dims = [1] : tensor<8x1x1xf32> -> tensor<8x1xf32>
  %2 = tessera.transpose %1 permutation = [1, 0] : tensor<8x1xf32> -> tensor<1x8xf32>
  return %2 : tensor<1x8xf32>
}

// CHECK-LABEL: func @back_and_forth
// CHECK: return %arg0
func.func @back_and_forth(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %0 = tessera.reshape %x : tensor<8x2xf32> -> tensor<16xf32>
  %1 = tessera.reshape %0 : tensor<16xf32> -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// A bias that got dimensions of size 1 first is broadcast at once.
// CHECK-LABEL: func @bias
// CHECK: %[[R:.*]] = tessera.broadcast %arg0 dims = [2] : tensor<8xf32> -> tensor<2x4x8xf32>
// CHECK: return %[[R]]
func.func @bias(%x: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %0 = tessera.reshape %x : tensor<8xf32> -> tensor<1x1x8xf32>
  %1 = tessera.broadcast %0 dims = [0, 1, 2] : tensor<1x1x8xf32> -> tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}
