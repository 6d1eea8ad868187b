// What is not attention, or more than attention, stays as it is.
// RUN: tessera-opt %s -split-input-file --tessera-form-attention | FileCheck %s

// Probabilities that are dropped out.
// CHECK-LABEL: func.func @dropout(
// CHECK-NOT: tessera.attention
// CHECK: math.exp
// CHECK-NOT: tessera.attention
func.func @dropout(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x4x16x16xf32> {tessera.name = "keep"}, %arg4: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x16x16xf32>
  %5 = math.exp %4 : tensor<2x4x16x16xf32>
  %6 = tessera.reduce sum %5 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %8 = tessera.broadcast %6 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %9 = arith.divf %5, %8 : tensor<2x4x16x16xf32>
  %10 = arith.mulf %7, %7 : tensor<2x4x16x1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %11 = arith.divf %cst_0, %10 : tensor<2x4x16x1xf32>
  %12 = arith.mulf %9, %arg3 : tensor<2x4x16x16xf32>
  %13 = tessera.dot_general %arg2, %12 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %14 = tessera.transpose %13 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %15 = tessera.transpose %arg4 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %16 = tessera.dot_general %15, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %17 = tessera.dot_general %15, %12 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %18 = tessera.transpose %17 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %19 = arith.mulf %16, %arg3 : tensor<2x4x16x16xf32>
  %20 = tessera.broadcast %11 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %21 = arith.mulf %19, %20 : tensor<2x4x16x16xf32>
  %22 = arith.mulf %21, %5 : tensor<2x4x16x16xf32>
  %23 = tessera.reduce sum %22 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %24 = tessera.reshape %23 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %25 = arith.negf %24 : tensor<2x4x16x1xf32>
  %26 = arith.divf %19, %8 : tensor<2x4x16x16xf32>
  %27 = tessera.reduce sum %25 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %28 = tessera.broadcast %27 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %29 = arith.addf %26, %28 : tensor<2x4x16x16xf32>
  %30 = arith.mulf %29, %5 : tensor<2x4x16x16xf32>
  %31 = arith.mulf %30, %cst : tensor<2x4x16x16xf32>
  %32 = tessera.dot_general %31, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %33 = tessera.transpose %32 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %34 = tessera.dot_general %31, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %35 = tessera.transpose %34 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %14, %35, %33, %18 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}

// -----

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

// Scores that a hyperbolic tangent bounds.
// CHECK-LABEL: func.func @softcap(
// CHECK-NOT: tessera.attention
// CHECK: math.exp
// CHECK-NOT: tessera.attention
func.func @softcap(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %cst_0 = arith.constant dense<5.000000e+01> : tensor<2x4x16x16xf32>
  %2 = arith.divf %1, %cst_0 : tensor<2x4x16x16xf32>
  %3 = math.tanh %2 : tensor<2x4x16x16xf32>
  %4 = arith.mulf %3, %cst_0 : tensor<2x4x16x16xf32>
  %5 = tessera.reduce max %4 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %6 = tessera.broadcast %5 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %7 = arith.subf %4, %6 : tensor<2x4x16x16xf32>
  %8 = math.exp %7 : tensor<2x4x16x16xf32>
  %9 = tessera.reduce sum %8 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %10 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %11 = arith.divf %8, %10 : tensor<2x4x16x16xf32>
  %12 = tessera.dot_general %arg2, %11 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %13 = tessera.transpose %12 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  return %13 : tensor<2x16x4x8xf32>
}

// -----

