// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// A loop that counts to a constant is scf.for; what its body hands on is used from outside.
// CHECK-LABEL: func.func @counted(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>)
func.func @counted(%x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : tensor<i32>
  // CHECK: %[[TEN:.*]] = arith.constant dense<10> : tensor<i32>
  // CHECK-DAG: %[[STEP:.*]] = arith.constant 1 : i32
  // CHECK-DAG: %[[FROM:.*]] = tensor.extract %[[ZERO]][] : tensor<i32>
  // CHECK-DAG: %[[TO:.*]] = tensor.extract %[[TEN]][] : tensor<i32>
  // CHECK: %[[LOOP:.*]] = scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %[[STEP]] iter_args(%[[ACC:.*]] = %[[X]]) -> (tensor<4xf32>) : i32 {
  // CHECK: %[[NEXT:.*]] = arith.addf %[[ACC]], %[[W]]
  // CHECK: scf.yield %[[NEXT]] : tensor<4xf32>
  // The counter ends at the bound, if it starts below.
  // CHECK: %[[END:.*]] = arith.maxsi %[[ZERO]], %[[TEN]]
  // CHECK: return %[[LOOP]], %[[W]], %[[END]]
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0:3 = "stablehlo.while"(%x, %w, %zero) ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<i32>):
    %ten = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    %c = "stablehlo.compare"(%i, %ten) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<i32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%s, %b, %next) : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>)
  "func.return"(%0#0, %0#1, %0#2) : (tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> ()
}

// -----

