// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @constants(
func.func @constants() {
  // CHECK-NEXT: arith.constant dense<1.000000e+00> : tensor<4xf32>
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  // CHECK-NEXT: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %1 = "stablehlo.constant"() <{value = dense<"0x0000803F00000040"> : tensor<2xf32>}> : () -> tensor<2xf32>
  // CHECK-NEXT: arith.constant dense<[-1, 7]> : tensor<2xi32>
  %2 = "stablehlo.constant"() <{value = dense<[4294967295, 7]> : tensor<2xui32>}> : () -> tensor<2xui32>
  // CHECK-NEXT: arith.constant dense<[true, false]> : tensor<2xi1>
  %3 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  // CHECK-NEXT: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %4 = "stablehlo.constant"() <{value = dense_resource<table> : tensor<2xf32>}> : () -> tensor<2xf32>
  // CHECK-NEXT: tessera.iota dim = 1 : tensor<2x3xi32>
  %5 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xui32>
  "func.return"() : () -> ()
}
{-#
  dialect_resources: { builtin: { table: "0x040000000000803F00000040" } }
#-}

// -----

// CHECK-LABEL: func.func @moves(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[V:.*]]: tensor<f32>)
func.func @moves(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  // CHECK-NEXT: tessera.broadcast %[[X]] dims = [0, 2] : tensor<2x3xf32> -> tensor<2x4x3xf32>
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  // CHECK-NEXT: tessera.broadcast %[[X]] dims = [2, 3] : tensor<2x3xf32> -> tensor<4x5x2x3xf32>
  %1 = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 4, 5>}> : (tensor<2x3xf32>) -> tensor<4x5x2x3xf32>
  // CHECK-NEXT: tessera.transpose %[[X]] permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
  %2 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: tessera.reshape %[[X]] : tensor<2x3xf32> -> tensor<6xf32>
  %3 = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK-NEXT: tessera.slice %[[X]] [0, 1] to [2, 3] by [1, 2] : tensor<2x3xf32> -> tensor<2x1xf32>
  %4 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: tessera.pad %[[X]] with %[[V]] low = [1, -1] high = [0, 2] interior = [1, 0]
  %5 = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 1, 0>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  // CHECK-NEXT: tessera.concatenate %[[X]], %[[X]] dim = 1
  %6 = "stablehlo.concatenate"(%x, %x) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  // CHECK-NEXT: tessera.reverse %[[X]] dims = [0, 1]
  %7 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: tessera.optimization_barrier %[[X]], %[[V]]
  %8:2 = "stablehlo.optimization_barrier"(%x, %v) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<f32>)
  // What moves nothing is nothing.
  // CHECK-NEXT: return
  %9 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %10 = "stablehlo.reshape"(%9) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "stablehlo.transpose"(%10) <{permutation = array<i64: 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "func.return"() : () -> ()
}

// -----

// Attributes may be tensors, as older versions wrote them.
// CHECK-LABEL: func.func @older_attributes(
// CHECK: tessera.transpose %{{.*}} permutation = [1, 0]
func.func @older_attributes(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  "func.return"(%0) : (tensor<3x2xf32>) -> ()
}

// -----

// CHECK-LABEL: func.func @matmuls(
// CHECK-SAME: %[[A:.*]]: tensor<4x2x3xf32>, %[[B:.*]]: tensor<4x3x5xf32>, %[[V:.*]]: tensor<3xf32>,
// CHECK-SAME: %[[U:.*]]: tensor<2x3xi8>)
func.func @matmuls(%a: tensor<4x2x3xf32>, %b: tensor<4x3x5xf32>, %v: tensor<3xf32>, %u: tensor<2x3xui8>) {
  // CHECK-NEXT: tessera.dot_general %[[A]], %[[B]] batching = [0] x [0] contracting = [2] x [1] : (tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x2x5xf32>
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x2x3xf32>, tensor<4x3x5xf32>) -> tensor<4x2x5xf32>
  // CHECK-NEXT: tessera.dot_general %[[A]], %[[V]] batching = [] x [] contracting = [2] x [0]
  %1 = "stablehlo.dot"(%a, %v) : (tensor<4x2x3xf32>, tensor<3xf32>) -> tensor<4x2xf32>
  // Without dimensions all products are formed.
  // CHECK-NEXT: tessera.dot_general %[[V]], %[[V]] batching = [] x [] contracting = [] x []
  %2 = "stablehlo.dot_general"(%v, %v) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  // Small integers are multiplied in the type of the sum.
  // CHECK-NEXT: %[[L:.*]] = arith.extui %[[U]] : tensor<2x3xi8> to tensor<2x3xi32>
  // CHECK-NEXT: %[[R:.*]] = arith.extui %[[U]] : tensor<2x3xi8> to tensor<2x3xi32>
  // CHECK-NEXT: tessera.dot_general %[[L]], %[[R]] batching = [] x [] contracting = [1] x [1]
  %3 = "stablehlo.dot_general"(%u, %u) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x3xui8>, tensor<2x3xui8>) -> tensor<2x2xi32>
  "func.return"() : () -> ()
}

