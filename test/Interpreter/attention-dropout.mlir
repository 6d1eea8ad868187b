// Attention with dropout, a cap and a gradient of a repeated bias is what it is in single operations, and its gradients are slopes.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-decompose-attention -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=SINGLE
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5
// RUN: tessera-interpret %s --random=3 | FileCheck %s

// SINGLE-NOT: tessera.attention
// The loss, the sum of the output's products with `do`, changes along a direction of query, key, value and bias as much as their gradients say.
// CHECK: result4: i1[] = true
func.func @main(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %bias: tensor<1x4x1x7xf32>, %random: tensor<2x4x5x7xf32>, %do: tensor<2x4x5x6xf32>)
    -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<i1>) {
  %zero = arith.constant dense<0.0> : tensor<2x4x5x7xf32>
  %keep = arith.cmpf ogt, %random, %zero : tensor<2x4x5x7xf32>
  %o, %max, %sum = tessera.attention %q, %k, %v bias %bias keep %keep scale = 0.5 softcap = 2.0 causal = 2 fill = -1.0e30 keep_scale = 1.25
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<2x4x5x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  %dq, %dk, %dv, %db = tessera.attention_gradient %q, %k, %v output %o maximum %max sum %sum gradient %do bias %bias keep %keep scale = 0.5 softcap = 2.0 causal = 2 fill = -1.0e30 keep_scale = 1.25
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>, tensor<1x4x1x7xf32>, tensor<2x4x5x7xi1>)
        -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>)

  // A step along the inputs themselves.
  %step = arith.constant dense<0.01> : tensor<f32>
  %sq = tessera.broadcast %step dims = [] : tensor<f32> -> tensor<2x4x5x8xf32>
  %sk = tessera.broadcast %step dims = [] : tensor<f32> -> tensor<2x2x7x8xf32>
  %sv = tessera.broadcast %step dims = [] : tensor<f32> -> tensor<2x2x7x6xf32>
  %sb = tessera.broadcast %step dims = [] : tensor<f32> -> tensor<1x4x1x7xf32>
  %hq = arith.mulf %q, %sq : tensor<2x4x5x8xf32>
  %hk = arith.mulf %k, %sk : tensor<2x2x7x8xf32>
  %hv = arith.mulf %v, %sv : tensor<2x2x7x6xf32>
  %hb = arith.mulf %bias, %sb : tensor<1x4x1x7xf32>
  %q1 = arith.addf %q, %hq : tensor<2x4x5x8xf32>
  %k1 = arith.addf %k, %hk : tensor<2x2x7x8xf32>
  %v1 = arith.addf %v, %hv : tensor<2x2x7x6xf32>
  %b1 = arith.addf %bias, %hb : tensor<1x4x1x7xf32>
  %q0 = arith.subf %q, %hq : tensor<2x4x5x8xf32>
  %k0 = arith.subf %k, %hk : tensor<2x2x7x8xf32>
  %v0 = arith.subf %v, %hv : tensor<2x2x7x6xf32>
  %b0 = arith.subf %bias, %hb : tensor<1x4x1x7xf32>
  %o1, %max1, %sum1 = tessera.attention %q1, %k1, %v1 bias %b1 keep %keep scale = 0.5 softcap = 2.0 causal = 2 fill = -1.0e30 keep_scale = 1.25
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<2x4x5x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  %o0, %max0, %sum0 = tessera.attention %q0, %k0, %v0 bias %b0 keep %keep scale = 0.5 softcap = 2.0 causal = 2 fill = -1.0e30 keep_scale = 1.25
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<2x4x5x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  %difference = arith.subf %o1, %o0 : tensor<2x4x5x6xf32>
  %products = arith.mulf %difference, %do : tensor<2x4x5x6xf32>
  %change = tessera.reduce sum %products dims = [0, 1, 2, 3] : tensor<2x4x5x6xf32> -> tensor<f32>
  %pq = arith.mulf %dq, %hq : tensor<2x4x5x8xf32>
  %pk = arith.mulf %dk, %hk : tensor<2x2x7x8xf32>
  %pv = arith.mulf %dv, %hv : tensor<2x2x7x6xf32>
  %pb = arith.mulf %db, %hb : tensor<1x4x1x7xf32>
  %rq = tessera.reduce sum %pq dims = [0, 1, 2, 3] : tensor<2x4x5x8xf32> -> tensor<f32>
  %rk = tessera.reduce sum %pk dims = [0, 1, 2, 3] : tensor<2x2x7x8xf32> -> tensor<f32>
  %rv = tessera.reduce sum %pv dims = [0, 1, 2, 3] : tensor<2x2x7x6xf32> -> tensor<f32>
  %rb = tessera.reduce sum %pb dims = [0, 1, 2, 3] : tensor<1x4x1x7xf32> -> tensor<f32>
  %s0 = arith.addf %rq, %rk : tensor<f32>
  %s1 = arith.addf %s0, %rv : tensor<f32>
  %s2 = arith.addf %s1, %rb : tensor<f32>
  %predicted = arith.addf %s2, %s2 : tensor<f32>
  %error = arith.subf %change, %predicted : tensor<f32>
  %size = math.absf %error : tensor<f32>
  %magnitude = math.absf %change : tensor<f32>
  %percent = arith.constant dense<0.02> : tensor<f32>
  %bound = arith.mulf %magnitude, %percent : tensor<f32>
  %right = arith.cmpf olt, %size, %bound : tensor<f32>
  return %dq, %dk, %dv, %db, %right : tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<i1>
}
