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

// Of a part of a call, what stands before and after stands outside.
// CHECK-LABEL: func @parts
// CHECK-NEXT: %[[S:.*]] = tessera.reshape %arg1 : tensor<8x16xf32> -> tensor<8x4x4xf32>
// CHECK-NEXT: %[[T:.*]] = tessera.transpose %[[S]] permutation = [1, 0, 2]
// CHECK-NEXT: %[[P:.*]] = tessera.reshape %[[T]] : tensor<4x8x4xf32> -> tensor<32x4xf32>
// CHECK-NEXT: %[[C:.*]]:2 = spmd.combined(%arg0, %[[P]]) : (tensor<32x4xf32>, tensor<32x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<32x4xf32>, %[[Y:.*]]: tensor<32x4xf32>):
// CHECK-NEXT: spmd.reduce_scatter sum %[[X]] dim = 0
// CHECK-NEXT: spmd.reduce_scatter sum %[[Y]] dim = 0
// CHECK-NEXT: spmd.yield
// CHECK-NEXT: }
// CHECK-NEXT: return %[[C]]#0, %[[C]]#1
func.func @parts(%x: tensor<32x4xf32>, %y: tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0:2 = spmd.combined(%x, %y) : (tensor<32x4xf32>, tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  ^bb0(%x0: tensor<32x4xf32>, %x1: tensor<8x16xf32>):
    %1 = spmd.reduce_scatter sum %x0 dim = 0 over <@mesh, ["y"]> : tensor<32x4xf32> -> tensor<8x4xf32>
    %2 = spmd.reduce_scatter sum %x1 dim = 1 over <@mesh, ["y"]> : tensor<8x16xf32> -> tensor<8x4xf32>
    spmd.yield %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
  }
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func @gathered_parts
// CHECK-NEXT: %[[C:.*]]:2 = spmd.combined(%arg0, %arg0) : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<32x4xf32>, tensor<32x4xf32>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8x4xf32>, %[[Y:.*]]: tensor<8x4xf32>):
// CHECK-NEXT: spmd.all_gather %[[X]] dim = 0
// CHECK-NEXT: spmd.all_gather %[[Y]] dim = 0
// CHECK-NEXT: spmd.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[S:.*]] = tessera.reshape %[[C]]#1 : tensor<32x4xf32> -> tensor<4x8x4xf32>
// CHECK-NEXT: %[[T:.*]] = tessera.transpose %[[S]] permutation = [1, 0, 2]
// CHECK-NEXT: %[[R:.*]] = tessera.reshape %[[T]] : tensor<8x4x4xf32> -> tensor<8x16xf32>
// CHECK-NEXT: return %[[C]]#0, %[[R]]
func.func @gathered_parts(%x: tensor<8x4xf32>) -> (tensor<32x4xf32>, tensor<8x16xf32>) {
  %0:2 = spmd.combined(%x, %x) : (tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<32x4xf32>, tensor<8x16xf32>) {
  ^bb0(%x0: tensor<8x4xf32>, %x1: tensor<8x4xf32>):
    %1 = spmd.all_gather %x0 dim = 0 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<32x4xf32>
    %2 = spmd.all_gather %x1 dim = 1 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<8x16xf32>
    spmd.yield %1, %2 : tensor<32x4xf32>, tensor<8x16xf32>
  }
  return %0#0, %0#1 : tensor<32x4xf32>, tensor<8x16xf32>
}
