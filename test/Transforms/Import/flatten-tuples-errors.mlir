// RUN: tessera-opt %s --tessera-flatten-tuples --split-input-file --verify-diagnostics

func.func @beyond(%t: tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32> {
  // expected-error @below {{expected a tuple as the operand of 'stablehlo.get_tuple_element', and 'index' a part of the result's type}}
  %0 = "stablehlo.get_tuple_element"(%t) <{index = 2 : i32}> : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32>
  "func.return"(%0) : (tensor<2xi32>) -> ()
}

// -----

func.func @no_tuple(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tuple as the operand of 'stablehlo.get_tuple_element', and 'index' a part of the result's type}}
  %0 = "stablehlo.get_tuple_element"(%x) <{index = 0 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @too_few(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tuple of the operands of 'stablehlo.tuple' as its result}}
  %0 = "stablehlo.tuple"(%a) : (tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  %1 = "stablehlo.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  "func.return"(%1) : (tensor<4xf32>) -> ()
}

// -----

func.func @no_tuple_made(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a tuple of the operands of 'stablehlo.tuple' as its result}}
  %0 = "stablehlo.tuple"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @no_token(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a token as the result of 'stablehlo.create_token'}}
  %0 = "stablehlo.create_token"() : () -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

func.func @tuple_for_token() {
  // expected-error @below {{expected a token as the result of 'stablehlo.after_all'}}
  %0 = "stablehlo.after_all"() : () -> tuple<tensor<4xf32>>
  "func.return"() : () -> ()
}

// -----

func.func @region_of_token() {
  // expected-error @below {{expected 'stablehlo.create_token' without regions}}
  %0 = "stablehlo.create_token"() ({
    %1 = "stablehlo.create_token"() : () -> !stablehlo.token
    "stablehlo.return"() : () -> ()
  }) : () -> !stablehlo.token
  "func.return"() : () -> ()
}

// -----

func.func @region_of_part(%t: tuple<tensor<4xf32>>) -> tensor<4xf32> {
  // expected-error @below {{expected 'stablehlo.get_tuple_element' without regions}}
  %0 = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> ({
    %1 = "stablehlo.create_token"() : () -> !stablehlo.token
    "stablehlo.return"() : () -> ()
  }) : (tuple<tensor<4xf32>>) -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}
