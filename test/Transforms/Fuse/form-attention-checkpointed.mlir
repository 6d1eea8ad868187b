// The backward pass computes the forward pass again.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}causal = 0
// CHECK: %[[O2:.*]], %[[MAX2:.*]], %[[SUM2:.*]] = tessera.attention
// CHECK: tessera.attention_gradient {{.*}} output %[[O2]] maximum %[[MAX2]] sum %[[SUM2]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %cst_0 = arith.constant dense<true> : tensor<16x16xi1>
  %2 = tessera.iota dim = 0 : tensor<16x16xi32>
  %3 = tessera.iota dim = 1 : tensor<16x16xi32>
  %4 = arith.cmpi sge, %2, %3 : tensor<16x16xi32>
  %cst_1 = arith.constant dense<false> : tensor<16x16xi1>
  %5 = arith.select %4, %cst_0, %cst_1 : tensor<16x16xi1>, tensor<16x16xi1>
  %6 = tessera.broadcast %5 dims = [2, 3] : tensor<16x16xi1> -> tensor<2x4x16x16xi1>
  %cst_2 = arith.constant dense<-1.000000e+30> : tensor<2x4x16x16xf32>
  %7 = arith.select %6, %1, %cst_2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %8 = tessera.reduce max %7 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %9 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %10 = arith.subf %7, %9 : tensor<2x4x16x16xf32>
  %11 = math.exp %10 : tensor<2x4x16x16xf32>
  %12 = tessera.reduce sum %11 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %13 = tessera.broadcast %12 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %14 = arith.divf %11, %13 : tensor<2x4x16x16xf32>
  %15 = tessera.dot_general %arg2, %14 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %16 = tessera.transpose %15 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %17:4 = tessera.optimization_barrier %arg0, %arg1, %arg2, %arg3 : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>)
  %18 = tessera.dot_general %17#0, %17#1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %19 = arith.mulf %18, %cst : tensor<2x4x16x16xf32>
  %20 = arith.select %6, %19, %cst_2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %21 = tessera.reduce max %20 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %22 = tessera.broadcast %21 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %23 = arith.subf %20, %22 : tensor<2x4x16x16xf32>
  %24 = math.exp %23 : tensor<2x4x16x16xf32>
  %25 = tessera.reduce sum %24 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %26 = tessera.broadcast %25 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %27 = tessera.broadcast %25 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %28 = arith.divf %24, %27 : tensor<2x4x16x16xf32>
  %29 = arith.mulf %26, %26 : tensor<2x4x16x1xf32>
  %cst_3 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %30 = arith.divf %cst_3, %29 : tensor<2x4x16x1xf32>
  %31 = tessera.transpose %17#3 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %32 = tessera.dot_general %31, %17#2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %33 = tessera.dot_general %31, %28 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %34 = tessera.transpose %33 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %35 = tessera.broadcast %30 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %36 = arith.mulf %32, %35 : tensor<2x4x16x16xf32>
  %37 = arith.mulf %36, %24 : tensor<2x4x16x16xf32>
  %38 = tessera.reduce sum %37 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %39 = tessera.reshape %38 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %40 = arith.negf %39 : tensor<2x4x16x1xf32>
  %41 = arith.divf %32, %27 : tensor<2x4x16x16xf32>
  %42 = tessera.reduce sum %40 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %43 = tessera.broadcast %42 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %44 = arith.addf %41, %43 : tensor<2x4x16x16xf32>
  %45 = arith.mulf %44, %24 : tensor<2x4x16x16xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
  %46 = arith.select %6, %45, %cst_4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %47 = arith.mulf %46, %cst : tensor<2x4x16x16xf32>
  %48 = tessera.dot_general %47, %17#0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %49 = tessera.transpose %48 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %50 = tessera.dot_general %47, %17#1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %51 = tessera.transpose %50 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %16, %51, %49, %34 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
