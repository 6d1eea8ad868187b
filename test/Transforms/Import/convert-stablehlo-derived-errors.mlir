// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file --verify-diagnostics

// Operations on tensors of several shapes.

func.func @main(%x: tensor<4xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+1 {{expected operands of 'chlo.broadcast_add' of at most rank 1, got 'tensor<2x4xf32>'}}
  %0 = "chlo.broadcast_add"(%x, %y) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{expected operands of 'chlo.broadcast_maximum' of at most rank 0, got 'tensor<4xf32>'}}
  %0 = "chlo.broadcast_maximum"(%x, %y) : (tensor<f32>, tensor<4xf32>) -> tensor<f32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a number of type 'f32' as attribute 'value' of 'chlo.constant_like'}}
  %0 = "chlo.constant_like"(%x) <{value = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xi32>) {
  // expected-error @+1 {{expected a number of type 'i32' as attribute 'value' of 'chlo.constant_like'}}
  %0 = "chlo.constant_like"(%x) <{value = 1 : i64}> : (tensor<4xi32>) -> tensor<4xi32>
  "func.return"() : () -> ()
}

// -----

// Sums of products.

func.func @main(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{unsupported 'stablehlo.unary_einsum': expected a letter per dimension of numbers, each once per operand, as ab,bc->ac, got aa->a}}
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "aa->a"}> : (tensor<4x4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error @+1 {{unsupported 'stablehlo.einsum': expected a letter per dimension of numbers, each once per operand, as ab,bc->ac, got ab,bc->ac}}
  %0 = "stablehlo.einsum"(%x, %y) <{einsum_config = "ab,bc->ac"}> : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  "func.return"() : () -> ()
}

// -----

// Batches.

func.func @main(%x: tensor<2x4xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{expected operands of type 'tensor<2x4xf32>' or 'tensor<4xf32>' of 'stablehlo.batch_norm_inference', got 'tensor<2xf32>'}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %y: tensor<2x3xf32>) {
  // expected-error @+1 {{expected operands of type 'tensor<2x4xf32>' or 'tensor<4xf32>' of 'stablehlo.batch_norm_grad', got 'tensor<2x3xf32>'}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %y) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error @+1 {{expected a number 'epsilon', and 'feature_index' a dimension of numbers of 'stablehlo.batch_norm_training', got 'tensor<2x4xf32>'}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<2x4xi32>, %s: tensor<4xi32>) {
  // expected-error @+1 {{expected a number 'epsilon', and 'feature_index' a dimension of numbers of 'stablehlo.batch_norm_training', got 'tensor<2x4xi32>'}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<2x4xi32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<2x4xi32>, tensor<4xi32>, tensor<4xi32>)
  "func.return"() : () -> ()
}

// -----

// Shapes that are operands are known.

func.func @main(%x: tensor<4xf32>, %z: tensor<f32>, %n: tensor<1xi32>) {
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected 1 constant integers as operand 2 of 'stablehlo.dynamic_pad'}}
  %0 = "stablehlo.dynamic_pad"(%x, %z, %n, %n, %n) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %n: tensor<1xi32>) {
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected 1 constant integers as operand 1 of 'stablehlo.real_dynamic_slice'}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %n, %n, %two) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'dimension' of 'stablehlo.get_dimension_size' below 1, got 1}}
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<4xf32>) -> tensor<i32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<f32>) {
  // expected-error @+1 {{expected 'dimension' of 'stablehlo.get_dimension_size' below 0, got 0}}
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<f32>) -> tensor<i32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  %n = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected the size of a dimension of 'tensor<4xf32>' in 'stablehlo.set_dimension_size', got 3 for dimension 0}}
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  %n = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected the size of a dimension of 'tensor<4xf32>' in 'stablehlo.set_dimension_size', got 4 for dimension 1}}
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 1 : i64}> : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main() {
  %no = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected shapes of which an assertion of the model holds: b is 4}}
  "stablehlo.custom_call"(%no) <{call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "b is 4"} : (tensor<i1>) -> ()
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<i1>) {
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected shapes of which an assertion of the model holds}}
  "stablehlo.custom_call"(%x) <{call_target_name = "shape_assertion", has_side_effect = true}> : (tensor<i1>) -> ()
  "func.return"() : () -> ()
}

// -----

// Calls of operations.

