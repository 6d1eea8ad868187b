// RUN: tessera-opt %s -split-input-file -verify-diagnostics -tessera-plan-memory

func.func @calls_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected a function that does not call itself, got @calls_itself}}
  %0 = func.call @calls_itself(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @calls_elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the call of a function with a body, got @elsewhere}}
  %0 = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A function calls itself through another one, too.
func.func @calls_its_caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @is_called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @is_called(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a function that does not call itself, got @calls_its_caller}}
  %0 = func.call @calls_its_caller(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
