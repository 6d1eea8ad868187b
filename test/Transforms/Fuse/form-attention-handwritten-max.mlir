// The gradient goes through the maximum as well, where it adds up to nothing; the condition says what is hidden, with minus infinity.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}causal = 0 :
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x4x16x8xf32> {tessera.name = "q"}, %arg1: tensor<2x4x16x8xf32> {tessera.name = "k"}, %arg2: tensor<2x4x16x8xf32> {tessera.name = "v"}, %arg3: tensor<2x4x16x8xf32> {tessera.name = "g"}) -> (tensor<2x4x16x8xf32> {tessera.name = "result[0]"}, tensor<2x4x16x8xf32> {tessera.name = "result[1]"}, tensor<2x4x16x8xf32> {tessera.name = "result[2]"}, tensor<2x4x16x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %2 = tessera.iota dim = 0 : tensor<16xi32>
  %3 = tessera.broadcast %2 dims = [0] : tensor<16xi32> -> tensor<16x16xi32>
  %4 = tessera.broadcast %2 dims = [1] : tensor<16xi32> -> tensor<16x16xi32>
  %5 = arith.cmpi slt, %3, %4 : tensor<16x16xi32>
  %6 = tessera.broadcast %5 dims = [2, 3] : tensor<16x16xi1> -> tensor<2x4x16x16xi1>
  %cst_0 = arith.constant dense<0xFF800000> : tensor<2x4x16x16xf32>
  %7 = arith.select %6, %cst_0, %1 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %8 = tessera.reduce max %7 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %9 = tessera.reshape %8 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %10 = tessera.broadcast %9 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %11 = arith.cmpf oeq, %7, %10 : tensor<2x4x16x16xf32>
  %12 = arith.uitofp %11 : tensor<2x4x16x16xi1> to tensor<2x4x16x16xf32>
  %13 = tessera.reduce sum %12 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %14 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %15 = arith.subf %7, %14 : tensor<2x4x16x16xf32>
  %16 = math.exp %15 : tensor<2x4x16x16xf32>
  %17 = tessera.reduce sum %16 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %18 = tessera.broadcast %17 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %19 = tessera.broadcast %17 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %20 = arith.divf %16, %19 : tensor<2x4x16x16xf32>
  %21 = arith.mulf %18, %18 : tensor<2x4x16x1xf32>
  %cst_1 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %22 = arith.divf %cst_1, %21 : tensor<2x4x16x1xf32>
  %23 = tessera.dot_general %20, %arg2 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %24 = tessera.dot_general %arg3, %20 batching = [0, 1] x [0, 1] contracting = [2] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %25 = tessera.transpose %24 permutation = [0, 1, 3, 2] : tensor<2x4x8x16xf32> -> tensor<2x4x16x8xf32>
  %26 = tessera.dot_general %arg3, %arg2 batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x16xf32>
  %27 = tessera.broadcast %22 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %28 = arith.mulf %26, %27 : tensor<2x4x16x16xf32>
  %29 = arith.mulf %28, %16 : tensor<2x4x16x16xf32>
  %30 = tessera.reduce sum %29 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %31 = tessera.reshape %30 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %32 = arith.negf %31 : tensor<2x4x16x1xf32>
  %33 = arith.divf %26, %19 : tensor<2x4x16x16xf32>
  %34 = tessera.reduce sum %32 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %35 = tessera.broadcast %34 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %36 = arith.addf %33, %35 : tensor<2x4x16x16xf32>
  %37 = arith.mulf %36, %16 : tensor<2x4x16x16xf32>
  %38 = arith.negf %37 : tensor<2x4x16x16xf32>
  %39 = tessera.reduce sum %38 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %40 = tessera.reshape %39 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %41 = tessera.reduce sum %40 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %42 = arith.divf %41, %13 : tensor<2x4x16xf32>
  %43 = tessera.broadcast %42 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %44 = arith.mulf %43, %12 : tensor<2x4x16x16xf32>
  %45 = arith.addf %37, %44 : tensor<2x4x16x16xf32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
  %46 = arith.select %6, %cst_2, %45 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %47 = arith.mulf %46, %cst : tensor<2x4x16x16xf32>
  %48 = tessera.dot_general %47, %arg0 batching = [0, 1] x [0, 1] contracting = [2] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %49 = tessera.dot_general %47, %arg1 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  return %23, %49, %48, %25 : tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>
}
