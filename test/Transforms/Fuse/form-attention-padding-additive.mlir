// Padding is a large negative bias.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}bias %{{.*}} scale = {{.*}}, tensor<2x1x1x16xf32>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16xi1> {tessera.name = "valid"}, %arg4: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %cst = arith.constant dense<0.000000e+00> : tensor<2x16xf32>
  %cst_0 = arith.constant dense<-1.000000e+09> : tensor<2x16xf32>
  %0 = arith.select %arg3, %cst, %cst_0 : tensor<2x16xi1>, tensor<2x16xf32>
  %1 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst_1 = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %2 = arith.mulf %1, %cst_1 : tensor<2x4x16x16xf32>
  %3 = tessera.broadcast %0 dims = [0, 3] : tensor<2x16xf32> -> tensor<2x4x16x16xf32>
  %4 = arith.addf %2, %3 : tensor<2x4x16x16xf32>
  %5 = tessera.reduce max %4 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %6 = tessera.broadcast %5 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %7 = arith.subf %4, %6 : tensor<2x4x16x16xf32>
  %8 = math.exp %7 : tensor<2x4x16x16xf32>
  %9 = tessera.reduce sum %8 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %10 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %11 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %12 = arith.divf %8, %11 : tensor<2x4x16x16xf32>
  %13 = arith.mulf %10, %10 : tensor<2x4x16x1xf32>
  %cst_2 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %14 = arith.divf %cst_2, %13 : tensor<2x4x16x1xf32>
  %15 = tessera.dot_general %arg2, %12 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %16 = tessera.transpose %15 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %17 = tessera.transpose %arg4 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %18 = tessera.dot_general %17, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %19 = tessera.dot_general %17, %12 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %20 = tessera.transpose %19 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %21 = tessera.broadcast %14 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %22 = arith.mulf %18, %21 : tensor<2x4x16x16xf32>
  %23 = arith.mulf %22, %8 : tensor<2x4x16x16xf32>
  %24 = tessera.reduce sum %23 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %25 = tessera.reshape %24 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %26 = arith.negf %25 : tensor<2x4x16x1xf32>
  %27 = arith.divf %18, %11 : tensor<2x4x16x16xf32>
  %28 = tessera.reduce sum %26 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %29 = tessera.broadcast %28 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %30 = arith.addf %27, %29 : tensor<2x4x16x16xf32>
  %31 = arith.mulf %30, %8 : tensor<2x4x16x16xf32>
  %32 = arith.mulf %31, %cst_1 : tensor<2x4x16x16xf32>
  %33 = tessera.dot_general %32, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %34 = tessera.transpose %33 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %35 = tessera.dot_general %32, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %36 = tessera.transpose %35 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %16, %36, %34, %20 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
