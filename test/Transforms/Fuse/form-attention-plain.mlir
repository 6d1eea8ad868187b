// A softmax between two matmuls, and what JAX makes of its gradient.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}scale = 0.35355
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<2.82842708> : tensor<2x4x16x16xf32>
  %1 = arith.divf %0, %cst : tensor<2x4x16x16xf32>
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
  %12 = tessera.dot_general %arg2, %9 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %13 = tessera.transpose %12 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %14 = tessera.transpose %arg3 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %15 = tessera.dot_general %14, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %16 = tessera.dot_general %14, %9 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %17 = tessera.transpose %16 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %18 = tessera.broadcast %11 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %19 = arith.mulf %15, %18 : tensor<2x4x16x16xf32>
  %20 = arith.mulf %19, %5 : tensor<2x4x16x16xf32>
  %21 = tessera.reduce sum %20 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %22 = tessera.reshape %21 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %23 = arith.negf %22 : tensor<2x4x16x1xf32>
  %24 = arith.divf %15, %8 : tensor<2x4x16x16xf32>
  %25 = tessera.reduce sum %23 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %26 = tessera.broadcast %25 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %27 = arith.addf %24, %26 : tensor<2x4x16x16xf32>
  %28 = arith.mulf %27, %5 : tensor<2x4x16x16xf32>
  %29 = arith.divf %28, %cst : tensor<2x4x16x16xf32>
  %30 = tessera.dot_general %29, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %31 = tessera.transpose %30 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %32 = tessera.dot_general %29, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %33 = tessera.transpose %32 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %13, %33, %31, %17 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
