// RUN: split-file %s %t
// RUN: not tessera-opt %t/program.mlir --tessera-lower-to-gpu=arch=70 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: program.mlir:{{.*}} error: unknown architecture: expected 80 or 90, got 70
// RUN: not tessera-opt %t/program.mlir --tessera-lower-to-gpu=arch=80,100 2>&1 | FileCheck %s --check-prefix=NEW
// NEW: error: unknown architecture: expected 80 or 90, got 100
// RUN: tessera-opt %t/operations.mlir -split-input-file -verify-diagnostics --tessera-lower-to-gpu=arch=90 --tessera-convert-to-nvvm

//--- program.mlir
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

//--- operations.mlir
// What neither LLVM has instructions for nor arithmetic on f64 computes.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xi32>) -> tensor<4xf32> {
  %0 = spmd.kernel(%x, %y) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %i: tensor<4xi32>):
    // expected-error @below {{unsupported operation: 'math.fpowi' of 'vector<4xf32>' has no code for GPUs}}
    %b = math.fpowi %a, %i : tensor<4xf32>, tensor<4xi32>
    spmd.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<i1> {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<f32>) -> tensor<i1> {
  ^bb0(%a: tensor<f32>):
    // expected-error @below {{unsupported operation: 'math.isnan' of 'i1' has no code for GPUs}}
    %b = math.isnan %a : tensor<f32>
    spmd.yield %b : tensor<i1>
  }
  return %0 : tensor<i1>
}
