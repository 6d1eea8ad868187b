// Schedules that the program cannot follow, and programs that are not cut into stages.
// RUN: tessera-opt --tessera-split-programs --split-input-file --verify-diagnostics %s

func.func @other(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a schedule on a loop at the top of @main}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the first is here}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  // expected-error @below {{expected one loop with a schedule, got a second}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a #pipe.schedule in pipe.schedule}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = "1f1b"}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a task like 2F5, got '0Q0'}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0 0Q0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a task of 2 stages and 1 microbatches, got '1F1'}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 1, ["0F0", "1F1"]>}
  return
}

// -----

func.func @main(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expected-error @below {{expected constant bounds}}
  scf.for %i = %c0 to %n step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-error @below {{expected one iteration for each of 3 microbatches, got 2}}
  scf.for %i = %c0 to %c2 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 3, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected only fragments, transfers and what needs no tensor around the loop with a schedule and in it}}
  %0 = math.tanh %a : tensor<f32>
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return %0 : tensor<f32>
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @below {{expected fragments of the kind 'once' around the loop, the others in it}}
    pipe.fragment once stage 0 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @below {{expected one of 1 stages, got 1}}
    pipe.fragment forward stage 1 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a task for vocabulary_backward of stage 0 and microbatch 0 in the schedule 's', got none}}
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment vocabulary_forward stage 0 {
      pipe.yield
    }
    // expected-note @below {{the fragment is here}}
    pipe.fragment vocabulary_backward stage 0 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, meetings = 1, ["0F0 0S0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected every task once, got 0F0 on pipeline ranks 0 and 1}}
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0", "0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-error @below {{expected a task for weight_gradient of stage 0 and microbatch 1 in the schedule 's', got none}}
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-note @below {{the fragment is here}}
    pipe.fragment weight_gradient stage 0 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 2, ["0F0 0F1 0I0 0I1 0W0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 1, ["0F0"]>}
  // expected-error @below {{expected a pipeline rank with tasks of stage 1 in the schedule 's', got none}}
  pipe.fragment once stage 1 {
    pipe.yield
  }
  return
}

// -----

// Both ranks would add their microbatches to the same ones.
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = pipe.fragment once stage 0 -> tensor<f32> {
    %0 = arith.constant dense<1.0> : tensor<f32>
    pipe.yield %0 : tensor<f32>
  }
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %one) -> tensor<f32> {
    // expected-error @below {{expected what several tasks or pipeline ranks accumulate apart to start from the neutral element of 'sum'}}
    %next = pipe.fragment forward stage 0 -> tensor<f32> {
      %0 = arith.addf %s, %a : tensor<f32>
      pipe.yield %0 : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 2, ["0F0", "0F1"]>}
  return %sum : tensor<f32>
}

// -----

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @below {{expected to use tensors from around it, got a value of type 'index'}}
    pipe.fragment forward stage 0 {
      %0 = arith.index_cast %i : index to i32
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-note @below {{the value is here}}
    %0 = pipe.fragment forward stage 0 -> tensor<f32> {
      pipe.yield %a : tensor<f32>
    }
    // expected-error @below {{expected pipeline rank 0 to compute first what this needs of microbatch 0, got it later in the schedule 's'}}
    %1 = pipe.fragment input_gradient stage 0 -> tensor<f32> {
      pipe.yield %0 : tensor<f32>
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0B0 0F0"]>}
  return
}

// -----

// What is carried is overwritten and not added to, so that the order of the microbatches matters.
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = pipe.fragment once stage 0 -> tensor<f32> {
    %0 = arith.constant dense<1.0> : tensor<f32>
    pipe.yield %0 : tensor<f32>
  }
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %one) -> tensor<f32> {
    // expected-note @+2 {{the value is here}}
    // expected-error @below {{expected pipeline rank 0 to compute first what this needs of microbatch 0, got it later in the schedule 's'}}
    %next = pipe.fragment forward stage 0 -> tensor<f32> {
      %0 = math.tanh %s : tensor<f32>
      pipe.yield %0 : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 2, ["0F1 0F0"]>}
  return %last : tensor<f32>
}

// -----

func.func @main(%w: tensor<2x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tessera.slice %w [0, 0] to [1, 4] by [1, 1] : tensor<2x4xf32> -> tensor<1x4xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment forward stage 0 {
      // expected-error @below {{expected rows of argument 0, which is taken apart elsewhere, got all of it}}
      %0 = arith.addf %w, %w : tensor<2x4xf32>
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return %row : tensor<1x4xf32>
}

// -----

func.func @main(%w: tensor<2x4xf32> {tessera.donated = 0 : i32}) -> tensor<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected the result that argument 0 is donated to in the same rows}}
  %row = tessera.slice %w [0, 0] to [1, 4] by [1, 1] : tensor<2x4xf32> -> tensor<1x4xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment forward stage 0 {
      %0 = arith.addf %row, %row : tensor<1x4xf32>
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  %new = pipe.fragment once stage 0 -> tensor<2x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<2x4xf32>
    pipe.yield %0 : tensor<2x4xf32>
  }
  return %new : tensor<2x4xf32>
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  scf.if %true {
    // expected-error @below {{expected a schedule on a loop at the top of @main}}
    scf.for %i = %c0 to %c1 step %c1 {
    } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  }
  return
}

