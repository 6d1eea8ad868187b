// The query is scaled before the product, and the causal mask is made of ones and zeros.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}scale = 1.000000e+00 causal = 0 fill = -3.4028
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %cst = arith.constant dense<2.82842708> : tensor<2x16x4x8xf32>
  %0 = arith.divf %arg0, %cst : tensor<2x16x4x8xf32>
  %1 = tessera.dot_general %0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst_0 = arith.constant dense<true> : tensor<16x16xi1>
  %2 = tessera.iota dim = 0 : tensor<16x16xi32>
  %3 = tessera.iota dim = 1 : tensor<16x16xi32>
  %4 = arith.cmpi sge, %2, %3 : tensor<16x16xi32>
  %cst_1 = arith.constant dense<false> : tensor<16x16xi1>
  %5 = arith.select %4, %cst_0, %cst_1 : tensor<16x16xi1>, tensor<16x16xi1>
  %6 = tessera.broadcast %5 dims = [2, 3] : tensor<16x16xi1> -> tensor<2x4x16x16xi1>
  %cst_2 = arith.constant dense<-3.40282347E+38> : tensor<2x4x16x16xf32>
  %7 = arith.select %6, %1, %cst_2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %8 = tessera.reduce max %7 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %9 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %10 = arith.subf %7, %9 : tensor<2x4x16x16xf32>
  %11 = math.exp %10 : tensor<2x4x16x16xf32>
  %12 = tessera.reduce sum %11 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %13 = tessera.broadcast %12 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %14 = tessera.broadcast %12 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %15 = arith.divf %11, %14 : tensor<2x4x16x16xf32>
  %16 = arith.mulf %13, %13 : tensor<2x4x16x1xf32>
  %cst_3 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %17 = arith.divf %cst_3, %16 : tensor<2x4x16x1xf32>
  %18 = tessera.dot_general %arg2, %15 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %19 = tessera.transpose %18 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %20 = tessera.transpose %arg3 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %21 = tessera.dot_general %20, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %22 = tessera.dot_general %20, %15 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %23 = tessera.transpose %22 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %24 = tessera.broadcast %17 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %25 = arith.mulf %21, %24 : tensor<2x4x16x16xf32>
  %26 = arith.mulf %25, %11 : tensor<2x4x16x16xf32>
  %27 = tessera.reduce sum %26 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %28 = tessera.reshape %27 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %29 = arith.negf %28 : tensor<2x4x16x1xf32>
  %30 = arith.divf %21, %14 : tensor<2x4x16x16xf32>
  %31 = tessera.reduce sum %29 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %32 = tessera.broadcast %31 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %33 = arith.addf %30, %32 : tensor<2x4x16x16xf32>
  %34 = arith.mulf %33, %11 : tensor<2x4x16x16xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
  %35 = arith.select %6, %34, %cst_4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %36 = tessera.dot_general %35, %0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %37 = tessera.transpose %36 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %38 = tessera.dot_general %35, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %39 = tessera.transpose %38 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %40 = arith.divf %39, %cst : tensor<2x16x4x8xf32>
  return %19, %40, %37, %23 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
