// Attention in single operations has the same values: grouped heads, a bias, a mask, keys that queries are too early for.
// RUN: tessera-opt %s --tessera-decompose-attention | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-decompose-attention -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5

// What a GPU has a kernel for is kept if asked for: not five hundred features.
// RUN: tessera-opt %s --tessera-decompose-attention=keep-supported | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: func.func @main(
// CHECK-NOT: tessera.attention
// CHECK: %[[SCORES:.*]] = arith.select
// CHECK: %[[MAX:.*]] = tessera.reduce max %[[SCORES]] dims = [3]
// CHECK: math.exp
// CHECK-NOT: tessera.attention
// CHECK: return
// KEPT-LABEL: func.func @main(
// KEPT: tessera.attention %
// KEPT: tessera.attention_gradient %
// KEPT-NOT: tessera.attention
// KEPT: math.exp
func.func @main(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %bias: tensor<1x4x1x7xf32>, %masked: tensor<2x1x1x7xf32>, %do: tensor<2x4x5x6xf32>, %wide: tensor<1x1x3x500xf32>)
    -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x1x3x500xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2x1x1x7xf32>
  %mask = arith.cmpf ogt, %masked, %zero : tensor<2x1x1x7xf32>
  %o, %max, %sum = tessera.attention %q, %k, %v bias %bias mask %mask scale = 0.25 causal = 2 fill = -1.0e30
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<2x1x1x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %max sum %sum gradient %do bias %bias mask %mask scale = 0.25 causal = 2 fill = -1.0e30
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>, tensor<1x4x1x7xf32>, tensor<2x1x1x7xi1>)
        -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>)
  %p, %pmax, %psum = tessera.attention %wide, %wide, %wide scale = 0.1 : (tensor<1x1x3x500xf32>, tensor<1x1x3x500xf32>, tensor<1x1x3x500xf32>) -> (tensor<1x1x3x500xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return %o, %max, %sum, %dq, %dk, %dv, %p : tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x1x3x500xf32>
}
