// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Operations without a counterpart.

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+2 {{see docs/unsupported.md#custom-calls}}
  // expected-error @+1 {{unsupported operation 'stablehlo.custom_call' of 'Sharding'}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "Sharding"}> {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+2 {{see docs/unsupported.md#other-operations}}
  // expected-error @+1 {{unsupported operation 'mhlo.add'}}
  %0 = "mhlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// A call in a region of an operation that is not supported is no error of its own.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+2 {{see docs/unsupported.md#other-operations}}
  // expected-error @+1 {{unsupported operation 'sdy.unknown'}}
  %0 = "sdy.unknown"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %1 = "func.call"(%a) <{callee = @f}> : (tensor<4xf32>) -> tensor<4xf32>
    "sdy.return"(%1) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-note @+2 {{see docs/unsupported.md#other-operations}}
// expected-error @+1 {{unsupported operation 'sdy.something'}}
"sdy.something"() : () -> ()

// -----

// Types without a counterpart.

// expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
// expected-error @+1 {{expected a static shape, got 'tensor<?xf32>'}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<?xf32>) -> tensor<?xf32>
  "func.return"(%0) : (tensor<?xf32>) -> ()
}

// -----

// expected-note @+2 {{see docs/unsupported.md#complex}}
// expected-error @+1 {{unsupported element type 'complex<f32>'}}
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "stablehlo.negate"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
}

// -----

// expected-note @+2 {{see docs/unsupported.md#ordered-effects}}
// expected-error @+1 {{unsupported type '!stablehlo.token', expected a ranked tensor}}
func.func @main(%x: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.optimization_barrier"(%x) : (!stablehlo.token) -> !stablehlo.token
  "func.return"(%0) : (!stablehlo.token) -> ()
}

// -----

// expected-error @+1 {{unsupported encoding of 'tensor<4xf32, #stablehlo.bounds<4>>'}}
func.func @main(%x: tensor<4xf32, #stablehlo.bounds<4>>) {
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{unsupported element type 'i1' of 'stablehlo.power'}}
  %0 = "stablehlo.power"(%x, %x) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4x3xf16> {
  // expected-error @+1 {{unsupported shapes of 'stablehlo.bitcast_convert', from 'tensor<4xf32>' to 'tensor<4x3xf16>'}}
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<4xf32>) -> tensor<4x3xf16>
  "func.return"(%0) : (tensor<4x3xf16>) -> ()
}

// -----

func.func @main(%s: tensor<2xui64>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported form of 'stablehlo.rng_bit_generator', expected DEFAULT, PHILOX or THREE_FRY, a state of tensor<2xui64> (or tensor<3xui64>, but for THREE_FRY) and integers, got THREE_FRY, 'tensor<2xui64>' and 'tensor<4xf32>'}}
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xf32>)
  "func.return"(%0#1) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported format of 'stablehlo.reduce_precision', expected numbers, at least 1 bit of exponent, and no less than 0 of mantissa}}
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 0 : i32, mantissa_bits = 3 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// Operations of the wrong form.

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected 2 operands of 'stablehlo.add', got 1}}
  %0 = "stablehlo.add"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 result of 'stablehlo.negate', got 0}}
  "stablehlo.negate"(%x) : (tensor<4xf32>) -> ()
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected 1 region of 'stablehlo.reduce', got 0}}
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected one block that ends with 'stablehlo.return' in every region of 'stablehlo.reduce'}}
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.negate"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected operands of one type of 'stablehlo.add', got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{expected result type 'tensor<4xf32>' of 'stablehlo.add', got 'tensor<5xf32>'}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  "func.return"(%0) : (tensor<5xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xi1> {
  // expected-error @+1 {{expected operands of one type of 'stablehlo.compare', got 'tensor<4xf32>' and 'tensor<5xf32>'}}
  %0 = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<5xf16> {
  // expected-error @+1 {{expected the shape of 'tensor<4xf32>' in the result, got 'tensor<5xf16>'}}
  %0 = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<5xf16>
  "func.return"(%0) : (tensor<5xf16>) -> ()
}

// -----

func.func @main(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf16>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a condition and two operands of one type of 'stablehlo.select'}}
  %0 = "stablehlo.select"(%p, %x, %y) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{expected 6 elements in the result, got 7}}
  %0 = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<7xf32>
  "func.return"(%0) : (tensor<7xf32>) -> ()
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected 2 results of 'stablehlo.optimization_barrier', got 1}}
  %0 = "stablehlo.optimization_barrier"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  "func.return"(%0) : (tensor<2x3xf32>) -> ()
}

