// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Convolutions whose attributes and shapes do not go together.

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x8xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected 7 outputs in spatial dimension 0, got 8}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x8xf32>
  "func.return"(%0) : (tensor<2x4x8xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected an input of 6 features, got 3}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 2 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x6x9xf32>, %w: tensor<5x3x3xf32>) -> tensor<2x5x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected the kernel's 5 outputs to divide into 2 groups}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 2 : i64}> : (tensor<2x6x9xf32>, tensor<5x3x3xf32>) -> tensor<2x5x7xf32>
  "func.return"(%0) : (tensor<2x5x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<3x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x4x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected a batch of 3 to divide into 2 groups}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<3x3x9xf32>, tensor<4x3x3xf32>) -> tensor<1x4x7xf32>
  "func.return"(%0) : (tensor<1x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x5x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected a result of batch 2 and 4 features, got 'tensor<2x5x7xf32>'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x5x7xf32>
  "func.return"(%0) : (tensor<2x5x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected groups of features or of the batch, got 3 and 2}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 3 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected operands and a result of rank 3, as 'dimension_numbers' has, got 'tensor<2x3x9x9xf32>'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected positive strides and dilations, got 0, 1 and 1 in spatial dimension 0}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, window_strides = array<i64: 0>}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<1x1x30000xf32>, %w: tensor<1x1x40000xf32>) -> tensor<1x1x20000xf32> {
  // expected-error @+1 {{'stablehlo.convolution': expected at most 16384 places of the output of a dilated input that is smaller than the kernel}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>}> : (tensor<1x1x30000xf32>, tensor<1x1x40000xf32>) -> tensor<1x1x20000xf32>
  "func.return"(%0) : (tensor<1x1x20000xf32>) -> ()
}

// -----

// What the text of `dimension_numbers` must be.

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected 'b', 'f' or the number of a spatial dimension, each once, got 'b, 0]x[o, i, 0]->[b,'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, b, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected the spatial dimensions from 0 on before, got 'x[o, i, 0]->[b, f, 0'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 1]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected as many spatial dimensions of input, kernel and output in 'conv<[b, f, 0]x[o, i]->[b, f, 0]>'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected 'b' and 'f' before, got 'x[o, i, 0]->[b, f, 0'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

// What selects is done on tensors, and what scatters has a name.

func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{unsupported 'stablehlo.select_and_scatter': expected element-wise operations in its first region}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = "stablehlo.reshape"(%c) : (tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{unsupported 'stablehlo.select_and_scatter': expected a second region that is one of add, multiply, minimum, maximum, and, or, xor}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.atan2"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<3xf32>) -> tensor<4xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{expected 2 windows of 'stablehlo.select_and_scatter' in dimension 0, got 3}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4096xf32>, %y: tensor<1xf32>) -> tensor<4096xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{unsupported 'stablehlo.select_and_scatter': expected windows of at most 1024 elements}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 4096>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4096xf32>, tensor<1xf32>, tensor<f32>) -> tensor<4096xf32>
  "func.return"(%0) : (tensor<4096xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected 'conv<...>', got 'gather<>'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.gather<>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<3xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{unsupported 'stablehlo.reduce_window': expected a result of the operand's rank}}
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 2, 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4x1xf32>, %y: tensor<2xf32>) -> tensor<4x1xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{unsupported 'stablehlo.select_and_scatter': expected operands of one rank and element type}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4x1xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4x1xf32>
  "func.return"(%0) : (tensor<4x1xf32>) -> ()
}

// -----

// Several operands have as many initial values, and one shape.

func.func @main(%x: tensor<4xf32>, %y: tensor<6xf32>, %zero: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error @+1 {{unsupported 'stablehlo.reduce_window': expected operands of one shape, their initial values, and a body of element-wise operations}}
  %0:2 = "stablehlo.reduce_window"(%x, %y, %zero, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    "stablehlo.return"(%a, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<6xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  "func.return"(%0#0, %0#1) : (tensor<2xf32>, tensor<2xf32>) -> ()
}

// -----

func.func @main() {
  // expected-error @+1 {{unsupported 'stablehlo.reduce_window': expected operands}}
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
    "stablehlo.return"() : () -> ()
  }) : () -> ()
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected as many spatial dimensions of input, kernel and output in 'conv<[b, f, 0]x[o, i, 0]->[b, f, 0, 1]>'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0, 1]>, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3x9xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x7xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected 'conv<...>', got 'conv'}}
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv, feature_group_count = 1 : i64}> : (tensor<2x3x9xf32>, tensor<4x3x3xf32>) -> tensor<2x4x7xf32>
  "func.return"(%0) : (tensor<2x4x7xf32>) -> ()
}
