// RUN: tessera-opt %s -split-input-file -verify-diagnostics -tessera-verify-memory-plan

func.func @overlap(%x: tensor<32xf32>) -> tensor<32xf32> attributes {spmd.arena_size = 192 : i64} {
  // expected-note @+1 {{the value is made here}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%0: tensor<32xf32>):
    spmd.yield %0 : tensor<32xf32>
  }
  // expected-note @+1 {{and overwritten here}}
  %b = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 64>]} : (tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%0: tensor<32xf32>):
    spmd.yield %0 : tensor<32xf32>
  }
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %c = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%0: tensor<32xf32>, %1: tensor<32xf32>):
    %2 = arith.addf %0, %1 : tensor<32xf32>
    spmd.yield %2 : tensor<32xf32>
  }
  return %c : tensor<32xf32>
}

// -----

func.func @in_place(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {spmd.arena_size = 64 : i64} {
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%0: tensor<4x4xf32>):
    spmd.yield %0 : tensor<4x4xf32>
  }
  // expected-error @+1 {{overwrites an operand that it still reads}}
  %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%0: tensor<4x4xf32>):
    %1 = tessera.transpose %0 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
    spmd.yield %1 : tensor<4x4xf32>
  }
  return %b : tensor<4x4xf32>
}

// -----