// -----

// Attributes.

func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{expected integers as attribute 'permutation' of 'stablehlo.transpose'}}
  %0 = "stablehlo.transpose"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  "func.return"(%0) : (tensor<3x2xf32>) -> ()
}

// -----

func.func @main() -> tensor<3xi32> {
  // expected-error @+1 {{expected an integer of 64 bits as attribute 'iota_dimension' of 'stablehlo.iota', got "0"}}
  %0 = "stablehlo.iota"() <{iota_dimension = "0"}> : () -> tensor<3xi32>
  "func.return"(%0) : (tensor<3xi32>) -> ()
}

// -----

func.func @main() -> tensor<3xi32> {
  // expected-error @+1 {{expected dense elements of type 'tensor<3xi32>' as attribute 'value' of 'stablehlo.constant'}}
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<4xi32>}> : () -> tensor<3xi32>
  "func.return"(%0) : (tensor<3xi32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported attribute 'mhlo.frontend_attributes' of 'stablehlo.negate'}}
  %0 = "stablehlo.negate"(%x) {mhlo.frontend_attributes = {_xla_compute_type = "host"}} : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{unsupported algorithm of 'stablehlo.dot_general', expected numbers of f16, bf16, tf32, f32 or f64 as operands, got 'f32' multiplied in ''}}
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{malformed attribute 'dot_dimension_numbers': expected a list of integers, got '4>'}}
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = 4>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{malformed attribute 'dot_dimension_numbers': expected a field of 'dot', got 'contracting = [0]>'}}
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<contracting = [0]>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{rhs dimension 1 is out of range: expected 0 to 0}}
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<10x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{malformed attribute 'dimension_numbers': expected 'gather<...>', got 'dot<>'}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.dot<>, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  "func.return"(%0) : (tensor<3x4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @+1 {{expected a comparison direction (EQ, NE, LT, LE, GT, GE), got 'BELOW'}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction BELOW>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @+1 {{expected an attribute of stablehlo as attribute 'comparison_direction' of 'stablehlo.compare', got "LT"}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = "LT"}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

// Regions.

func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @+1 {{expected operand 1 of 'stablehlo.add' to precede it}}
    %1 = "stablehlo.add"(%a, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.negate"(%1) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<f32>, %outside: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected a region of 'stablehlo.reduce' that uses no values from outside}}
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.multiply"(%1, %outside) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{unsupported 'stablehlo.reduce_window': expected a body of element-wise operations}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.reshape"(%a) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{expected 0 windows of 'stablehlo.reduce_window' in dimension 0, got 3}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{expected 1 positive sizes, strides and dilations of windows, one per dimension}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @+1 {{expected 2 integers as attribute 'padding' of 'stablehlo.reduce_window', got}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2>, padding = dense<0> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unsupported body of 'stablehlo.scatter', expected element-wise operations on the elements and the updates}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.reshape"(%b) : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.reshape"(%s) : (tensor<1xf32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the types of the operands of 'stablehlo.while' as those of its results, of its regions' arguments and of what its body returns}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %c = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    "stablehlo.return"() : () -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a tensor<i1> from the condition of 'stablehlo.while'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%p: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a tensor<i1> as condition of 'stablehlo.if', got 'tensor<4xi1>'}}
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<4xi1>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected branches without arguments that return the types of the results of 'stablehlo.if'}}
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }) : (tensor<i1>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%p: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a scalar integer and branches of 'stablehlo.case'}}
  %0 = "stablehlo.case"(%p) ({
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<f32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{expected 2 operands of 'stablehlo.reduce', got 1}}
  %0 = "stablehlo.reduce"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

func.func @main() -> tensor<4xf32> {
  // expected-error @+1 {{expected at least 1 operands of 'stablehlo.dynamic_slice', got 0}}
  %0 = "stablehlo.dynamic_slice"() <{slice_sizes = array<i64: 4>}> : () -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// Algorithms of matmuls.

func.func @main(%a: tensor<4x4xf32> {jax.arg_info = "x"}) {
  // expected-error @+1 {{unsupported algorithm of 'stablehlo.dot_general', expected numbers of f16, bf16, tf32, f32 or f64 as operands, got 'f32' multiplied in 'f8E5M2'}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E5M2, rhs_precision_type = f8E5M2, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%a: tensor<4x4xi32> {jax.arg_info = "x"}) {
  // expected-error @+1 {{unsupported algorithm of 'stablehlo.dot_general', expected numbers of f16, bf16, tf32, f32 or f64 as operands, got 'i32' multiplied in 'f32'}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%a: tensor<4x4xf32> {jax.arg_info = "x"}) {
  // expected-error @+1 {{unsupported algorithm of 'stablehlo.dot_general', expected a sum of f16, bf16, tf32, f32 or f64, got 'f32' made in 'i32'}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = i32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%a: tensor<4x4xf32> {jax.arg_info = "x"}) {
  // expected-error @+1 {{malformed attribute 'algorithm': expected a field of 'dot_algorithm', got 'speed = 9>'}}
  %0 = "stablehlo.dot_general"(%a, %a) <{algorithm = #stablehlo.dot_algorithm<speed = 9>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "func.return"() : () -> ()
}

// -----

// The module and its functions.

// expected-error @+1 {{unsupported attribute 'mhlo.frontend_attributes' of the module}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "x"}} {}

// -----

// expected-error @+1 {{expected one replica, got 2 : i32}}
module attributes {mhlo.num_replicas = 2 : i32} {}

// -----

// expected-error @+1 {{expected a body of one block of @main}}
func.func private @main(%x: tensor<4xf32> {jax.arg_info = "x"})

// -----

// The body of an operation that names it says nothing by itself.
func.func @comparator(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%0) : (tensor<i1>) -> ()
}
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-note @+2 {{see docs/unsupported.md#custom-calls}}
  // expected-error @+1 {{unsupported operation 'stablehlo.custom_call' of 'Other'}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "Other", called_computations = [@comparator]}> : (tensor<4xf32>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}

// -----

func.func @comparator(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%0) : (tensor<i1>) -> ()
}
func.func @main(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected a number 'top_k' of elements in dimension 'reduction_dim' of the results of 'stablehlo.custom_call', and a function that compares, got}}
  %0 = "stablehlo.custom_call"(%x, %init) <{call_target_name = "ApproxTopK", called_computations = [@comparator]}> {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 3 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}

// -----

// expected-error @+1 {{expected 'func.return' at the end of @main}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
}

// -----

// expected-error @+1 {{unsupported attribute 'mhlo.sharding' of argument 1}}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32> {mhlo.sharding = "{replicated}"}) {
  "func.return"() : () -> ()
}

