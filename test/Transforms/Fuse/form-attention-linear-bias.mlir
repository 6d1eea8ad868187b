// Slopes of distances that are learned.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}bias %{{.*}}, %{{.*}} scale = 
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}tensor<1x4x16x24xf32>)
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<4xf32> {tessera.name = "a[3]"}, %arg4: tensor<2x1x1x24xi1> {tessera.name = "a[4]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}, tensor<4xf32> {tessera.name = "result[1][3]"}) {
  %cst = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_0 = arith.constant dense<-1.000000e+09> : tensor<2x1x1x24xf32>
  %cst_1 = arith.constant dense<0.000000e+00> : tensor<2x1x1x24xf32>
  %cst_2 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.iota dim = 0 : tensor<24xi32>
  %1 = tessera.iota dim = 0 : tensor<16xi32>
  %2 = tessera.broadcast %0 dims = [1] : tensor<24xi32> -> tensor<16x24xi32>
  %3 = tessera.broadcast %1 dims = [0] : tensor<16xi32> -> tensor<16x24xi32>
  %4 = arith.subi %2, %3 : tensor<16x24xi32>
  %5 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %6 = arith.divf %5, %cst_2 : tensor<2x4x16x24xf32>
  %7 = arith.sitofp %4 : tensor<16x24xi32> to tensor<16x24xf32>
  %8 = tessera.broadcast %arg3 dims = [0] : tensor<4xf32> -> tensor<4x16x24xf32>
  %9 = tessera.broadcast %7 dims = [1, 2] : tensor<16x24xf32> -> tensor<4x16x24xf32>
  %10 = arith.mulf %8, %9 : tensor<4x16x24xf32>
  %11 = tessera.broadcast %10 dims = [1, 2, 3] : tensor<4x16x24xf32> -> tensor<2x4x16x24xf32>
  %12 = arith.addf %6, %11 : tensor<2x4x16x24xf32>
  %13 = arith.select %arg4, %cst_1, %cst_0 : tensor<2x1x1x24xi1>, tensor<2x1x1x24xf32>
  %14 = tessera.broadcast %13 dims = [0, 1, 2, 3] : tensor<2x1x1x24xf32> -> tensor<2x4x16x24xf32>
  %15 = arith.addf %12, %14 : tensor<2x4x16x24xf32>
  %16 = tessera.reduce max %15 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %17 = tessera.broadcast %16 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %18 = arith.subf %15, %17 : tensor<2x4x16x24xf32>
  %19 = math.exp %18 : tensor<2x4x16x24xf32>
  %20 = tessera.reduce sum %19 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %21 = tessera.broadcast %20 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %22 = tessera.broadcast %20 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %23 = arith.divf %19, %22 : tensor<2x4x16x24xf32>
  %24 = arith.mulf %21, %21 : tensor<2x4x16x1xf32>
  %25 = arith.divf %cst, %24 : tensor<2x4x16x1xf32>
  %26 = tessera.dot_general %arg2, %23 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %27 = tessera.transpose %26 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %28 = tessera.iota dim = 0 : tensor<2048xf32>
  %29 = math.sin %28 : tensor<2048xf32>
  %30 = tessera.reshape %29 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %31 = arith.mulf %27, %30 : tensor<2x16x4x16xf32>
  %32 = tessera.reduce sum %31 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %33 = tessera.transpose %30 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %34 = tessera.dot_general %33, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %35 = tessera.dot_general %33, %23 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %36 = tessera.transpose %35 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %37 = tessera.broadcast %25 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %38 = arith.mulf %34, %37 : tensor<2x4x16x24xf32>
  %39 = arith.mulf %38, %19 : tensor<2x4x16x24xf32>
  %40 = tessera.reduce sum %39 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %41 = tessera.reshape %40 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %42 = arith.negf %41 : tensor<2x4x16x1xf32>
  %43 = arith.divf %34, %22 : tensor<2x4x16x24xf32>
  %44 = tessera.reduce sum %42 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %45 = tessera.broadcast %44 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %46 = arith.addf %43, %45 : tensor<2x4x16x24xf32>
  %47 = arith.mulf %46, %19 : tensor<2x4x16x24xf32>
  %48 = tessera.reduce sum %47 dims = [0] : tensor<2x4x16x24xf32> -> tensor<4x16x24xf32>
  %49 = tessera.reshape %48 : tensor<4x16x24xf32> -> tensor<1x4x16x24xf32>
  %50 = tessera.reduce sum %49 dims = [0] : tensor<1x4x16x24xf32> -> tensor<4x16x24xf32>
  %51 = arith.mulf %50, %9 : tensor<4x16x24xf32>
  %52 = tessera.reduce sum %51 dims = [1, 2] : tensor<4x16x24xf32> -> tensor<4xf32>
  %53 = tessera.reshape %52 : tensor<4xf32> -> tensor<4x1x1xf32>
  %54 = tessera.reduce sum %53 dims = [1, 2] : tensor<4x1x1xf32> -> tensor<4xf32>
  %55 = arith.divf %47, %cst_2 : tensor<2x4x16x24xf32>
  %56 = tessera.dot_general %55, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %57 = tessera.transpose %56 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %58 = tessera.dot_general %55, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %59 = tessera.transpose %58 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  return %32, %59, %57, %36, %54 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<4xf32>
}
