// Attention and its gradient against the same in single operations: grouped heads, a bias, a mask, and keys that a query is too early for.
// RUN: tessera-interpret %s --random=3 | FileCheck %s

// CHECK: result0: i1[] = true
// CHECK: result1: i1[] = true
// CHECK: result2: i1[] = true
// CHECK: result3: i1[] = true
func.func @main(%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x7x8xf32>, %v: tensor<2x2x7x6xf32>, %bias: tensor<1x4x1x7xf32>, %masked: tensor<2x1x1x7xf32>, %do: tensor<2x4x5x6xf32>)
    -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>) {
  %half = arith.constant dense<1.0> : tensor<2x1x1x7xf32>
  %mask = arith.cmpf olt, %masked, %half : tensor<2x1x1x7xf32>
  %o, %max, %sum = tessera.attention %q, %k, %v bias %bias mask %mask scale = 0.25 causal = 2 fill = -1.0e30
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<1x4x1x7xf32>, tensor<2x1x1x7xi1>) -> (tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %max sum %sum gradient %do bias %bias mask %mask scale = 0.25 causal = 2 fill = -1.0e30
      : (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, tensor<2x4x5x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5x6xf32>, tensor<1x4x1x7xf32>, tensor<2x1x1x7xi1>)
        -> (tensor<2x4x5x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>)

  // Heads are [key heads, group].
  %q5 = tessera.reshape %q : tensor<2x4x5x8xf32> -> tensor<2x2x2x5x8xf32>
  %do5 = tessera.reshape %do : tensor<2x4x5x6xf32> -> tensor<2x2x2x5x6xf32>
  %qk = tessera.dot_general %q5, %k batching = [0, 1] x [0, 1] contracting = [4] x [3] : (tensor<2x2x2x5x8xf32>, tensor<2x2x7x8xf32>) -> tensor<2x2x2x5x7xf32>
  %scale = arith.constant dense<0.25> : tensor<2x2x2x5x7xf32>
  %scaled = arith.mulf %qk, %scale : tensor<2x2x2x5x7xf32>
  %bias4 = tessera.reshape %bias : tensor<1x4x1x7xf32> -> tensor<2x2x7xf32>
  %bias5 = tessera.broadcast %bias4 dims = [1, 2, 4] : tensor<2x2x7xf32> -> tensor<2x2x2x5x7xf32>
  %biased = arith.addf %scaled, %bias5 : tensor<2x2x2x5x7xf32>
  %i = tessera.iota dim = 0 : tensor<5x7xi32>
  %j = tessera.iota dim = 1 : tensor<5x7xi32>
  %offset = arith.constant dense<2> : tensor<5x7xi32>
  %last = arith.addi %i, %offset : tensor<5x7xi32>
  %causal = arith.cmpi sle, %j, %last : tensor<5x7xi32>
  %causal5 = tessera.broadcast %causal dims = [3, 4] : tensor<5x7xi1> -> tensor<2x2x2x5x7xi1>
  %mask2 = tessera.reshape %mask : tensor<2x1x1x7xi1> -> tensor<2x7xi1>
  %mask5 = tessera.broadcast %mask2 dims = [0, 4] : tensor<2x7xi1> -> tensor<2x2x2x5x7xi1>
  %visible = arith.andi %causal5, %mask5 : tensor<2x2x2x5x7xi1>
  %fill = arith.constant dense<-1.0e30> : tensor<2x2x2x5x7xf32>
  %scores = arith.select %visible, %biased, %fill : tensor<2x2x2x5x7xi1>, tensor<2x2x2x5x7xf32>
  %rowmax = tessera.reduce max %scores dims = [4] : tensor<2x2x2x5x7xf32> -> tensor<2x2x2x5xf32>
  %max5 = tessera.broadcast %rowmax dims = [0, 1, 2, 3] : tensor<2x2x2x5xf32> -> tensor<2x2x2x5x7xf32>
  %shifted = arith.subf %scores, %max5 : tensor<2x2x2x5x7xf32>
  %e = math.exp %shifted : tensor<2x2x2x5x7xf32>
  %rowsum = tessera.reduce sum %e dims = [4] : tensor<2x2x2x5x7xf32> -> tensor<2x2x2x5xf32>
  %sum5 = tessera.broadcast %rowsum dims = [0, 1, 2, 3] : tensor<2x2x2x5xf32> -> tensor<2x2x2x5x7xf32>
  %p = arith.divf %e, %sum5 : tensor<2x2x2x5x7xf32>
  %o5 = tessera.dot_general %p, %v batching = [0, 1] x [0, 1] contracting = [4] x [2] : (tensor<2x2x2x5x7xf32>, tensor<2x2x7x6xf32>) -> tensor<2x2x2x5x6xf32>
  %dv5 = tessera.dot_general %p, %do5 batching = [0, 1] x [0, 1] contracting = [2, 3] x [2, 3] : (tensor<2x2x2x5x7xf32>, tensor<2x2x2x5x6xf32>) -> tensor<2x2x7x6xf32>
  %dp = tessera.dot_general %do5, %v batching = [0, 1] x [0, 1] contracting = [4] x [3] : (tensor<2x2x2x5x6xf32>, tensor<2x2x7x6xf32>) -> tensor<2x2x2x5x7xf32>
  %pdp = arith.mulf %p, %dp : tensor<2x2x2x5x7xf32>
  %delta = tessera.reduce sum %pdp dims = [4] : tensor<2x2x2x5x7xf32> -> tensor<2x2x2x5xf32>
  %delta5 = tessera.broadcast %delta dims = [0, 1, 2, 3] : tensor<2x2x2x5xf32> -> tensor<2x2x2x5x7xf32>
  %centred = arith.subf %dp, %delta5 : tensor<2x2x2x5x7xf32>
  %ds = arith.mulf %p, %centred : tensor<2x2x2x5x7xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x2x2x5x7xf32>
  %dsMasked = arith.select %visible, %ds, %zeros : tensor<2x2x2x5x7xi1>, tensor<2x2x2x5x7xf32>
  %dsScaled = arith.mulf %dsMasked, %scale : tensor<2x2x2x5x7xf32>
  %dq5 = tessera.dot_general %dsScaled, %k batching = [0, 1] x [0, 1] contracting = [4] x [2] : (tensor<2x2x2x5x7xf32>, tensor<2x2x7x8xf32>) -> tensor<2x2x2x5x8xf32>
  %dk5 = tessera.dot_general %dsScaled, %q5 batching = [0, 1] x [0, 1] contracting = [2, 3] x [2, 3] : (tensor<2x2x2x5x7xf32>, tensor<2x2x2x5x8xf32>) -> tensor<2x2x7x8xf32>
  %o4 = tessera.reshape %o5 : tensor<2x2x2x5x6xf32> -> tensor<2x4x5x6xf32>
  %dq4 = tessera.reshape %dq5 : tensor<2x2x2x5x8xf32> -> tensor<2x4x5x8xf32>

  %tolerance = arith.constant dense<1.0e-5> : tensor<f32>
  %0 = arith.subf %o, %o4 : tensor<2x4x5x6xf32>
  %1 = math.absf %0 : tensor<2x4x5x6xf32>
  %2 = tessera.reduce max %1 dims = [0, 1, 2, 3] : tensor<2x4x5x6xf32> -> tensor<f32>
  %same0 = arith.cmpf olt, %2, %tolerance : tensor<f32>
  %3 = arith.subf %dq, %dq4 : tensor<2x4x5x8xf32>
  %4 = math.absf %3 : tensor<2x4x5x8xf32>
  %5 = tessera.reduce max %4 dims = [0, 1, 2, 3] : tensor<2x4x5x8xf32> -> tensor<f32>
  %same1 = arith.cmpf olt, %5, %tolerance : tensor<f32>
  %6 = arith.subf %dk, %dk5 : tensor<2x2x7x8xf32>
  %7 = math.absf %6 : tensor<2x2x7x8xf32>
  %8 = tessera.reduce max %7 dims = [0, 1, 2, 3] : tensor<2x2x7x8xf32> -> tensor<f32>
  %same2 = arith.cmpf olt, %8, %tolerance : tensor<f32>
  %9 = arith.subf %dv, %dv5 : tensor<2x2x7x6xf32>
  %10 = math.absf %9 : tensor<2x2x7x6xf32>
  %11 = tessera.reduce max %10 dims = [0, 1, 2, 3] : tensor<2x2x7x6xf32> -> tensor<f32>
  %same3 = arith.cmpf olt, %11, %tolerance : tensor<f32>
  return %same0, %same1, %same2, %same3 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<i1>
}
