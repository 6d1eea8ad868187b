// RUN: tessera-opt %s --tessera-verify-stages --split-input-file --verify-diagnostics

// A function that has been cut has a loop over microbatches.

// expected-error @+1 {{expected a loop over microbatches}}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = pipe.fragment once stage 0 -> tensor<8xf32> {
    %1 = arith.addf %a, %a : tensor<8xf32>
    pipe.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// There is one such loop.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  // expected-error @+1 {{expected one loop over microbatches}}
  scf.for %i = %lo to %hi step %hi {
  } {pipe.microbatches}
  return
}

// -----

// Around the loop stands what runs once.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  // expected-error @+1 {{expected kind 'once' outside of the loop over microbatches, got 'forward'}}
  pipe.fragment forward stage 0 {
    pipe.yield
  }
  return
}

// -----

// In the loop stand tasks.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    // expected-error @+1 {{expected a task of a microbatch in the loop, got kind 'once'}}
    pipe.fragment once stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// Everything else stands in fragments.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) -> tensor<8xf32> {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  // expected-error @+1 {{expected in a fragment}}
  %0 = arith.addf %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Also in the loop, but for what says which microbatch it is.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    %n = arith.index_cast %i : index to i32
    // expected-error @+1 {{expected in a fragment}}
    %0 = arith.addf %a, %a : tensor<8xf32>
    pipe.fragment forward stage 0 {
      %1 = arith.addf %0, %a : tensor<8xf32>
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// What another stage makes is transferred.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    // expected-note @+1 {{made here}}
    %0 = pipe.fragment forward stage 0 -> tensor<8xf32> {
      %1 = arith.addf %a, %a : tensor<8xf32>
      pipe.yield %1 : tensor<8xf32>
    }
    // expected-error @+1 {{expected values of stage 1, got one of stage 0}}
    pipe.fragment forward stage 1 {
      %2 = arith.addf %0, %a : tensor<8xf32>
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// A transfer has two ends.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    %0 = pipe.fragment forward stage 0 -> tensor<8xf32> {
      %1 = arith.addf %a, %a : tensor<8xf32>
      pipe.yield %1 : tensor<8xf32>
    }
    // expected-error @+1 {{expected two stages, got stage 0 twice}}
    %2 = pipe.transfer %0 from 0 to 0 : tensor<8xf32>
  } {pipe.microbatches}
  return
}

// -----

// What all stages have is not transferred.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    // expected-error @+1 {{expected a value of one stage, got one that all stages have}}
    %2 = pipe.transfer %a from 0 to 1 : tensor<8xf32>
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// A stage has one task of a kind.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    // expected-error @+1 {{expected one fragment 'forward' of stage 0, got another one}}
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// Stages are numbered without gaps.

func.func @main(%lo: index, %hi: index) {
  // expected-error @+1 {{expected a fragment 'forward' of every stage, got none of stage 0}}
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 1 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// What the loop carries comes from a fragment.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) -> tensor<8xf32> {
  // expected-error @+1 {{expected carried values that fragments yield}}
  %0 = scf.for %i = %lo to %hi step %hi iter_args(%s = %a) -> tensor<8xf32> {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    scf.yield %a : tensor<8xf32>
  } {pipe.microbatches}
  return %0 : tensor<8xf32>
}

// -----

// And starts on the stage of that fragment.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) -> tensor<8xf32> {
  // expected-note @+1 {{made here}}
  %z = pipe.fragment once stage 0 -> tensor<8xf32> {
    %1 = arith.addf %a, %a : tensor<8xf32>
    pipe.yield %1 : tensor<8xf32>
  }
  // expected-error @+1 {{expected values of stage 1, got one of stage 0}}
  %0 = scf.for %i = %lo to %hi step %hi iter_args(%s = %z) -> tensor<8xf32> {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    %2 = pipe.fragment forward stage 1 -> tensor<8xf32> {
      %3 = arith.addf %a, %s : tensor<8xf32>
      pipe.yield %3 : tensor<8xf32>
    }
    scf.yield %2 : tensor<8xf32>
  } {pipe.microbatches}
  return %0 : tensor<8xf32>
}

// -----

// The parts of a weight gradient are numbered in their order.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    pipe.fragment weight_gradient stage 0 {
      pipe.yield
    }
    // expected-error @+1 {{expected part 1 of stage 0 next, got part 2}}
    pipe.fragment weight_gradient stage 0 part 2 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// What runs once is not what all do.

func.func @main(%lo: index, %hi: index) {
  // expected-error @below {{expected kind 'once' outside of the loop over microbatches, got 'weight_gradient'}}
  pipe.fragment weight_gradient stage 0 part 1 {
    pipe.yield
  }
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    pipe.fragment forward stage 1 {
      pipe.yield
    }
    // expected-error @below {{expected a task of a microbatch in the loop, got kind 'once'}}
    pipe.fragment once stage 1 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// A transfer between the steps has two ends, too.

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) -> tensor<8xf32> {
  %0 = pipe.fragment once stage 1 -> tensor<8xf32> {
    pipe.yield %a : tensor<8xf32>
  }
  // expected-error @below {{expected two stages, got stage 1 twice}}
  %1 = pipe.transfer %0 from 1 to 1 : tensor<8xf32>
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  return %1 : tensor<8xf32>
}

// -----

// What is known by a microbatch's number, all stages have.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    %n = arith.index_cast %i : index to i32
    %t = tensor.from_elements %n : tensor<i32>
    // expected-error @below {{expected a value of one stage, got one that all stages have}}
    %2 = pipe.transfer %t from 0 to 1 : tensor<i32>
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// Nor has it a part twice.

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    pipe.fragment weight_gradient stage 0 {
      pipe.yield
    }
    pipe.fragment weight_gradient stage 0 part 1 {
      pipe.yield
    }
    // expected-error @below {{expected one fragment 'weight_gradient' of stage 0, got another one}}
    pipe.fragment weight_gradient stage 0 part 1 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

// A stage that only goes backward is none.

func.func @main(%lo: index, %hi: index) {
  // expected-error @below {{expected a fragment 'forward' of every stage, got none of stage 1}}
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    pipe.fragment input_gradient stage 1 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) -> tensor<8xf32> {
  // expected-error @below {{expected carried values that fragments yield}}
  %0 = scf.for %i = %lo to %hi step %hi iter_args(%s = %a) -> tensor<8xf32> {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    scf.yield %s : tensor<8xf32>
  } {pipe.microbatches}
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%lo: index, %hi: index) {
  scf.for %i = %lo to %hi step %hi {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    // expected-error @below {{expected part 0 of stage 0 next, got part 1}}
    pipe.fragment weight_gradient stage 0 part 1 {
      pipe.yield
    }
  } {pipe.microbatches}
  return
}

// -----

func.func @main(%a: tensor<8xf32>, %lo: index, %hi: index) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error @below {{expected carried values that fragments yield}}
  %0:2 = scf.for %i = %lo to %hi step %hi iter_args(%s = %a, %t = %a) -> (tensor<8xf32>, tensor<8xf32>) {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
    scf.yield %t, %s : tensor<8xf32>, tensor<8xf32>
  } {pipe.microbatches}
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
