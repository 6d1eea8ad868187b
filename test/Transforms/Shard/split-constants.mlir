// RUN: tessera-opt --tessera-split-constants %s | FileCheck %s

// Each use of a broadcast constant gets its own copy, down to the scalar, which is shared.
// CHECK-LABEL: func.func @every_use_has_its_own_copy(
func.func @every_use_has_its_own_copy(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[ONES0:.*]] = tessera.broadcast %[[ONE]]
  // CHECK-NEXT: %[[ONES1:.*]] = tessera.broadcast %[[ONE]]
  // CHECK-NEXT: arith.addf %{{.*}}, %[[ONES1]]
  // CHECK-NEXT: arith.addf %{{.*}}, %[[ONES0]]
  %one = arith.constant dense<1.0> : tensor<f32>
  %ones = tessera.broadcast %one dims = [] : tensor<f32> -> tensor<8xf32>
  %0 = arith.addf %a, %ones : tensor<8xf32>
  %1 = arith.addf %b, %ones : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A mask computed from counts is one expression: its copy has counts of its own.
// CHECK-LABEL: func.func @whole_expressions_are_copied(
func.func @whole_expressions_are_copied(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK-COUNT-4: tessera.iota
  // CHECK-NOT: tessera.iota
  %i = tessera.iota dim = 0 : tensor<4x4xi32>
  %j = tessera.iota dim = 1 : tensor<4x4xi32>
  %mask = arith.cmpi sge, %i, %j : tensor<4x4xi32>
  %0 = arith.negf %a : tensor<4x4xf32>
  %1 = arith.select %mask, %a, %0 : tensor<4x4xi1>, tensor<4x4xf32>
  %2 = arith.select %mask, %0, %1 : tensor<4x4xi1>, tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// What depends on a tensor argument is no constant.
// CHECK-LABEL: func.func @computed_values_are_shared(
func.func @computed_values_are_shared(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: %[[NEGATED:.*]] = arith.negf
  // CHECK-NEXT: return %[[NEGATED]], %[[NEGATED]]
  %0 = arith.negf %a : tensor<8xf32>
  return %0, %0 : tensor<8xf32>, tensor<8xf32>
}
