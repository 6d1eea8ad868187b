// Probabilities in f32 are multiplied with values in f32, of bf16.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-2

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}(tensor<2x4x16x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}-> (tensor<2x4x16x16x
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xbf16> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xbf16> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xbf16> {tessera.name = "a[2]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xbf16> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xbf16> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xbf16> {tessera.name = "result[1][2]"}) {
  %cst = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_0 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xbf16>, tensor<2x24x4x16xbf16>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst_0 : tensor<2x4x16x24xf32>
  %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x16x24xf32>
  %5 = math.exp %4 : tensor<2x4x16x24xf32>
  %6 = tessera.reduce sum %5 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %7 = tessera.broadcast %6 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %8 = tessera.broadcast %6 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %9 = arith.divf %5, %8 : tensor<2x4x16x24xf32>
  %10 = arith.mulf %7, %7 : tensor<2x4x16x1xf32>
  %11 = arith.divf %cst, %10 : tensor<2x4x16x1xf32>
  %12 = arith.extf %arg2 : tensor<2x24x4x16xbf16> to tensor<2x24x4x16xf32>
  %13 = tessera.dot_general %12, %9 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %14 = tessera.transpose %13 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %15 = tessera.iota dim = 0 : tensor<2048xf32>
  %16 = math.sin %15 : tensor<2048xf32>
  %17 = tessera.reshape %16 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %18 = arith.mulf %14, %17 : tensor<2x16x4x16xf32>
  %19 = tessera.reduce sum %18 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %20 = tessera.transpose %17 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %21 = tessera.dot_general %20, %12 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %22 = tessera.dot_general %20, %9 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %23 = tessera.transpose %22 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %24 = arith.truncf %23 : tensor<2x24x4x16xf32> to tensor<2x24x4x16xbf16>
  %25 = tessera.broadcast %11 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %26 = arith.mulf %21, %25 : tensor<2x4x16x24xf32>
  %27 = arith.mulf %26, %5 : tensor<2x4x16x24xf32>
  %28 = tessera.reduce sum %27 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %29 = tessera.reshape %28 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %30 = arith.negf %29 : tensor<2x4x16x1xf32>
  %31 = arith.divf %21, %8 : tensor<2x4x16x24xf32>
  %32 = tessera.reduce sum %30 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %33 = tessera.broadcast %32 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %34 = arith.addf %31, %33 : tensor<2x4x16x24xf32>
  %35 = arith.mulf %34, %5 : tensor<2x4x16x24xf32>
  %36 = arith.divf %35, %cst_0 : tensor<2x4x16x24xf32>
  %37 = arith.extf %arg0 : tensor<2x16x4x16xbf16> to tensor<2x16x4x16xf32>
  %38 = tessera.dot_general %36, %37 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %39 = tessera.transpose %38 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %40 = arith.truncf %39 : tensor<2x24x4x16xf32> to tensor<2x24x4x16xbf16>
  %41 = arith.extf %arg1 : tensor<2x24x4x16xbf16> to tensor<2x24x4x16xf32>
  %42 = tessera.dot_general %36, %41 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %43 = tessera.transpose %42 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %44 = arith.truncf %43 : tensor<2x16x4x16xf32> to tensor<2x16x4x16xbf16>
  return %19, %44, %40, %24 : tensor<f32>, tensor<2x16x4x16xbf16>, tensor<2x24x4x16xbf16>, tensor<2x24x4x16xbf16>
}
