// What the phase codegen ensures, and what it says where that does not hold.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics --tessera-verify-code

// Declarations, and code for CPUs.
module attributes {rt.cpu = "x86-64-v3"} {
  func.func private @main(tensor<16xf32>) -> tensor<16xf32>
  module @program {
    llvm.func @tessera_main(%context: !llvm.ptr, %arguments: !llvm.ptr, %results: !llvm.ptr, %memory: !llvm.ptr) -> i32 {
      %status = llvm.mlir.constant(0 : i32) : i32
      llvm.return %status : i32
    }
  }
}

// -----

// Code for GPUs: the step's function is that of its architecture.
module attributes {rt.cpu = "x86-64-v3", rt.gpu = ["sm_90a"]} {
  module @kernels_0 {
    module @sm_90a {
      llvm.func @exp_0(%a: !llvm.ptr) {
        nvvm.barrier0
        llvm.return
      }
    }
    rt.grid_kernel @exp_0 [#rt.variant<90 steps = [<"exp_0" grid = [2, 1, 1] block = 128 shared = 0 buffers = [0]>]>]
  }
}

// -----

// expected-error @+1 {{expected a program with 'rt.cpu', got none}}
module {
}

// -----

module attributes {rt.cpu = "x86-64-v3"} {
  // expected-error @+1 {{expected functions outside of nested modules to be declarations, got a body of '@main'}}
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
}

// -----

module attributes {rt.cpu = "x86-64-v3"} {
  module @program {
    llvm.func @tessera_main_0(%x: i32) -> i32 {
      // expected-error @+1 {{expected the LLVM dialect, got 'arith.addi'}}
      %y = arith.addi %x, %x : i32
      llvm.return %y : i32
    }
  }
}

// -----

// The function is there, but for another architecture.
module attributes {rt.cpu = "x86-64-v3", rt.gpu = ["sm_80", "sm_90a"]} {
  module @kernels_0 {
    module @sm_80 {
      llvm.func @exp_0(%a: !llvm.ptr) {
        llvm.return
      }
    }
    module @sm_90a {
    }
    // expected-error @+1 {{expected a function '@exp_0' for architecture 90, got none}}
    rt.grid_kernel @exp_0 [#rt.variant<90 steps = [<"exp_0" grid = [2, 1, 1] block = 128 shared = 0 buffers = [0]>]>]
  }
}

// -----

// No architecture has it.
module attributes {rt.cpu = "x86-64-v3", rt.gpu = ["sm_80"]} {
  module @kernels_0 {
    // expected-error @below {{expected a function '@exp_0' for architecture 80, got none}}
    rt.grid_kernel @exp_0 [#rt.variant<80 steps = [<"exp_0" grid = [2, 1, 1] block = 128 shared = 0 buffers = [0]>]>]
  }
}

// -----

// A processor has a name.
// expected-error @below {{expected a program with 'rt.cpu', got none}}
module attributes {rt.cpu = 64 : i64} {
}

// -----

// The other functions are not there either.
module attributes {rt.cpu = "x86-64-v3"} {
  func.func private @main(tensor<16xf32>)
  // expected-error @below {{expected functions outside of nested modules to be declarations, got a body of '@forward_0'}}
  func.func @forward_0() {
    return
  }
}

// -----

module attributes {rt.cpu = "x86-64-v3"} {
  module @program {
    // expected-error @below {{expected the LLVM dialect, got 'func.func'}}
    func.func private @tessera_main_0()
  }
}
