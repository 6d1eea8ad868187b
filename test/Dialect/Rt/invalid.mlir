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
