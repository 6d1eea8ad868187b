// The output is divided by the sums after the product.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-form-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-NOT: math.exp
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention {{.*}}scale = 2.500000e-01 :
// CHECK-NOT: math.exp
func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "q"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "k"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "v"}) -> (tensor<2x16x4x16xf32> {tessera.name = "result"}) {
  %cst = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
  %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
  %1 = arith.divf %0, %cst : tensor<2x4x16x24xf32>
  %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
  %4 = arith.subf %1, %3 : tensor<2x4x16x24xf32>
  %5 = math.exp %4 : tensor<2x4x16x24xf32>
  %6 = tessera.reduce sum %5 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
  %7 = tessera.dot_general %arg2, %5 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
  %8 = tessera.transpose %7 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
  %9 = tessera.transpose %6 permutation = [0, 2, 1] : tensor<2x4x16xf32> -> tensor<2x16x4xf32>
  %10 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x16x4xf32> -> tensor<2x16x4x16xf32>
  %11 = arith.divf %8, %10 : tensor<2x16x4x16xf32>
  return %11 : tensor<2x16x4x16xf32>
}
