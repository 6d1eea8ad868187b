// RUN: tessera-opt --tessera-specialize-shapes --split-input-file --verify-diagnostics %s

func.func @main(%x: tensor<?x4xf32> loc("x")) -> tensor<?x4xf32> {
  // expected-note @+2 {{compile for one size: --shape=x=8x128; see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected a size for each dimension of argument 'x', got 'tensor<?x4xf32>'}}
  %0 = "stablehlo.negate"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// An argument without a name has that of its place.
// expected-note @+2 {{compile for one size: --shape=arg1=8x128; see docs/unsupported.md#dynamic-shapes}}
// expected-error @+1 {{expected a size for each dimension of argument 'arg1', got 'tensor<?xf32>'}}
func.func @main(%x: tensor<4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.negate"(%y) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// What a routine makes is known to it alone.
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
  // expected-note @+2 {{see docs/unsupported.md}}
  // expected-error @+1 {{expected a shape that follows from the operands of 'stablehlo.custom_call', got 'tensor<?xf32>'}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "nonzero"}> : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A shape that is an argument.
func.func @main(%x: tensor<4xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  // expected-note @+2 {{see docs/unsupported.md#dynamic-shapes}}
  // expected-error @+1 {{expected a shape that follows from the operands of 'stablehlo.dynamic_reshape', got 'tensor<?x?xf32>'}}
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Sizes that the file states and those that follow.
func.func @main(%x: tensor<4x3xf32>) -> tensor<?x5xf32> {
  // expected-note @+2 {{see docs/unsupported.md}}
  // expected-error @+1 {{expected a shape that follows from the operands of 'stablehlo.transpose', got 'tensor<?x5xf32>'}}
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x3xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

// A loop whose state grows.
func.func @main(%x: tensor<4xf32>, %i: tensor<i32>) -> tensor<?xf32> {
  // expected-error @+1 {{expected a loop that carries values of one shape each, got 'tensor<i32>', 'tensor<8xf32>' after 'tensor<i32>', 'tensor<4xf32>'}}
  %0:2 = "stablehlo.while"(%i, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<?xf32>):
    %1 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<?xf32>):
    %1 = "stablehlo.concatenate"(%b, %b) <{dimension = 0 : i64}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    "stablehlo.return"(%a, %1) : (tensor<i32>, tensor<?xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<?xf32>)
  return %0#1 : tensor<?xf32>
}

// -----

// A loop whose body gives another shape than it takes, of a matrix.
func.func @main(%x: tensor<4x2xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected a loop that carries values of one shape each, got 'tensor<2x4xf32>' after 'tensor<4x2xf32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%b: tensor<?x?xf32>):
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%b: tensor<?x?xf32>):
    %1 = "stablehlo.transpose"(%b) <{permutation = array<i64: 1, 0>}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
    "stablehlo.return"(%1) : (tensor<?x?xf32>) -> ()
  }) : (tensor<4x2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  // expected-error @+1 {{expected branches that give values of one shape each in 'stablehlo.if'}}
  %0 = "stablehlo.if"(%c) ({
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()
  }, {
    %1 = "stablehlo.concatenate"(%x, %x) <{dimension = 0 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
    "stablehlo.return"(%1) : (tensor<?xf32>) -> ()
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<4x2xf32>, %i: tensor<i32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{expected branches that give values of one shape each in 'stablehlo.case'}}
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%x) : (tensor<4x2xf32>) -> ()
  }, {
    %1 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x2xf32>) -> tensor<?x?xf32>
    "stablehlo.return"(%1) : (tensor<?x?xf32>) -> ()
  }) : (tensor<i32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
