// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// One operation in the body and its neutral element are a named monoid.
// CHECK-LABEL: func.func @monoids(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<2x3xi1>)
func.func @monoids(%x: tensor<2x3xf32>, %b: tensor<2x3xi1>) {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %lowest = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %false = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
  // CHECK: tessera.reduce sum %[[X]] dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = "stablehlo.add"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: tessera.reduce max %[[X]] dims = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  %1 = "stablehlo.reduce"(%x, %lowest) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = "stablehlo.maximum"(%c, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK-NEXT: tessera.reduce or %[[B]] dims = [0] : tensor<2x3xi1> -> tensor<3xi1>
  %2 = "stablehlo.reduce"(%b, %false) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i1>, %c: tensor<i1>):
    %s = "stablehlo.maximum"(%a, %c) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }) : (tensor<2x3xi1>, tensor<i1>) -> tensor<3xi1>
  // CHECK-NEXT: return
  "func.return"() : () -> ()
}

// -----

// Another initial value is combined with the result.
// CHECK-LABEL: func.func @initial_value(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK-NEXT: %[[R:.*]] = tessera.reduce sum %[[X]] dims = [1]
// CHECK-NEXT: %[[I:.*]] = tessera.broadcast %[[INIT]] dims = [] : tensor<f32> -> tensor<2xf32>
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[R]], %[[I]]
// CHECK-NEXT: return %[[S]]
func.func @initial_value(%x: tensor<2x3xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = "stablehlo.add"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}

// -----

// The largest unsigned integer has no name: the body is kept.
// CHECK-LABEL: func.func @unsigned_maximum(
// CHECK: tessera.variadic_reduce %{{.*}} inits %{{.*}} dims = [1]
// CHECK: ^bb0(%[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<i32>):
// CHECK: %[[M:.*]] = arith.maxui %[[A]], %[[B]]
// CHECK: tessera.yield %[[M]]
func.func @unsigned_maximum(%x: tensor<2x3xui32>) -> tensor<2xui32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<ui32>, %c: tensor<ui32>):
    %s = "stablehlo.maximum"(%a, %c) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    "stablehlo.return"(%s) : (tensor<ui32>) -> ()
  }) : (tensor<2x3xui32>, tensor<ui32>) -> tensor<2xui32>
  "func.return"(%0) : (tensor<2xui32>) -> ()
}

// -----

// Several operands are reduced together, by the body.
// CHECK-LABEL: func.func @largest_with_index(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[I:.*]]: tensor<2x3xi32>, %[[XI:.*]]: tensor<f32>, %[[II:.*]]: tensor<i32>)
// CHECK: %[[R:.*]]:2 = tessera.variadic_reduce %[[X]], %[[I]] inits %[[XI]], %[[II]] dims = [1]
// CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[AI:.*]]: tensor<i32>, %[[B:.*]]: tensor<f32>, %[[BI:.*]]: tensor<i32>):
// CHECK: %[[C:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK: %[[V:.*]] = arith.select %[[C]], %[[A]], %[[B]]
// CHECK: %[[W:.*]] = arith.select %[[C]], %[[AI]], %[[BI]]
// CHECK: tessera.yield %[[V]], %[[W]]
// CHECK: return %[[R]]#1
func.func @largest_with_index(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %xi: tensor<f32>, %ii: tensor<i32>) -> tensor<2xi32> {
  %0:2 = "stablehlo.reduce"(%x, %i, %xi, %ii) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = "stablehlo.select"(%c, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %w = "stablehlo.select"(%c, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %w) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  "func.return"(%0#1) : (tensor<2xi32>) -> ()
}

// -----

// A cumulative sum of 6: windows of 2, of 3 = 2 + 1, and of 6 = 3 + 3; what a window has before the beginning is nothing.
// CHECK-LABEL: func.func @cumulative_sum(
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>)
// CHECK: %[[A:.*]] = tessera.pad %[[X]] with %{{.*}} low = [1] high = [-1] interior = [0]
// CHECK: %[[TWO:.*]] = arith.addf %[[X]], %[[A]] : tensor<6xf32>
// CHECK: %[[B:.*]] = tessera.pad %[[X]] with %{{.*}} low = [2] high = [-2] interior = [0]
// CHECK: %[[THREE:.*]] = arith.addf %[[TWO]], %[[B]] : tensor<6xf32>
// CHECK: %[[C:.*]] = tessera.pad %[[THREE]] with %{{.*}} low = [3] high = [-3] interior = [0]
// CHECK: %[[SIX:.*]] = arith.addf %[[THREE]], %[[C]] : tensor<6xf32>
// CHECK: return %[[SIX]]
func.func @cumulative_sum(%x: tensor<6xf32>) -> tensor<6xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = "stablehlo.add"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  "func.return"(%0) : (tensor<6xf32>) -> ()
}

// -----

// Dilations are elements in between, and distances; a stride takes one element of each block.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[X:.*]]: tensor<4x5xf32>)
// CHECK: %[[P:.*]] = tessera.pad %[[X]] with %{{.*}} low = [0, 0] high = [0, 0] interior = [1, 0] : (tensor<4x5xf32>, tensor<f32>) -> tensor<7x5xf32>
// CHECK: %[[Q:.*]] = tessera.pad %[[P]] with %{{.*}} low = [0, 0] high = [2, 0] {{.*}} -> tensor<9x5xf32>
// CHECK: %[[BLOCKS:.*]] = tessera.reshape %[[Q]] : tensor<9x5xf32> -> tensor<3x3x5xf32>
// CHECK: %[[FIRST:.*]] = tessera.slice %[[BLOCKS]] [0, 0, 0] to [3, 1, 5]
// CHECK: %[[ROWS:.*]] = tessera.reshape %[[FIRST]] : tensor<3x1x5xf32> -> tensor<3x5xf32>
// CHECK-DAG: %[[A0:.*]] = tessera.pad %[[ROWS]] with %{{.*}} low = [0, 1] high = [0, -2]
// CHECK-DAG: %[[A1:.*]] = tessera.slice %[[ROWS]] [0, 1] to [3, 5]
// CHECK: %[[M:.*]] = arith.maximumf %[[A0]], %[[A1]] : tensor<3x4xf32>
// CHECK: return %[[M]]
func.func @windows(%x: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %lowest = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %lowest) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 3, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %s = "stablehlo.maximum"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<3x4xf32>
  "func.return"(%0) : (tensor<3x4xf32>) -> ()
}