// -----

// A product of truth values says whether any two are true.
// CHECK-LABEL: func.func @truths(
// CHECK-SAME: %[[A:.*]]: tensor<2x3xi1>, %[[B:.*]]: tensor<3x4xi1>)
func.func @truths(%a: tensor<2x3xi1>, %b: tensor<3x4xi1>) -> tensor<2x4xi1> {
  // CHECK-NEXT: %[[L:.*]] = arith.uitofp %[[A]] : tensor<2x3xi1> to tensor<2x3xf32>
  // CHECK-NEXT: %[[R:.*]] = arith.uitofp %[[B]] : tensor<3x4xi1> to tensor<3x4xf32>
  // CHECK-NEXT: %[[N:.*]] = tessera.dot_general %[[L]], %[[R]] batching = [] x [] contracting = [1] x [0]
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2x4xf32>
  // CHECK-NEXT: arith.cmpf ogt, %[[N]], %[[ZERO]]
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xi1>, tensor<3x4xi1>) -> tensor<2x4xi1>
  "func.return"(%0) : (tensor<2x4xi1>) -> ()
}

// -----

// An algorithm rounds operands to the type that it multiplies in. What is less exact than f32, f32 serves for.

// CHECK-LABEL: func.func @algorithms(
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<3x4xbf16>, %[[H:.*]]: tensor<3x4xf16>)
func.func @algorithms(%a: tensor<2x3xf32>, %b: tensor<3x4xbf16>, %h: tensor<3x4xf16>) {
  // CHECK-NEXT: %[[R:.*]] = arith.truncf %[[A]] : tensor<2x3xf32> to tensor<2x3xbf16>
  // CHECK-NEXT: tessera.dot_general %[[R]], %[[B]] {{.*}} : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %0 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[W:.*]] = arith.extf %[[B]] : tensor<3x4xbf16> to tensor<3x4xf32>
  // CHECK-NEXT: tessera.dot_general %[[A]], %[[W]] {{.*}} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 3, num_primitive_operations = 6, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // The sum is rounded, then made wider.
  // CHECK: %[[S:.*]] = tessera.dot_general %{{.*}}, %[[H]] {{.*}} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  // CHECK-NEXT: arith.extf %[[S]] : tensor<2x4xf16> to tensor<2x4xf32>
  %2 = "stablehlo.dot_general"(%a, %h) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f16, rhs_precision_type = f16, accumulation_type = f16, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf16>) -> tensor<2x4xf32>
  // Sums in f64 need operands of it.
  // CHECK: tessera.dot_general %{{.*}}, %{{.*}} : (tensor<2x3xf64>, tensor<3x4xf64>) -> tensor<2x4xf32>
  %3 = "stablehlo.dot_general"(%a, %h) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f64, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<3x4xf16>) -> tensor<2x4xf32>
  "func.return"() : () -> ()
}

// -----

// A mark of the Python package.
// CHECK-LABEL: func.func @marks(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
func.func @marks(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[Y:.*]] = tessera.stage_end %[[X]] : tensor<2x3xf32>
  // CHECK-NEXT: return %[[Y]]
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "tessera.stage_end", api_version = 1 : i32, has_side_effect = false}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "func.return"(%0) : (tensor<2x3xf32>) -> ()
}

// Products of integers are exact in any type.
// CHECK-LABEL: func.func private @integers_by_algorithm(
func.func private @integers_by_algorithm(%a: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // CHECK-NEXT: %[[P:.*]] = tessera.dot_general %arg0, %arg0 batching = [] x [] contracting = [1] x [0] : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  // CHECK-NEXT: return %[[P]]
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}
