// A mask of heads, by `einsum`.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention 
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32>, %arg1: tensor<2x16x4x8xf32>, %arg2: tensor<2x16x4x8xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
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
  %12 = tessera.transpose %9 permutation = [1, 0, 2, 3] : tensor<2x4x16x16xf32> -> tensor<4x2x16x16xf32>
  %13 = tessera.broadcast %arg3 dims = [0] : tensor<4xf32> -> tensor<4x2x16x16xf32>
  %14 = arith.mulf %12, %13 : tensor<4x2x16x16xf32>
  %15 = tessera.transpose %14 permutation = [1, 0, 2, 3] : tensor<4x2x16x16xf32> -> tensor<2x4x16x16xf32>
  %16 = tessera.dot_general %arg2, %15 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %17 = tessera.transpose %16 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %18 = tessera.transpose %arg4 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %19 = tessera.dot_general %18, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %20 = tessera.dot_general %18, %15 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %21 = tessera.transpose %20 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %22 = tessera.transpose %19 permutation = [1, 0, 2, 3] : tensor<2x4x16x16xf32> -> tensor<4x2x16x16xf32>
  %23 = arith.mulf %22, %13 : tensor<4x2x16x16xf32>
  %24 = tessera.transpose %23 permutation = [1, 0, 2, 3] : tensor<4x2x16x16xf32> -> tensor<2x4x16x16xf32>
  %25 = tessera.broadcast %11 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %26 = arith.mulf %24, %25 : tensor<2x4x16x16xf32>
  %27 = arith.mulf %26, %5 : tensor<2x4x16x16xf32>
  %28 = tessera.reduce sum %27 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %29 = tessera.reshape %28 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %30 = arith.negf %29 : tensor<2x4x16x1xf32>
  %31 = arith.divf %24, %8 : tensor<2x4x16x16xf32>
  %32 = tessera.reduce sum %30 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %33 = tessera.broadcast %32 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %34 = arith.addf %31, %33 : tensor<2x4x16x16xf32>
  %35 = arith.mulf %34, %5 : tensor<2x4x16x16xf32>
  %36 = arith.mulf %35, %cst : tensor<2x4x16x16xf32>
  %37 = tessera.dot_general %36, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %38 = tessera.transpose %37 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %39 = tessera.dot_general %36, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %40 = tessera.transpose %39 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %17, %40, %38, %21 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
