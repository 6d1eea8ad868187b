// jax.nn.dot_product_attention with two query heads per key head.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}causal = 0 fill = {{.*}} : (tensor<2x4x16x8xf32>, tensor<2x2x16x8xf32>, tensor<2x2x16x8xf32>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x2x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x2x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x2x8xf32> {tessera.name = "result[2]"}, tensor<2x16x2x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.reshape %arg0 : tensor<2x16x4x8xf32> -> tensor<2x16x2x2x8xf32>
  %1 = tessera.dot_general %0, %arg1 batching = [0, 2] x [0, 2] contracting = [4] x [3] : (tensor<2x16x2x2x8xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x2x16x2x16xf32>
  %2 = arith.mulf %1, %cst : tensor<2x2x16x2x16xf32>
  %cst_0 = arith.constant dense<true> : tensor<16x16xi1>
  %3 = tessera.iota dim = 0 : tensor<16x16xi32>
  %4 = tessera.iota dim = 1 : tensor<16x16xi32>
  %5 = arith.cmpi sge, %3, %4 : tensor<16x16xi32>
  %cst_1 = arith.constant dense<false> : tensor<16x16xi1>
  %6 = arith.select %5, %cst_0, %cst_1 : tensor<16x16xi1>, tensor<16x16xi1>
  %7 = tessera.broadcast %6 dims = [3, 4] : tensor<16x16xi1> -> tensor<2x2x2x16x16xi1>
  %cst_2 = arith.constant dense<-2.38197633E+38> : tensor<2x2x2x16x16xf32>
  %8 = tessera.transpose %2 permutation = [3, 0, 1, 2, 4] : tensor<2x2x16x2x16xf32> -> tensor<2x2x2x16x16xf32>
  %9 = arith.select %7, %8, %cst_2 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
  %10 = tessera.reduce max %9 dims = [4] : tensor<2x2x2x16x16xf32> -> tensor<2x2x2x16xf32>
  %11 = tessera.broadcast %10 dims = [0, 1, 2, 3] : tensor<2x2x2x16xf32> -> tensor<2x2x2x16x16xf32>
  %12 = arith.subf %9, %11 : tensor<2x2x2x16x16xf32>
  %13 = math.exp %12 : tensor<2x2x2x16x16xf32>
  %14 = tessera.reduce sum %13 dims = [4] : tensor<2x2x2x16x16xf32> -> tensor<2x2x2x16xf32>
  %15 = tessera.broadcast %14 dims = [0, 1, 2, 3] : tensor<2x2x2x16xf32> -> tensor<2x2x2x16x1xf32>
  %16 = tessera.broadcast %14 dims = [0, 1, 2, 3] : tensor<2x2x2x16xf32> -> tensor<2x2x2x16x16xf32>
  %17 = arith.divf %13, %16 : tensor<2x2x2x16x16xf32>
  %18 = arith.mulf %15, %15 : tensor<2x2x2x16x1xf32>
  %cst_3 = arith.constant dense<1.000000e+00> : tensor<2x2x2x16x1xf32>
  %19 = arith.divf %cst_3, %18 : tensor<2x2x2x16x1xf32>
  %20 = tessera.dot_general %arg2, %17 batching = [0, 2] x [1, 2] contracting = [1] x [4] : (tensor<2x16x2x8xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x8x2x16xf32>
  %21 = tessera.transpose %20 permutation = [0, 4, 1, 3, 2] : tensor<2x2x8x2x16xf32> -> tensor<2x16x2x2x8xf32>
  %22 = tessera.reshape %21 : tensor<2x16x2x2x8xf32> -> tensor<2x16x4x8xf32>
  %23 = tessera.reshape %arg3 : tensor<2x16x4x8xf32> -> tensor<2x16x2x2x8xf32>
  %24 = tessera.transpose %23 permutation = [0, 2, 4, 3, 1] : tensor<2x16x2x2x8xf32> -> tensor<2x2x8x2x16xf32>
  %25 = tessera.dot_general %24, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x2x8x2x16xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x2x16x16xf32>
  %26 = tessera.transpose %25 permutation = [2, 0, 1, 3, 4] : tensor<2x2x2x16x16xf32> -> tensor<2x2x2x16x16xf32>
  %27 = tessera.dot_general %24, %17 batching = [0, 1] x [1, 2] contracting = [3, 4] x [0, 3] : (tensor<2x2x8x2x16xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x8x16xf32>
  %28 = tessera.transpose %27 permutation = [0, 3, 1, 2] : tensor<2x2x8x16xf32> -> tensor<2x16x2x8xf32>
  %29 = tessera.broadcast %19 dims = [0, 1, 2, 3, 4] : tensor<2x2x2x16x1xf32> -> tensor<2x2x2x16x16xf32>
  %30 = arith.mulf %26, %29 : tensor<2x2x2x16x16xf32>
  %31 = arith.mulf %30, %13 : tensor<2x2x2x16x16xf32>
  %32 = tessera.reduce sum %31 dims = [4] : tensor<2x2x2x16x16xf32> -> tensor<2x2x2x16xf32>
  %33 = tessera.reshape %32 : tensor<2x2x2x16xf32> -> tensor<2x2x2x16x1xf32>
  %34 = arith.negf %33 : tensor<2x2x2x16x1xf32>
  %35 = arith.divf %26, %16 : tensor<2x2x2x16x16xf32>
  %36 = tessera.reduce sum %34 dims = [4] : tensor<2x2x2x16x1xf32> -> tensor<2x2x2x16xf32>
  %37 = tessera.broadcast %36 dims = [0, 1, 2, 3] : tensor<2x2x2x16xf32> -> tensor<2x2x2x16x16xf32>
  %38 = arith.addf %35, %37 : tensor<2x2x2x16x16xf32>
  %39 = arith.mulf %38, %13 : tensor<2x2x2x16x16xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x2x2x16x16xf32>
  %40 = arith.select %7, %39, %cst_4 : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
  %41 = tessera.transpose %40 permutation = [1, 2, 3, 0, 4] : tensor<2x2x2x16x16xf32> -> tensor<2x2x16x2x16xf32>
  %42 = arith.mulf %41, %cst : tensor<2x2x16x2x16xf32>
  %43 = tessera.dot_general %42, %0 batching = [0, 1] x [0, 2] contracting = [2, 3] x [1, 3] : (tensor<2x2x16x2x16xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x8xf32>
  %44 = tessera.transpose %43 permutation = [0, 2, 1, 3] : tensor<2x2x16x8xf32> -> tensor<2x16x2x8xf32>
  %45 = tessera.dot_general %42, %arg1 batching = [0, 1] x [0, 2] contracting = [4] x [1] : (tensor<2x2x16x2x16xf32>, tensor<2x16x2x8xf32>) -> tensor<2x2x16x2x8xf32>
  %46 = tessera.transpose %45 permutation = [0, 2, 1, 3, 4] : tensor<2x2x16x2x8xf32> -> tensor<2x16x2x2x8xf32>
  %47 = tessera.reshape %46 : tensor<2x16x2x2x8xf32> -> tensor<2x16x4x8xf32>
  return %22, %47, %44, %28 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x2x8xf32>, tensor<2x16x2x8xf32>
}