// A gradient of the bias is as large as the scores.
// CHECK-LABEL: func.func @bias_gradient(
// CHECK-NOT: tessera.attention
// CHECK: math.exp
// CHECK-NOT: tessera.attention
func.func @bias_gradient(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<1x4x16x16xf32> {tessera.name = "bias"}, %arg4: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}, tensor<1x4x16x16xf32> {tessera.name = "result[4]"}) {
  %0 = tessera.reshape %arg0 : tensor<2x16x4x8xf32> -> tensor<2x16x4x1x8xf32>
  %1 = tessera.reshape %arg3 : tensor<1x4x16x16xf32> -> tensor<1x4x1x16x16xf32>
  %2 = tessera.dot_general %0, %arg1 batching = [0, 2] x [0, 2] contracting = [4] x [3] : (tensor<2x16x4x1x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x1x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x1x16xf32>
  %3 = arith.mulf %2, %cst : tensor<2x4x16x1x16xf32>
  %4 = tessera.transpose %3 permutation = [3, 0, 1, 2, 4] : tensor<2x4x16x1x16xf32> -> tensor<1x2x4x16x16xf32>
  %5 = tessera.transpose %1 permutation = [2, 0, 1, 3, 4] : tensor<1x4x1x16x16xf32> -> tensor<1x1x4x16x16xf32>
  %6 = tessera.broadcast %5 dims = [0, 1, 2, 3, 4] : tensor<1x1x4x16x16xf32> -> tensor<1x2x4x16x16xf32>
  %7 = arith.addf %4, %6 : tensor<1x2x4x16x16xf32>
  %8 = tessera.reduce max %7 dims = [4] : tensor<1x2x4x16x16xf32> -> tensor<1x2x4x16xf32>
  %9 = tessera.broadcast %8 dims = [0, 1, 2, 3] : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x16xf32>
  %10 = arith.subf %7, %9 : tensor<1x2x4x16x16xf32>
  %11 = math.exp %10 : tensor<1x2x4x16x16xf32>
  %12 = tessera.reduce sum %11 dims = [4] : tensor<1x2x4x16x16xf32> -> tensor<1x2x4x16xf32>
  %13 = tessera.broadcast %12 dims = [0, 1, 2, 3] : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x1xf32>
  %14 = tessera.broadcast %12 dims = [0, 1, 2, 3] : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x16xf32>
  %15 = arith.divf %11, %14 : tensor<1x2x4x16x16xf32>
  %16 = arith.mulf %13, %13 : tensor<1x2x4x16x1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<1x2x4x16x1xf32>
  %17 = arith.divf %cst_0, %16 : tensor<1x2x4x16x1xf32>
  %18 = tessera.dot_general %arg2, %15 batching = [0, 2] x [1, 2] contracting = [1] x [4] : (tensor<2x16x4x8xf32>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x8x1x16xf32>
  %19 = tessera.transpose %18 permutation = [0, 4, 1, 3, 2] : tensor<2x4x8x1x16xf32> -> tensor<2x16x4x1x8xf32>
  %20 = tessera.reshape %19 : tensor<2x16x4x1x8xf32> -> tensor<2x16x4x8xf32>
  %21 = tessera.reshape %arg4 : tensor<2x16x4x8xf32> -> tensor<2x16x4x1x8xf32>
  %22 = tessera.transpose %21 permutation = [0, 2, 4, 3, 1] : tensor<2x16x4x1x8xf32> -> tensor<2x4x8x1x16xf32>
  %23 = tessera.dot_general %22, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x1x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x1x16x16xf32>
  %24 = tessera.transpose %23 permutation = [2, 0, 1, 3, 4] : tensor<2x4x1x16x16xf32> -> tensor<1x2x4x16x16xf32>
  %25 = tessera.dot_general %22, %15 batching = [0, 1] x [1, 2] contracting = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %26 = tessera.transpose %25 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %27 = tessera.broadcast %17 dims = [0, 1, 2, 3, 4] : tensor<1x2x4x16x1xf32> -> tensor<1x2x4x16x16xf32>
  %28 = arith.mulf %24, %27 : tensor<1x2x4x16x16xf32>
  %29 = arith.mulf %28, %11 : tensor<1x2x4x16x16xf32>
  %30 = tessera.reduce sum %29 dims = [4] : tensor<1x2x4x16x16xf32> -> tensor<1x2x4x16xf32>
  %31 = tessera.reshape %30 : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x1xf32>
  %32 = arith.negf %31 : tensor<1x2x4x16x1xf32>
  %33 = arith.divf %24, %14 : tensor<1x2x4x16x16xf32>
  %34 = tessera.reduce sum %32 dims = [0, 4] : tensor<1x2x4x16x1xf32> -> tensor<2x4x16xf32>
  %35 = tessera.broadcast %34 dims = [1, 2, 3] : tensor<2x4x16xf32> -> tensor<1x2x4x16x16xf32>
  %36 = arith.addf %33, %35 : tensor<1x2x4x16x16xf32>
  %37 = arith.mulf %36, %11 : tensor<1x2x4x16x16xf32>
  %38 = tessera.reduce sum %37 dims = [1] : tensor<1x2x4x16x16xf32> -> tensor<1x4x16x16xf32>
  %39 = tessera.reshape %38 : tensor<1x4x16x16xf32> -> tensor<1x1x4x16x16xf32>
  %40 = tessera.transpose %39 permutation = [1, 2, 0, 3, 4] : tensor<1x1x4x16x16xf32> -> tensor<1x4x1x16x16xf32>
  %41 = tessera.transpose %37 permutation = [1, 2, 3, 0, 4] : tensor<1x2x4x16x16xf32> -> tensor<2x4x16x1x16xf32>
  %42 = arith.mulf %41, %cst : tensor<2x4x16x1x16xf32>
  %43 = tessera.dot_general %42, %0 batching = [0, 1] x [0, 2] contracting = [2, 3] x [1, 3] : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xf32>) -> tensor<2x4x16x8xf32>
  %44 = tessera.transpose %43 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %45 = tessera.dot_general %42, %arg1 batching = [0, 1] x [0, 2] contracting = [4] x [1] : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x1x8xf32>
  %46 = tessera.transpose %45 permutation = [0, 2, 1, 3, 4] : tensor<2x4x16x1x8xf32> -> tensor<2x16x4x1x8xf32>
  %47 = tessera.reshape %40 : tensor<1x4x1x16x16xf32> -> tensor<1x4x16x16xf32>
  %48 = tessera.reshape %46 : tensor<2x16x4x1x8xf32> -> tensor<2x16x4x8xf32>
  return %20, %48, %44, %26, %47 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<1x4x16x16xf32>
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
