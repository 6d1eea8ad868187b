// What is not attention, or more than attention, stays as it is.
// RUN: tessera-opt %s -split-input-file --tessera-form-attention | FileCheck %s

// Probabilities that are a result as well.
// CHECK-LABEL: func.func @probabilities_returned(
// CHECK-NOT: tessera.attention
// CHECK: math.exp
// CHECK-NOT: tessera.attention
func.func @probabilities_returned(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x4x16x16xf32> {tessera.name = "result[1]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x16x16xf32>
  %5 = math.exp %4 : tensor<2x4x16x16xf32>
  %6 = tessera.reduce sum %5 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %8 = arith.divf %5, %7 : tensor<2x4x16x16xf32>
  %9 = tessera.dot_general %arg2, %8 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %10 = tessera.transpose %9 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  return %10, %8 : tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>
}

// -----

// Exponentials that are not divided by the sum of their row.
// CHECK-LABEL: func.func @wrong_sum(
// CHECK-NOT: tessera.attention
// CHECK: math.exp
// CHECK-NOT: tessera.attention
func.func @wrong_sum(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x16x16xf32>
  %5 = math.exp %4 : tensor<2x4x16x16xf32>
  %6 = tessera.reduce sum %5 dims = [2] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 3] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %8 = arith.divf %5, %7 : tensor<2x4x16x16xf32>
  %9 = tessera.dot_general %arg2, %8 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %10 = tessera.transpose %9 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  return %10 : tensor<2x16x4x8xf32>
}
