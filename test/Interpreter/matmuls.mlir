// Matmuls and reductions, with dimensions in any order.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<2x2xf32>, tensor<3x2x2xi32>, tensor<f32>, tensor<2x2xf32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>,
    tensor<2xf32>, tensor<2xf32>, tensor<i1>, tensor<2xi32>, tensor<2xi32>) {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  // a times its own transpose.
  // CHECK: result0: f32[2x2] = {{\[\[}}14, 32], [32, 77]]
  %gram = tessera.dot_general %a, %a batching = [] x [] contracting = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  // Batching over the last dimension of both: for each b, lhs[:, b] (column) times rhs[:, b].
  // CHECK: result1: i32[3x2x2] = {{\[\[\[}}1, 4], [4, 16]], {{\[\[}}4, 10], [10, 25]], {{\[\[}}9, 18], [18, 36]]]
  %i = arith.fptosi %a : tensor<2x3xf32> to tensor<2x3xi32>
  %batched = tessera.dot_general %i, %i batching = [1] x [1] contracting = [] x [] : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<3x2x2xi32>
  // CHECK: result2: f32[] = 91
  %all = tessera.dot_general %a, %a batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
  // bf16 operands, accumulated and kept in f32: 257 * 1 + 1 * 1 is exact.
  // CHECK: result3: f32[2x2] = {{\[\[}}257, 257], [257, 257]]
  %b = arith.constant dense<[[256.0, 1.0], [256.0, 1.0]]> : tensor<2x2xbf16>
  %c = arith.constant dense<1.0> : tensor<2x2xbf16>
  %mixed = tessera.dot_general %b, %c batching = [] x [] contracting = [1] x [0] : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xf32>

  // CHECK: result4: i32[2] = [6, 15]
  %sum = tessera.reduce sum %i dims = [1] : tensor<2x3xi32> -> tensor<2xi32>
  // CHECK: result5: i32[3] = [4, 10, 18]
  %product = tessera.reduce product %i dims = [0] : tensor<2x3xi32> -> tensor<3xi32>
  // CHECK: result6: i32[2] = [0, 7]
  %or = tessera.reduce xor %i dims = [1] : tensor<2x3xi32> -> tensor<2xi32>
  %n = arith.constant dense<[[1.0, 0x7FC00000, 3.0], [4.0, -5.0, 6.0]]> : tensor<2x3xf32>
  // CHECK: result7: f32[2] = [nan, 6]
  %max = tessera.reduce max %n dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
  // CHECK: result8: f32[2] = [inf, inf]
  %none = tessera.slice %n [0, 0] to [2, 0] by [1, 1] : tensor<2x3xf32> -> tensor<2x0xf32>
  %min = tessera.reduce min %none dims = [1] : tensor<2x0xf32> -> tensor<2xf32>
  // CHECK: result9: i1[] = false
  %bits = arith.constant dense<[true, true, false]> : tensor<3xi1>
  %and = tessera.reduce and %bits dims = [0] : tensor<3xi1> -> tensor<i1>

  // The index of the largest element of each row, with the element: a region over pairs.
  // CHECK: result10: i32[2] = [2, 1]
  // CHECK: result11: i32[2] = [8, 9]
  %values = arith.constant dense<[[5, 7, 8], [4, 9, 6]]> : tensor<2x3xi32>
  %places = tessera.iota dim = 1 : tensor<2x3xi32>
  %lowest = arith.constant dense<-1> : tensor<i32>
  %argmax:2 = tessera.variadic_reduce %places, %values inits %lowest, %lowest dims = [1]
      : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>) {
  ^bb0(%p: tensor<i32>, %v: tensor<i32>, %q: tensor<i32>, %w: tensor<i32>):
    %greater = arith.cmpi sgt, %w, %v : tensor<i32>
    %place = arith.select %greater, %q, %p : tensor<i1>, tensor<i32>
    %value = arith.maxsi %v, %w : tensor<i32>
    tessera.yield %place, %value : tensor<i32>, tensor<i32>
  }
  return %gram, %batched, %all, %mixed, %sum, %product, %or, %max, %min, %and, %argmax#0, %argmax#1
    : tensor<2x2xf32>, tensor<3x2x2xi32>, tensor<f32>, tensor<2x2xf32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>,
    tensor<2xf32>, tensor<2xf32>, tensor<i1>, tensor<2xi32>, tensor<2xi32>
}
