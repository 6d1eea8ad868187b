// gather clamps its windows, scatter skips those that do not lie inside; both with and without batching dimensions.
// RUN: tessera-interpret %s | FileCheck %s

func.func @main() -> (tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<4x2xi32>, tensor<4x2xi32>, tensor<2x4xi32>) {
  %flat = tessera.iota dim = 0 : tensor<8xi32>
  %table = tessera.reshape %flat : tensor<8xi32> -> tensor<4x2xi32>
  // Rows 2, 0 and 9 (clamped to 3).
  // CHECK: result0: i32[3x2] = {{\[\[}}4, 5], [0, 1], [6, 7]]
  %ids = arith.constant dense<[[2], [0], [9]]> : tensor<3x1xi32>
  %rows = tessera.gather %table at %ids offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 2]
    : (tensor<4x2xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
  // Windows of two rows and one column; the index vectors (dimension 0 of the indices) are (row, column).
  // CHECK: result1: i32[2x2] = {{\[\[}}3, 5], [4, 6]]
  %corners = arith.constant dense<[[1, 3], [1, 0]]> : tensor<2x2xi64>
  %windows = tessera.gather %table at %corners offset = [1] collapsed = [1] batching = [] x [] map = [0, 1] vector = 0 sizes = [2, 1]
    : (tensor<4x2xi32>, tensor<2x2xi64>) -> tensor<2x2xi32>
  // One element of each row of a 2x4 table: the rows go together.
  // CHECK: result2: i32[2x1] = {{\[\[}}3], [4]]
  %wide = tessera.reshape %flat : tensor<8xi32> -> tensor<2x4xi32>
  %columns = arith.constant dense<[[[3]], [[0]]]> : tensor<2x1x1xi32>
  %taken = tessera.gather %wide at %columns offset = [] collapsed = [1] batching = [0] x [0] map = [1] vector = 2 sizes = [1, 1]
    : (tensor<2x4xi32>, tensor<2x1x1xi32>) -> tensor<2x1xi32>

  // Rows 2 and 2 are added up, row 4 lies outside.
  // CHECK: result3: i32[4x2] = {{\[\[}}0, 1], [2, 3], [24, 45], [6, 7]]
  %to = arith.constant dense<[[2], [2], [4]]> : tensor<3x1xi32>
  %updates = arith.constant dense<[[10, 20], [10, 20], [1, 1]]> : tensor<3x2xi32>
  %added = tessera.scatter sum %table, %updates at %to window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1
    : (tensor<4x2xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<4x2xi32>
  // Without a kind the update replaces; a window of two rows from row 3 on does not lie inside and is skipped whole.
  // CHECK: result4: i32[4x2] = {{\[\[}}0, 1], [7, 3], [8, 5], [6, 7]]
  %starts = arith.constant dense<[[1, 0], [3, 1]]> : tensor<2x2xi32>
  %columnUpdates = arith.constant dense<[[7, 8], [9, 9]]> : tensor<2x2xi32>
  %replaced = tessera.scatter %table, %columnUpdates at %starts window = [1] inserted = [1] batching = [] x [] map = [0, 1] vector = 1
    : (tensor<4x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<4x2xi32>
  // CHECK: result5: i32[2x4] = {{\[\[}}0, 1, 2, 9], [9, 5, 6, 7]]
  %nines = arith.constant dense<9> : tensor<2x1xi32>
  %put = tessera.scatter max %wide, %nines at %columns window = [] inserted = [1] batching = [0] x [0] map = [1] vector = 2
    : (tensor<2x4xi32>, tensor<2x1x1xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  return %rows, %windows, %taken, %added, %replaced, %put
    : tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<4x2xi32>, tensor<4x2xi32>, tensor<2x4xi32>
}
