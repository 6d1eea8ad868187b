// Scores go through a hyperbolic tangent, a mask behind it.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}mask %{{.*}} scale = 2.500000e-01 softcap = 5.000000e+01 fill = 
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}softcap = 5.000000e+01
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<2x1x16x24xi1> {tessera.name = "a[3]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}) {
  %cst = arith.constant dense<0.000000e+00> : tensor<2x4x16x24xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_1 = arith.constant dense<-2.300000e+38> : tensor<2x4x16x24xf32>
  %cst_2 = arith.constant dense<1.000000e+00> : tensor<2x4x16x24xf32>
  %cst_3 = arith.constant dense<5.000000e+01> : tensor<2x4x16x24xf32>
  %cst_4 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst_4 : tensor<2x4x16x24xf32>
  %2 = arith.divf %1, %cst_3 : tensor<2x4x16x24xf32>
  %3 = math.tanh %2 : tensor<2x4x16x24xf32>
  %4 = arith.subf %cst_2, %3 : tensor<2x4x16x24xf32>
  %5 = arith.mulf %3, %cst_3 : tensor<2x4x16x24xf32>
  %6 = tessera.broadcast %arg3 dims = [0, 1, 2, 3] : tensor<2x1x16x24xi1> -> tensor<2x4x16x24xi1>
  %7 = arith.select %6, %5, %cst_1 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %8 = tessera.reduce max %7 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %9 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %10 = arith.subf %7, %9 : tensor<2x4x16x24xf32>
  %11 = math.exp %10 : tensor<2x4x16x24xf32>
  %12 = tessera.reduce sum %11 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %13 = tessera.broadcast %12 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %14 = tessera.broadcast %12 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %15 = arith.divf %11, %14 : tensor<2x4x16x24xf32>
  %16 = arith.mulf %13, %13 : tensor<2x4x16x1xf32>
  %17 = arith.divf %cst_0, %16 : tensor<2x4x16x1xf32>
  %18 = tessera.dot_general %arg2, %15 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %19 = tessera.transpose %18 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %20 = tessera.iota dim = 0 : tensor<2048xf32>
  %21 = math.sin %20 : tensor<2048xf32>
  %22 = tessera.reshape %21 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %23 = arith.mulf %19, %22 : tensor<2x16x4x16xf32>
  %24 = tessera.reduce sum %23 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %25 = tessera.transpose %22 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %26 = tessera.dot_general %25, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %27 = tessera.dot_general %25, %15 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %28 = tessera.transpose %27 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %29 = tessera.broadcast %17 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %30 = arith.mulf %26, %29 : tensor<2x4x16x24xf32>
  %31 = arith.mulf %30, %11 : tensor<2x4x16x24xf32>
  %32 = tessera.reduce sum %31 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %33 = tessera.reshape %32 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %34 = arith.negf %33 : tensor<2x4x16x1xf32>
  %35 = arith.divf %26, %14 : tensor<2x4x16x24xf32>
  %36 = tessera.reduce sum %34 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %37 = tessera.broadcast %36 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %38 = arith.addf %35, %37 : tensor<2x4x16x24xf32>
  %39 = arith.mulf %38, %11 : tensor<2x4x16x24xf32>
  %40 = arith.select %6, %39, %cst : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %41 = arith.mulf %40, %cst_3 : tensor<2x4x16x24xf32>
  %42 = arith.mulf %41, %4 : tensor<2x4x16x24xf32>
  %43 = arith.mulf %42, %3 : tensor<2x4x16x24xf32>
  %44 = arith.addf %42, %43 : tensor<2x4x16x24xf32>
  %45 = arith.divf %44, %cst_3 : tensor<2x4x16x24xf32>
  %46 = arith.divf %45, %cst_4 : tensor<2x4x16x24xf32>
  %47 = tessera.dot_general %46, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %48 = tessera.transpose %47 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %49 = tessera.dot_general %46, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %50 = tessera.transpose %49 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  return %24, %50, %48, %28 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>
}
