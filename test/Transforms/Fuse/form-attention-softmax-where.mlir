// A softmax of some keys only.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}mask %{{.*}} scale = 2.500000e-01 :
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}mask 
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<2x1x16x24xi1> {tessera.name = "a[3]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}) {
  %cst = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<2x4x16x24xf32>
  %cst_1 = arith.constant dense<0xFF800000> : tensor<2x4x16x24xf32>
  %cst_2 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst_2 : tensor<2x4x16x24xf32>
  %2 = tessera.broadcast %arg3 dims = [0, 1, 2, 3] : tensor<2x1x16x24xi1> -> tensor<2x4x16x24xi1>
  %3 = arith.select %2, %1, %cst_1 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %4 = tessera.reduce max %3 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %5 = tessera.broadcast %4 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %6 = arith.subf %3, %5 : tensor<2x4x16x24xf32>
  %7 = math.exp %6 : tensor<2x4x16x24xf32>
  %8 = arith.select %2, %7, %cst_0 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %9 = tessera.reduce sum %8 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %10 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %11 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %12 = arith.divf %7, %11 : tensor<2x4x16x24xf32>
  %13 = arith.mulf %10, %10 : tensor<2x4x16x1xf32>
  %14 = arith.divf %cst, %13 : tensor<2x4x16x1xf32>
  %15 = arith.select %2, %12, %cst_0 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %16 = tessera.dot_general %arg2, %15 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %17 = tessera.transpose %16 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %18 = tessera.iota dim = 0 : tensor<2048xf32>
  %19 = math.sin %18 : tensor<2048xf32>
  %20 = tessera.reshape %19 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %21 = arith.mulf %17, %20 : tensor<2x16x4x16xf32>
  %22 = tessera.reduce sum %21 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %23 = tessera.transpose %20 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %24 = tessera.dot_general %23, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %25 = tessera.dot_general %23, %15 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %26 = tessera.transpose %25 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %27 = arith.select %2, %24, %cst_0 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %28 = tessera.broadcast %14 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %29 = arith.mulf %27, %28 : tensor<2x4x16x24xf32>
  %30 = arith.mulf %29, %7 : tensor<2x4x16x24xf32>
  %31 = tessera.reduce sum %30 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %32 = tessera.reshape %31 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %33 = arith.negf %32 : tensor<2x4x16x1xf32>
  %34 = arith.divf %27, %11 : tensor<2x4x16x24xf32>
  %35 = tessera.reduce sum %33 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %36 = tessera.broadcast %35 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %37 = arith.select %2, %36, %cst_0 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %38 = arith.addf %34, %37 : tensor<2x4x16x24xf32>
  %39 = arith.mulf %38, %7 : tensor<2x4x16x24xf32>
  %40 = arith.select %2, %39, %cst_0 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %41 = arith.divf %40, %cst_2 : tensor<2x4x16x24xf32>
  %42 = tessera.dot_general %41, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %43 = tessera.transpose %42 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %44 = tessera.dot_general %41, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %45 = tessera.transpose %44 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  return %22, %45, %43, %26 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>
}
