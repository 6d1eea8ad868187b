// The exponential of a logarithm of a softmax.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}scale = 2.500000e-01 :
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}scale = 2.500000e-01 :
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}) {
  %cst = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst : tensor<2x4x16x24xf32>
  %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x16x24xf32>
  %5 = math.exp %4 : tensor<2x4x16x24xf32>
  %6 = tessera.reduce sum %5 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %8 = math.log %7 : tensor<2x4x16x1xf32>
  %9 = tessera.broadcast %8 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %10 = arith.subf %4, %9 : tensor<2x4x16x24xf32>
  %11 = math.exp %10 : tensor<2x4x16x24xf32>
  %12 = tessera.dot_general %arg2, %11 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %13 = tessera.transpose %12 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %14 = tessera.iota dim = 0 : tensor<2048xf32>
  %15 = math.sin %14 : tensor<2048xf32>
  %16 = tessera.reshape %15 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %17 = arith.mulf %13, %16 : tensor<2x16x4x16xf32>
  %18 = tessera.reduce sum %17 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %19 = tessera.transpose %16 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %20 = tessera.dot_general %19, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %21 = tessera.dot_general %19, %11 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %22 = tessera.transpose %21 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %23 = arith.mulf %20, %11 : tensor<2x4x16x24xf32>
  %24 = arith.negf %23 : tensor<2x4x16x24xf32>
  %25 = tessera.reduce sum %24 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %26 = tessera.reshape %25 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %27 = arith.divf %26, %7 : tensor<2x4x16x1xf32>
  %28 = tessera.reduce sum %27 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %29 = tessera.broadcast %28 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %30 = arith.mulf %29, %5 : tensor<2x4x16x24xf32>
  %31 = arith.addf %23, %30 : tensor<2x4x16x24xf32>
  %32 = arith.divf %31, %cst : tensor<2x4x16x24xf32>
  %33 = tessera.dot_general %32, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %34 = tessera.transpose %33 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %35 = tessera.dot_general %32, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %36 = tessera.transpose %35 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  return %18, %36, %34, %22 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>
}
