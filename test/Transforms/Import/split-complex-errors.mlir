// RUN: tessera-opt --tessera-split-complex --tessera-convert-stablehlo --split-input-file --verify-diagnostics %s

// What is not what StableHLO says of complex numbers is refused as it stands.

func.func @main(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 1 operand of 'stablehlo.convert', got 0}}
  %0 = "stablehlo.convert"() : () -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.iota'}}
  %0 = "stablehlo.iota"(%x) <{iota_dimension = 0 : i64}> : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.dot_general'}}
  %0 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<f32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.abs'}}
  %0 = "stablehlo.abs"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.real'}}
  %0 = "stablehlo.real"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.complex'}}
  %0 = "stablehlo.complex"(%x, %x) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.compare'}}
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.add'}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.exponential'}}
  %0 = "stablehlo.exponential"(%x) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f64>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.negate'}}
  %0 = "stablehlo.negate"(%x) ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}

// -----

// expected-note @+2 {{see docs/unsupported.md#complex}}
// expected-error @+1 {{unsupported element type 'complex<i32>'}}
func.func @main(%x: tensor<4xcomplex<i32>>) {
  %0 = "stablehlo.negate"(%x) : (tensor<4xcomplex<i32>>) -> tensor<4xcomplex<i32>>
  "func.return"() : () -> ()
}

// -----

// expected-note @+2 {{see docs/unsupported.md#complex}}
// expected-error @+1 {{expected a static shape, got 'tensor<?xcomplex<f32>>'}}
func.func @main(%x: tensor<?xcomplex<f32>>) {
  %0 = "stablehlo.real"(%x) : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>, %i: tensor<complex<f32>>) {
  // expected-note @+2 {{see docs/unsupported.md#complex}}
  // expected-error @+1 {{unsupported element type 'complex<f32>' of 'stablehlo.reduce'}}
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
  }) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  "func.return"() : () -> ()
}

// -----

func.func @main(%x: tensor<4xcomplex<f32>>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'tessera.sort' op expected 6 region arguments, got 3}}
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<f32>):
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<4xcomplex<f32>>, tensor<4xf32>) -> (tensor<4xcomplex<f32>>, tensor<4xf32>)
  "func.return"() : () -> ()
}

// -----

// Only functions of one block are split.
// expected-error @+1 {{expected a body of one block of @main}}
func.func @main(%x: tensor<4xcomplex<f32>>) {
  "cf.br"(%x)[^next] : (tensor<4xcomplex<f32>>) -> ()
^next(%y: tensor<4xcomplex<f32>>):
  %0 = "stablehlo.negate"(%y) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  "func.return"() : () -> ()
}