// -----

func.func @main(%a: tensor<f32>, %go: i1) {
  // expected-error @below {{expected a schedule on a loop at the top of @main}}
  scf.while : () -> () {
    scf.condition(%go)
  } do {
    scf.yield
  } attributes {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a #pipe.schedule in pipe.schedule}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = ["0F0"]}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a task like 2F5, got '0F'}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a task of 1 stages and 1 microbatches, got '1F0'}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["1F0"]>}
  return
}

// -----

// A step that is no constant.
func.func @main(%a: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  // expected-error @below {{expected constant bounds}}
  scf.for %i = %c0 to %c4 step %n {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected one iteration for each of 1 microbatches, got 2}}
  scf.for %i = %c0 to %c4 step %c3 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %c1 step %c1 iter_args(%s = %a) -> tensor<f32> {
    // expected-error @below {{expected only fragments, transfers and what needs no tensor around the loop with a schedule and in it}}
    %0 = arith.addf %s, %a : tensor<f32>
    scf.yield %0 : tensor<f32>
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return %sum : tensor<f32>
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected fragments of the kind 'once' around the loop, the others in it}}
  pipe.fragment weight_gradient stage 0 {
    pipe.yield
  }
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected one of 2 stages, got 2}}
  pipe.fragment once stage 2 {
    pipe.yield
  }
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 1, ["0F0 1F0"]>}
  return
}

// -----

// A backward pass that is one task, and in parts.
func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected every task once, got 0W0 on pipeline ranks 0 and 0}}
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment weight_gradient stage 0 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0 0B0 0W0"]>}
  return
}

// -----

func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a pipeline rank with tasks of stage 1 in the schedule 's', got none}}
  pipe.fragment once stage 1 {
    pipe.yield
  }
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 3, microbatches = 1, ["0F0", "2F0"]>}
  return
}

// -----

// A product of what the ranks multiply apart starts from one, not from what an argument holds.
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %product = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %a) -> tensor<f32> {
    // expected-error @below {{expected what several tasks or pipeline ranks accumulate apart to start from the neutral element of 'product'}}
    %next = pipe.fragment forward stage 0 -> tensor<f32> {
      %0 = arith.mulf %s, %a : tensor<f32>
      pipe.yield %0 : tensor<f32>
    }
    scf.yield %next : tensor<f32>
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 2, ["0F0", "0F1"]>}
  return %product : tensor<f32>
}

// -----

func.func @main(%n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected to use tensors from around it, got a value of type 'i32'}}
  pipe.fragment once stage 0 {
    %0 = arith.addi %n, %n : i32
    pipe.yield
  }
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

// Rows of an argument and all of it.
func.func @main(%a: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tessera.slice %a [0] to [2] by [1] : tensor<4xf32> -> tensor<2xf32>
  pipe.fragment once stage 0 {
    %1 = math.exp %0 : tensor<2xf32>
    pipe.yield
  }
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment forward stage 0 {
      // expected-error @below {{expected rows of argument 0, which is taken apart elsewhere, got all of it}}
      %1 = math.exp %a : tensor<4xf32>
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return
}

// -----

// expected-error @below {{expected a function of one block}}
func.func @main(%a: tensor<4xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  cf.br ^next
^next:
  return
}

// -----

// expected-error @below {{expected a function of one block}}
func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^next(%a, %a : tensor<4xf32>, tensor<4xf32>)
^next(%b: tensor<4xf32>, %c: tensor<4xf32>):
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  %0 = tessera.slice %b [0] to [2] by [1] : tensor<4xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%a: tensor<4xf32> {tessera.donated = 0 : i32}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected the result that argument 0 is donated to in the same rows}}
  %0 = tessera.slice %a [0] to [2] by [1] : tensor<4xf32> -> tensor<2xf32>
  %1 = pipe.fragment once stage 0 -> tensor<4xf32> {
    %2 = tessera.concatenate %0, %0 dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    pipe.yield %2 : tensor<4xf32>
  }
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  return %1 : tensor<4xf32>
}

// -----

// What the second one says does not matter.
func.func @main(%a: tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the first is here}}
  scf.for %i = %c0 to %c1 step %c1 {
    pipe.fragment forward stage 0 {
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 1, microbatches = 1, ["0F0"]>}
  pipe.fragment once stage 0 {
    pipe.yield
  }
  // expected-error @below {{expected one loop with a schedule, got a second}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {pipe.schedule = "1f1b"}
  return
}
