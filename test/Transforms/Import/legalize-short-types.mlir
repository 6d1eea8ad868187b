// Floats of eight bits and fewer, and integers of four and two, are bytes from import on.
// RUN: tessera-opt --tessera-legalize-short-types -split-input-file %s | FileCheck %s

// What moves elements moves bytes; the boundary says what they are.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tessera.short_type = "f8E4M3FN"})
// CHECK-SAME: -> (tensor<4xui8> {tessera.short_type = "f8E4M3FN"})
// CHECK-NEXT: %[[R:.*]] = "stablehlo.reverse"(%[[X]]) <{dimensions = array<i64: 0>}> : (tensor<4xui8>) -> tensor<4xui8>
// CHECK-NEXT: return %[[R]] : tensor<4xui8>
func.func @main(%x: tensor<4xf8E4M3FN> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf8E4M3FN> {
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  "func.return"(%0) : (tensor<4xf8E4M3FN>) -> ()
}

// -----

// Integers are computed with in eight bits, and wrap to theirs.
// CHECK-LABEL: func.func @add_short_integers
// CHECK-SAME: (%[[X:.*]]: tensor<2xi8>) -> tensor<2xi8>
// CHECK: %[[C:.*]] = "stablehlo.constant"() <{value = dense<[7, -8]> : tensor<2xi8>}>
// CHECK: %[[SUM:.*]] = "stablehlo.add"(%[[X]], %[[C]]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
// CHECK: %[[FOUR:.*]] = "stablehlo.constant"() <{value = dense<4> : tensor<2xi8>}>
// CHECK: %[[HIGH:.*]] = "stablehlo.shift_left"(%[[SUM]], %[[FOUR]])
// CHECK: %[[WRAPPED:.*]] = "stablehlo.shift_right_arithmetic"(%[[HIGH]], %[[FOUR]])
// CHECK: return %[[WRAPPED]] : tensor<2xi8>
func.func @add_short_integers(%x: tensor<2xi4>) -> tensor<2xi4> {
  %0 = "stablehlo.constant"() <{value = dense<[7, -8]> : tensor<2xi4>}> : () -> tensor<2xi4>
  %1 = "stablehlo.add"(%x, %0) : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
  "func.return"(%1) : (tensor<2xi4>) -> ()
}

// -----

// A sum is made in single precision, and remains the sum that sharding knows.
// CHECK-LABEL: func.func @sum
// CHECK: %[[SUM:.*]] = "stablehlo.reduce"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0>}> ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT: %[[S:.*]] = "stablehlo.add"(%[[A]], %[[B]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: "stablehlo.return"(%[[S]])
// CHECK-NEXT: }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
// CHECK: return %{{.*}} : tensor<ui8>
func.func @sum(%x: tensor<4xf8E5M2>) -> tensor<f8E5M2> {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f8E5M2>}> : () -> tensor<f8E5M2>
  %1 = "stablehlo.reduce"(%x, %0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %2 = "stablehlo.add"(%a, %b) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    "stablehlo.return"(%2) : (tensor<f8E5M2>) -> ()
  }) : (tensor<4xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
  "func.return"(%1) : (tensor<f8E5M2>) -> ()
}

// -----

// Factors of products are numbers of bf16, or of the other factor's type.
// CHECK-LABEL: func.func @products
// CHECK: "stablehlo.dot"(%{{.*}}, %{{.*}}) : (tensor<2x3xbf16>, tensor<3x2xbf16>) -> tensor<2x2xf32>
// CHECK: "stablehlo.dot"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
// CHECK: "stablehlo.dot"(%{{.*}}, %{{.*}}) : (tensor<3x2xi8>, tensor<2x3xi8>) -> tensor<3x3xi32>
func.func @products(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x2xf8E5M2>, %c: tensor<3x2xf32>, %i: tensor<3x2xi4>, %j: tensor<2x3xi4>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x3xi32>) {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E5M2>) -> tensor<2x2xf32>
  %1 = "stablehlo.dot"(%a, %c) : (tensor<2x3xf8E4M3FN>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.dot"(%i, %j) : (tensor<3x2xi4>, tensor<2x3xi4>) -> tensor<3x3xi32>
  "func.return"(%0, %1, %2) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x3xi32>) -> ()
}

// -----

// A shift that brings in zeros does not see the copies of the sign.
// CHECK-LABEL: func.func @shift
// CHECK: %[[MASK:.*]] = "stablehlo.constant"() <{value = dense<15> : tensor<2xi8>}>
// CHECK: %[[BITS:.*]] = "stablehlo.and"(%{{.*}}, %[[MASK]])
// CHECK: "stablehlo.shift_right_logical"(%[[BITS]], %{{.*}})
func.func @shift(%x: tensor<2xi4>, %y: tensor<2xi4>) -> tensor<2xi4> {
  %0 = "stablehlo.shift_right_logical"(%x, %y) : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
  "func.return"(%0) : (tensor<2xi4>) -> ()
}

// -----

