// Batch and heads are one dimension.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}: (tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.transpose %arg0 permutation = [0, 2, 1, 3] : tensor<2x16x4x8xf32> -> tensor<2x4x16x8xf32>
  %1 = tessera.reshape %0 : tensor<2x4x16x8xf32> -> tensor<8x16x8xf32>
  %2 = tessera.transpose %arg1 permutation = [0, 2, 1, 3] : tensor<2x16x4x8xf32> -> tensor<2x4x16x8xf32>
  %3 = tessera.reshape %2 : tensor<2x4x16x8xf32> -> tensor<8x16x8xf32>
  %4 = tessera.transpose %3 permutation = [0, 2, 1] : tensor<8x16x8xf32> -> tensor<8x8x16xf32>
  %5 = tessera.dot_general %1, %4 batching = [0] x [0] contracting = [2] x [1] : (tensor<8x16x8xf32>, tensor<8x8x16xf32>) -> tensor<8x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<8x16x16xf32>
  %6 = arith.mulf %5, %cst : tensor<8x16x16xf32>
  %7 = tessera.reduce max %6 dims = [2] : tensor<8x16x16xf32> -> tensor<8x16xf32>
  %8 = tessera.broadcast %7 dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x16xf32>
  %9 = arith.subf %6, %8 : tensor<8x16x16xf32>
  %10 = math.exp %9 : tensor<8x16x16xf32>
  %11 = tessera.reduce sum %10 dims = [2] : tensor<8x16x16xf32> -> tensor<8x16xf32>
  %12 = tessera.broadcast %11 dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x1xf32>
  %13 = tessera.broadcast %11 dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x16xf32>
  %14 = arith.divf %10, %13 : tensor<8x16x16xf32>
  %15 = arith.mulf %12, %12 : tensor<8x16x1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<8x16x1xf32>
  %16 = arith.divf %cst_0, %15 : tensor<8x16x1xf32>
  %17 = tessera.transpose %arg2 permutation = [0, 2, 1, 3] : tensor<2x16x4x8xf32> -> tensor<2x4x16x8xf32>
  %18 = tessera.reshape %17 : tensor<2x4x16x8xf32> -> tensor<8x16x8xf32>
  %19 = tessera.dot_general %14, %18 batching = [0] x [0] contracting = [2] x [1] : (tensor<8x16x16xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %20 = tessera.reshape %19 : tensor<8x16x8xf32> -> tensor<2x4x16x8xf32>
  %21 = tessera.transpose %20 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %22 = tessera.transpose %arg3 permutation = [0, 2, 1, 3] : tensor<2x16x4x8xf32> -> tensor<2x4x16x8xf32>
  %23 = tessera.reshape %22 : tensor<2x4x16x8xf32> -> tensor<8x16x8xf32>
  %24 = tessera.dot_general %23, %14 batching = [0] x [0] contracting = [1] x [1] : (tensor<8x16x8xf32>, tensor<8x16x16xf32>) -> tensor<8x8x16xf32>
  %25 = tessera.transpose %24 permutation = [0, 2, 1] : tensor<8x8x16xf32> -> tensor<8x16x8xf32>
  %26 = tessera.dot_general %23, %18 batching = [0] x [0] contracting = [2] x [2] : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x16xf32>
  %27 = tessera.reshape %25 : tensor<8x16x8xf32> -> tensor<2x4x16x8xf32>
  %28 = tessera.transpose %27 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %29 = tessera.broadcast %16 dims = [0, 1, 2] : tensor<8x16x1xf32> -> tensor<8x16x16xf32>
  %30 = arith.mulf %26, %29 : tensor<8x16x16xf32>
  %31 = arith.mulf %30, %10 : tensor<8x16x16xf32>
  %32 = tessera.reduce sum %31 dims = [2] : tensor<8x16x16xf32> -> tensor<8x16xf32>
  %33 = tessera.reshape %32 : tensor<8x16xf32> -> tensor<8x16x1xf32>
  %34 = arith.negf %33 : tensor<8x16x1xf32>
  %35 = arith.divf %26, %13 : tensor<8x16x16xf32>
  %36 = tessera.reduce sum %34 dims = [2] : tensor<8x16x1xf32> -> tensor<8x16xf32>
  %37 = tessera.broadcast %36 dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x16xf32>
  %38 = arith.addf %35, %37 : tensor<8x16x16xf32>
  %39 = arith.mulf %38, %10 : tensor<8x16x16xf32>
  %40 = arith.mulf %39, %cst : tensor<8x16x16xf32>
  %41 = tessera.dot_general %40, %1 batching = [0] x [0] contracting = [1] x [1] : (tensor<8x16x16xf32>, tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %42 = tessera.dot_general %40, %4 batching = [0] x [0] contracting = [2] x [2] : (tensor<8x16x16xf32>, tensor<8x8x16xf32>) -> tensor<8x16x8xf32>
  %43 = tessera.reshape %41 : tensor<8x16x8xf32> -> tensor<2x4x16x8xf32>
  %44 = tessera.transpose %43 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %45 = tessera.reshape %42 : tensor<8x16x8xf32> -> tensor<2x4x16x8xf32>
  %46 = tessera.transpose %45 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %21, %46, %44, %28 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
