// RUN: tessera-opt %s -split-input-file -verify-diagnostics --tessera-lower-to-gpu=arch=70

// expected-error@below {{unknown architecture: expected 80 or 90, got 70}}
module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
