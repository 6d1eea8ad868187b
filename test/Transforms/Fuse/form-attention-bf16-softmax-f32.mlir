// Matmuls in bf16 with a softmax in f32 between them.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=2e-2

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}causal = 0 fill = {{.*}} : (tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x8xbf16> {tessera.name = "q"}, %arg1: tensor<2x16x4x8xbf16> {tessera.name = "k"}, %arg2: tensor<2x16x4x8xbf16> {tessera.name = "v"}, %arg3: tensor<2x16x4x8xbf16> {tessera.name = "g"}) -> (tensor<2x16x4x8xbf16> {tessera.name = "result[0]"}, tensor<2x16x4x8xbf16> {tessera.name = "result[1]"}, tensor<2x16x4x8xbf16> {tessera.name = "result[2]"}, tensor<2x16x4x8xbf16> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
  %1 = arith.extf %0 : tensor<2x4x16x16xbf16> to tensor<2x4x16x16xf32>
  %cst = arith.constant dense<0.353553385> : tensor<2x4x16x16xf32>
  %2 = arith.mulf %1, %cst : tensor<2x4x16x16xf32>
  %cst_0 = arith.constant dense<true> : tensor<16x16xi1>
  %3 = tessera.iota dim = 0 : tensor<16x16xi32>
  %4 = tessera.iota dim = 1 : tensor<16x16xi32>
  %5 = arith.cmpi sge, %3, %4 : tensor<16x16xi32>
  %cst_1 = arith.constant dense<false> : tensor<16x16xi1>
  %6 = arith.select %5, %cst_0, %cst_1 : tensor<16x16xi1>, tensor<16x16xi1>
  %7 = tessera.broadcast %6 dims = [2, 3] : tensor<16x16xi1> -> tensor<2x4x16x16xi1>
  %cst_2 = arith.constant dense<-1.000000e+30> : tensor<2x4x16x16xf32>
  %8 = arith.select %7, %2, %cst_2 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %9 = tessera.reduce max %8 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %10 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %11 = arith.subf %8, %10 : tensor<2x4x16x16xf32>
  %12 = math.exp %11 : tensor<2x4x16x16xf32>
  %13 = tessera.reduce sum %12 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %14 = tessera.broadcast %13 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %15 = tessera.broadcast %13 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %16 = arith.divf %12, %15 : tensor<2x4x16x16xf32>
  %17 = arith.mulf %14, %14 : tensor<2x4x16x1xf32>
  %cst_3 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %18 = arith.divf %cst_3, %17 : tensor<2x4x16x1xf32>
  %19 = arith.truncf %16 : tensor<2x4x16x16xf32> to tensor<2x4x16x16xbf16>
  %20 = tessera.dot_general %arg2, %19 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x16x4x8xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
  %21 = tessera.transpose %20 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xbf16> -> tensor<2x16x4x8xbf16>
  %22 = tessera.transpose %arg3 permutation = [0, 2, 3, 1] : tensor<2x16x4x8xbf16> -> tensor<2x4x8x16xbf16>
  %23 = tessera.dot_general %22, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x8x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x16xbf16>
  %24 = tessera.dot_general %22, %19 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x8x16xbf16>, tensor<2x4x16x16xbf16>) -> tensor<2x4x8x16xbf16>
  %25 = tessera.transpose %24 permutation = [0, 3, 1, 2] : tensor<2x4x8x16xbf16> -> tensor<2x16x4x8xbf16>
  %26 = arith.extf %23 : tensor<2x4x16x16xbf16> to tensor<2x4x16x16xf32>
  %27 = tessera.broadcast %18 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x16xf32>
  %28 = arith.mulf %26, %27 : tensor<2x4x16x16xf32>
  %29 = arith.mulf %28, %12 : tensor<2x4x16x16xf32>
  %30 = tessera.reduce sum %29 dims = [3] : tensor<2x4x16x16xf32> -> tensor<2x4x16xf32>
  %31 = tessera.reshape %30 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %32 = arith.negf %31 : tensor<2x4x16x1xf32>
  %33 = arith.divf %26, %15 : tensor<2x4x16x16xf32>
  %34 = tessera.reduce sum %32 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %35 = tessera.broadcast %34 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x16xf32>
  %36 = arith.addf %33, %35 : tensor<2x4x16x16xf32>
  %37 = arith.mulf %36, %12 : tensor<2x4x16x16xf32>
  %cst_4 = arith.constant dense<0.000000e+00> : tensor<2x4x16x16xf32>
  %38 = arith.select %7, %37, %cst_4 : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %39 = arith.mulf %38, %cst : tensor<2x4x16x16xf32>
  %40 = arith.truncf %39 : tensor<2x4x16x16xf32> to tensor<2x4x16x16xbf16>
  %41 = tessera.dot_general %40, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
  %42 = tessera.transpose %41 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xbf16> -> tensor<2x16x4x8xbf16>
  %43 = tessera.dot_general %40, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x16xbf16>, tensor<2x16x4x8xbf16>) -> tensor<2x4x16x8xbf16>
  %44 = tessera.transpose %43 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xbf16> -> tensor<2x16x4x8xbf16>
  return %21, %44, %42, %25 : tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>, tensor<2x16x4x8xbf16>
}