func.func @main(%x: tensor<4x9xf32>) {
  // expected-error @+1 {{expected a number 'k' of largest elements in 'mhlo.attributes' of 'stablehlo.custom_call'}}
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.topk"}> {mhlo.attributes = {k = 4 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<4x9xf32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4x9xf32>) {
  // expected-error @+1 {{expected a number 'k' of largest elements in 'mhlo.attributes' of 'stablehlo.custom_call'}}
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.topk"}> : (tensor<4x9xf32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4x4xf32>, %n: tensor<2xi32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-error @+1 {{expected a result of 'stablehlo.real_dynamic_slice' of rank 2, got 'tensor<4xf32>'}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %n, %n, %one) : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4x4xf32>) {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  // expected-error @+1 {{expected a result of 'stablehlo.real_dynamic_slice' of rank 2, got 'tensor<3xf32>'}}
  %0 = "stablehlo.real_dynamic_slice"(%x, %one, %one, %one) : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<3xf32>
  "func.return"() : () -> ()
}

// -----

// Integers wrap to their width, and each is computed once.

func.func @main(%x: tensor<300xf32>) {
  %c = "stablehlo.constant"() <{value = dense<300> : tensor<1xi32>}> : () -> tensor<1xi32>
  %u = "stablehlo.convert"(%c) : (tensor<1xi32>) -> tensor<1xui8>
  %n = "stablehlo.reshape"(%u) : (tensor<1xui8>) -> tensor<ui8>
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected the size of a dimension of 'tensor<300xf32>' in 'stablehlo.set_dimension_size', got 44 for dimension 0}}
  %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<300xf32>, tensor<ui8>) -> tensor<300xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %1 = "stablehlo.add"(%0, %0) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %2 = "stablehlo.add"(%1, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %3 = "stablehlo.add"(%2, %2) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %4 = "stablehlo.add"(%3, %3) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %5 = "stablehlo.add"(%4, %4) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %6 = "stablehlo.add"(%5, %5) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %7 = "stablehlo.add"(%6, %6) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %8 = "stablehlo.add"(%7, %7) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %9 = "stablehlo.add"(%8, %8) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %10 = "stablehlo.add"(%9, %9) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %11 = "stablehlo.add"(%10, %10) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %12 = "stablehlo.add"(%11, %11) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %13 = "stablehlo.add"(%12, %12) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %14 = "stablehlo.add"(%13, %13) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %15 = "stablehlo.add"(%14, %14) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %16 = "stablehlo.add"(%15, %15) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %17 = "stablehlo.add"(%16, %16) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %18 = "stablehlo.add"(%17, %17) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %19 = "stablehlo.add"(%18, %18) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %20 = "stablehlo.add"(%19, %19) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %21 = "stablehlo.add"(%20, %20) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %22 = "stablehlo.add"(%21, %21) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %23 = "stablehlo.add"(%22, %22) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %24 = "stablehlo.add"(%23, %23) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %25 = "stablehlo.add"(%24, %24) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %26 = "stablehlo.add"(%25, %25) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %27 = "stablehlo.add"(%26, %26) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %28 = "stablehlo.add"(%27, %27) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %29 = "stablehlo.add"(%28, %28) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %30 = "stablehlo.add"(%29, %29) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %31 = "stablehlo.add"(%30, %30) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %32 = "stablehlo.add"(%31, %31) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %33 = "stablehlo.add"(%32, %32) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %34 = "stablehlo.add"(%33, %33) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %35 = "stablehlo.add"(%34, %34) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %36 = "stablehlo.add"(%35, %35) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %37 = "stablehlo.add"(%36, %36) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %38 = "stablehlo.add"(%37, %37) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %39 = "stablehlo.add"(%38, %38) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %40 = "stablehlo.add"(%39, %39) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %41 = "stablehlo.add"(%40, %40) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %42 = "stablehlo.add"(%41, %41) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %43 = "stablehlo.add"(%42, %42) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %44 = "stablehlo.add"(%43, %43) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %45 = "stablehlo.add"(%44, %44) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %46 = "stablehlo.add"(%45, %45) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %47 = "stablehlo.add"(%46, %46) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %48 = "stablehlo.add"(%47, %47) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %49 = "stablehlo.add"(%48, %48) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %50 = "stablehlo.add"(%49, %49) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %51 = "stablehlo.add"(%50, %50) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %52 = "stablehlo.add"(%51, %51) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %53 = "stablehlo.add"(%52, %52) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %54 = "stablehlo.add"(%53, %53) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %55 = "stablehlo.add"(%54, %54) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %56 = "stablehlo.add"(%55, %55) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %57 = "stablehlo.add"(%56, %56) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %58 = "stablehlo.add"(%57, %57) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %59 = "stablehlo.add"(%58, %58) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  %60 = "stablehlo.add"(%59, %59) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected the size of a dimension of 'tensor<4xf32>' in 'stablehlo.set_dimension_size', got 0 for dimension 0}}
  %y = "stablehlo.set_dimension_size"(%x, %60) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

