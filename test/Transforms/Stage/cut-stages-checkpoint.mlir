// What a checkpoint repeats is repeated where the forward pass has it, and
// layers may be cut: what crosses the boundary is not repeated for the second
// stage, which has it from the forward pass.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-6

// CHECK: scf.for
// CHECK: pipe.fragment forward stage 0
// CHECK: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK: %[[T:.*]] = pipe.transfer %{{.*}} from 0 to 1
// CHECK-NOT: pipe.transfer
// CHECK: pipe.fragment forward stage 1
// CHECK: tessera.dot_general %[[T]]
// CHECK-NOT: tessera.dot_general
// CHECK-NOT: pipe.transfer
// CHECK: pipe.fragment input_gradient stage 1
// CHECK: %[[B:.*]]:2 = tessera.optimization_barrier
// CHECK: tessera.dot_general %[[T]], %[[B]]#
// CHECK-COUNT-2: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK: pipe.transfer %{{.*}} from 1 to 0
// CHECK-NOT: pipe.transfer
// CHECK: pipe.fragment input_gradient stage 0
// CHECK: tessera.optimization_barrier
// CHECK-COUNT-2: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK: scf.yield

tessera.mesh @mesh = <["data"=1]>
func.func @main(%w1: tensor<64x64xf32> {tessera.donated = 0 : i32, tessera.name = "w1"},
    %w2: tensor<64x64xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
    %x: tensor<16x64xf32> {tessera.name = "x"})
    -> (tensor<64x64xf32> {tessera.name = "new1"}, tensor<64x64xf32> {tessera.name = "new2"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<4x64xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %zeros, %a2 = %zeros, %l = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %d1 = tessera.dot_general %xb, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %t1 = math.tanh %d1 : tensor<4x64xf32>
    %e1 = tessera.stage_end %t1 : tensor<4x64xf32>
    %d2 = tessera.dot_general %e1, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %t2 = math.tanh %d2 : tensor<4x64xf32>
    %sq = arith.mulf %t2, %t2 : tensor<4x64xf32>
    %loss = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %dl = arith.addf %t2, %t2 : tensor<4x64xf32>
    // Everything again, and what is derived from it.
    %b:4 = tessera.optimization_barrier %xb, %w1, %w2, %dl : (tensor<4x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<4x64xf32>)
    %rd1 = tessera.dot_general %b#0, %b#1 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %rt1 = math.tanh %rd1 : tensor<4x64xf32>
    %re1 = tessera.stage_end %rt1 : tensor<4x64xf32>
    %rd2 = tessera.dot_general %re1, %b#2 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %rt2 = math.tanh %rd2 : tensor<4x64xf32>
    %s2 = arith.mulf %rt2, %rt2 : tensor<4x64xf32>
    %f2 = arith.subf %one, %s2 : tensor<4x64xf32>
    %g2 = arith.mulf %b#3, %f2 : tensor<4x64xf32>
    %dw2 = tessera.dot_general %re1, %g2 batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
    %dt1 = tessera.dot_general %g2, %b#2 batching = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %s1 = arith.mulf %rt1, %rt1 : tensor<4x64xf32>
    %f1 = arith.subf %one, %s1 : tensor<4x64xf32>
    %g1 = arith.mulf %dt1, %f1 : tensor<4x64xf32>
    %dw1 = tessera.dot_general %b#0, %g1 batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
    %n1 = arith.addf %a1, %dw1 : tensor<64x64xf32>
    %n2 = arith.addf %a2, %dw2 : tensor<64x64xf32>
    %l2 = arith.addf %l, %loss : tensor<f32>
    scf.yield %n1, %n2, %l2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
  } {pipe.microbatches}
  %new1 = arith.subf %w1, %r#0 : tensor<64x64xf32>
  %new2 = arith.subf %w2, %r#1 : tensor<64x64xf32>
  return %new1, %new2, %r#2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
}
