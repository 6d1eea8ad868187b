// One query, and keys up to a place that is known at run time.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}mask %{{.*}}tensor<1x1x1x16xi1>)
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<i32> {tessera.name = "n"}) -> (tensor<2x4x8xf32> {tessera.name = "result"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16xf32>
  %2 = tessera.iota dim = 0 : tensor<16xi32>
  %3 = tessera.broadcast %2 dims = [2] : tensor<16xi32> -> tensor<1x1x16xi32>
  %4 = tessera.broadcast %arg3 dims = [] : tensor<i32> -> tensor<1x1x16xi32>
  %5 = arith.cmpi sle, %3, %4 : tensor<1x1x16xi32>
  %6 = tessera.broadcast %5 dims = [0, 1, 2] : tensor<1x1x16xi1> -> tensor<2x4x16xi1>
  %cst_0 = arith.constant dense<-1.000000e+30> : tensor<2x4x16xf32>
  %7 = arith.select %6, %1, %cst_0 : tensor<2x4x16xi1>, tensor<2x4x16xf32>
  %8 = tessera.reduce max %7 dims = [2] : tensor<2x4x16xf32> -> tensor<2x4xf32>
  %9 = tessera.broadcast %8 dims = [0, 1] : tensor<2x4xf32> -> tensor<2x4x16xf32>
  %10 = arith.subf %7, %9 : tensor<2x4x16xf32>
  %11 = math.exp %10 : tensor<2x4x16xf32>
  %12 = tessera.reduce sum %11 dims = [2] : tensor<2x4x16xf32> -> tensor<2x4xf32>
  %13 = tessera.broadcast %12 dims = [0, 1] : tensor<2x4xf32> -> tensor<2x4x16xf32>
  %14 = arith.divf %11, %13 : tensor<2x4x16xf32>
  %15 = tessera.dot_general %14, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x8xf32>
  return %15 : tensor<2x4x8xf32>
}