// The bound may be a value that the loop does not change, and the body may read the counter.
// CHECK-LABEL: func.func @counted_to_a_value(
// CHECK-SAME: %[[X:.*]]: tensor<i32>, %[[N:.*]]: tensor<i32>)
// CHECK: %[[TO:.*]] = tensor.extract %[[N]][]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[TO]] step
// CHECK: %[[COUNTER:.*]] = tensor.from_elements %[[I]] : tensor<i32>
// CHECK: arith.addi %{{.*}}, %[[COUNTER]]
func.func @counted_to_a_value(%x: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0:3 = "stablehlo.while"(%zero, %n, %x) ({
  ^bb0(%i: tensor<i32>, %m: tensor<i32>, %a: tensor<i32>):
    %c = "stablehlo.compare"(%m, %i) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %m: tensor<i32>, %a: tensor<i32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %s = "stablehlo.add"(%a, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %next = "stablehlo.add"(%one, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %m, %s) : (tensor<i32>, tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>)
  "func.return"(%0#2) : (tensor<i32>) -> ()
}

// -----

// Any other loop is scf.while.
// CHECK-LABEL: func.func @doubling(
// CHECK-SAME: %[[X:.*]]: tensor<f32>, %[[LIMIT:.*]]: tensor<f32>)
// CHECK: %[[LOOP:.*]] = scf.while (%[[A:.*]] = %[[X]]) : (tensor<f32>) -> tensor<f32> {
// CHECK: %[[C:.*]] = arith.cmpf olt, %[[A]], %[[LIMIT]]
// CHECK: %[[GO:.*]] = tensor.extract %[[C]][] : tensor<i1>
// CHECK: scf.condition(%[[GO]]) %[[A]] : tensor<f32>
// CHECK: ^bb0(%[[B:.*]]: tensor<f32>):
// CHECK: %[[D:.*]] = arith.addf %[[B]], %[[B]]
// CHECK: scf.yield %[[D]]
// CHECK: return %[[LOOP]], %[[LIMIT]]
func.func @doubling(%x: tensor<f32>, %limit: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = "stablehlo.while"(%x, %limit) ({
  ^bb0(%a: tensor<f32>, %l: tensor<f32>):
    %c = "stablehlo.compare"(%a, %l) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %l: tensor<f32>):
    %s = "stablehlo.add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s, %l) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  "func.return"(%0#0, %0#1) : (tensor<f32>, tensor<f32>) -> ()
}

// -----

// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[P:.*]]: tensor<i1>, %[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<4xf32>)
func.func @branches(%p: tensor<i1>, %n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[COND:.*]] = tensor.extract %[[P]][] : tensor<i1>
  // CHECK: %[[IF:.*]] = scf.if %[[COND]] -> (tensor<4xf32>) {
  // CHECK: %[[THEN:.*]] = math.sin %[[X]]
  // CHECK: scf.yield %[[THEN]]
  // CHECK: } else {
  // CHECK: scf.yield %[[X]]
  %0 = "stablehlo.if"(%p) ({
    %a = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  // An index outside of the cases takes the last one.
  // CHECK: %[[SCALAR:.*]] = tensor.extract %[[N]][] : tensor<i32>
  // CHECK: %[[INDEX:.*]] = arith.index_cast %[[SCALAR]] : i32 to index
  // CHECK: %[[SWITCH:.*]] = scf.index_switch %[[INDEX]] -> tensor<4xf32>
  // CHECK: case 0 {
  // CHECK: math.sin
  // CHECK: case 1 {
  // CHECK: math.cos
  // CHECK: default {
  // CHECK: math.exp
  %1 = "stablehlo.case"(%n) ({
    %a = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %a = "stablehlo.cosine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %a = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  // JAX makes a number of a condition; case 1 is where it holds.
  // CHECK: %[[COND2:.*]] = tensor.extract %[[P]][] : tensor<i1>
  // CHECK: %[[CHOICE:.*]] = scf.if %[[COND2]]
  // CHECK: math.cos
  // CHECK: } else {
  // CHECK: math.sin
  %number = "stablehlo.convert"(%p) : (tensor<i1>) -> tensor<i32>
  %2 = "stablehlo.case"(%number) ({
    %a = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %a = "stablehlo.cosine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  // CHECK: return %[[IF]], %[[SWITCH]], %[[CHOICE]]
  "func.return"(%0, %1, %2) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
}

// -----

// Of a choice that is known, only what is chosen is imported; numbers of no case choose the last.
// CHECK-LABEL: func.func @known_choices(
// CHECK-NOT: scf.index_switch
// CHECK-NOT: math.sin
// CHECK: %[[FIRST:.*]] = math.cos %
// CHECK-NOT: math.sin
// CHECK: %[[LAST:.*]] = math.cos %[[FIRST]]
// CHECK: return %[[LAST]]
func.func @known_choices(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %none = "stablehlo.constant"() <{value = dense<-7> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.case"(%one) ({
    %a = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %a = "stablehlo.cosine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  %1 = "stablehlo.case"(%none) ({
    %a = "stablehlo.sine"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %a = "stablehlo.cosine"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  "func.return"(%1) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["x"=4]>, sym_name = "mesh"}> : () -> ()

// JAX constrains the scalars of a counter in a `shard_map`, to nothing: the loop counts all the same.
// CHECK-LABEL: func.func @counted_under_constraints(
// CHECK-NOT: scf.while
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK: return
func.func @counted_under_constraints(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %start = "sdy.sharding_constraint"(%zero) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
  %0:2 = "stablehlo.while"(%start, %x) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %eleven = "stablehlo.constant"() <{value = dense<11> : tensor<i32>}> : () -> tensor<i32>
    %1 = "sdy.sharding_constraint"(%i) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %2 = "sdy.sharding_constraint"(%eleven) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "sdy.sharding_constraint"(%3) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%4) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "sdy.sharding_constraint"(%i) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %2 = "sdy.sharding_constraint"(%one) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "sdy.sharding_constraint"(%3) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %5 = "stablehlo.tanh"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%4, %5) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}

// -----

// A scan of no elements gives no elements, and what it carries.
// CHECK-LABEL: func.func @scan_of_none(
// CHECK-SAME: %{{.*}}: tensor<0x3xf32>, %[[C:.*]]: tensor<3xf32>
// CHECK-NEXT: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<0x3xf32>
// CHECK-NEXT: return %[[NONE]], %[[C]]
func.func @scan_of_none(%x: tensor<0x3xf32>, %c: tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    "stablehlo.return"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> ()
  }) : (tensor<0x3xf32>, tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>)
  "func.return"(%0#0, %0#1) : (tensor<0x3xf32>, tensor<3xf32>) -> ()
}