// Of a byte from outside only the lowest bits are the element.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<2xi8> {tessera.short_type = "i4"}, %[[Y:.*]]: tensor<2xui8> {tessera.short_type = "ui2"})
// CHECK: %[[FOUR:.*]] = "stablehlo.constant"() <{value = dense<4> : tensor<2xi8>}>
// CHECK: %[[HIGH:.*]] = "stablehlo.shift_left"(%[[X]], %[[FOUR]])
// CHECK: %[[EXTENDED:.*]] = "stablehlo.shift_right_arithmetic"(%[[HIGH]], %[[FOUR]])
// CHECK: %[[THREE:.*]] = "stablehlo.constant"() <{value = dense<3> : tensor<2xui8>}>
// CHECK: %[[MASKED:.*]] = "stablehlo.and"(%[[Y]], %[[THREE]])
// CHECK: "stablehlo.optimization_barrier"(%[[EXTENDED]], %[[MASKED]])
func.func @main(%x: tensor<2xi4>, %y: tensor<2xui2>) -> (tensor<2xi4>, tensor<2xui2>) {
  %0:2 = "stablehlo.optimization_barrier"(%x, %y) : (tensor<2xi4>, tensor<2xui2>) -> (tensor<2xi4>, tensor<2xui2>)
  "func.return"(%0#0, %0#1) : (tensor<2xi4>, tensor<2xui2>) -> ()
}

// -----

// So are sums of several results, by functions, and with constants from outside.
// CHECK-LABEL: func.func @sums
// CHECK: "stablehlo.reduce"
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>, %[[D:.*]]: tensor<f32>):
// CHECK: %[[TWO:.*]] = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}>
// CHECK-NEXT: %[[FIRST:.*]] = "stablehlo.add"(%[[A]], %[[C]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %[[TWICE:.*]] = "stablehlo.multiply"(%[[D]], %[[TWO]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %[[SECOND:.*]] = "stablehlo.add"(%[[B]], %[[TWICE]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: "stablehlo.return"(%[[FIRST]], %[[SECOND]])
func.func @sums(%x: tensor<4xf8E5M2>) -> (tensor<f8E5M2>, tensor<f8E5M2>) {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f8E5M2>}> : () -> tensor<f8E5M2>
  %two = "stablehlo.constant"() <{value = dense<2.0> : tensor<f8E5M2>}> : () -> tensor<f8E5M2>
  %1:2 = "stablehlo.reduce"(%x, %x, %0, %0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>, %c: tensor<f8E5M2>, %d: tensor<f8E5M2>):
    %2 = "func.call"(%a, %c) <{callee = @add}> : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    %3 = "stablehlo.multiply"(%d, %two) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    %4 = "stablehlo.add"(%b, %3) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    "stablehlo.return"(%2, %4) : (tensor<f8E5M2>, tensor<f8E5M2>) -> ()
  }) : (tensor<4xf8E5M2>, tensor<4xf8E5M2>, tensor<f8E5M2>, tensor<f8E5M2>) -> (tensor<f8E5M2>, tensor<f8E5M2>)
  "func.return"(%1#0, %1#1) : (tensor<f8E5M2>, tensor<f8E5M2>) -> ()
}
func.func private @add(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>) -> tensor<f8E5M2> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
  "func.return"(%0) : (tensor<f8E5M2>) -> ()
}

// -----

// What is computed outside is widened for a body that uses it.
// CHECK-LABEL: func.func @captured
// CHECK: %[[WIDE:.*]] = "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<ui32>) -> tensor<f32>
// CHECK: "stablehlo.map"
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>):
// CHECK-NEXT: "stablehlo.add"(%[[A]], %[[WIDE]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @captured(%x: tensor<4xf8E5M2>, %y: tensor<f8E5M2>) -> tensor<4xf8E5M2> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E5M2>):
    %1 = "stablehlo.add"(%a, %y) : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
    "stablehlo.return"(%1) : (tensor<f8E5M2>) -> ()
  }) : (tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  "func.return"(%0) : (tensor<4xf8E5M2>) -> ()
}

// -----

// A body that only returns its update moves bytes.
// CHECK-LABEL: func.func @set(
// CHECK-SAME: %[[X:.*]]: tensor<4xui8>, %[[I:.*]]: tensor<2x1xi32>, %[[U:.*]]: tensor<2xui8>)
// CHECK-NEXT: "stablehlo.scatter"(%[[X]], %[[I]], %[[U]])
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<ui8>, %[[B:.*]]: tensor<ui8>):
// CHECK-NEXT: "stablehlo.return"(%[[B]])
func.func @set(%x: tensor<4xf8E5M2>, %i: tensor<2x1xi32>, %u: tensor<2xf8E5M2>) -> tensor<4xf8E5M2> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    "stablehlo.return"(%b) : (tensor<f8E5M2>) -> ()
  }) : (tensor<4xf8E5M2>, tensor<2x1xi32>, tensor<2xf8E5M2>) -> tensor<4xf8E5M2>
  "func.return"(%0) : (tensor<4xf8E5M2>) -> ()
}

// -----

// A shift that brings in the highest bit sees it in the highest place of a byte.
// CHECK-LABEL: func.func @shift_signs
// CHECK: %[[FOUR:.*]] = "stablehlo.constant"() <{value = dense<4> : tensor<2xui8>}>
// CHECK: %[[HIGH:.*]] = "stablehlo.shift_left"(%[[X:.*]], %[[FOUR]])
// CHECK: %[[SIGNED:.*]] = "stablehlo.shift_right_arithmetic"(%[[HIGH]], %[[FOUR]])
// CHECK: %[[SHIFTED:.*]] = "stablehlo.shift_right_arithmetic"(%[[SIGNED]], %{{.*}})
// CHECK: "stablehlo.and"(%[[SHIFTED]], %{{.*}})
func.func @shift_signs(%x: tensor<2xui4>, %y: tensor<2xui4>) -> tensor<2xui4> {
  %0 = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<2xui4>, tensor<2xui4>) -> tensor<2xui4>
  "func.return"(%0) : (tensor<2xui4>) -> ()
}

// -----

// Integers of other widths are none of StableHLO's.
// CHECK-LABEL: func.func @other_widths(
// CHECK-SAME: tensor<2xi3>
func.func @other_widths(%x: tensor<2xi3>) -> tensor<2xi3> {
  "func.return"(%x) : (tensor<2xi3>) -> ()
}
