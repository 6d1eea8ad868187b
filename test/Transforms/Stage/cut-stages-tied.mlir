// A parameter of two stages: each adds up its part of the gradient, the sums meet
// once per step.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// CHECK: %[[R:.*]]:3 = scf.for
// CHECK-SAME: -> (tensor<64x256xf32>, tensor<f32>, tensor<64x256xf32>)
// CHECK: pipe.fragment input_gradient stage 1
// CHECK: arith.addf %{{.*}} : tensor<64x256xf32>
// CHECK: pipe.fragment input_gradient stage 0
// CHECK: arith.addf %{{.*}} : tensor<64x256xf32>
// CHECK: scf.yield
// What is the same on all devices is sent in parts.
// CHECK: %[[SENT:.*]] = pipe.fragment once stage
// CHECK: tessera.reshard %[[R]]#{{[0-9]}} to <@mesh, [{"data"}, {}]>
// CHECK-COUNT-1: pipe.transfer %[[SENT]] {{.*}} : tensor<64x256xf32>
// CHECK-NOT: pipe.transfer
// CHECK: arith.addf %{{.*}} : tensor<64x256xf32>

tessera.mesh @mesh = <["data"=2]>
func.func @main(%w: tensor<64x256xf32> {tessera.donated = 0 : i32, tessera.name = "w"}, %x: tensor<16x64xf32> {tessera.name = "x"})
    -> (tensor<64x256xf32> {tessera.name = "new"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<64x256xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zeros, %l = %zero) -> (tensor<64x256xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
    %t = math.tanh %h : tensor<4x256xf32>
    %e = tessera.stage_end %t : tensor<4x256xf32>
    %o = tessera.dot_general %e, %w batching = [] x [] contracting = [1] x [1] : (tensor<4x256xf32>, tensor<64x256xf32>) -> tensor<4x64xf32>
    %sq = arith.mulf %o, %o : tensor<4x64xf32>
    %ls = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %do = arith.addf %o, %o : tensor<4x64xf32>
    %dw2 = tessera.dot_general %do, %e batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
    %dt = tessera.dot_general %do, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
    %tt = arith.mulf %t, %t : tensor<4x256xf32>
    %one = arith.constant dense<1.0> : tensor<4x256xf32>
    %s = arith.subf %one, %tt : tensor<4x256xf32>
    %dh = arith.mulf %dt, %s : tensor<4x256xf32>
    %dw1 = tessera.dot_general %xb, %dh batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
    %dw = arith.addf %dw1, %dw2 : tensor<64x256xf32>
    %a2 = arith.addf %a, %dw : tensor<64x256xf32>
    %l2 = arith.addf %l, %ls : tensor<f32>
    scf.yield %a2, %l2 : tensor<64x256xf32>, tensor<f32>
  } {pipe.microbatches}
  %lr = arith.constant dense<0.01> : tensor<64x256xf32>
  %step = arith.mulf %r#0, %lr : tensor<64x256xf32>
  %new = arith.subf %w, %step : tensor<64x256xf32>
  return %new, %r#1 : tensor<64x256xf32>, tensor<f32>
}
