// Recomputing and splitting change no value: two stages, each with a product, an activation and a bias, and their gradients over four microbatches.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt %s --tessera-recompute-residuals --tessera-split-weight-gradients -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-6
// RUN: tessera-opt %s --tessera-recompute-residuals="schedule=gpipe memory-limit=1" --tessera-split-weight-gradients -o %t.least.mlir
// RUN: FileCheck %s --check-prefix=LEAST < %t.least.mlir
// RUN: tessera-interpret %t.least.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-6

// CHECK: pipe.fragment {{ ?}}input_gradient stage 1
// CHECK: pipe.fragment {{ ?}}weight_gradient stage 1
// CHECK: pipe.fragment {{ ?}}weight_gradient stage 0

// However little memory there is, the backward passes can start from what the stages were given.
// LEAST: pipe.fragment {{ ?}}forward stage 0 -> tensor<16x8xf32>
// LEAST: pipe.fragment {{ ?}}forward stage 1 -> tensor<f32>
// LEAST: pipe.fragment {{ ?}}input_gradient stage 1
// LEAST: tessera.dot_general
// LEAST: math.tanh
tessera.mesh @mesh = <["data"=1]>
func.func @main(%x: tensor<64x8xf32>, %w0: tensor<8x8xf32>, %b0: tensor<8xf32>, %w1: tensor<8x8xf32>, %b1: tensor<8xf32>)
    -> (tensor<f32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zeros0:2 = pipe.fragment once stage 0 -> tensor<8x8xf32>, tensor<8xf32> {
    %0 = arith.constant dense<0.0> : tensor<8x8xf32>
    %1 = arith.constant dense<0.0> : tensor<8xf32>
    pipe.yield %0, %1 : tensor<8x8xf32>, tensor<8xf32>
  }
  %zeros1:3 = pipe.fragment once stage 1 -> tensor<f32>, tensor<8x8xf32>, tensor<8xf32> {
    %0 = arith.constant dense<0.0> : tensor<f32>
    %1 = arith.constant dense<0.0> : tensor<8x8xf32>
    %2 = arith.constant dense<0.0> : tensor<8xf32>
    pipe.yield %0, %1, %2 : tensor<f32>, tensor<8x8xf32>, tensor<8xf32>
  }
  %sums:5 = scf.for %i = %c0 to %c4 step %c1
      iter_args(%loss = %zeros1#0, %gw0 = %zeros0#0, %gb0 = %zeros0#1, %gw1 = %zeros1#1, %gb1 = %zeros1#2)
      -> (tensor<f32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) {
    %cast = arith.index_cast %i : index to i32
    %number = tensor.from_elements %cast : tensor<i32>
    %f0:3 = pipe.fragment forward stage 0 -> tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32> {
      %size = arith.constant dense<16> : tensor<i32>
      %none = arith.constant dense<0> : tensor<i32>
      %at = arith.muli %number, %size : tensor<i32>
      %0 = tessera.dynamic_slice %x[%at, %none] : (tensor<64x8xf32>, tensor<i32>, tensor<i32>) -> tensor<16x8xf32>
      %1 = tessera.dot_general %0, %w0 batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %2 = tessera.broadcast %b0 dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
      %3 = arith.addf %1, %2 : tensor<16x8xf32>
      %4 = math.tanh %3 : tensor<16x8xf32>
      %5 = arith.mulf %4, %4 : tensor<16x8xf32>
      pipe.yield %0, %4, %5 : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
    }
    %h = pipe.transfer %f0#1 from 0 to 1 : tensor<16x8xf32>
    %f1:3 = pipe.fragment forward stage 1 -> tensor<f32>, tensor<16x8xf32>, tensor<16x8xf32> {
      %1 = tessera.dot_general %h, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %2 = tessera.broadcast %b1 dims = [1] : tensor<8xf32> -> tensor<16x8xf32>
      %3 = arith.addf %1, %2 : tensor<16x8xf32>
      %4 = math.tanh %3 : tensor<16x8xf32>
      %5 = arith.mulf %4, %4 : tensor<16x8xf32>
      %6 = tessera.reduce sum %5 dims = [0, 1] : tensor<16x8xf32> -> tensor<f32>
      %7 = arith.addf %loss, %6 : tensor<f32>
      pipe.yield %7, %4, %5 : tensor<f32>, tensor<16x8xf32>, tensor<16x8xf32>
    }
    %i1:3 = pipe.fragment input_gradient stage 1 -> tensor<16x8xf32>, tensor<8x8xf32>, tensor<8xf32> {
      %one = arith.constant dense<1.0> : tensor<16x8xf32>
      %0 = arith.subf %one, %f1#2 : tensor<16x8xf32>
      %1 = arith.mulf %0, %f1#1 : tensor<16x8xf32>
      %dh = tessera.dot_general %1, %w1 batching = [] x [] contracting = [1] x [1] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
      %dw = tessera.dot_general %h, %1 batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %db = tessera.reduce sum %1 dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
      %nw = arith.addf %gw1, %dw : tensor<8x8xf32>
      %nb = arith.addf %gb1, %db : tensor<8xf32>
      pipe.yield %dh, %nw, %nb : tensor<16x8xf32>, tensor<8x8xf32>, tensor<8xf32>
    }
    %dh = pipe.transfer %i1#0 from 1 to 0 : tensor<16x8xf32>
    %i0:2 = pipe.fragment input_gradient stage 0 -> tensor<8x8xf32>, tensor<8xf32> {
      %one = arith.constant dense<1.0> : tensor<16x8xf32>
      %0 = arith.subf %one, %f0#2 : tensor<16x8xf32>
      %1 = arith.mulf %0, %dh : tensor<16x8xf32>
      %dw = tessera.dot_general %f0#0, %1 batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %db = tessera.reduce sum %1 dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
      %nw = arith.addf %gw0, %dw : tensor<8x8xf32>
      %nb = arith.addf %gb0, %db : tensor<8xf32>
      pipe.yield %nw, %nb : tensor<8x8xf32>, tensor<8xf32>
    }
    scf.yield %f1#0, %i0#0, %i0#1, %i1#1, %i1#2 : tensor<f32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>
  }
  return %sums#0, %sums#1, %sums#2, %sums#3, %sums#4 : tensor<f32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>
}
