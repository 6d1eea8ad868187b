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
