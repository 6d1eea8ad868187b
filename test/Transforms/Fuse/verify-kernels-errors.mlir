// RUN: tessera-opt %s -split-input-file -verify-diagnostics -tessera-verify-kernels

func.func @outside(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected 'math.exp' to stand in a kernel}}
  %0 = math.exp %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @inner_dimension(%x: tensor<8x4xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected a collective along dimension 0, got 1}}
  %0 = spmd.all_gather %x dim = 1 over <@mesh, ["x"]> : tensor<8x4xf32> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @two_spaces(%x: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0:2 = spmd.kernel(%x) : (tensor<8x4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<8x4xf32>):
    // expected-note @+1 {{row of 32 x 8}}
    %r = tessera.reduce sum %a dims = [1] : tensor<8x4xf32> -> tensor<8xf32>
    // expected-error @+1 {{expected operations of one kernel to share an iteration space, got column of 32 x 4}}
    %c = tessera.reduce sum %a dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
    spmd.yield %r, %c : tensor<8xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
}

// -----

func.func @middle(%x: tensor<2x4x8xf32>) -> tensor<2x8xf32> {
  %0 = spmd.kernel(%x) : (tensor<2x4x8xf32>) -> tensor<2x8xf32> {
  ^bb0(%a: tensor<2x4x8xf32>):
    // expected-error @+1 {{expected a reduction over leading or over trailing dimensions}}
    %r = tessera.reduce sum %a dims = [1] : tensor<2x4x8xf32> -> tensor<2x8xf32>
    spmd.yield %r : tensor<2x8xf32>
  }
  return %0 : tensor<2x8xf32>
}

// -----

func.func @read_elsewhere(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = spmd.kernel(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = tessera.reduce sum %a dims = [1] : tensor<4x4xf32> -> tensor<4xf32>
    // expected-error @+1 {{expected an operand that does not depend on the kernel's reduction, which is computed at the points of the iteration space only}}
    %b = tessera.broadcast %r dims = [1] : tensor<4xf32> -> tensor<4x4xf32>
    spmd.yield %b : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func @result_of_another_size(%x: tensor<4x4xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected a result of 16 or 4 elements, got 'tensor<3xf32>'}}
  %0:2 = spmd.kernel(%x, %y) : (tensor<4x4xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<3xf32>):
    %r = tessera.reduce sum %a dims = [1] : tensor<4x4xf32> -> tensor<4xf32>
    %e = math.exp %b : tensor<3xf32>
    spmd.yield %r, %e : tensor<4xf32>, tensor<3xf32>
  }
  return %0#1 : tensor<3xf32>
}

// -----

func.func @structured_alone(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the results of the structured operation only}}
  %0:2 = spmd.kernel(%x, %u, %i) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<i32>):
    %r = tessera.dynamic_update_slice %a, %b[%c] : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
    %e = math.exp %a : tensor<4xf32>
    spmd.yield %r, %e : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0 : tensor<4xf32>
}

// -----

func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = spmd.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{expected operations of tessera, arith or math on tensors in a kernel, got 'tessera.optimization_barrier'}}
    %r = tessera.optimization_barrier %a : (tensor<4xf32>) -> tensor<4xf32>
    spmd.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Two matmuls have two spaces, even of the same size.
func.func @two_contractions(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = spmd.kernel(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    // expected-note @below {{matmul of 16 x 0}}
    %r = tessera.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @below {{expected operations of one kernel to share an iteration space, got matmul of 16 x 0}}
    %c = tessera.dot_general %a, %a batching = [] x [] contracting = [1] x [1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    spmd.yield %r : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Dimensions between those that are kept.
func.func @outer_and_inner(%x: tensor<2x4x8x3xf32>) -> tensor<4x3xf32> {
  %0 = spmd.kernel(%x) : (tensor<2x4x8x3xf32>) -> tensor<4x3xf32> {
  ^bb0(%a: tensor<2x4x8x3xf32>):
    // expected-error @below {{expected a reduction over leading or over trailing dimensions}}
    %r = tessera.reduce max %a dims = [0, 2] : tensor<2x4x8x3xf32> -> tensor<4x3xf32>
    spmd.yield %r : tensor<4x3xf32>
  }
  return %0 : tensor<4x3xf32>
}

// -----

// What a matmul gives is not read in other places either.
func.func @read_a_product_backwards(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = spmd.kernel(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %r = tessera.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @below {{expected an operand that does not depend on the kernel's matmul, which is computed at the points of the iteration space only}}
    %b = tessera.reverse %r dims = [0] : tensor<4x4xf32>
    spmd.yield %b : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Nor is an argument a result of it.
func.func @structured_and_its_argument(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  // expected-error @below {{expected the results of the structured operation only}}
  %0 = spmd.kernel(%x, %u, %i) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<i32>):
    %r = tessera.dynamic_update_slice %a, %b[%c] : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
    spmd.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Collectives stand beside kernels.
tessera.mesh @mesh = <["x"=2]>
func.func @foreign_collective(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = spmd.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{expected operations of tessera, arith or math on tensors in a kernel, got 'spmd.all_reduce'}}
    %r = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<4xf32>
    spmd.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @reduction_outside(%x: tensor<8xf32>) -> tensor<f32> {
  // expected-error @below {{expected 'tessera.reduce' to stand in a kernel}}
  %0 = tessera.reduce sum %x dims = [0] : tensor<8xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @inner_dimension_of_an_exchange(%x: tensor<8x4xf32>) -> tensor<16x2xf32> {
  // expected-error @below {{expected a collective along dimension 0, got 1}}
  %0 = spmd.all_to_all %x split = 1 concat = 0 over <@mesh, ["x"]> : tensor<8x4xf32> -> tensor<16x2xf32>
  return %0 : tensor<16x2xf32>
}

// -----

func.func @result_of_a_part(%x: tensor<4x4xf32>) -> tensor<2x2xf32> {
  // expected-error @below {{expected a result of 9 or 0 elements, got 'tensor<2x2xf32>'}}
  %0:2 = spmd.kernel(%x) : (tensor<4x4xf32>) -> (tensor<3x3xf32>, tensor<2x2xf32>) {
  ^bb0(%a: tensor<4x4xf32>):
    %r = tessera.slice %a [0, 0] to [3, 3] by [1, 1] : tensor<4x4xf32> -> tensor<3x3xf32>
    %e = tessera.slice %a [0, 0] to [2, 2] by [1, 1] : tensor<4x4xf32> -> tensor<2x2xf32>
    spmd.yield %r, %e : tensor<3x3xf32>, tensor<2x2xf32>
  }
  return %0#1 : tensor<2x2xf32>
}
