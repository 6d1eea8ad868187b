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
