// Operations that move elements put each where StableHLO's semantics say.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<2x3xi32>, tensor<2x2x3xi32>, tensor<3x2xi32>, tensor<3x2xi32>, tensor<1x2xi32>, tensor<2x3xi32>,
    tensor<2x4xi32>, tensor<3x6xi32>, tensor<1x2xi32>, tensor<1x2xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<0x3xi32>,
    tensor<4x2xf32>) {
  // CHECK: result0: i32[2x3] = {{\[\[}}0, 1, 2], [3, 4, 5]]
  %flat = tessera.iota dim = 0 : tensor<6xi32>
  %a = tessera.reshape %flat : tensor<6xi32> -> tensor<2x3xi32>
  // The operand's dimensions become dimensions 0 and 2; the new dimension 1 repeats.
  // CHECK: result1: i32[2x2x3] = {{\[\[\[}}0, 1, 2], [0, 1, 2]], {{\[\[}}3, 4, 5], [3, 4, 5]]]
  %broadcast = tessera.broadcast %a dims = [0, 2] : tensor<2x3xi32> -> tensor<2x2x3xi32>
  // CHECK: result2: i32[3x2] = {{\[\[}}0, 3], [1, 4], [2, 5]]
  %transpose = tessera.transpose %a permutation = [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>
  // CHECK: result3: i32[3x2] = {{\[\[}}0, 1], [2, 3], [4, 5]]
  %reshape = tessera.reshape %a : tensor<2x3xi32> -> tensor<3x2xi32>
  // CHECK: result4: i32[1x2] = {{\[\[}}3, 5]]
  %slice = tessera.slice %a [1, 0] to [2, 3] by [1, 2] : tensor<2x3xi32> -> tensor<1x2xi32>
  // CHECK: result5: i32[2x3] = {{\[\[}}5, 4, 3], [2, 1, 0]]
  %reverse = tessera.reverse %a dims = [0, 1] : tensor<2x3xi32>
  // CHECK: result6: i32[2x4] = {{\[\[}}0, 1, 2, 0], [3, 4, 5, 3]]
  %column = tessera.slice %a [0, 0] to [2, 1] by [1, 1] : tensor<2x3xi32> -> tensor<2x1xi32>
  %concatenate = tessera.concatenate %a, %column dim = 1 : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  // Rows get one row between them; columns one between, the first removed, and two appended.
  // CHECK: result7: i32[3x6] = {{\[\[}}9, 1, 9, 2, 9, 9], [9, 9, 9, 9, 9, 9], [9, 4, 9, 5, 9, 9]]
  %nine = arith.constant dense<9> : tensor<i32>
  %pad = tessera.pad %a with %nine low = [0, -1] high = [0, 2] interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x6xi32>
  // Places are clamped: row 7 is the last row, column -3 the first.
  %seven = arith.constant dense<7> : tensor<i32>
  %minus = arith.constant dense<-3> : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  // CHECK: result8: i32[1x2] = {{\[\[}}3, 4]]
  %clamped = tessera.dynamic_slice %a[%seven, %minus] : (tensor<2x3xi32>, tensor<i32>, tensor<i64>) -> tensor<1x2xi32>
  // CHECK: result9: i32[1x2] = {{\[\[}}4, 5]]
  %inside = tessera.dynamic_slice %a[%seven, %one] : (tensor<2x3xi32>, tensor<i32>, tensor<i64>) -> tensor<1x2xi32>
  // CHECK: result10: i32[2x3] = {{\[\[}}0, 1, 2], [3, 1, 2]]
  %update = tessera.slice %a [0, 1] to [1, 3] by [1, 1] : tensor<2x3xi32> -> tensor<1x2xi32>
  %updated = tessera.dynamic_update_slice %a, %update[%seven, %one] : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i64>) -> tensor<2x3xi32>
  // CHECK: result11: i32[2x3] = {{\[\[}}0, 4, 2], [2, 4, 0]]
  %even = arith.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>
  %select = arith.select %even, %a, %reverse : tensor<2x3xi1>, tensor<2x3xi32>
  // CHECK: result12: i32[2x3] = {{\[\[}}5, 4, 3], [2, 1, 0]]
  %false = arith.constant false
  %choose = arith.select %false, %a, %reverse : tensor<2x3xi32>
  // CHECK: result13: i32[0x3] = []
  %empty = tessera.slice %a [1, 0] to [1, 3] by [1, 1] : tensor<2x3xi32> -> tensor<0x3xi32>
  // CHECK: result14: f32[4x2] = {{\[\[}}0, 1], [0, 1], [0, 1], [0, 1]]
  %iota = tessera.iota dim = 1 : tensor<4x2xf32>
  return %a, %broadcast, %transpose, %reshape, %slice, %reverse, %concatenate, %pad, %clamped, %inside, %updated, %select, %choose, %empty, %iota
    : tensor<2x3xi32>, tensor<2x2x3xi32>, tensor<3x2xi32>, tensor<3x2xi32>, tensor<1x2xi32>, tensor<2x3xi32>,
    tensor<2x4xi32>, tensor<3x6xi32>, tensor<1x2xi32>, tensor<1x2xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>, tensor<0x3xi32>,
    tensor<4x2xf32>
}
