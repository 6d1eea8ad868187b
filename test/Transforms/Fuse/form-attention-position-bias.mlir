// A bias from a table and a mask as a number are two biases; the gradient of the former is summed up over batches.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}bias %{{.*}}, %{{.*}} scale = 1.000000e+00 : {{.*}}, tensor<1x4x16x24xf32>, tensor<2x1x1x24xf32>)
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient {{.*}}-> (tensor<2x4x16x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>, tensor<1x4x16x24xf32>)
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<32x4xf32> {tessera.name = "a[3]"}, %arg4: tensor<2x1x1x24xi1> {tessera.name = "a[4]"}) -> (tensor<f32> {tessera.name = "result[0]"}, tensor<2x16x4x16xf32> {tessera.name = "result[1][0]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][1]"}, tensor<2x24x4x16xf32> {tessera.name = "result[1][2]"}, tensor<32x4xf32> {tessera.name = "result[1][3]"}) {
  %cst = arith.constant dense<0.000000e+00> : tensor<32x4xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x16x1xf32>
  %cst_1 = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %cst_2 = arith.constant dense<-1.000000e+09> : tensor<2x1x1x24xf32>
  %cst_3 = arith.constant dense<0.000000e+00> : tensor<2x1x1x24xf32>
  %cst_4 = arith.constant dense<32> : tensor<16x24xi32>
  %cst_5 = arith.constant dense<31> : tensor<16x24xi32>
  %cst_6 = arith.constant dense<0> : tensor<16x24xi32>
  %cst_7 = arith.constant dense<16> : tensor<16x24xi32>
  %0 = tessera.iota dim = 0 : tensor<24xi32>
  %1 = tessera.iota dim = 0 : tensor<16xi32>
  %2 = tessera.broadcast %0 dims = [1] : tensor<24xi32> -> tensor<16x24xi32>
  %3 = tessera.broadcast %1 dims = [0] : tensor<16xi32> -> tensor<16x24xi32>
  %4 = arith.subi %2, %3 : tensor<16x24xi32>
  %5 = arith.addi %4, %cst_7 : tensor<16x24xi32>
  %6 = arith.maxsi %5, %cst_6 : tensor<16x24xi32>
  %7 = arith.minsi %6, %cst_5 : tensor<16x24xi32>
  %8 = arith.cmpi slt, %7, %cst_6 : tensor<16x24xi32>
  %9 = arith.addi %7, %cst_4 : tensor<16x24xi32>
  %10 = arith.select %8, %9, %7 : tensor<16x24xi1>, tensor<16x24xi32>
  %11 = tessera.broadcast %10 dims = [0, 1] : tensor<16x24xi32> -> tensor<16x24x1xi32>
  %12 = tessera.gather %arg3 at %11 offset = [2] collapsed = [0] batching = [] x [] map = [0] vector = 2 sizes = [1, 4] : (tensor<32x4xf32>, tensor<16x24x1xi32>) -> tensor<16x24x4xf32>
  %13 = tessera.transpose %12 permutation = [2, 0, 1] : tensor<16x24x4xf32> -> tensor<4x16x24xf32>
  %14 = arith.select %arg4, %cst_3, %cst_2 : tensor<2x1x1x24xi1>, tensor<2x1x1x24xf32>
  %15 = tessera.broadcast %13 dims = [1, 2, 3] : tensor<4x16x24xf32> -> tensor<2x4x16x24xf32>
  %16 = tessera.broadcast %14 dims = [0, 1, 2, 3] : tensor<2x1x1x24xf32> -> tensor<2x4x16x24xf32>
  %17 = arith.addf %15, %16 : tensor<2x4x16x24xf32>
  %18 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %19 = arith.divf %18, %cst_1 : tensor<2x4x16x24xf32>
  %20 = arith.mulf %19, %cst_1 : tensor<2x4x16x24xf32>
  %21 = arith.addf %20, %17 : tensor<2x4x16x24xf32>
  %22 = tessera.reduce max %21 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %23 = tessera.broadcast %22 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %24 = arith.subf %21, %23 : tensor<2x4x16x24xf32>
  %25 = math.exp %24 : tensor<2x4x16x24xf32>
  %26 = tessera.reduce sum %25 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %27 = tessera.broadcast %26 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %28 = tessera.broadcast %26 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %29 = arith.divf %25, %28 : tensor<2x4x16x24xf32>
  %30 = arith.mulf %27, %27 : tensor<2x4x16x1xf32>
  %31 = arith.divf %cst_0, %30 : tensor<2x4x16x1xf32>
  %32 = tessera.dot_general %arg2, %29 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %33 = tessera.transpose %32 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %34 = tessera.iota dim = 0 : tensor<2048xf32>
  %35 = math.sin %34 : tensor<2048xf32>
  %36 = tessera.reshape %35 : tensor<2048xf32> -> tensor<2x16x4x16xf32>
  %37 = arith.mulf %33, %36 : tensor<2x16x4x16xf32>
  %38 = tessera.reduce sum %37 dims = [0, 1, 2, 3] : tensor<2x16x4x16xf32> -> tensor<f32>
  %39 = tessera.transpose %36 permutation = [0, 2, 3, 1] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
  %40 = tessera.dot_general %39, %arg2 batching = [0, 1] x [0, 2] contracting = [2] x [3] : (tensor<2x4x16x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %41 = tessera.dot_general %39, %29 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x24xf32>
  %42 = tessera.transpose %41 permutation = [0, 3, 1, 2] : tensor<2x4x16x24xf32> -> tensor<2x24x4x16xf32>
  %43 = tessera.broadcast %31 dims = [0, 1, 2, 3] : tensor<2x4x16x1xf32> -> tensor<2x4x16x24xf32>
  %44 = arith.mulf %40, %43 : tensor<2x4x16x24xf32>
  %45 = arith.mulf %44, %25 : tensor<2x4x16x24xf32>
  %46 = tessera.reduce sum %45 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %47 = tessera.reshape %46 : tensor<2x4x16xf32> -> tensor<2x4x16x1xf32>
  %48 = arith.negf %47 : tensor<2x4x16x1xf32>
  %49 = arith.divf %40, %28 : tensor<2x4x16x24xf32>
  %50 = tessera.reduce sum %48 dims = [3] : tensor<2x4x16x1xf32> -> tensor<2x4x16xf32>
  %51 = tessera.broadcast %50 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %52 = arith.addf %49, %51 : tensor<2x4x16x24xf32>
  %53 = arith.mulf %52, %25 : tensor<2x4x16x24xf32>
  %54 = arith.mulf %53, %cst_1 : tensor<2x4x16x24xf32>
  %55 = arith.divf %54, %cst_1 : tensor<2x4x16x24xf32>
  %56 = tessera.dot_general %55, %arg0 batching = [0, 1] x [0, 2] contracting = [2] x [1] : (tensor<2x4x16x24xf32>, tensor<2x16x4x16xf32>) -> tensor<2x4x24x16xf32>
  %57 = tessera.transpose %56 permutation = [0, 2, 1, 3] : tensor<2x4x24x16xf32> -> tensor<2x24x4x16xf32>
  %58 = tessera.dot_general %55, %arg1 batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<2x4x16x24xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x16xf32>
  %59 = tessera.transpose %58 permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %60 = tessera.reduce sum %53 dims = [0] : tensor<2x4x16x24xf32> -> tensor<4x16x24xf32>
  %61 = tessera.reshape %60 : tensor<4x16x24xf32> -> tensor<1x4x16x24xf32>
  %62 = tessera.reduce sum %61 dims = [0] : tensor<1x4x16x24xf32> -> tensor<4x16x24xf32>
  %63 = tessera.transpose %62 permutation = [1, 2, 0] : tensor<4x16x24xf32> -> tensor<16x24x4xf32>
  %64 = tessera.scatter sum %cst, %63 at %11 window = [2] inserted = [0] batching = [] x [] map = [0] vector = 2 : (tensor<32x4xf32>, tensor<16x24x1xi32>, tensor<16x24x4xf32>) -> tensor<32x4xf32>
  return %38, %59, %57, %42, %64 : tensor<f32>, tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<32x4xf32>
}
