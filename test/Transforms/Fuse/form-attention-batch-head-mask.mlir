// A mask of heads for each batch, of four dimensions, is taken out of both passes once.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention 
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32>, %arg1: tensor<2x16x4x8xf32>, %arg2: tensor<2x16x4x8xf32>, %arg3: tensor<2x4x1x1xf32>, %arg4: tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
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
  %12 = tessera.broadcast %arg3 dims = [0, 1, 2, 3] : tensor<2x4x1x1xf32> -> tensor<2x4x16x16xf32>
  %13 = arith.mulf %9, %12 : tensor<2x4x16x16xf32>
  %14 = tessera.dot_general %arg2, %13 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %15 = tessera.transpose %14 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %16 = tessera.transpose %arg4 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %17 = tessera.dot_general %16, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %18 = tessera.dot_general %16, %13 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %19 = tessera.transpose %18 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %20 = arith.mulf %17, %12 : tensor<2x4x16x16xf32>
  %21 = tessera.broadcast %11 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %22 = arith.mulf %20, %21 : tensor<2x4x16x16xf32>
  %23 = arith.mulf %22, %5 : tensor<2x4x16x16xf32>
  %24 = tessera.reduce sum %23 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %25 = tessera.reshape %24 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %26 = arith.negf %25 : tensor<2x4x16x1xf32>
  %27 = arith.divf %20, %8 : tensor<2x4x16x16xf32>
  %28 = tessera.reduce sum %26 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %29 = tessera.broadcast %28 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %30 = arith.addf %27, %29 : tensor<2x4x16x16xf32>
  %31 = arith.mulf %30, %5 : tensor<2x4x16x16xf32>
  %32 = arith.mulf %31, %cst : tensor<2x4x16x16xf32>
  %33 = tessera.dot_general %32, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %34 = tessera.transpose %33 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %35 = tessera.dot_general %32, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %36 = tessera.transpose %35 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %15, %36, %34, %19 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
