// RUN: tessera-opt %s --tessera-flatten-tuples --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[I:.*]]: tensor<2xi32>) -> tensor<2xi32>
func.func @parts(%t: tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32> {
  // CHECK-NEXT: return %[[I]]
  %0 = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32>
  "func.return"(%0) : (tensor<2xi32>) -> ()
}

// -----

// A part of a tuple may be a tuple; results of functions are parts, too, and keep what is said of those that were alone.

// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {tessera.name = "x"}, %[[Y:.*]]: tensor<2xi32>)
// CHECK-SAME: -> (tensor<2xi32>, tensor<4xf32>, tensor<2xi32> {tessera.name = "last"})
func.func @nested(%x: tensor<4xf32> {tessera.name = "x"}, %y: tensor<2xi32>) -> (tuple<tensor<2xi32>, tensor<4xf32>>, tensor<2xi32> {tessera.name = "last"}) {
  %0 = "stablehlo.tuple"(%x, %y) : (tensor<4xf32>, tensor<2xi32>) -> tuple<tensor<4xf32>, tensor<2xi32>>
  %1 = "stablehlo.tuple"(%y, %0) : (tensor<2xi32>, tuple<tensor<4xf32>, tensor<2xi32>>) -> tuple<tensor<2xi32>, tuple<tensor<4xf32>, tensor<2xi32>>>
  %2 = "stablehlo.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<tensor<2xi32>, tuple<tensor<4xf32>, tensor<2xi32>>>) -> tuple<tensor<4xf32>, tensor<2xi32>>
  %3 = "stablehlo.get_tuple_element"(%2) <{index = 0 : i32}> : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<4xf32>
  %4 = "stablehlo.tuple"(%y, %3) : (tensor<2xi32>, tensor<4xf32>) -> tuple<tensor<2xi32>, tensor<4xf32>>
  // CHECK-NEXT: return %[[Y]], %[[X]], %[[Y]]
  "func.return"(%4, %y) : (tuple<tensor<2xi32>, tensor<4xf32>>, tensor<2xi32>) -> ()
}

// -----

// Loops carry parts, and no tokens.

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[N:.*]]: tensor<i32>) -> tensor<i32>
func.func @loop(%n: tensor<i32>, %before: !stablehlo.token) -> tensor<i32> {
  %t = "stablehlo.create_token"() : () -> !stablehlo.token
  %u = "stablehlo.after_all"(%t, %before) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %0 = "stablehlo.tuple"(%n, %n) : (tensor<i32>, tensor<i32>) -> tuple<tensor<i32>, tensor<i32>>
  // CHECK-NEXT: %[[LOOP:.*]]:2 = "stablehlo.while"(%[[N]], %[[N]]) ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<i32>):
  // CHECK-NEXT: "stablehlo.compare"(%[[A]], %[[B]])
  // CHECK: ^bb0(%{{.*}}: tensor<i32>, %[[C:.*]]: tensor<i32>):
  // CHECK-NEXT: "stablehlo.return"(%[[C]], %[[C]]) : (tensor<i32>, tensor<i32>) -> ()
  %1:2 = "stablehlo.while"(%0, %u) ({
  ^bb0(%s: tuple<tensor<i32>, tensor<i32>>, %v: !stablehlo.token):
    %a = "stablehlo.get_tuple_element"(%s) <{index = 0 : i32}> : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
    %b = "stablehlo.get_tuple_element"(%s) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%s: tuple<tensor<i32>, tensor<i32>>, %v: !stablehlo.token):
    %b = "stablehlo.get_tuple_element"(%s) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
    %next = "stablehlo.tuple"(%b, %b) : (tensor<i32>, tensor<i32>) -> tuple<tensor<i32>, tensor<i32>>
    "stablehlo.return"(%next, %v) : (tuple<tensor<i32>, tensor<i32>>, !stablehlo.token) -> ()
  }) : (tuple<tensor<i32>, tensor<i32>>, !stablehlo.token) -> (tuple<tensor<i32>, tensor<i32>>, !stablehlo.token)
  %2 = "stablehlo.get_tuple_element"(%1#0) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<i32>>) -> tensor<i32>
  // CHECK: return %[[LOOP]]#1
  "func.return"(%2) : (tensor<i32>) -> ()
}

// -----

// Arguments share memory with the result that they are known by, unless that has become parts.

// CHECK-LABEL: func.func @aliases(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {tf.aliasing_output = 2 : i32}, %{{.*}}: tensor<2xi32> {tf.aliasing_output = 0 : i32}, %{{.*}}: tensor<6xf32>)
func.func @aliases(%x: tensor<4xf32> {tf.aliasing_output = 2 : i32}, %n: tensor<2xi32> {tf.aliasing_output = 0 : i32}, %y: tensor<6xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<2xi32>, tuple<tensor<6xf32>>, tensor<4xf32>) {
  %0 = "stablehlo.tuple"(%y) : (tensor<6xf32>) -> tuple<tensor<6xf32>>
  "func.return"(%n, %0, %x) : (tensor<2xi32>, tuple<tensor<6xf32>>, tensor<4xf32>) -> ()
}

// -----

// CHECK-LABEL: func.func @alias_behind_parts(
// CHECK-SAME: %{{.*}}: tensor<4xf32> {tf.aliasing_output = 2 : i32}, %{{.*}}: tensor<6xf32>)
func.func @alias_behind_parts(%x: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %y: tensor<6xf32>) -> (tuple<tensor<6xf32>, tensor<6xf32>>, tensor<4xf32>) {
  %0 = "stablehlo.tuple"(%y, %y) : (tensor<6xf32>, tensor<6xf32>) -> tuple<tensor<6xf32>, tensor<6xf32>>
  "func.return"(%0, %x) : (tuple<tensor<6xf32>, tensor<6xf32>>, tensor<4xf32>) -> ()
}
