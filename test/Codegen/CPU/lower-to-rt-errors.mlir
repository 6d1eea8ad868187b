// RUN: tessera-opt %s -split-input-file -verify-diagnostics -tessera-lower-to-rt

// expected-error@below {{expected a function @main with a body}}
module {
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{expected 'spmd.buffers' on 'spmd.kernel', as the phase schedule writes them}}
  %0 = spmd.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    spmd.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{expected a buffer of the program, got #spmd.buffer<result, 3>}}
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 3>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    spmd.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@below {{unsupported operation: expected kernels, collectives and control flow after the phase schedule, got 'math.exp'}}
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x12xf32> {
  // expected-error@below {{expected a collective along the outermost dimension after the phase fuse}}
  %0 = spmd.all_gather %x dim = 1 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<4x6xf32> -> tensor<4x12xf32>
  return %0 : tensor<4x12xf32>
}
