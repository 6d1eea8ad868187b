// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file --verify-diagnostics | FileCheck %s

// A sort keeps its region.
// CHECK-LABEL: func.func @keys(
// CHECK-SAME: %[[K:.*]]: tensor<4x9xi32>, %[[V:.*]]: tensor<4x9xf32>)
// CHECK: %[[R:.*]]:2 = tessera.sort %[[K]], %[[V]] dim = 1 : (tensor<4x9xi32>, tensor<4x9xf32>) -> (tensor<4x9xi32>, tensor<4x9xf32>) {
// CHECK: ^bb0(%[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<i32>, %{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>):
// CHECK: %[[C:.*]] = arith.cmpi ult, %[[A]], %[[B]] : tensor<i32>
// CHECK: tessera.yield %[[C]] : tensor<i1>
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @keys(%k: tensor<4x9xui32>, %v: tensor<4x9xf32>) -> (tensor<4x9xui32>, tensor<4x9xf32>) {
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<4x9xui32>, tensor<4x9xf32>) -> (tensor<4x9xui32>, tensor<4x9xf32>)
  "func.return"(%0#0, %0#1) : (tensor<4x9xui32>, tensor<4x9xf32>) -> ()
}

// -----

// Constants of a region may stand outside of it, where simplifications of others put them.
// CHECK-LABEL: func.func @constant_outside(
// CHECK: tessera.sort %{{.*}} dim = 0 : (tensor<4xf32>) -> tensor<4xf32> {
// CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
// CHECK-DAG: %[[FIRST:.*]] = arith.divf %[[A]], %[[TWO]]
// CHECK-DAG: %[[SECOND:.*]] = arith.divf %[[B]], %[[TWO]]
// CHECK: arith.cmpf olt, %[[FIRST]], %[[SECOND]]
func.func @constant_outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.divide"(%a, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.divide"(%b, %two) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// The largest and their places are what comes first, in the total order of numbers.
// CHECK-LABEL: func.func @largest(
// CHECK-SAME: %[[X:.*]]: tensor<4x9xf32>)
// CHECK: %[[I:.*]] = tessera.iota dim = 1 : tensor<4x9xi32>
// CHECK: tessera.sort %[[X]], %[[I]] dim = 1 : (tensor<4x9xf32>, tensor<4x9xi32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
// CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
// CHECK: arith.bitcast %[[A]] : tensor<f32> to tensor<i32>
// CHECK: arith.bitcast %[[B]] : tensor<f32> to tensor<i32>
// CHECK: arith.cmpi sgt
func.func @largest(%x: tensor<4x9xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<4x9xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  "func.return"(%0#0, %0#1) : (tensor<4x3xf32>, tensor<4x3xi32>) -> ()
}

// -----

func.func @main(%x: tensor<4x9xf32>) -> (tensor<4x10xf32>, tensor<4x10xi32>) {
  // expected-error @+1 {{expected a last dimension of at least 10 elements of 'chlo.top_k', got 'tensor<4x9xf32>'}}
  %0:2 = "chlo.top_k"(%x) <{k = 10 : i64}> : (tensor<4x9xf32>) -> (tensor<4x10xf32>, tensor<4x10xi32>)
  "func.return"(%0#0, %0#1) : (tensor<4x10xf32>, tensor<4x10xi32>) -> ()
}

// -----

func.func @main(%x: tensor<4x9xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  // expected-error @+1 {{expected integers as the second result of 'chlo.top_k', got 'f32'}}
  %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<4x9xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  "func.return"(%0#0, %0#1) : (tensor<4x3xf32>, tensor<4x3xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @+1 {{expected as many operands as results of 'stablehlo.sort', got 1 and 2}}
  %0:2 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  "func.return"(%0#0, %0#1) : (tensor<4xf32>, tensor<4xf32>) -> ()
}

// -----

// A scalar has no last dimension.
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<i32>) {
  // expected-error @below {{expected a last dimension of at least 0 elements of 'chlo.top_k', got 'tensor<f32>'}}
  %0:2 = "chlo.top_k"(%x) <{k = 0 : i64}> : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
  "func.return"(%0#0, %0#1) : (tensor<f32>, tensor<i32>) -> ()
}

// -----

// Places are no numbers of another kind.
func.func @main(%x: tensor<9xi32>) -> (tensor<3xi32>, tensor<3xf64>) {
  // expected-error @below {{expected integers as the second result of 'chlo.top_k', got 'f64'}}
  %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<9xi32>) -> (tensor<3xi32>, tensor<3xf64>)
  "func.return"(%0#0, %0#1) : (tensor<3xi32>, tensor<3xf64>) -> ()
}

// -----

// Nothing is not sorted.
func.func @main() {
  // expected-error @below {{expected as many operands as results of 'stablehlo.sort', got 0 and 0}}
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}
