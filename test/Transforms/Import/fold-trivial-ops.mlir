// Moves that do nothing disappear, moves of moves become one, and constants pass through them.
// RUN: tessera-opt %s --tessera-fold-trivial-ops --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @identities(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<f32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @identities(%x: tensor<2x3xf32>, %v: tensor<f32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = tessera.broadcast %x dims = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = tessera.transpose %x permutation = [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = tessera.reshape %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %3 = tessera.slice %x [0, 0] to [2, 3] by [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  %4 = tessera.pad %x with %v low = [0, 0] high = [0, 0] interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %5 = tessera.reverse %x dims = [] : tensor<2x3xf32>
  %6 = tessera.concatenate %x dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = tessera.reduce sum %x dims = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @compositions(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: %[[B:.*]] = tessera.broadcast %[[X]] dims = [2, 0] : tensor<2x3xf32> -> tensor<3x5x2xf32>
// CHECK-NEXT: %[[T:.*]] = tessera.transpose %[[Y]] permutation = [0, 2, 1] : tensor<2x3x4xf32> -> tensor<2x4x3xf32>
// CHECK-NEXT: %[[R:.*]] = tessera.reshape %[[X]] : tensor<2x3xf32> -> tensor<6xf32>
// CHECK-NEXT: return %[[B]], %[[T]], %[[R]]
func.func @compositions(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) -> (tensor<3x5x2xf32>, tensor<2x4x3xf32>, tensor<6xf32>) {
  %0 = tessera.broadcast %x dims = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %1 = tessera.broadcast %0 dims = [0, 2] : tensor<3x2xf32> -> tensor<3x5x2xf32>
  %2 = tessera.transpose %y permutation = [2, 0, 1] : tensor<2x3x4xf32> -> tensor<4x2x3xf32>
  %3 = tessera.transpose %2 permutation = [1, 0, 2] : tensor<4x2x3xf32> -> tensor<2x4x3xf32>
  %4 = tessera.reshape %x : tensor<2x3xf32> -> tensor<3x2xf32>
  %5 = tessera.reshape %4 : tensor<3x2xf32> -> tensor<6xf32>
  return %1, %3, %5 : tensor<3x5x2xf32>, tensor<2x4x3xf32>, tensor<6xf32>
}

// -----

// A constant that one value fills is folded, another one is not.
// CHECK-LABEL: func.func @constants(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[TABLE:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = tessera.broadcast %[[TABLE]] dims = [1]
// CHECK-DAG: %[[P:.*]] = arith.mulf %[[X]], %[[TWO]]
// CHECK: return %[[P]], %[[B]]
func.func @constants(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<3x2xf32>) {
  %one = arith.constant dense<1.0> : tensor<f32>
  %two = arith.addf %one, %one : tensor<f32>
  %0 = tessera.broadcast %two dims = [] : tensor<f32> -> tensor<2x2xf32>
  %1 = tessera.reshape %0 : tensor<2x2xf32> -> tensor<4xf32>
  %2 = arith.mulf %1, %x : tensor<4xf32>
  %ones = tessera.broadcast %one dims = [] : tensor<f32> -> tensor<4xf32>
  %3 = arith.mulf %2, %ones : tensor<4xf32>
  %table = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %4 = tessera.broadcast %table dims = [1] : tensor<2xf32> -> tensor<3x2xf32>
  return %3, %4 : tensor<4xf32>, tensor<3x2xf32>
}

// -----

// What has no elements is all the same, and adds nothing to others.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: %[[NONE:.*]] = arith.constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return %[[X]], %[[NONE]]
func.func @empty(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<0x3xf32>) {
  %0 = tessera.slice %x [1, 0] to [1, 3] by [1, 1] : tensor<2x3xf32> -> tensor<0x3xf32>
  %1 = arith.negf %0 : tensor<0x3xf32>
  %2 = tessera.concatenate %0, %x, %1 dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %2, %1 : tensor<2x3xf32>, tensor<0x3xf32>
}

// -----

// So are arguments without elements.
// CHECK-LABEL: func.func @empty_arguments(
// CHECK-NEXT: %[[NONE:.*]] = arith.constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: %[[SUM:.*]] = tessera.reduce sum %[[NONE]] dims = [0]
// CHECK-NEXT: return %[[SUM]], %[[NONE]]
func.func @empty_arguments(%x: tensor<0x3xf32>) -> (tensor<3xf32>, tensor<0x3xf32>) {
  %0 = tessera.reduce sum %x dims = [0] : tensor<0x3xf32> -> tensor<3xf32>
  return %0, %x : tensor<3xf32>, tensor<0x3xf32>
}