// -----

// expected-error @+1 {{unsupported attribute 'mhlo.layout_mode' of argument 0}}
func.func @main(%x: tensor<4x2xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<4x2xf32> {
  "func.return"(%x) : (tensor<4x2xf32>) -> ()
}

// -----

// expected-error @+1 {{unsupported attribute 'mhlo.memory_kind' of result 0}}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {mhlo.memory_kind = "pinned_host"}) {
  "func.return"(%x) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "y"}) {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}
// expected-error @+1 {{unsupported attribute 'tf.aliasing_output' of argument 0}}
func.func private @f(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  "func.return"(%x) : (tensor<4xf32>) -> ()
}

// -----

// expected-error @+1 {{unsupported attribute 'execution_thread' of @main}}
func.func @main(%x: tensor<4xf32> {jax.arg_info = "x"}) attributes {execution_thread = "host"} {
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @+1 {{malformed attribute 'comparison_direction': expected one word behind 'comparison_direction', got 'comparison_direction LT GT'}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction LT GT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a function as attribute 'decomposition' of 'stablehlo.composite'}}
  %0 = "stablehlo.composite"(%x) <{name = "library.erf"}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// Directions are written in capitals.
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @below {{expected a comparison direction (EQ, NE, LT, LE, GT, GE), got 'lt'}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction lt>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

// A conversion is no reshape.
func.func @main(%x: tensor<2x2xi32>) -> tensor<4xf32> {
  // expected-error @below {{expected the shape of 'tensor<2x2xi32>' in the result, got 'tensor<4xf32>'}}
  %0 = "stablehlo.convert"(%x) : (tensor<2x2xi32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// One truth value is missing.
func.func @main(%x: tensor<31xi1>) -> tensor<i32> {
  // expected-error @below {{unsupported shapes of 'stablehlo.bitcast_convert', from 'tensor<31xi1>' to 'tensor<i32>'}}
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<31xi1>) -> tensor<i32>
  "func.return"(%0) : (tensor<i32>) -> ()
}

// -----

// Integers have no format.
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @below {{unsupported format of 'stablehlo.reduce_precision', expected numbers, at least 1 bit of exponent, and no less than 0 of mantissa}}
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<4xi32>) -> tensor<4xi32>
  "func.return"(%0) : (tensor<4xi32>) -> ()
}

// -----

