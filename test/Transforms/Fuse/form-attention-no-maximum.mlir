// A softmax by hand that subtracts no maximum: what exponentials are divided by each other does not change.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]] gradient
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x4x32x16xf32> {tessera.name = "a[0]"}, %arg1: tensor<2x4x32x16xf32> {tessera.name = "a[1]"}, %arg2: tensor<2x4x32x16xf32> {tessera.name = "a[2]"}, %arg3: tensor<2x4x32x16xf32> {tessera.name = "a[3]"}) -> (tensor<2x4x32x16xf32> {tessera.name = "result[0]"}, tensor<2x4x32x16xf32> {tessera.name = "result[1]"}, tensor<2x4x32x16xf32> {tessera.name = "result[2]"}, tensor<2x4x32x16xf32> {tessera.name = "result[3]"}) {
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x32xf32>
  %cst = arith.constant dense<2.500000e-01> : tensor<2x4x32x32xf32>
  %1 = arith.mulf %0, %cst : tensor<2x4x32x32xf32>
  %2 = math.exp %1 : tensor<2x4x32x32xf32>
  %3 = tessera.reduce sum %2 dims = [3] : tensor<2x4x32x32xf32> -> tensor<2x4x32xf32>
  %4 = tessera.broadcast %3 dims = [0, 1, 2] : tensor<2x4x32xf32> -> tensor<2x4x32x1xf32>
  %5 = tessera.broadcast %3 dims = [0, 1, 2] : tensor<2x4x32xf32> -> tensor<2x4x32x32xf32>
  %6 = arith.divf %2, %5 : tensor<2x4x32x32xf32>
  %7 = arith.mulf %4, %4 : tensor<2x4x32x1xf32>
  %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x4x32x1xf32>
  %8 = arith.divf %cst_0, %7 : tensor<2x4x32x1xf32>
  %9 = tessera.dot_general %6, %arg2 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  %10 = tessera.dot_general %arg3, %6 batching = [0, 1] x [0, 1] contracting = [2] x [2] : (tensor<2x4x32x16xf32>, tensor<2x4x32x32xf32>) -> tensor<2x4x16x32xf32>
  %11 = tessera.transpose %10 permutation = [0, 1, 3, 2] : tensor<2x4x16x32xf32> -> tensor<2x4x32x16xf32>
  %12 = tessera.dot_general %arg3, %arg2 batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x32xf32>
  %13 = tessera.broadcast %8 dims = [0, 1, 2, 3] : tensor<2x4x32x1xf32> -> tensor<2x4x32x32xf32>
  %14 = arith.mulf %12, %13 : tensor<2x4x32x32xf32>
  %15 = arith.mulf %14, %2 : tensor<2x4x32x32xf32>
  %16 = tessera.reduce sum %15 dims = [3] : tensor<2x4x32x32xf32> -> tensor<2x4x32xf32>
  %17 = tessera.reshape %16 : tensor<2x4x32xf32> -> tensor<2x4x32x1xf32>
  %18 = arith.negf %17 : tensor<2x4x32x1xf32>
  %19 = arith.divf %12, %5 : tensor<2x4x32x32xf32>
  %20 = tessera.reduce sum %18 dims = [3] : tensor<2x4x32x1xf32> -> tensor<2x4x32xf32>
  %21 = tessera.broadcast %20 dims = [0, 1, 2] : tensor<2x4x32xf32> -> tensor<2x4x32x32xf32>
  %22 = arith.addf %19, %21 : tensor<2x4x32x32xf32>
  %23 = arith.mulf %22, %2 : tensor<2x4x32x32xf32>
  %24 = arith.mulf %23, %cst : tensor<2x4x32x32xf32>
  %25 = tessera.dot_general %24, %arg0 batching = [0, 1] x [0, 1] contracting = [2] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  %26 = tessera.dot_general %24, %arg1 batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  return %9, %26, %25, %11 : tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>
}
