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

// A matmul without free dimensions is a sum of products, which is split as other sums are.
// CHECK-LABEL: func @dot_product
// CHECK: %[[P:.*]] = arith.mulf %arg0, %arg1 : tensor<256x256xf32>
// CHECK: %[[R:.*]] = tessera.reduce sum %[[P]] dims = [1] : tensor<256x256xf32> -> tensor<256xf32>
// CHECK: tessera.reduce sum %[[R]] dims = [0] : tensor<256xf32> -> tensor<f32>
// CHECK-NOT: dot_general
func.func @dot_product(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> tensor<f32> {
  %0 = tessera.dot_general %x, %y batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Where elements lie in other orders, sums are formed square by square: lines of the cache of 16 elements.
// CHECK-LABEL: func @transposed_product
// CHECK: %[[X:.*]] = tessera.reshape %arg0 : tensor<48x64xf32> -> tensor<3x16x4x16xf32>
// CHECK: %[[A:.*]] = tessera.transpose %[[X]] permutation = [0, 2, 1, 3]
// CHECK: %[[Y:.*]] = tessera.reshape %{{.*}} : tensor<48x64xf32> -> tensor<3x16x4x16xf32>
// CHECK: %[[B:.*]] = tessera.transpose %[[Y]] permutation = [0, 2, 1, 3]
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : tensor<3x4x16x16xf32>
// CHECK: tessera.reduce sum %[[P]]
func.func @transposed_product(%x: tensor<48x64xf32>, %y: tensor<64x48xf32>) -> tensor<f32> {
  %0 = tessera.dot_general %x, %y batching = [] x [] contracting = [0, 1] x [1, 0] : (tensor<48x64xf32>, tensor<64x48xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Batches keep their order, other orders of dimensions are those of the left operand, sums of 16 bits are formed in f32, and dimensions of size 1
// come and go.
// CHECK-LABEL: func @batches_in_another_order
// CHECK-DAG: %[[X:.*]] = tessera.reshape %arg0 : tensor<3x4x30x1xbf16> -> tensor<3x4x30xbf16>
// CHECK-DAG: %[[T:.*]] = tessera.transpose %arg1 permutation = [2, 0, 1] : tensor<4x30x3xbf16> -> tensor<3x4x30xbf16>
// CHECK-DAG: %[[A:.*]] = arith.extf %[[X]] : tensor<3x4x30xbf16> to tensor<3x4x30xf32>
// CHECK-DAG: %[[B:.*]] = arith.extf %[[T]] : tensor<3x4x30xbf16> to tensor<3x4x30xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK: %[[S:.*]] = tessera.reduce sum %[[P]] dims = [2] : tensor<3x4x30xf32> -> tensor<3x4xf32>
// CHECK: %[[O:.*]] = tessera.transpose %[[S]] permutation = [1, 0]
// CHECK: %[[R:.*]] = tessera.reshape %[[O]] : tensor<4x3xf32> -> tensor<4x3x1xf32>
// CHECK: arith.truncf %[[R]] : tensor<4x3x1xf32> to tensor<4x3x1xbf16>
func.func @batches_in_another_order(%x: tensor<3x4x30x1xbf16>, %y: tensor<4x30x3xbf16>) -> tensor<4x3x1xbf16> {
  %0 = tessera.dot_general %x, %y batching = [1, 0] x [0, 2] contracting = [2] x [1]
         : (tensor<3x4x30x1xbf16>, tensor<4x30x3xbf16>) -> tensor<4x3x1xbf16>
  return %0 : tensor<4x3x1xbf16>
}

// Without contracted dimensions there is nothing to sum up.
// CHECK-LABEL: func @products_alone
// CHECK: arith.mulf %arg0, %arg0 : tensor<6xf32>
// CHECK-NOT: {{reduce|dot_general}}
// CHECK: return
func.func @products_alone(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = tessera.dot_general %x, %x batching = [0] x [0] contracting = [] x [] : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// With a free dimension on one side it stays a matmul.
// CHECK-LABEL: func @matrix_times_vector
// CHECK: tessera.dot_general
func.func @matrix_times_vector(%x: tensor<8x16xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
  %0 = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
