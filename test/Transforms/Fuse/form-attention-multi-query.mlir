// One key head for all query heads: the batch is the key heads, and the heads that share one are a group.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}: (tensor<1x8x16x8xf32>, tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x8xf32> {tessera.name = "result[2]"}, tensor<2x16x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg1, %arg0 batching = [0] x [0] contracting = [2] x [3] : (tensor<2x16x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x16x16x4xf32>
  %1 = tessera.transpose %0 permutation = [0, 3, 2, 1] : tensor<2x16x16x4xf32> -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %2 = arith.mulf %1, %cst : tensor<2x4x16x16xf32>
  %3 = tessera.reduce max %2 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %4 = tessera.broadcast %3 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %5 = arith.subf %2, %4 : tensor<2x4x16x16xf32>
  %6 = math.exp %5 : tensor<2x4x16x16xf32>
  %7 = tessera.reduce sum %6 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %8 = tessera.broadcast %7 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %9 = tessera.broadcast %7 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %10 = arith.divf %6, %9 : tensor<2x4x16x16xf32>
  %11 = arith.mulf %8, %8 : tensor<2x4x16x1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %12 = arith.divf %cst_0, %11 : tensor<2x4x16x1xf32>
  %13 = tessera.dot_general %arg2, %10 batching = [0] x [0] contracting = [1] x [3] : (tensor<2x16x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x8x4x16xf32>
  %14 = tessera.transpose %13 permutation = [0, 3, 2, 1] : tensor<2x8x4x16xf32> -> tensor<2x16x4x8xf32>
  %15 = tessera.transpose %arg3 permutation = [0, 3, 2, 1] : tensor<2x16x4x8xf32> -> tensor<2x8x4x16xf32>
  %16 = tessera.dot_general %15, %arg2 batching = [0] x [0] contracting = [1] x [2] : (tensor<2x8x4x16xf32>, tensor<2x16x8xf32>) -> tensor<2x4x16x16xf32>
  %17 = tessera.dot_general %15, %10 batching = [0] x [0] contracting = [2, 3] x [1, 2] : (tensor<2x8x4x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x8x16xf32>
  %18 = tessera.transpose %17 permutation = [0, 2, 1] : tensor<2x8x16xf32> -> tensor<2x16x8xf32>
  %19 = tessera.broadcast %12 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %20 = arith.mulf %16, %19 : tensor<2x4x16x16xf32>
  %21 = arith.mulf %20, %6 : tensor<2x4x16x16xf32>
  %22 = tessera.reduce sum %21 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %23 = tessera.reshape %22 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %24 = arith.negf %23 : tensor<2x4x16x1xf32>
  %25 = arith.divf %16, %9 : tensor<2x4x16x16xf32>
  %26 = tessera.reduce sum %24 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %27 = tessera.broadcast %26 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %28 = arith.addf %25, %27 : tensor<2x4x16x16xf32>
  %29 = arith.mulf %28, %6 : tensor<2x4x16x16xf32>
  %30 = arith.mulf %29, %cst : tensor<2x4x16x16xf32>
  %31 = tessera.transpose %30 permutation = [0, 3, 2, 1] : tensor<2x4x16x16xf32> -> tensor<2x16x16x4xf32>
  %32 = tessera.dot_general %31, %arg1 batching = [0] x [0] contracting = [1] x [1] : (tensor<2x16x16x4xf32>, tensor<2x16x8xf32>) -> tensor<2x16x4x8xf32>
  %33 = tessera.dot_general %31, %arg0 batching = [0] x [0] contracting = [2, 3] x [1, 2] : (tensor<2x16x16x4xf32>, tensor<2x16x4x8xf32>) -> tensor<2x16x8xf32>
  return %14, %32, %33, %18 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>
}
