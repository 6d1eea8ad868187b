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

// -----

// A position in a tensor is no element of its own.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{unsupported operation: expected kernels, collectives and control flow after the phase schedule, got 'tessera.reverse'}}
  %0 = tessera.reverse %x dims = [0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nor is it along the outermost dimension where the one that is joined is not.
tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4x6xf32>) -> tensor<2x12xf32> {
  // expected-error @below {{expected a collective along the outermost dimension after the phase fuse}}
  %0 = spmd.all_to_all %x split = 0 concat = 1 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<4x6xf32> -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// What is started is waited for where it is written.
tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    %r = spmd.all_reduce sum %x over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
    spmd.yield %r : tensor<16xf32>
  }
  // expected-error @below {{expected the result where what was started writes it}}
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<result, 0>]} : !spmd.future<tensor<16xf32>>
  return %w : tensor<16xf32>
}

// -----

// The runtime counts in whole bytes, and knows no larger numbers.
tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xi4>) -> tensor<4xi4> {
  // expected-error @below {{expected elements that the runtime stores (i1 to i64, f16, bf16, f32, f64), got 'i4'}}
  %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<4xi4>
  return %0 : tensor<4xi4>
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf80>) -> tensor<8xf80> {
  // expected-error @below {{expected elements that the runtime stores (i1 to i64, f16, bf16, f32, f64), got 'f80'}}
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<4xf80> -> tensor<8xf80>
  return %0 : tensor<8xf80>
}

// -----

// A call has a place for what it calls.
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected 'spmd.workspace' on a call, as the phase schedule writes it}}
  %0 = call @callee(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @callee() {
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @below {{expected 'spmd.workspace' on a call, as the phase schedule writes it}}
    func.call @callee() : () -> ()
  }
  return
}

// -----

// The body of what is called is known, and ends.
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected the call of a function that has a body and does not call itself, got @callee}}
  %0 = call @callee(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected the call of a function that has a body and does not call itself, got @main}}
  %0 = call @main(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Pipeline ranks do not call each other, the later or the earlier.
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  call @rank_1() {spmd.workspace = #spmd.buffer<arena, 0>} : () -> ()
  return
}
// expected-error @below {{expected no call of a pipeline rank's program}}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  return
}

// -----

func.func private @main()
// expected-error @below {{expected no call of a pipeline rank's program}}
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  call @rank_0() {spmd.workspace = #spmd.buffer<arena, 0>} : () -> ()
  return
}

// -----

// What decides is a scalar.
func.func @main(%x: tensor<4xi1>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{unsupported operation: expected a scalar tensor, got 'tensor<4xi1>'}}
  %0 = tensor.extract %x[%c0] : tensor<4xi1>
  scf.if %0 {
  }
  return
}

// -----

func.func @main(%x: tensor<1x1xindex>) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{unsupported operation: expected a scalar tensor, got 'tensor<1x1xindex>'}}
  %0 = tensor.extract %x[%c0, %c0] : tensor<1x1xindex>
  scf.for %i = %c0 to %0 step %0 {
  }
  return
}

// -----

// What a loop carries are tensors.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{unsupported operation: loop that carries scalars}}
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%n = %c0) -> index {
    scf.yield %i : index
  }
  return
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{unsupported operation: loop that carries scalars}}
  %0:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x, %n = %c0) -> (tensor<4xf32>, index) {
    scf.yield %a, %n : tensor<4xf32>, index
  } {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<arena, 0>]}
  return %0#0 : tensor<4xf32>
}

// -----

// Each in the place of the other.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{unsupported operation: values of a loop that exchange their places}}
  %0:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  } {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<result, 1>]}
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %go: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @below {{unsupported operation: values of a loop that exchange their places}}
  %0:2 = scf.while (%a = %x, %b = %y) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %b, %a : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    scf.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  } attributes {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<result, 1>], spmd.carried = [#spmd.buffer<result, 0>, #spmd.buffer<result, 1>]}
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Operations that the phase shard answers are nothing to compute an element with.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{unsupported operation: 'tessera.stage_end' has no code in a kernel}}
    %b = tessera.stage_end %a : tensor<4xf32>
    spmd.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{unsupported operation: 'tessera.propagation_barrier' has no code in a kernel}}
    %b = tessera.propagation_barrier %a allows none : tensor<4xf32>
    spmd.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Elements that are not in the program.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @below {{unsupported operation: expected a dense constant, got dense_resource<weights> : tensor<4xf32>}}
    %c = arith.constant dense_resource<weights> : tensor<4xf32>
    %b = arith.addf %a, %c : tensor<4xf32>
    spmd.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main() -> tensor<4xi32> {
  %0 = spmd.kernel() {spmd.buffers = [#spmd.buffer<result, 0>]} : () -> tensor<4xi32> {
    // expected-error @below {{unsupported operation: expected a dense constant, got sparse<0, 7> : tensor<4xi32>}}
    %c = arith.constant sparse<[[0]], [7]> : tensor<4xi32>
    spmd.yield %c : tensor<4xi32>
  }
  return %0 : tensor<4xi32>
}
