// A bias of all dimensions: its gradient is that of the scores.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-4

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}bias 
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}-> ({{.*}}, tensor<2x4x16x24xf32>)
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<2x4x16x24xf32> {tessera.name = "a[3]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}, tensor<2x4x16x24xf32> {tessera.name = "result[1][3]"}) {
  %cst = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_0 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst_0 : tensor<2x4x16x24xf32>
  %2 = arith.addf %1, %arg3 : tensor<2x4x16x24xf32>
  %3 = tessera.reduce max %2 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %4 = tessera.broadcast %3 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %5 = arith.subf %2, %4 : tensor<2x4x16x24xf32>
  %6 = math.exp %5 : tensor<2x4x16x24xf32>
  %7 = tessera.reduce sum %6 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %8 = tessera.broadcast %7 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %9 = tessera.broadcast %7 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %10 = arith.divf %6, %9 : tensor<2x4x16x24xf32>
  %11 = arith.mulf %8, %8 : tensor<2x4x16x1xf32>
  %12 = arith.divf %cst, %11 : tensor<2x4x16x1xf32>
  %13 = tessera.dot_general %arg2, %10 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %14 = tessera.transpose %13 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %15 = tessera.iota dim = 0 : tensor<2048xf32>
  %16 = math.sin %15 : tensor<2048xf32>
  %17 = tessera.reshape %16 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %18 = arith.mulf %14, %17 : tensor<2x16x4x16xf32>
  %19 = tessera.reduce sum %18 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %20 = tessera.transpose %17 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %21 = tessera.dot_general %20, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %22 = tessera.dot_general %20, %10 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %23 = tessera.transpose %22 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %24 = tessera.broadcast %12 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %25 = arith.mulf %21, %24 : tensor<2x4x16x24xf32>
  %26 = arith.mulf %25, %6 : tensor<2x4x16x24xf32>
  %27 = tessera.reduce sum %26 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %28 = tessera.reshape %27 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %29 = arith.negf %28 : tensor<2x4x16x1xf32>
  %30 = arith.divf %21, %9 : tensor<2x4x16x24xf32>
  %31 = tessera.reduce sum %29 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %32 = tessera.broadcast %31 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %33 = arith.addf %30, %32 : tensor<2x4x16x24xf32>
  %34 = arith.mulf %33, %6 : tensor<2x4x16x24xf32>
  %35 = arith.divf %34, %cst_0 : tensor<2x4x16x24xf32>
  %36 = tessera.dot_general %35, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %37 = tessera.transpose %36 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %38 = tessera.dot_general %35, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %39 = tessera.transpose %38 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  return %19, %39, %37, %23, %34 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>
}
