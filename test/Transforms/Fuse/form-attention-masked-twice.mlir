// Probabilities are masked as scores were.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}mask %{{.*}} keep %{{.*}} scale = {{.*}} fill = {{.*}} keep_scale = 1.000000e+00 :
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}keep_scale = 1.000000e+00
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<2x1x16x24xi1> {tessera.name = "a[3]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}) {
  %cst = arith.constant dense<0.000000e+00> : tensor<2x4x16x24xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_1 = arith.constant dense<-1.000000e+09> : tensor<2x4x16x24xf32>
  %cst_2 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst_2 : tensor<2x4x16x24xf32>
  %2 = tessera.broadcast %arg3 dims = [0, 1, 2, 3] : tensor<2x1x16x24xi1> -> tensor<2x4x16x24xi1>
  %3 = arith.select %2, %1, %cst_1 : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %4 = tessera.reduce max %3 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %5 = tessera.broadcast %4 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %6 = arith.subf %3, %5 : tensor<2x4x16x24xf32>
  %7 = math.exp %6 : tensor<2x4x16x24xf32>
  %8 = tessera.reduce sum %7 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %9 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %10 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %11 = arith.divf %7, %10 : tensor<2x4x16x24xf32>
  %12 = arith.mulf %9, %9 : tensor<2x4x16x1xf32>
  %13 = arith.divf %cst_0, %12 : tensor<2x4x16x1xf32>
  %14 = arith.select %2, %11, %cst : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %15 = tessera.dot_general %arg2, %14 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %16 = tessera.transpose %15 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %17 = tessera.iota dim = 0 : tensor<2048xf32>
  %18 = math.sin %17 : tensor<2048xf32>
  %19 = tessera.reshape %18 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %20 = arith.mulf %16, %19 : tensor<2x16x4x16xf32>
  %21 = tessera.reduce sum %20 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %22 = tessera.transpose %19 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %23 = tessera.dot_general %22, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %24 = tessera.dot_general %22, %14 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %25 = tessera.transpose %24 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %26 = arith.select %2, %23, %cst : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %27 = tessera.broadcast %13 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %28 = arith.mulf %26, %27 : tensor<2x4x16x24xf32>
  %29 = arith.mulf %28, %7 : tensor<2x4x16x24xf32>
  %30 = tessera.reduce sum %29 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %31 = tessera.reshape %30 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %32 = arith.negf %31 : tensor<2x4x16x1xf32>
  %33 = arith.divf %26, %10 : tensor<2x4x16x24xf32>
  %34 = tessera.reduce sum %32 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %35 = tessera.broadcast %34 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %36 = arith.addf %33, %35 : tensor<2x4x16x24xf32>
  %37 = arith.mulf %36, %7 : tensor<2x4x16x24xf32>
  %38 = arith.select %2, %37, %cst : tensor<2x4x16x24xi1>, tensor<2x4x16x24xf32>
  %39 = arith.divf %38, %cst_2 : tensor<2x4x16x24xf32>
  %40 = tessera.dot_general %39, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %41 = tessera.transpose %40 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %42 = tessera.dot_general %39, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %43 = tessera.transpose %42 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  return %21, %43, %41, %25 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>
}
