// An effect happens once a microbatch: what a callback gave is kept for the backward pass, whatever memory is left.
// RUN: tessera-opt %s --tessera-recompute-residuals="schedule=1f1b memory-limit=1" | FileCheck %s

tessera.mesh @mesh = <["data"=1]>

// CHECK: pipe.fragment {{ ?}}forward
// CHECK: tessera.library_call
// CHECK: pipe.fragment {{ ?}}input_gradient
// CHECK-NOT: tessera.library_call
// CHECK: tessera.dot_general
// CHECK-NOT: tessera.library_call
func.func @main(%x: tensor<256x256xf32>, %zero: tensor<256x256xf32>, %none: tensor<i32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
    %f:2 = pipe.fragment forward stage 0 -> tensor<256x256xf32>, tensor<256x256xf32> {
      %0:2 = tessera.library_call "xla_ffi_python_cpu_callback"(%x, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<i32 []>] : (tensor<256x256xf32>, tensor<i32>) -> (tensor<256x256xf32>, tensor<i32>)
      %1 = tessera.dot_general %0#0, %x batching = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      pipe.yield %0#0, %1 : tensor<256x256xf32>, tensor<256x256xf32>
    }
    %b = pipe.fragment input_gradient stage 0 -> tensor<256x256xf32> {
      %0 = arith.mulf %f#0, %f#1 : tensor<256x256xf32>
      %1 = arith.addf %acc, %0 : tensor<256x256xf32>
      pipe.yield %1 : tensor<256x256xf32>
    }
    scf.yield %b : tensor<256x256xf32>
  }
  return %sum : tensor<256x256xf32>
}
