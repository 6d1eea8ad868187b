// Scores with keys in front of queries, and a softmax over the dimension in the middle.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x4x32x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x4x32x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x4x32x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<2x4x32x16xf32> {tessera.name = "a[3]"}) -> (tensor<2x4x32x16xf32> {tessera.name = "result[0]"}, tensor<2x4x32x16xf32> {tessera.name = "result[1]"}, tensor<2x4x32x16xf32> {tessera.name = "result[2]"}, tensor<2x4x32x16xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg1, %arg0 batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x32xf32>
  %cst = arith.constant dense<2.500000e-01> : tensor<2x4x32x32xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x32x32xf32>
  %2 = tessera.reduce max %1 dims = [2] : tensor<2x4x32x32xf32> -> tensor<2x4x32xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 3] : tensor<2x4x32xf32> -> tensor<2x4x32x32xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x32x32xf32>
  %5 = math.exp %4 : tensor<2x4x32x32xf32>
  %6 = tessera.reduce sum %5 dims = [2] : tensor<2x4x32x32xf32> -> tensor<2x4x32xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 3] : tensor<2x4x32xf32> -> tensor<2x4x1x32xf32>
  %8 = tessera.broadcast %6 dims = [0, 1, 3] : tensor<2x4x32xf32> -> tensor<2x4x32x32xf32>
  %9 = arith.divf %5, %8 : tensor<2x4x32x32xf32>
  %10 = arith.mulf %7, %7 : tensor<2x4x1x32xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x1x32xf32>
  %11 = arith.divf %cst_0, %10 : tensor<2x4x1x32xf32>
  %12 = tessera.dot_general %9, %arg2 batching = [0, 1] x [0, 1] contracting = [2] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  %13 = tessera.dot_general %arg3, %9 batching = [0, 1] x [0, 1] contracting = [2] x [3] : (tensor<2x4x32x16xf32>, tensor<2x4x32x32xf32>) -> tensor<2x4x16x32xf32>
  %14 = tessera.transpose %13 permutation = [0, 1, 3, 2] : tensor<2x4x16x32xf32> -> tensor<2x4x32x16xf32>
  %15 = tessera.dot_general %arg3, %arg2 batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x32xf32>
  %16 = tessera.transpose %15 permutation = [0, 1, 3, 2] : tensor<2x4x32x32xf32> -> tensor<2x4x32x32xf32>
  %17 = tessera.broadcast %11 dims = [0, 1, 2, 3] : tensor<2x4x1x32xf32> -> tensor<2x4x32x32xf32>
  %18 = arith.mulf %16, %17 : tensor<2x4x32x32xf32>
  %19 = arith.mulf %18, %5 : tensor<2x4x32x32xf32>
  %20 = tessera.reduce sum %19 dims = [2] : tensor<2x4x32x32xf32> -> tensor<2x4x32xf32>
  %21 = tessera.reshape %20 : tensor<2x4x32xf32> -> tensor<2x4x1x32xf32>
  %22 = arith.negf %21 : tensor<2x4x1x32xf32>
  %23 = arith.divf %16, %8 : tensor<2x4x32x32xf32>
  %24 = tessera.reduce sum %22 dims = [2] : tensor<2x4x1x32xf32> -> tensor<2x4x32xf32>
  %25 = tessera.broadcast %24 dims = [0, 1, 3] : tensor<2x4x32xf32> -> tensor<2x4x32x32xf32>
  %26 = arith.addf %23, %25 : tensor<2x4x32x32xf32>
  %27 = arith.mulf %26, %5 : tensor<2x4x32x32xf32>
  %28 = arith.mulf %27, %cst : tensor<2x4x32x32xf32>
  %29 = tessera.dot_general %28, %arg1 batching = [0, 1] x [0, 1] contracting = [2] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  %30 = tessera.dot_general %28, %arg0 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  return %12, %29, %30, %14 : tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>
}
