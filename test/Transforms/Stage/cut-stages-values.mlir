// A step of a two-layer network with clipped gradients, cut in two: the tasks of
// a microbatch, what passes between them, and what runs once.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// The step computes what it computed before.
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-6

// Each stage has its part of the batch, with what is resharded resharded once, and
// zeros to accumulate in.
// CHECK: %[[ONCE0:.*]]:2 = pipe.fragment once stage 0
// CHECK: %[[ONCE1:.*]]:2 = pipe.fragment once stage 1
// CHECK: scf.for
// CHECK-SAME: iter_args(%[[SUM1:.*]] = %[[ONCE0]]#1, %[[SUM2:.*]] = %[[ONCE1]]#0, %[[LOSS:.*]] = %[[ONCE1]]#1)
// CHECK: %[[F0:.*]] = pipe.fragment forward stage 0
// CHECK:   tessera.dot_general
// What is the same on all devices is sent in parts.
// CHECK:   %[[PART:.*]] = tessera.reshard %{{.*}} to <@mesh, [{"data"}, {}]>
// CHECK:   pipe.yield %[[PART]]
// CHECK: %[[T:.*]] = pipe.transfer %[[F0]] from 0 to 1
// CHECK: %[[F1:.*]]:3 = pipe.fragment forward stage 1
// CHECK:   tessera.reshard %[[T]] to <@mesh, [{}, {}]>
// The labels are taken where they are needed.
// CHECK:   %[[LABELS:.*]] = tessera.reshape %arg3
// CHECK:   tessera.dynamic_slice %[[LABELS]]
// CHECK:   tessera.dot_general
// CHECK:   arith.addf %[[LOSS]]
// CHECK: %[[B1:.*]]:2 = pipe.fragment input_gradient stage 1
// CHECK:   tessera.dot_general
// CHECK:   tessera.dot_general
// CHECK:   arith.addf %[[SUM2]]
// CHECK: %[[D:.*]] = pipe.transfer %[[B1]]#1 from 1 to 0
// CHECK: %[[B0:.*]] = pipe.fragment input_gradient stage 0
// CHECK:   tessera.reshard %[[D]]
// CHECK:   tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK:   arith.addf %[[SUM1]]
// CHECK: scf.yield %[[B0]], %[[B1]]#0, %[[F1]]#2
// The norm of all gradients needs both stages, and both need it.
// CHECK: pipe.fragment once stage 0
// CHECK: pipe.transfer %{{.*}} from 0 to 1 {{.*}} : tensor<f32>
// CHECK: pipe.fragment once stage 1
// CHECK:   math.rsqrt
// CHECK: pipe.transfer %{{.*}} from 1 to 0 {{.*}} : tensor<f32>
// CHECK: pipe.fragment once stage 0

// Messages that take time keep the accumulators whole.
tessera.mesh @mesh = <["data"=2]> on <links = [[1.0e-07, 2.5e+10]], compute = 8.0e+11, memory_bandwidth = 1.0e+11, memory = 64000000000>
func.func @main(%w1: tensor<64x256xf32> {tessera.donated = 0 : i32, tessera.name = "w1"},
    %w2: tensor<256x64xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
    %x: tensor<16x64xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<16x64xf32> {tessera.name = "y"})
    -> (tensor<64x256xf32> {tessera.name = "w1n"}, tensor<256x64xf32> {tessera.name = "w2n"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<0.0> : tensor<f32>
  %z1 = arith.constant dense<0.0> : tensor<64x256xf32>
  %z2 = arith.constant dense<0.0> : tensor<256x64xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %xv = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %yv = tessera.reshape %y : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %z1, %a2 = %z2, %l = %z) -> (tensor<64x256xf32>, tensor<256x64xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %xv[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %ys = tessera.dynamic_slice %yv[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %yb = tessera.reshape %ys : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %h = tessera.dot_general %xb, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
    %t = math.tanh %h : tensor<4x256xf32>
    %o = tessera.dot_general %t, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<4x256xf32>, tensor<256x64xf32>) -> tensor<4x64xf32>
    %d = arith.subf %o, %yb : tensor<4x64xf32>
    %sq = arith.mulf %d, %d : tensor<4x64xf32>
    %ls = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %tt = arith.mulf %t, %t : tensor<4x256xf32>
    %one = arith.constant dense<1.0> : tensor<4x256xf32>
    %s = arith.subf %one, %tt : tensor<4x256xf32>
    %two = arith.constant dense<2.0> : tensor<4x64xf32>
    %do = arith.mulf %d, %two : tensor<4x64xf32>
    %dw2 = tessera.dot_general %t, %do batching = [] x [] contracting = [0] x [0] : (tensor<4x256xf32>, tensor<4x64xf32>) -> tensor<256x64xf32>
    %dt = tessera.dot_general %do, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<256x64xf32>) -> tensor<4x256xf32>
    %dh = arith.mulf %dt, %s : tensor<4x256xf32>
    %dw1 = tessera.dot_general %xb, %dh batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
    %n1 = arith.addf %a1, %dw1 : tensor<64x256xf32>
    %n2 = arith.addf %a2, %dw2 : tensor<256x64xf32>
    %ln = arith.addf %l, %ls : tensor<f32>
    scf.yield %n1, %n2, %ln : tensor<64x256xf32>, tensor<256x64xf32>, tensor<f32>
  } {pipe.microbatches}
  %lr = arith.constant dense<0.01> : tensor<f32>
  %q1 = arith.mulf %r#0, %r#0 : tensor<64x256xf32>
  %q2 = arith.mulf %r#1, %r#1 : tensor<256x64xf32>
  %s1 = tessera.reduce sum %q1 dims = [0, 1] : tensor<64x256xf32> -> tensor<f32>
  %s2 = tessera.reduce sum %q2 dims = [0, 1] : tensor<256x64xf32> -> tensor<f32>
  %sn = arith.addf %s1, %s2 : tensor<f32>
  %rn = math.rsqrt %sn : tensor<f32>
  %sc = arith.mulf %rn, %lr : tensor<f32>
  %b1 = tessera.broadcast %sc dims = [] : tensor<f32> -> tensor<64x256xf32>
  %b2 = tessera.broadcast %sc dims = [] : tensor<f32> -> tensor<256x64xf32>
  %g1 = arith.mulf %r#0, %b1 : tensor<64x256xf32>
  %g2 = arith.mulf %r#1, %b2 : tensor<256x64xf32>
  %w1n = arith.subf %w1, %g1 : tensor<64x256xf32>
  %w2n = arith.subf %w2, %g2 : tensor<256x64xf32>
  return %w1n, %w2n, %r#2 : tensor<64x256xf32>, tensor<256x64xf32>, tensor<f32>
}
