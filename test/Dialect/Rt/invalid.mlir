// Every check of the verifiers, with what it says.
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// A variant of a kernel is made of steps.
module {
  rt.grid_kernel @k [
    // expected-error @below {{expected steps to be grids or library steps, got 7 : i64}}
    #rt.variant<80 steps = [7]>]
}

// -----

// Of steps that others run, only those of a library are known.
module {
  // expected-error @below {{expected steps to be grids or library steps, got "cublasLtMatmul"}}
  rt.grid_kernel @k [#rt.variant<80 steps = ["cublasLtMatmul"]>]
}

// -----

// Every buffer that a routine gets has a type.
llvm.func @f(%context: !llvm.ptr, %a: !llvm.ptr) {
  // expected-error @below {{expected 1 types, got 2}}
  rt.call_routine %context "r"(%a) with {} of [tensor<4xf32>, tensor<4xf32>] inputs = 1 name = "r" : !llvm.ptr (!llvm.ptr)
  llvm.return
}

// -----

// Operands are among the buffers.
llvm.func @f(%context: !llvm.ptr, %a: !llvm.ptr) {
  // expected-error @below {{expected at most 1 inputs, got 2}}
  rt.call_routine %context "r"(%a) with {} of [tensor<4xf32>] inputs = 2 name = "r" : !llvm.ptr (!llvm.ptr)
  llvm.return
}

// -----

// Routines get arrays.
llvm.func @f(%context: !llvm.ptr, %a: !llvm.ptr) {
  // expected-error @below {{expected types to be tensors, got 'f32'}}
  rt.call_routine %context "r"(%a) with {} of [f32] inputs = 1 name = "r" : !llvm.ptr (!llvm.ptr)
  llvm.return
}

// -----

// No buffer is without a type.
llvm.func @f(%context: !llvm.ptr, %a: !llvm.ptr) {
  // expected-error @below {{expected 2 types, got 1}}
  rt.call_routine %context "r"(%a, %a) with {} of [tensor<4xf32>] inputs = 1 name = "r" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
  llvm.return
}

// -----

// Also of several.
llvm.func @f(%context: !llvm.ptr, %a: !llvm.ptr) {
  // expected-error @below {{expected at most 2 inputs, got 3}}
  rt.call_routine %context "r"(%a, %a) with {} of [tensor<4xf32>, tensor<i1>] inputs = 3 name = "r" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
  llvm.return
}

// -----

// Arrays have elements and a shape.
llvm.func @f(%context: !llvm.ptr, %a: !llvm.ptr) {
  // expected-error @below {{expected types to be tensors, got 'vector<4xf32>'}}
  rt.call_routine %context "r"(%a) with {} of [vector<4xf32>] inputs = 1 name = "r" : !llvm.ptr (!llvm.ptr)
  llvm.return
}
