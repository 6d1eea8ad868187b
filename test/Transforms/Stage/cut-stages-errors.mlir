// RUN: tessera-opt %s --tessera-cut-stages=stages=2 --split-input-file --verify-diagnostics

// Stages work on microbatches.

tessera.mesh @mesh = <["x"=1]>
// expected-error @+1 {{expected a loop over microbatches to cut into stages}}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Which loop is cut must be clear.

tessera.mesh @mesh = <["x"=1]>
func.func @main(%lo: index, %hi: index) {
  // expected-note @+1 {{another one is here}}
  scf.for %i = %lo to %hi step %hi {
  } {pipe.microbatches}
  // expected-error @+1 {{expected one loop over microbatches}}
  scf.for %i = %lo to %hi step %hi {
  } {pipe.microbatches}
  return
}

// -----

// A model marked for three stages does not fit on two ranks.

tessera.mesh @mesh = <["x"=1]>
func.func @main(%w: tensor<8x8xf32>, %z: tensor<8x8xf32>, %x: tensor<4x8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0> : tensor<i32>
  // expected-error @+1 {{expected a number of stages that divides the 3 that the model marks, got 2}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> tensor<8x8xf32> {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %b = tessera.dynamic_slice %x[%n, %zero, %zero] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %0 = tessera.reshape %b : tensor<1x8x8xf32> -> tensor<8x8xf32>
    %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = tessera.stage_end %1 : tensor<8x8xf32>
    %3 = tessera.dot_general %2, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = tessera.stage_end %3 : tensor<8x8xf32>
    %5 = tessera.dot_general %4, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = arith.mulf %s, %5 : tensor<8x8xf32>
    scf.yield %6 : tensor<8x8xf32>
  } {pipe.microbatches}
  return %r : tensor<8x8xf32>
}

// -----

// The loop is dead: what it computes does not reach a result.
tessera.mesh @mesh = <["x"=1]>
func.func @main(%w: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{expected results that depend on the batch, got none to compute in stages}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> tensor<8x8xf32> {
    %0 = arith.mulf %s, %w : tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  } {pipe.microbatches}
  return %w : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=1]>
// expected-error @below {{expected a loop over microbatches to cut into stages}}
func.func @main(%lo: index, %hi: index) {
  %true = arith.constant true
  scf.if %true {
    scf.for %i = %lo to %hi step %hi {
    } {pipe.microbatches}
  }
  return
}

// -----

tessera.mesh @mesh = <["x"=1]>
func.func @main(%lo: index, %hi: index) {
  // expected-note @below {{another one is here}}
  scf.for %i = %lo to %hi step %hi {
  } {pipe.microbatches}
  // expected-error @below {{expected one loop over microbatches}}
  scf.for %i = %lo to %hi step %hi {
  } {pipe.microbatches}
  scf.for %i = %lo to %hi step %hi {
  } {pipe.microbatches}
  return
}

// -----

// Nor do five, where the first would have more than the second.
tessera.mesh @mesh = <["x"=1]>
func.func @main(%w: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected a number of stages that divides the 5 that the model marks, got 2}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> tensor<8x8xf32> {
    %1 = tessera.stage_end %s : tensor<8x8xf32>
    %2 = math.tanh %1 : tensor<8x8xf32>
    %3 = tessera.stage_end %2 : tensor<8x8xf32>
    %4 = math.tanh %3 : tensor<8x8xf32>
    %5 = tessera.stage_end %4 : tensor<8x8xf32>
    %6 = math.tanh %5 : tensor<8x8xf32>
    %7 = tessera.stage_end %6 : tensor<8x8xf32>
    scf.yield %7 : tensor<8x8xf32>
  } {pipe.microbatches}
  return %r : tensor<8x8xf32>
}

// -----

// So is a loop that gives nothing.
tessera.mesh @mesh = <["x"=1]>
func.func @main(%w: tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected results that depend on the batch, got none to compute in stages}}
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = arith.mulf %w, %w : tensor<8x8xf32>
  } {pipe.microbatches}
  return
}

// -----

tessera.mesh @mesh = <["x"=1]>
func.func @main(%w: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected at most 1 stages, for so many blocks has the model, got 2}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> tensor<8x8xf32> {
    scf.yield %s : tensor<8x8xf32>
  } {pipe.microbatches}
  return %r : tensor<8x8xf32>
}
