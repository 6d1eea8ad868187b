// Of a condition for keys and places, the one for places becomes causal.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}mask %{{.*}} scale = {{.*}} causal = 0 fill = {{.*}}, tensor<2x1x1x16xi1>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xf32> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xf32> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xf32> {tessera.name = "v"}, %arg3: tensor<2x16xi1> {tessera.name = "valid"}, %arg4: tensor<2x16x4x8xf32> {tessera.name = "g"}) -> (tensor<2x16x4x8xf32> {tessera.name = "result[0]"}, tensor<2x16x4x8xf32> {tessera.name = "result[1]"}, tensor<2x16x4x8xf32> {tessera.name = "result[2]"}, tensor<2x16x4x8xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x16x16xf32>
  %cst_0 = arith.constant dense<true> : tensor<16x16xi1>
  %2 = tessera.iota dim = 0 : tensor<16x16xi32>
  %3 = tessera.iota dim = 1 : tensor<16x16xi32>
  %4 = arith.cmpi sge, %2, %3 : tensor<16x16xi32>
  %cst_1 = arith.constant dense<false> : tensor<16x16xi1>
  %5 = arith.select %4, %cst_0, %cst_1 : tensor<16x16xi1>, tensor<16x16xi1>
  %6 = tessera.broadcast %5 dims = [2, 3] : tensor<16x16xi1> -> tensor<2x1x16x16xi1>
  %7 = tessera.broadcast %arg3 dims = [0, 3] : tensor<2x16xi1> -> tensor<2x1x16x16xi1>
  %8 = arith.andi %6, %7 : tensor<2x1x16x16xi1>
  %9 = tessera.broadcast %8 dims = [0, 1, 2, 3] : tensor<2x1x16x16xi1> -> tensor<2x4x16x16xi1>
  %cst_2 = arith.constant dense<-1.000000e+30> : tensor<2x4x16x16xf32>
  %10 = arith.select %9, %1, %cst_2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %11 = tessera.reduce max %10 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %12 = tessera.broadcast %11 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %13 = arith.subf %10, %12 : tensor<2x4x16x16xf32>
  %14 = math.exp %13 : tensor<2x4x16x16xf32>
  %15 = tessera.reduce sum %14 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %16 = tessera.broadcast %15 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %17 = tessera.broadcast %15 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %18 = arith.divf %14, %17 : tensor<2x4x16x16xf32>
  %19 = arith.mulf %16, %16 : tensor<2x4x16x1xf32>
  %cst_3 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %20 = arith.divf %cst_3, %19 : tensor<2x4x16x1xf32>
  %21 = tessera.dot_general %arg2, %18 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %22 = tessera.transpose %21 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %23 = tessera.transpose %arg4 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xf32> -> tensor<2x4x8x16xf32>
  %24 = tessera.dot_general %23, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x16xf32>
  %25 = tessera.dot_general %23, %18 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xf32>, tensor<2x4x16x16xf32>) -> tensor<2x4x8x16xf32>
  %26 = tessera.transpose %25 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xf32> -> tensor<2x16x4x8xf32>
  %27 = tessera.broadcast %20 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %28 = arith.mulf %24, %27 : tensor<2x4x16x16xf32>
  %29 = arith.mulf %28, %14 : tensor<2x4x16x16xf32>
  %30 = tessera.reduce sum %29 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %31 = tessera.reshape %30 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %32 = arith.negf %31 : tensor<2x4x16x1xf32>
  %33 = arith.divf %24, %17 : tensor<2x4x16x16xf32>
  %34 = tessera.reduce sum %32 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %35 = tessera.broadcast %34 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %36 = arith.addf %33, %35 : tensor<2x4x16x16xf32>
  %37 = arith.mulf %36, %14 : tensor<2x4x16x16xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
  %38 = arith.select %9, %37, %cst_4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %39 = arith.mulf %38, %cst : tensor<2x4x16x16xf32>
  %40 = tessera.dot_general %39, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %41 = tessera.transpose %40 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %42 = tessera.dot_general %39, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xf32>, tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %43 = tessera.transpose %42 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  return %22, %43, %41, %26 : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>
}