// A condition is a truth value.
func.func @main(%p: tensor<4xi8>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a condition and two operands of one type of 'stablehlo.select'}}
  %0 = "stablehlo.select"(%p, %x, %x) : (tensor<4xi8>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// States of the other form.
func.func @main(%s: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @below {{unsupported form of 'stablehlo.rng_bit_generator', expected DEFAULT, PHILOX or THREE_FRY, a state of tensor<2xui64> (or tensor<3xui64>, but for THREE_FRY) and integers, got PHILOX, 'tensor<4xui32>' and 'tensor<4xui32>'}}
  %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<4xui32>) -> (tensor<4xui32>, tensor<4xui32>)
  "func.return"(%0) : (tensor<4xui32>) -> ()
}

// -----

// Elements of another type.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf64> {
  // expected-error @below {{expected dense elements of type 'tensor<4xf64>' as attribute 'value' of 'stablehlo.constant'}}
  %0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf64>
  "func.return"(%0) : (tensor<4xf64>) -> ()
}

// -----

// Nor is a sum made in bytes.
func.func @main(%x: tensor<4x4xf32>) {
  // expected-error @below {{unsupported algorithm of 'stablehlo.dot_general', expected a sum of f16, bf16, tf32, f32 or f64, got 'f32' made in 'f8E5M2'}}
  %0 = "stablehlo.dot_general"(%x, %x) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f8E5M2, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "func.return"() : () -> ()
}

// -----

// Two inputs give two results.
func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{expected 2 operands of 'stablehlo.reduce', got 4}}
  %0 = "stablehlo.reduce"(%x, %x, %i, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

// One block, not two.
func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{expected one block that ends with 'stablehlo.return' in every region of 'stablehlo.reduce'}}
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  ^bb1:
    "stablehlo.return"(%i) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  "func.return"(%0) : (tensor<f32>) -> ()
}

// -----

// Nor does an order depend on anything else.
func.func @main(%x: tensor<4xf32>, %outside: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a region of 'stablehlo.sort' that uses no values from outside}}
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.slice"(%outside) <{start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<1xf32>) -> tensor<f32>
    %3 = "stablehlo.compare"(%a, %2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// A window has the dimensions of what it moves over.
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %i = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  // expected-error @below {{expected 1 positive sizes, strides and dilations of windows, one per dimension}}
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  "func.return"(%0) : (tensor<3xf32>) -> ()
}

// -----

// Two results are of two tensors and two updates.
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 5 operands of 'stablehlo.scatter' with 2 results, got 3}}
  %0:2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.subtract"(%b, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %1) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  "func.return"(%0#0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 3 operands of 'stablehlo.scatter' with 1 results, got 4}}
  %0 = "stablehlo.scatter"(%x, %y, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// No result is one of no tensor.
func.func @main(%x: tensor<2x1xi32>) -> tensor<2x1xi32> {
  // expected-error @below {{expected at least one result of 'stablehlo.scatter', got none}}
  "stablehlo.scatter"(%x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0:
    "stablehlo.return"() : () -> ()
  }) : (tensor<2x1xi32>) -> ()
  "func.return"(%x) : (tensor<2x1xi32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected at least one result of 'stablehlo.scatter', got none}}
  "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> ()
  "func.return"(%x) : (tensor<4xf32>) -> ()
}

// -----