// Scans.

func.func @main(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{expected inputs of one length along 'dimension' of 'chlo.scan', and a body of their slices and of what it carries}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    "stablehlo.return"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{expected inputs of one length along 'dimension' of 'chlo.scan', and a body of their slices and of what it carries}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<2xf32>):
    "stablehlo.return"(%a, %b) : (tensor<3xf32>, tensor<2xf32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{expected inputs of one length along 'dimension' of 'chlo.scan', and a body of their slices and of what it carries}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: -1, 3>, resultSegmentSizes = array<i32: -1, 3>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    "stablehlo.return"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> ()
  }) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  "func.return"() : () -> ()
}

// -----

// Products of groups.

func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<3xi64>) {
  // expected-error @+1 {{unsupported 'chlo.ragged_dot': expected one ragged dimension, groups of one size for all batches, and a dimension of groups where it is neither batched nor contracted}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%a: tensor<11x5xf32>, %b: tensor<3x5x7xf32>, %g: tensor<2x3xi64>) {
  // expected-error @+1 {{unsupported 'chlo.ragged_dot': expected one ragged dimension, groups of one size for all batches, and a dimension of groups where it is neither batched nor contracted}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<2x3xi64>) -> tensor<11x7xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%a: tensor<2x11x5xf32>, %b: tensor<2x11x7xf32>, %g: tensor<3xi64>) {
  // expected-error @+1 {{expected a result of 'chlo.ragged_dot' with a dimension of groups before its batches, got 'tensor<2xf32>'}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}> : (tensor<2x11x5xf32>, tensor<2x11x7xf32>, tensor<3xi64>) -> tensor<2xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%a: tensor<2x2x11xf32>, %b: tensor<2x2x11xf32>, %g: tensor<3xi64>) {
  // expected-error @+1 {{expected a result of 'chlo.ragged_dot' with a dimension of groups before its batches, got 'tensor<2x2xf32>'}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [2]>}> : (tensor<2x2x11xf32>, tensor<2x2x11xf32>, tensor<3xi64>) -> tensor<2x2xf32>
  "func.return"() : () -> ()
}

// -----

// Letters that are none.

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{unsupported 'stablehlo.unary_einsum': expected a letter per dimension of numbers, each once per operand, as ab,bc->ac, got}}
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "\FF->\FF"}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

// Hints hand one operand on.

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected at most one result of 'stablehlo.custom_call', got 2}}
  %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "InspectSharding"}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected at most one result of 'stablehlo.custom_call', got 3}}
  %0:3 = "stablehlo.custom_call"(%x) <{call_target_name = "InspectSharding"}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  "func.return"() : () -> ()
}

// -----

// Bodies on elements.

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{unsupported 'stablehlo.map': expected operands of one shape and a body of element-wise operations}}
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.reshape"(%a) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{unsupported 'stablehlo.map': expected operands of one shape and a body of element-wise operations}}
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

// Replicas, of which there is one.

func.func @main(%x: tensor<4xf32>) {
  // expected-error-re @+1 {{expected one replica in 'replica_groups' of 'stablehlo.cross-replica-sum', got dense<{{.*}}> : tensor<1x2xi64>}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error-re @+1 {{expected one replica in 'replica_groups' of 'stablehlo.cross-replica-sum', got dense<{{.*}}> : tensor<2x1xi64>}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

// Slices at indices.

func.func @main(%x: tensor<4xf32>, %i: tensor<2xi32>) {
  // expected-error @+1 {{expected 'dim' of 'stablehlo.torch_index_select' below 1, and no more 'batch_dims' than that, got 1 and 0}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4x4xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+1 {{expected 'dim' of 'stablehlo.torch_index_select' below 2, and no more 'batch_dims' than that, got 0 and 1}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 1 : i64}> : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  "func.return"() : () -> ()
}
