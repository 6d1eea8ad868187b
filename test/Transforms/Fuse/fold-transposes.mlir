// RUN: tessera-opt %s -tessera-fold-transposes -cse | FileCheck %s

// CHECK-LABEL: func @transposed_operand
// CHECK-NEXT: tessera.dot_general %arg0, %arg1 batching = [] x [] contracting = [0] x [0]
func.func @transposed_operand(%a: tensor<8x4xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %t = tessera.transpose %a permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %d = tessera.dot_general %t, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %d : tensor<4x16xf32>
}

// The free dimensions of the operand must keep their order, as the result has them in it.
// CHECK-LABEL: func @reordered_free_dimensions
// CHECK: tessera.transpose
func.func @reordered_free_dimensions(%a: tensor<2x4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x2x16xf32> {
  %t = tessera.transpose %a permutation = [1, 0, 2] : tensor<2x4x8xf32> -> tensor<4x2x8xf32>
  %d = tessera.dot_general %t, %b batching = [] x [] contracting = [2] x [0] : (tensor<4x2x8xf32>, tensor<8x16xf32>) -> tensor<4x2x16xf32>
  return %d : tensor<4x2x16xf32>
}

// CHECK-LABEL: func @transposed_result
// CHECK-NEXT: %[[D:.*]] = tessera.dot_general %arg1, %arg0 batching = [] x [] contracting = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
// CHECK-NEXT: return %[[D]]
func.func @transposed_result(%a: tensor<8x4xf32>, %b: tensor<8x16xf32>) -> tensor<16x4xf32> {
  %d = tessera.dot_general %a, %b batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %t = tessera.transpose %d permutation = [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
  return %t : tensor<16x4xf32>
}

// Attention's second product: the next one reads it in the order of heads, so that nothing is transposed.
// CHECK-LABEL: func @attention_output
// CHECK-NEXT: %[[D:.*]] = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 1] contracting = [1] x [3]
// CHECK-SAME: -> tensor<2x8x4x16xf32>
// CHECK-NEXT: tessera.dot_general %[[D]], %arg2 batching = [] x [] contracting = [1, 2] x [0, 1]
func.func @attention_output(%v: tensor<2x16x8x4xf32>, %p: tensor<2x8x16x16xf32>, %w: tensor<8x4x32xf32>) -> tensor<2x16x32xf32> {
  %d = tessera.dot_general %v, %p batching = [0, 2] x [0, 1] contracting = [1] x [3]
       : (tensor<2x16x8x4xf32>, tensor<2x8x16x16xf32>) -> tensor<2x8x4x16xf32>
  %t = tessera.transpose %d permutation = [0, 3, 1, 2] : tensor<2x8x4x16xf32> -> tensor<2x16x8x4xf32>
  %o = tessera.dot_general %t, %w batching = [] x [] contracting = [2, 3] x [0, 1]
       : (tensor<2x16x8x4xf32>, tensor<8x4x32xf32>) -> tensor<2x16x32xf32>
  return %o : tensor<2x16x32xf32>
}

// A transpose that other operations read keeps the last dimension in place if the operands are swapped.
// CHECK-LABEL: func @contiguous_rows
// CHECK-NEXT: %[[D:.*]] = tessera.dot_general %arg1, %arg0 batching = [0, 1] x [0, 2] contracting = [3] x [1]
// CHECK-NEXT: tessera.transpose %[[D]] permutation = [0, 2, 1, 3]
func.func @contiguous_rows(%v: tensor<2x16x8x4xf32>, %p: tensor<2x8x16x16xf32>) -> tensor<2x16x8x4xf32> {
  %d = tessera.dot_general %v, %p batching = [0, 2] x [0, 1] contracting = [1] x [3]
       : (tensor<2x16x8x4xf32>, tensor<2x8x16x16xf32>) -> tensor<2x8x4x16xf32>
  %t = tessera.transpose %d permutation = [0, 3, 1, 2] : tensor<2x8x4x16xf32> -> tensor<2x16x8x4xf32>
  return %t : tensor<2x16x8x4xf32>
}

// A gradient that is summed over the devices before it is transposed is transposed first, which is free.
tessera.mesh @mesh = <["data"=2]>
// CHECK-LABEL: func @behind_a_collective
// CHECK-NEXT: %[[D:.*]] = tessera.dot_general %arg1, %arg0
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[D]] over <@mesh, ["data"]> : tensor<16x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @behind_a_collective(%a: tensor<8x4xf32>, %b: tensor<8x16xf32>) -> tensor<16x4xf32> {
  %d = tessera.dot_general %a, %b batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %r = spmd.all_reduce sum %d over <@mesh, ["data"]> : tensor<4x16xf32>
  %t = tessera.transpose %r permutation = [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
  return %t : tensor<16x4xf32>
}
