// Stacked parameters that the model takes by index, in a loop that has been unrolled: their gradients are padded and added up, or written into zeros, what layers keep is put together and
// taken apart again. Each stage has the rows of its layer, of momenta, too, and nothing of another's is sent once per step.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[W0:.*]] = tessera.slice %arg0 [0, 0, 0] to [1, 64, 64]
// CHECK-DAG: %[[W1:.*]] = tessera.slice %arg0 [1, 0, 0] to [2, 64, 64]
// CHECK-DAG: %[[M0:.*]] = tessera.slice %arg1 [0, 0, 0] to [1, 64, 64]
// CHECK-DAG: %[[M1:.*]] = tessera.slice %arg1 [1, 0, 0] to [2, 64, 64]
// CHECK: scf.for
// CHECK-NOT: tessera.concatenate
// CHECK: pipe.microbatches
// CHECK-NOT: pipe.transfer
// CHECK: pipe.fragment once stage 0
// CHECK-NOT: tessera.pad
// CHECK: arith.mulf %[[M0]]
// CHECK: arith.subf %[[W0]]
// CHECK: pipe.fragment once stage 1
// CHECK-NOT: tessera.dynamic_update_slice
// CHECK: arith.mulf %[[M1]]
// CHECK: arith.subf %[[W1]]
// CHECK-NOT: pipe.transfer
// CHECK-COUNT-2: tessera.concatenate
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<2x64x64xf32> {tessera.donated = 0 : i32, tessera.name = "w"},
    %m: tensor<2x64x64xf32> {tessera.donated = 1 : i32, tessera.name = "m"}, %x: tensor<16x64xf32> {tessera.name = "x"})
    -> (tensor<2x64x64xf32> {tessera.name = "new"}, tensor<2x64x64xf32> {tessera.name = "momentum"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %w0s = tessera.slice %w [0, 0, 0] to [1, 64, 64] by [1, 1, 1] : tensor<2x64x64xf32> -> tensor<1x64x64xf32>
  %w0 = tessera.reshape %w0s : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %w1s = tessera.slice %w [1, 0, 0] to [2, 64, 64] by [1, 1, 1] : tensor<2x64x64xf32> -> tensor<1x64x64xf32>
  %w1 = tessera.reshape %w1s : tensor<1x64x64xf32> -> tensor<64x64xf32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a0 = %none, %a1 = %none, %l = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %h = tessera.dot_general %xb, %w0 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %h0 = tessera.stage_end %h : tensor<4x64xf32>
    %h1 = tessera.dot_general %h0, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %k0 = tessera.reshape %xb : tensor<4x64xf32> -> tensor<1x4x64xf32>
    %k1 = tessera.reshape %h0 : tensor<4x64xf32> -> tensor<1x4x64xf32>
    %kept = tessera.concatenate %k0, %k1 dim = 0 : (tensor<1x4x64xf32>, tensor<1x4x64xf32>) -> tensor<2x4x64xf32>
    %sq = arith.mulf %h1, %h1 : tensor<4x64xf32>
    %loss = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %l1 = arith.addf %l, %loss : tensor<f32>
    %g1 = arith.addf %h1, %h1 : tensor<4x64xf32>
    %in1s = tessera.slice %kept [1, 0, 0] to [2, 4, 64] by [1, 1, 1] : tensor<2x4x64xf32> -> tensor<1x4x64xf32>
    %in1 = tessera.reshape %in1s : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %d1 = tessera.dot_general %in1, %g1 batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
    %g0 = tessera.dot_general %g1, %w1 batching = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %in0s = tessera.slice %kept [0, 0, 0] to [1, 4, 64] by [1, 1, 1] : tensor<2x4x64xf32> -> tensor<1x4x64xf32>
    %in0 = tessera.reshape %in0s : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %d0 = tessera.dot_general %in0, %g0 batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
    %s0 = arith.addf %a0, %d0 : tensor<64x64xf32>
    %s1 = arith.addf %a1, %d1 : tensor<64x64xf32>
    scf.yield %s0, %s1, %l1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
  } {pipe.microbatches}
  %p0 = tessera.reshape %r#0 : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %p1 = tessera.reshape %r#1 : tensor<64x64xf32> -> tensor<1x64x64xf32>
  %padded = tessera.pad %p0 with %zero low = [0, 0, 0] high = [1, 0, 0] interior = [0, 0, 0] : (tensor<1x64x64xf32>, tensor<f32>) -> tensor<2x64x64xf32>
  %written = tessera.dynamic_update_slice %zeros, %p1[%one, %zi, %zi] : (tensor<2x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x64xf32>
  %gradient = arith.addf %padded, %written : tensor<2x64x64xf32>
  %decay = arith.constant dense<0.9> : tensor<2x64x64xf32>
  %old = arith.mulf %m, %decay : tensor<2x64x64xf32>
  %momentum = arith.addf %old, %gradient : tensor<2x64x64xf32>
  %new = arith.subf %w, %momentum : tensor<2x64x64xf32>
  return %new, %momentum, %r#2 : tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<f32>
}
