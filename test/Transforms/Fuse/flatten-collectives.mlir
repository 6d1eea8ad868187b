// RUN: tessera-opt %s -tessera-flatten-collectives | FileCheck %s

tessera.mesh @mesh = <["x"=2, "y"=4]>

// What is gathered along the first dimension is in place already.
// CHECK-LABEL: func @gather_rows
// CHECK-NEXT: %[[R:.*]] = spmd.all_gather %arg0 dim = 0
// CHECK-NEXT: return %[[R]]
func.func @gather_rows(%x: tensor<8x4xf32>) -> tensor<32x4xf32> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<32x4xf32>
  return %0 : tensor<32x4xf32>
}

// CHECK-LABEL: func @gather_columns
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %arg0 dim = 0 {{.*}} : tensor<8x4xf32> -> tensor<32x4xf32>
// CHECK-NEXT: %[[S:.*]] = tessera.reshape %[[G]] : tensor<32x4xf32> -> tensor<4x8x4xf32>
// CHECK-NEXT: %[[T:.*]] = tessera.transpose %[[S]] permutation = [1, 0, 2]
// CHECK-NEXT: %[[R:.*]] = tessera.reshape %[[T]] : tensor<8x4x4xf32> -> tensor<8x16xf32>
// CHECK-NEXT: return %[[R]]
func.func @gather_columns(%x: tensor<8x4xf32>) -> tensor<8x16xf32> {
  %0 = spmd.all_gather %x dim = 1 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Dimensions of size 1 in front need no transpose.
// CHECK-LABEL: func @gather_behind_ones
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %arg0 dim = 0 {{.*}} : tensor<1x4xf32> -> tensor<4x4xf32>
// CHECK-NEXT: %[[R:.*]] = tessera.reshape %[[G]] : tensor<4x4xf32> -> tensor<1x16xf32>
func.func @gather_behind_ones(%x: tensor<1x4xf32>) -> tensor<1x16xf32> {
  %0 = spmd.all_gather %x dim = 1 over <@mesh, ["y"]> : tensor<1x4xf32> -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// CHECK-LABEL: func @scatter_columns
// CHECK-NEXT: %[[S:.*]] = tessera.reshape %arg0 : tensor<8x16xf32> -> tensor<8x4x4xf32>
// CHECK-NEXT: %[[T:.*]] = tessera.transpose %[[S]] permutation = [1, 0, 2]
// CHECK-NEXT: %[[U:.*]] = tessera.reshape %[[T]] : tensor<4x8x4xf32> -> tensor<32x4xf32>
// CHECK-NEXT: %[[R:.*]] = spmd.reduce_scatter sum %[[U]] dim = 0 {{.*}} : tensor<32x4xf32> -> tensor<8x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @scatter_columns(%x: tensor<8x16xf32>) -> tensor<8x4xf32> {
  %0 = spmd.reduce_scatter sum %x dim = 1 over <@mesh, ["y"]> : tensor<8x16xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Split along rows, joined along columns: only what arrives is transposed.
// CHECK-LABEL: func @exchange
// CHECK-NEXT: %[[A:.*]] = spmd.all_to_all %arg0 split = 0 concat = 0 {{.*}} : tensor<8x4xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %[[S:.*]] = tessera.reshape %[[A]] : tensor<8x4xf32> -> tensor<4x2x4xf32>
// CHECK-NEXT: %[[T:.*]] = tessera.transpose %[[S]] permutation = [1, 0, 2]
// CHECK-NEXT: %[[R:.*]] = tessera.reshape %[[T]] : tensor<2x4x4xf32> -> tensor<2x16xf32>
// CHECK-NEXT: return %[[R]]
func.func @exchange(%x: tensor<8x4xf32>) -> tensor<2x16xf32> {
  %0 = spmd.all_to_all %x split = 0 concat = 1 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}
