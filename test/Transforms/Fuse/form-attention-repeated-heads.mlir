// Keys and values are repeated for the heads that share them, and their gradients added up.
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
  %0 = tessera.broadcast %arg1 dims = [0, 1, 2, 4] : tensor<2x16x2x8xf32> -> tensor<2x16x2x2x8xf32>
  %1 = tessera.reshape %0 : tensor<2x16x2x2x8xf32> -> tensor<2x16x4x8xf32>
  %2 = tessera.broadcast %arg2 dims = [0, 1, 2, 4] : tensor<2x16x2x8xf32> -> tensor<2x16x2x2x8xf32>
  %3 = tessera.reshape %2 : tensor<2x16x2x2x8xf32> -> tensor<2x16x4x8xf32>
  %4 = tessera.dot_general %arg0, %1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %5 = arith.mulf %4, %cst : tensor<2x4x16x16xf32>
  %cst_0 = arith.constant dense<true> : tensor<16x16xi1>
  %6 = tessera.iota dim = 0 : tensor<16x16xi32>
  %7 = tessera.iota dim = 1 : tensor<16x16xi32>
  %8 = arith.cmpi sge, %6, %7 : tensor<16x16xi32>
  %cst_1 = arith.constant dense<false> : tensor<16x16xi1>
  %9 = arith.select %8, %cst_0, %cst_1 : tensor<16x16xi1>, tensor<16x16xi1>
  %10 = tessera.broadcast %9 dims = [2, 3] : tensor<16x16xi1> -> tensor<2x4x16x16xi1>
  %cst_2 = arith.constant dense<-1.000000e+30> : tensor<2x4x16x16xf32>
  %11 = arith.select %10, %5, %cst_2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %12 = tessera.reduce max %11 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %13 = tessera.broadcast %12 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %14 = arith.subf %11, %13 : tensor<2x4x16x16xf32>
  %15 = math.exp %14 : tensor<2x4x16x16xf32>
  %16 = tessera.reduce sum %15 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %17 = tessera.broadcast %16 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %18 = tessera.broadcast %16 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %19 = arith.divf %15, %18 : tensor<2x4x16x16xf32>
  %20 = arith.mulf %17, %17 : tensor<2x4x16x1xf32>
  %cst_3 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %21 = arith.divf %cst_3, %20 : tensor<2x4x16x1xf32>
  %22 = tessera.dot_general %3, %19 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %23 = tessera.transpose %22 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %24 = tessera.transpose %arg3 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %25 = tessera.dot_general %24, %3 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %26 = tessera.dot_general %24, %19 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %27 = tessera.transpose %26 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %28 = tessera.broadcast %21 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %29 = arith.mulf %25, %28 : tensor<2x4x16x16xf32>
  %30 = arith.mulf %29, %15 : tensor<2x4x16x16xf32>
  %31 = tessera.reduce sum %30 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %32 = tessera.reshape %31 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %33 = arith.negf %32 : tensor<2x4x16x1xf32>
  %34 = arith.divf %25, %18 : tensor<2x4x16x16xf32>
  %35 = tessera.reduce sum %33 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %36 = tessera.broadcast %35 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %37 = arith.addf %34, %36 : tensor<2x4x16x16xf32>
  %38 = arith.mulf %37, %15 : tensor<2x4x16x16xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
  %39 = arith.select %10, %38, %cst_4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %40 = arith.mulf %39, %cst : tensor<2x4x16x16xf32>
  %41 = tessera.dot_general %40, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %42 = tessera.transpose %41 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %43 = tessera.dot_general %40, %1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %44 = tessera.transpose %43 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %45 = tessera.reshape %27 : tensor<2x16x4x8xf32> -> tensor<2x16x2x2x8xf32>
  %46 = tessera.reduce sum %45 dims = [3] : tensor<2x16x2x2x8xf32> -> tensor<2x16x2x8xf32>
  %47 = tessera.reshape %42 : tensor<2x16x4x8xf32> -> tensor<2x16x2x2x8xf32>
  %48 = tessera.reduce sum %47 dims = [3] : tensor<2x16x2x2x8xf32> -> tensor<2x16x2x8xf32>
  return %23, %44, %48, %46 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x2x8xf32>, tensor<2x16x2x8xf32>
}
