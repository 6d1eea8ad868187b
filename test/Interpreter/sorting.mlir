// Sorting along any dimension, of several tensors together, in any order.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<3x2xf32>, tensor<2x5xi32>, tensor<2x5xi32>, tensor<2x2xi32>, tensor<0x3xf32>) {
  // Along the first dimension; NaN comes before nothing.
  // CHECK: result0: f32[3x2] = {{\[\[}}1, 0], [2, 3], [4, nan]]
  %a = arith.constant dense<[[4.0, 3.0], [1.0, 0x7FC00000], [2.0, 0.0]]> : tensor<3x2xf32>
  %columns = tessera.sort %a dim = 0 : (tensor<3x2xf32>) -> tensor<3x2xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %less = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %less : tensor<i1>
  }
  // Keys with their places: equal keys keep their order.
  // CHECK: result1: i32[2x5] = {{\[\[}}1, 1, 2, 2, 3], [4, 4, 4, 5, 6]]
  // CHECK: result2: i32[2x5] = {{\[\[}}1, 4, 0, 3, 2], [1, 2, 4, 0, 3]]
  %keys = arith.constant dense<[[2, 1, 3, 2, 1], [5, 4, 4, 6, 4]]> : tensor<2x5xi32>
  %places = tessera.iota dim = 1 : tensor<2x5xi32>
  %sorted:2 = tessera.sort %keys, %places dim = 1 : (tensor<2x5xi32>, tensor<2x5xi32>) -> (tensor<2x5xi32>, tensor<2x5xi32>) {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>):
    %less = arith.cmpi slt, %x, %y : tensor<i32>
    tessera.yield %less : tensor<i1>
  }
  // The places of the two largest, the first of equal ones first.
  // CHECK: result3: i32[2x2] = {{\[\[}}2, 0], [3, 0]]
  %top:2 = tessera.sort %keys, %places dim = 1 : (tensor<2x5xi32>, tensor<2x5xi32>) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %i: tensor<i32>, %j: tensor<i32>):
    %greater = arith.cmpi sgt, %x, %y : tensor<i32>
    tessera.yield %greater : tensor<i1>
  }
  // CHECK: result4: f32[0x3] = []
  %none = arith.constant dense<0.0> : tensor<0x3xf32>
  %empty = tessera.sort %none dim = 0 : (tensor<0x3xf32>) -> tensor<0x3xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %less = arith.cmpf olt, %x, %y : tensor<f32>
    tessera.yield %less : tensor<i1>
  }
  return %columns, %sorted#0, %sorted#1, %top#1, %empty : tensor<3x2xf32>, tensor<2x5xi32>, tensor<2x5xi32>, tensor<2x2xi32>, tensor<0x3xf32>
}
