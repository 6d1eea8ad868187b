// All of a batch has the same queries.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}scale = 2.500000e-01 :
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}-> (tensor<2x4x8x16xf32>
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<8x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<8x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}) {
  %cst = arith.constant dense<1.000000e+00> : tensor<2x4x8x1xf32>
  %cst_0 = arith.constant dense<4.000000e+00> : tensor<2x4x8x24xf32>
  %0 = tessera.dot_general %arg1, %arg0 batching = [2] x [1] contracting = [3] x [2] : (tensor<2x24x4x16xf32>, tensor<8x4x16xf32>) -> tensor<4x2x24x8xf32>
  %1 = tessera.transpose %0 permutation = [1, 0, 3, 2] : tensor<4x2x24x8xf32> -> tensor<2x4x8x24xf32>
  %2 = arith.divf %1, %cst_0 : tensor<2x4x8x24xf32>
  %3 = tessera.reduce max %2 dims = [3] : tensor<2x4x8x24xf32> -> tensor<2x4x8xf32>
  %4 = tessera.broadcast %3 dims = [0, 1, 2] : tensor<2x4x8xf32> -> tensor<2x4x8x24xf32>
  %5 = arith.subf %2, %4 : tensor<2x4x8x24xf32>
  %6 = math.exp %5 : tensor<2x4x8x24xf32>
  %7 = tessera.reduce sum %6 dims = [3] : tensor<2x4x8x24xf32> -> tensor<2x4x8xf32>
  %8 = tessera.broadcast %7 dims = [0, 1, 2] : tensor<2x4x8xf32> -> tensor<2x4x8x1xf32>
  %9 = tessera.broadcast %7 dims = [0, 1, 2] : tensor<2x4x8xf32> -> tensor<2x4x8x24xf32>
  %10 = arith.divf %6, %9 : tensor<2x4x8x24xf32>
  %11 = arith.mulf %8, %8 : tensor<2x4x8x1xf32>
  %12 = arith.divf %cst, %11 : tensor<2x4x8x1xf32>
  %13 = tessera.dot_general %arg2, %10 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x16x8xf32>
  %14 = tessera.transpose %13 permutation = [0, 3, 1, 2] : tensor<2x4x16x8xf32> -> tensor<2x8x4x16xf32>
  %15 = tessera.iota dim = 0 : tensor<1024xf32>
  %16 = math.sin %15 : tensor<1024xf32>
  %17 = tessera.reshape %16 : tensor<1024xf32> -> tensor<2x8x4x16xf32>
  %18 = arith.mulf %14, %17 : tensor<2x8x4x16xf32>
  %19 = tessera.reduce sum %18 dims = [0, 1, 2, 3] : tensor<2x8x4x16xf32> -> tensor<f32>
  %20 = tessera.transpose %17 permutation = [0, 2, 3, 1] : tensor<2x8x4x16xf32> -> tensor<2x4x16x8xf32>
  %21 = tessera.dot_general %20, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x8xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x8x24xf32>
  %22 = tessera.dot_general %20, %10 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x24xf32>) -> tensor<2x4x16x24xf32>
  %23 = tessera.transpose %22 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %24 = tessera.broadcast %12 dims = [0, 1, 2, 3] : tensor<2x4x8x1xf32> -> tensor<2x4x8x24xf32>
  %25 = arith.mulf %21, %24 : tensor<2x4x8x24xf32>
  %26 = arith.mulf %25, %6 : tensor<2x4x8x24xf32>
  %27 = tessera.reduce sum %26 dims = [3] : tensor<2x4x8x24xf32> -> tensor<2x4x8xf32>
  %28 = tessera.reshape %27 : tensor<2x4x8xf32> -> tensor<2x4x8x1xf32>
  %29 = arith.negf %28 : tensor<2x4x8x1xf32>
  %30 = arith.divf %21, %9 : tensor<2x4x8x24xf32>
  %31 = tessera.reduce sum %29 dims = [3] : tensor<2x4x8x1xf32> -> tensor<2x4x8xf32>
  %32 = tessera.broadcast %31 dims = [0, 1, 2] : tensor<2x4x8xf32> -> tensor<2x4x8x24xf32>
  %33 = arith.addf %30, %32 : tensor<2x4x8x24xf32>
  %34 = arith.mulf %33, %6 : tensor<2x4x8x24xf32>
  %35 = arith.divf %34, %cst_0 : tensor<2x4x8x24xf32>
  %36 = tessera.transpose %35 permutation = [1, 0, 3, 2] : tensor<2x4x8x24xf32> -> tensor<4x2x24x8xf32>
  %37 = tessera.dot_general %36, %arg1 batching = [0] x [2] contracting = [1, 2] x [0, 1] : (tensor<4x2x24x8xf32>, tensor<2x24x4x16xf32>) -> tensor<4x8x16xf32>
  %38 = tessera.transpose %37 permutation = [1, 0, 2] : tensor<4x8x16xf32> -> tensor<8x4x16xf32>
  %39 = tessera.dot_general %36, %arg0 batching = [0] x [1] contracting = [3] x [0] : (tensor<4x2x24x8xf32>, tensor<8x4x16xf32>) -> tensor<4x2x24x16xf32>
  %40 = tessera.transpose %39 permutation = [1, 2, 0, 3] : tensor<4x2x24x16xf32> -> tensor<2x24x4x16xf32>
  return %19, %38, %40, %23 : tensor<f32>, tensor<8x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>
}
