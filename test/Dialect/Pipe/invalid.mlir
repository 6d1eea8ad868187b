// What is not a fragment or a transfer is refused, with what was expected.
// RUN: tessera-opt %s -verify-diagnostics -split-input-file

func.func @fragment_gives_something_else(%a: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expected to yield what it gives, 'tensor<4xf32>', got 'tensor<8xf32>'}}
  %0 = pipe.fragment forward stage 0 -> tensor<4xf32> {
    pipe.yield %a : tensor<8xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @yield_outside(%a: tensor<8xf32>) {
  // expected-error@+1 {{expects parent op 'pipe.fragment'}}
  pipe.yield %a : tensor<8xf32>
}
