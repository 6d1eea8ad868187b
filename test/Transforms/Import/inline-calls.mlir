// RUN: tessera-opt %s --tessera-inline-calls --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// A function that is called twice is copied twice, also what it calls; every copy knows both places.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> loc
// CHECK-NEXT: %[[A:.*]] = arith.mulf %[[X]], %[[X]] : tensor<4xf32> loc(callsite(callsite("square" at "call of square") at "first"))
// CHECK-NEXT: %[[B:.*]] = arith.negf %[[A]] : tensor<4xf32> loc(callsite("negate" at "first"))
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[B]], %[[B]] : tensor<4xf32> loc(callsite(callsite("square" at "call of square") at "second"))
// CHECK-NEXT: %[[D:.*]] = arith.negf %[[C]] : tensor<4xf32> loc(callsite("negate" at "second"))
// CHECK-NEXT: return %[[D]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @minus_square(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("first")
  %1 = call @minus_square(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("second")
  return %1 : tensor<4xf32>
}

// Functions that are not public disappear, called or not.
// CHECK-NOT: func.func private
func.func private @minus_square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @square(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("call of square")
  %1 = arith.negf %0 : tensor<4xf32> loc("negate")
  return %1 : tensor<4xf32>
}
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.mulf %x, %x : tensor<4xf32> loc("square")
  return %0 : tensor<4xf32>
}
func.func private @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// Calls in regions are inlined there; a result may be an argument.
// CHECK-LABEL: func.func @regions(
// CHECK-SAME: %[[C:.*]]: i1 loc{{.*}}, %[[X:.*]]: tensor<4xf32> loc
// CHECK: scf.if
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[X]]
func.func @regions(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = func.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %1 = func.call @identity(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// What a function says of the sharding of its arguments and results holds at every call.
tessera.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @annotated(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[A:.*]] = tessera.constrain %[[X]] to <@mesh, [{"x"}]>
// CHECK: %[[B:.*]] = arith.negf %[[A]]
// CHECK: %[[C:.*]] = tessera.constrain %[[B]] to <@mesh, [{}]>
// CHECK: return %[[C]]
func.func @annotated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @split_inside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @split_inside(%x: tensor<4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = arith.negf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
