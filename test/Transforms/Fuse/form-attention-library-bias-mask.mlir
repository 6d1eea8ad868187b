// A bias for all of the batch and a mask for all heads and queries are read in their own shapes.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}bias %{{.*}} mask %{{.*}} scale = {{.*}}, tensor<1x4x16x16xf32>, tensor<2x1x1x16xi1>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<1x4x16x16xf32> {tessera.name = "bias"}, %arg4: tensor<2x1x1x16xi1> {tessera.name = "mask"}, %arg5: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.reshape %arg0 : tensor<2x16x4x8xf32> -> tensor<2x16x4x1x8xf32>
  %1 = tessera.reshape %arg3 : tensor<1x4x16x16xf32> -> tensor<1x4x1x16x16xf32>
  %2 = tessera.broadcast %arg4 dims = [0, 1, 3, 4] : tensor<2x1x1x16xi1> -> tensor<2x1x1x1x16xi1>
  %3 = tessera.dot_general %0, %arg1 batching = [0, 2] x [0, 2] contracting = [4] x [3] : (tensor<2x16x4x1x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x1x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x1x16xf32>
  %4 = arith.mulf %3, %cst : tensor<2x4x16x1x16xf32>
  %5 = tessera.transpose %4 permutation = [3, 0, 1, 2, 4] : tensor<2x4x16x1x16xf32> -> tensor<1x2x4x16x16xf32>
  %6 = tessera.transpose %1 permutation = [2, 0, 1, 3, 4] : tensor<1x4x1x16x16xf32> -> tensor<1x1x4x16x16xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 2, 3, 4] : tensor<1x1x4x16x16xf32> -> tensor<1x2x4x16x16xf32>
  %8 = arith.addf %5, %7 : tensor<1x2x4x16x16xf32>
  %9 = tessera.transpose %2 permutation = [2, 0, 1, 3, 4] : tensor<2x1x1x1x16xi1> -> tensor<1x2x1x1x16xi1>
  %10 = tessera.broadcast %9 dims = [0, 1, 2, 3, 4] : tensor<1x2x1x1x16xi1> -> tensor<1x2x4x16x16xi1>
  %cst_0 = arith.constant dense<-2.38197633E+38> : tensor<1x2x4x16x16xf32>
  %11 = arith.select %10, %8, %cst_0 : tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>
  %12 = tessera.reduce max %11 dims = [4] : tensor<1x2x4x16x16xf32> -> tensor<1x2x4x16xf32>
  %13 = tessera.broadcast %12 dims = [0, 1, 2, 3] : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x16xf32>
  %14 = arith.subf %11, %13 : tensor<1x2x4x16x16xf32>
  %15 = math.exp %14 : tensor<1x2x4x16x16xf32>
  %16 = tessera.reduce sum %15 dims = [4] : tensor<1x2x4x16x16xf32> -> tensor<1x2x4x16xf32>
  %17 = tessera.broadcast %16 dims = [0, 1, 2, 3] : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x1xf32>
  %18 = tessera.broadcast %16 dims = [0, 1, 2, 3] : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x16xf32>
  %19 = arith.divf %15, %18 : tensor<1x2x4x16x16xf32>
  %20 = arith.mulf %17, %17 : tensor<1x2x4x16x1xf32>
  %cst_1 = arith.constant dense<1.000000e+00> : tensor<1x2x4x16x1xf32>
  %21 = arith.divf %cst_1, %20 : tensor<1x2x4x16x1xf32>
  %22 = tessera.dot_general %arg2, %19 batching = [0, 2] x [1, 2] contracting = [1] x [4] : (tensor<2x16x4x8xf32>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x8x1x16xf32>
  %23 = tessera.transpose %22 permutation = [0, 4, 1, 3, 2] : tensor<2x4x8x1x16xf32> -> tensor<2x16x4x1x8xf32>
  %24 = tessera.reshape %23 : tensor<2x16x4x1x8xf32> -> tensor<2x16x4x8xf32>
  %25 = tessera.reshape %arg5 : tensor<2x16x4x8xf32> -> tensor<2x16x4x1x8xf32>
  %26 = tessera.transpose %25 permutation = [0, 2, 4, 3, 1] : tensor<2x16x4x1x8xf32> -> tensor<2x4x8x1x16xf32>
  %27 = tessera.dot_general %26, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x1x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x1x16x16xf32>
  %28 = tessera.transpose %27 permutation = [2, 0, 1, 3, 4] : tensor<2x4x1x16x16xf32> -> tensor<1x2x4x16x16xf32>
  %29 = tessera.dot_general %26, %19 batching = [0, 1] x [1, 2] contracting = [3, 4] x [0, 3] : (tensor<2x4x8x1x16xf32>, tensor<1x2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %30 = tessera.transpose %29 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %31 = tessera.broadcast %21 dims = [0, 1, 2, 3, 4] : tensor<1x2x4x16x1xf32> -> tensor<1x2x4x16x16xf32>
  %32 = arith.mulf %28, %31 : tensor<1x2x4x16x16xf32>
  %33 = arith.mulf %32, %15 : tensor<1x2x4x16x16xf32>
  %34 = tessera.reduce sum %33 dims = [4] : tensor<1x2x4x16x16xf32> -> tensor<1x2x4x16xf32>
  %35 = tessera.reshape %34 : tensor<1x2x4x16xf32> -> tensor<1x2x4x16x1xf32>
  %36 = arith.negf %35 : tensor<1x2x4x16x1xf32>
  %37 = arith.divf %28, %18 : tensor<1x2x4x16x16xf32>
  %38 = tessera.reduce sum %36 dims = [0, 4] : tensor<1x2x4x16x1xf32> -> tensor<2x4x16xf32>
  %39 = tessera.broadcast %38 dims = [1, 2, 3] : tensor<2x4x16xf32> -> tensor<1x2x4x16x16xf32>
  %40 = arith.addf %37, %39 : tensor<1x2x4x16x16xf32>
  %41 = arith.mulf %40, %15 : tensor<1x2x4x16x16xf32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<1x2x4x16x16xf32>
  %42 = arith.select %10, %41, %cst_2 : tensor<1x2x4x16x16xi1>, tensor<1x2x4x16x16xf32>
  %43 = tessera.transpose %42 permutation = [1, 2, 3, 0, 4] : tensor<1x2x4x16x16xf32> -> tensor<2x4x16x1x16xf32>
  %44 = arith.mulf %43, %cst : tensor<2x4x16x1x16xf32>
  %45 = tessera.dot_general %44, %0 batching = [0, 1] x [0, 2] contracting = [2, 3] x [1, 3] : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x1x8xf32>) -> tensor<2x4x16x8xf32>
  %46 = tessera.transpose %45 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %47 = tessera.dot_general %44, %arg1 batching = [0, 1] x [0, 2] contracting = [4] x [1] : (tensor<2x4x16x1x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x1x8xf32>
  %48 = tessera.transpose %47 permutation = [0, 2, 1, 3, 4] : tensor<2x4x16x1x8xf32> -> tensor<2x16x4x1x8xf32>
  %49 = tessera.reshape %48 : tensor<2x16x4x1x8xf32> -> tensor<2x16x4x8xf32>
  return %24, %49, %46, %30 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