// An update has a dimension for each of a window, and for each of the places.
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected the batch dimensions of 'tensor<2x1xi32>' in 'tensor<2x3xf32>'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.power"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf64>) -> tensor<4xf32> {
  // expected-error @below {{expected element type 'f32', got 'f64'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f64>):
    %1 = "stablehlo.power"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.convert"(%b) : (tensor<f64>) -> tensor<f32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%3) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf64>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// A loop's condition takes what its body does.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected the types of the operands of 'stablehlo.while' as those of its results, of its regions' arguments and of what its body returns}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf64>):
    %c = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// Four truth values are no decision.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tensor<i1> from the condition of 'stablehlo.while'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    %c = "stablehlo.constant"() <{value = dense<true> : tensor<4xi1>}> : () -> tensor<4xi1>
    "stablehlo.return"(%c) : (tensor<4xi1>) -> ()
  }, {
  ^bb0(%a: tensor<4xf32>):
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// Nor is a number.
func.func @main(%p: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tensor<i1> as condition of 'stablehlo.if', got 'tensor<i32>'}}
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// A branch takes nothing.
func.func @main(%p: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected branches without arguments that return the types of the results of 'stablehlo.case'}}
  %0 = "stablehlo.case"(%p) ({
  ^bb0(%a: tensor<4xf32>):
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// A choice is one of something.
func.func @main(%p: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a scalar integer and branches of 'stablehlo.case'}}
  %0 = "stablehlo.case"(%p) : (tensor<i32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// A number of replicas is a number.
// expected-error @below {{expected one replica, got "1"}}
module attributes {mhlo.num_replicas = "1"} {}

// -----

// A function that is called ends as the program does.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}
// expected-error @below {{expected 'func.return' at the end of @f}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  "sdy.return"(%x) : (tensor<4xf32>) -> ()
}

// -----

// A name in quotation marks names no function.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a function as attribute 'decomposition' of 'stablehlo.composite'}}
  %0 = "stablehlo.composite"(%x) <{name = "library.erf", decomposition = "erf"}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

// The smallest elements need a function that says what is smaller.
func.func @main(%x: tensor<4xf32>, %init: tensor<f32>) -> tensor<2xf32> {
  // expected-error @below {{expected a number 'top_k' of elements in dimension 'reduction_dim' of the results of 'stablehlo.custom_call', and a function that compares, got {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}}}}
  %0 = "stablehlo.custom_call"(%x, %init) <{call_target_name = "ApproxTopK", called_computations = [@absent]}> {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}

// -----

// A body without arguments knows neither.
func.func @main(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{unsupported body of 'stablehlo.scatter', expected element-wise operations on the elements and the updates}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    %1 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @+1 {{malformed attribute 'comparison_direction': expected one word behind 'comparison_direction', got 'comparison_direction<>'}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction<>>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "func.return"(%0) : (tensor<4xi1>) -> ()
}

// -----

// A dimension is dropped once.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{inserted dimension 0 appears twice}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// It is dropped, or one of a batch.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{inserted or batching dimension 0 appears twice}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// A window's dimensions are some of the updates'.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{window dimension -1 is out of range: expected 0 to 1}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [-1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// Indices lie along a dimension, or are scalars.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{index vector dimension -1 is out of range: expected 0 to 2}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = -1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// There are as many updates as places.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<2x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{expected the batch dimensions of 'tensor<2x1xi32>' in 'tensor<3x6xf32>'}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x1xi32>, tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// One body changes tensors of one shape.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<5x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{expected tensors of one shape and updates of one shape in 'stablehlo.scatter', got 'tensor<4x6xf32>', 'tensor<3x6xf32>' and 'tensor<5x6xf32>', 'tensor<3x6xf32>'}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<5x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>, tensor<3x6xf32>) -> (tensor<4x6xf32>, tensor<5x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// Its updates have one, too.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %i: tensor<3x1xi32>, %u: tensor<3x6xf32>, %v: tensor<3x2xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{expected tensors of one shape and updates of one shape in 'stablehlo.scatter', got 'tensor<4x6xf32>', 'tensor<3x6xf32>' and 'tensor<4x6xf32>', 'tensor<3x2xf32>'}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.power"(%a, %c) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1, %b) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<3x1xi32>, tensor<3x6xf32>, tensor<3x2xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  "func.return"(%0#0) : (tensor<4x6xf32>) -> ()
}

// -----

// A product of floating-point numbers is one: JAX lets integers be asked for, StableHLO does not.
func.func @main(%x: tensor<4x6xf16>, %y: tensor<6x3xf16>) -> tensor<4x3xi8> {
  // expected-error @below {{expected floating-point numbers as the result of 'stablehlo.dot_general' of 'tensor<4x6xf16>', got 'tensor<4x3xi8>'}}
  %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xf16>, tensor<6x3xf16>) -> tensor<4x3xi8>
  return %0 : tensor<4x3xi8>
}

// -----

// Nor truth values.
func.func @main(%x: tensor<4x6xf32>, %y: tensor<6xf32>) -> tensor<4xi1> {
  // expected-error @below {{expected floating-point numbers as the result of 'stablehlo.dot' of 'tensor<4x6xf32>', got 'tensor<4xi1>'}}
  %0 = "stablehlo.dot"(%x, %y) : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// Nor by a convolution.
func.func @main(%x: tensor<1x6x2xf32>, %y: tensor<3x2x4xf32>) -> tensor<1x4x4xi32> {
  // expected-error @below {{expected floating-point numbers as the result of 'stablehlo.convolution' of 'tensor<1x6x2xf32>', got 'tensor<1x4x4xi32>'}}
  %0 = "stablehlo.convolution"(%x, %y) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}> : (tensor<1x6x2xf32>, tensor<3x2x4xf32>) -> tensor<1x4x4xi32>
  return %0 : tensor<1x4x4xi32>
}