// expected-note @+1 {{the value is made here}}
func.func @donated(%p: tensor<4xf32> {tessera.donated = 0 : i32}) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {spmd.arena_size = 0 : i64} {
  // expected-note @+1 {{and overwritten here}}
  %a = spmd.kernel(%p) {spmd.buffers = [#spmd.buffer<argument, 0>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>):
    %1 = math.exp %0 : tensor<4xf32>
    spmd.yield %1 : tensor<4xf32>
  }
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %b = spmd.kernel(%p) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>):
    %1 = math.exp %0 : tensor<4xf32>
    spmd.yield %1 : tensor<4xf32>
  }
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Only the second iteration misses what the first one destroyed.
func.func @loop(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-note @+1 {{the value is made here}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %x) -> (tensor<16xf32>) {
    // expected-error @+1 {{reads a value whose memory was overwritten}}
    %b = spmd.kernel(%a, %s) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%0: tensor<16xf32>, %1: tensor<16xf32>):
      %2 = arith.addf %0, %1 : tensor<16xf32>
      spmd.yield %2 : tensor<16xf32>
    }
    // expected-note @+1 {{and overwritten here}}
    %c = spmd.kernel(%b) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%0: tensor<16xf32>):
      spmd.yield %0 : tensor<16xf32>
    }
    scf.yield %c : tensor<16xf32>
  } {spmd.buffers = [#spmd.buffer<result, 0>]}
  return %r : tensor<16xf32>
}

// -----

func.func @outside(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-error @+1 {{expected a buffer inside of the arena of 64 bytes, got #spmd.buffer<arena, 64> of 64 bytes}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 64>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

func.func @no_such_result(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{expected a buffer of the program, got #spmd.buffer<result, 1>}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

func.func @no_plan(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{expected 'spmd.buffers' on 'spmd.kernel', as the phase schedule writes them}}
  %a = spmd.kernel(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

func.func @two_results(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-error @+1 {{two results share memory}}
  %a:2 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>, #spmd.buffer<arena, 0>]}
      : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0, %0 : tensor<16xf32>, tensor<16xf32>
  }
  return %a#0 : tensor<16xf32>
}

// -----

func.func private @callee(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    spmd.yield %a : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}
func.func @workspace_over_a_live_value(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-note @+1 {{the value is made here}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 64>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  // expected-note @+1 {{and overwritten here}}
  %b = func.call @callee(%x) {spmd.buffers = [#spmd.buffer<arena, 0>], spmd.workspace = #spmd.buffer<arena, 64>} : (tensor<16xf32>) -> tensor<16xf32>
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %c = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>, %1: tensor<16xf32>):
    %2 = arith.addf %0, %1 : tensor<16xf32>
    spmd.yield %2 : tensor<16xf32>
  }
  return %c : tensor<16xf32>
}
func.func @workspace_over_an_operand(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  // expected-error @+1 {{expected operands and results outside of 'spmd.workspace'}}
  %b = func.call @callee(%a) {spmd.buffers = [#spmd.buffer<result, 0>], spmd.workspace = #spmd.buffer<arena, 0>} : (tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}
func.func @workspace_too_small(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-error @+1 {{expected 'spmd.workspace' of 64 bytes inside of the arena of 64 bytes}}
  %b = func.call @callee(%x) {spmd.buffers = [#spmd.buffer<result, 0>], spmd.workspace = #spmd.buffer<arena, 32>} : (tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}
func.func @result_over_an_operand(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64} {
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  // expected-error @+1 {{overwrites an operand that it still reads}}
  %b = func.call @callee(%a) {spmd.buffers = [#spmd.buffer<arena, 0>], spmd.workspace = #spmd.buffer<arena, 64>} : (tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}

// -----

func.func private @in_place(%x: tensor<16xf32> {tessera.donated = 0 : i32}) -> tensor<16xf32> attributes {spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<argument, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    spmd.yield %a : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}
func.func @donated_elsewhere(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 0 : i64} {
  // expected-error @+1 {{expected result 0 in the memory of operand 0, which is donated to it}}
  %b = func.call @in_place(%x) {spmd.buffers = [#spmd.buffer<result, 0>], spmd.workspace = #spmd.buffer<arena, 0>} : (tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// The operand is read until the wait.
func.func @operand_of_a_started_collective(%x: tensor<16xf32>) -> tensor<32xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-note @+1 {{the value is made here}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  %f = spmd.start : !spmd.future<tensor<32xf32>> {
    %r = spmd.all_gather %a dim = 0 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<16xf32> -> tensor<32xf32>
    spmd.yield %r : tensor<32xf32>
  }
  // expected-note @+1 {{and overwritten here}}
  %b = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<result, 0>]} : !spmd.future<tensor<32xf32>>
  return %w : tensor<32xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// The result is written from the start on.
func.func @result_of_a_started_collective(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-note @+1 {{the value is made here}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    // expected-note @+1 {{and overwritten here}}
    %r = spmd.all_reduce sum %a over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
    spmd.yield %r : tensor<16xf32>
  }
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<arena, 0>]} : !spmd.future<tensor<16xf32>>
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %b : tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// The wait gives what the collective has written.
func.func @another_place(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    %r = spmd.all_reduce sum %x over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
    spmd.yield %r : tensor<16xf32>
  }
  // expected-error @+1 {{expected the result where what was started writes it}}
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<result, 0>]} : !spmd.future<tensor<16xf32>>
  return %w : tensor<16xf32>
}

// -----

func.func @between_cache_lines(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-error @+1 {{expected an offset that is a multiple of 64, got #spmd.buffer<arena, 32>}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 32>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

func.func @result_too_small(%x: tensor<16xf32>) -> tensor<8xf32> attributes {spmd.arena_size = 0 : i64} {
  // expected-error @+1 {{expected a buffer of at least 64 bytes, got #spmd.buffer<result, 0> of 32 bytes}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<8xf32> {
  ^bb0(%0: tensor<16xf32>):
    %1 = tessera.slice %0 [0] to [8] by [1] : tensor<16xf32> -> tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %b : tensor<8xf32>
}

// -----

// A result of another size cannot take the memory of an argument.
func.func @donated_too_small(%x: tensor<8xf32> {tessera.donated = 0 : i32}, %y: tensor<16xf32>) -> tensor<16xf32>
    attributes {spmd.arena_size = 0 : i64} {
  // expected-error @+1 {{expected a buffer of at least 64 bytes, got #spmd.buffer<argument, 0> of 32 bytes}}
  return %y : tensor<16xf32>
}

// -----

// What a loop carries may be larger than what it gives.
func.func @carried_too_large(%x: tensor<16xf32>, %go: tensor<i1>) -> tensor<8xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-error @+1 {{expected a buffer of at least 64 bytes, got #spmd.buffer<result, 0> of 32 bytes}}
  %r = scf.while (%a = %x) : (tensor<16xf32>) -> tensor<8xf32> {
    %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<8xf32> {
    ^bb0(%0: tensor<16xf32>):
      %1 = tessera.slice %0 [0] to [8] by [1] : tensor<16xf32> -> tensor<8xf32>
      spmd.yield %1 : tensor<8xf32>
    }
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %b : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 64>]} : (tensor<8xf32>) -> tensor<16xf32> {
    ^bb0(%0: tensor<8xf32>):
      %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
      spmd.yield %1 : tensor<16xf32>
    }
    scf.yield %b : tensor<16xf32>
  } attributes {spmd.buffers = [#spmd.buffer<result, 0>], spmd.carried = [#spmd.buffer<result, 0>]}
  return %r : tensor<8xf32>
}

// -----

func.func @carried_nowhere(%x: tensor<8xf32>, %go: tensor<i1>) -> tensor<8xf32> attributes {spmd.arena_size = 0 : i64} {
  // expected-error @+1 {{expected 'spmd.carried' on 'scf.while', as the phase schedule writes them}}
  %r = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    scf.yield %a : tensor<8xf32>
  } attributes {spmd.buffers = [#spmd.buffer<result, 0>]}
  return %r : tensor<8xf32>
}

// -----

// The last byte lies behind the end.
func.func @one_byte_outside(%x: tensor<65xi8>) -> tensor<65xi8> attributes {spmd.arena_size = 64 : i64} {
  // expected-error @below {{expected a buffer inside of the arena of 64 bytes, got #spmd.buffer<arena, 0> of 65 bytes}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<65xi8>) -> tensor<65xi8> {
  ^bb0(%0: tensor<65xi8>):
    spmd.yield %0 : tensor<65xi8>
  }
  return %a : tensor<65xi8>
}

// -----

// Nor does an offset count round.
func.func @largest_offset(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-error @below {{expected a buffer inside of the arena of 64 bytes, got #spmd.buffer<arena, 9223372036854775744> of 64 bytes}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 9223372036854775744>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %a : tensor<16xf32>
}

// -----

func.func @empty_tensor_between_cache_lines(%x: tensor<0xf32>) -> tensor<0xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-error @below {{expected an offset that is a multiple of 64, got #spmd.buffer<arena, 127>}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 127>]} : (tensor<0xf32>) -> tensor<0xf32> {
  ^bb0(%0: tensor<0xf32>):
    spmd.yield %0 : tensor<0xf32>
  }
  return %a : tensor<0xf32>
}

// -----

func.func private @callee(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) attributes {spmd.arena_size = 64 : i64} {
  %0:2 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<result, 1>]} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    spmd.yield %a, %a : tensor<16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1 : tensor<16xf32>, tensor<16xf32>
}
func.func @two_results_of_a_call(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-error @below {{two results share memory}}
  %b:2 = func.call @callee(%x) {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<result, 0>], spmd.workspace = #spmd.buffer<arena, 0>} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return %b#0 : tensor<16xf32>
}
func.func @workspace_over_a_result(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-error @below {{expected operands and results outside of 'spmd.workspace'}}
  %b:2 = func.call @callee(%x) {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<arena, 64>], spmd.workspace = #spmd.buffer<arena, 64>} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return %b#0 : tensor<16xf32>
}
func.func @no_workspace(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64} {
  // expected-error @below {{expected 'spmd.workspace' of 64 bytes inside of the arena of 128 bytes}}
  %b:2 = func.call @callee(%x) {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<arena, 64>]} : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return %b#0 : tensor<16xf32>
}

// -----

// The second one is donated, too, and stays where it was.
func.func private @in_place(%x: tensor<16xf32> {tessera.donated = 0 : i32}, %y: tensor<16xf32> {tessera.donated = 1 : i32}) -> (tensor<16xf32>, tensor<16xf32>) attributes {spmd.arena_size = 0 : i64} {
  return %x, %y : tensor<16xf32>, tensor<16xf32>
}
func.func @donated_to_the_arena(%x: tensor<16xf32> {tessera.donated = 0 : i32}, %y: tensor<16xf32> {tessera.donated = 1 : i32}) -> (tensor<16xf32>, tensor<16xf32>) attributes {spmd.arena_size = 64 : i64} {
  // expected-error @below {{expected result 1 in the memory of operand 1, which is donated to it}}
  %b:2 = func.call @in_place(%x, %y) {spmd.buffers = [#spmd.buffer<argument, 0>, #spmd.buffer<arena, 0>]} : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
  return %b#0, %b#1 : tensor<16xf32>, tensor<16xf32>
}

// -----

// What is copied to the host stays what it is until the copy is awaited.
func.func @overwritten_while_copied(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64, spmd.host_size = 64 : i64} {
  // expected-note @+1 {{the value is made here}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    %h = spmd.offload %a {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
    spmd.yield %h : tensor<16xf32>
  }
  // expected-note @+1 {{and overwritten here}}
  %b = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<host, 0>]} : !spmd.future<tensor<16xf32>>
  return %b : tensor<16xf32>
}

// -----

// Where something comes back to, nothing else lies from the start of the copy on.
func.func @written_while_it_comes_back(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64, spmd.host_size = 64 : i64} {
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    // expected-note @+1 {{the value is made here}}
    %r = spmd.reload %h {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
    spmd.yield %r : tensor<16xf32>
  }
  // expected-note @+1 {{and overwritten here}}
  %b = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<arena, 0>]} : !spmd.future<tensor<16xf32>>
  return %w : tensor<16xf32>
}

// -----

// On the host, too, what is read must still be there.
func.func @overwritten_on_the_host(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64, spmd.host_size = 64 : i64} {
  // expected-note @+1 {{the value is made here}}
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  // expected-note @+1 {{and overwritten here}}
  %i = spmd.offload %y {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  // expected-error @+1 {{reads a value whose memory was overwritten}}
  %r = spmd.reload %h {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

func.func @outside_of_the_host(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64, spmd.host_size = 64 : i64} {
  // expected-error @+1 {{expected a buffer inside of the host's arena of 64 bytes, got #spmd.buffer<host, 64> of 64 bytes}}
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 64>]} : tensor<16xf32>
  return %x : tensor<16xf32>
}

// -----

func.func @without_a_host(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64} {
  // expected-error @+1 {{expected a buffer inside of the host's arena of 0 bytes, got #spmd.buffer<host, 0> of 64 bytes}}
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  return %x : tensor<16xf32>
}

// -----

// Only copies to the host lie there.
func.func @kernel_on_the_host(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64, spmd.host_size = 64 : i64} {
  // expected-error @+1 {{expected a buffer of the device, got #spmd.buffer<host, 0>}}
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<host, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    spmd.yield %0 : tensor<16xf32>
  }
  return %x : tensor<16xf32>
}

// -----

func.func @copied_to_the_device(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64, spmd.host_size = 64 : i64} {
  // expected-error @+1 {{expected a buffer on the host, got #spmd.buffer<arena, 0>}}
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
  %r = spmd.reload %h {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

func.func @awaited_on_the_device(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 64 : i64, spmd.host_size = 64 : i64} {
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
    spmd.yield %h : tensor<16xf32>
  }
  // expected-error @+1 {{expected a buffer on the host, got #spmd.buffer<arena, 0>}}
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<arena, 0>]} : !spmd.future<tensor<16xf32>>
  return %x : tensor<16xf32>
}

// -----

// What a function copies to the host might overwrite what its caller has there.
func.func @copies(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 0 : i64, spmd.host_size = 64 : i64} {
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  %r = spmd.reload %h {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<16xf32>
  return %r : tensor<16xf32>
}
func.func @calls_what_copies(%x: tensor<16xf32>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) attributes {spmd.arena_size = 0 : i64, spmd.host_size = 64 : i64} {
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  // expected-error @+1 {{expected a function that copies nothing to the host, as a call has no place for it there}}
  %c = call @copies(%y) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<16xf32>) -> tensor<16xf32>
  %r = spmd.reload %h {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<16xf32>
  return %r, %c : tensor<16xf32>, tensor<16xf32>
}

// -----

// Also where the caller has nothing there itself: its own size is what is allocated.
func.func @copies(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 0 : i64, spmd.host_size = 64 : i64} {
  %h = spmd.offload %x {spmd.buffers = [#spmd.buffer<host, 0>]} : tensor<16xf32>
  %r = spmd.reload %h {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<16xf32>
  return %r : tensor<16xf32>
}
func.func @calls_what_copies(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 0 : i64} {
  // expected-error @+1 {{expected a function that copies nothing to the host, as a call has no place for it there}}
  %c = call @copies(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<16xf32>
  return %c : tensor<16xf32>
}
