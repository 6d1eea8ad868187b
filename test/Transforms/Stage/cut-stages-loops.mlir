// Of layers that are loops over time each has its loop of the backward pass, whatever constants all of these share; a
// stage may end between them although more passes there than behind the last.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// CHECK: scf.for
// CHECK: pipe.fragment forward stage 0
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: pipe.fragment forward stage 1
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: pipe.fragment input_gradient stage 1
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: pipe.transfer %{{.*}} from 1 to 0
// CHECK: pipe.fragment {{.*}} stage 0
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for

tessera.mesh @mesh = <["data"=1]>
func.func @main(%w1: tensor<16x16xf32> {tessera.donated = 0 : i32, tessera.name = "w1"},
    %w2: tensor<16x16xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
    %x: tensor<16x3x16xf32> {tessera.name = "x"})
    -> (tensor<16x16xf32> {tessera.name = "new1"}, tensor<16x16xf32> {tessera.name = "new2"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cT = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %start = arith.constant dense<0.0> : tensor<4x16xf32>
  %stack = arith.constant dense<0.0> : tensor<3x4x16xf32>
  %ones = arith.constant dense<1.0> : tensor<4x16xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %last = arith.constant dense<2> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x3x16xf32> -> tensor<4x4x3x16xf32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %zeros, %a2 = %zeros, %l = %zero) -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi, %zi] : (tensor<4x4x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x3x16xf32>
    %xb = tessera.reshape %xs : tensor<1x4x3x16xf32> -> tensor<4x3x16xf32>
    %x0 = tessera.transpose %xb permutation = [1, 0, 2] : tensor<4x3x16xf32> -> tensor<3x4x16xf32>
    %f1:2 = scf.for %t = %c0 to %cT step %c1 iter_args(%h = %start, %o = %stack) -> (tensor<4x16xf32>, tensor<3x4x16xf32>) {
      %t32 = arith.index_cast %t : index to i32
      %tn = tensor.from_elements %t32 : tensor<i32>
      %ins = tessera.dynamic_slice %x0[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %in = tessera.reshape %ins : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %s = arith.addf %h, %in : tensor<4x16xf32>
      %d = tessera.dot_general %s, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %new = math.tanh %d : tensor<4x16xf32>
      %o2r = tessera.reshape %new : tensor<4x16xf32> -> tensor<1x4x16xf32>
      %o2 = tessera.dynamic_update_slice %o, %o2r[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x16xf32>
      scf.yield %new, %o2 : tensor<4x16xf32>, tensor<3x4x16xf32>
    }
    %f2:2 = scf.for %t = %c0 to %cT step %c1 iter_args(%h = %start, %o = %stack) -> (tensor<4x16xf32>, tensor<3x4x16xf32>) {
      %t32 = arith.index_cast %t : index to i32
      %tn = tensor.from_elements %t32 : tensor<i32>
      %ins = tessera.dynamic_slice %f1#1[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %in = tessera.reshape %ins : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %s = arith.addf %h, %in : tensor<4x16xf32>
      %d = tessera.dot_general %s, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %new = math.tanh %d : tensor<4x16xf32>
      %o2r = tessera.reshape %new : tensor<4x16xf32> -> tensor<1x4x16xf32>
      %o2 = tessera.dynamic_update_slice %o, %o2r[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x16xf32>
      scf.yield %new, %o2 : tensor<4x16xf32>, tensor<3x4x16xf32>
    }
    %sq = arith.mulf %f2#1, %f2#1 : tensor<3x4x16xf32>
    %loss = tessera.reduce sum %sq dims = [0, 1, 2] : tensor<3x4x16xf32> -> tensor<f32>
    %dl = arith.addf %f2#1, %f2#1 : tensor<3x4x16xf32>
    %b2:3 = scf.for %t = %c0 to %cT step %c1 iter_args(%g = %start, %o = %stack, %gw = %zeros) -> (tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<16x16xf32>) {
      %t32 = arith.index_cast %t : index to i32
      %tf = tensor.from_elements %t32 : tensor<i32>
      %tn = arith.subi %last, %tf : tensor<i32>
      %cts = tessera.dynamic_slice %dl[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %ct = tessera.reshape %cts : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %ys = tessera.dynamic_slice %f2#1[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %y = tessera.reshape %ys : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %ins = tessera.dynamic_slice %f1#1[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %in = tessera.reshape %ins : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %all = arith.addf %g, %ct : tensor<4x16xf32>
      %yy = arith.mulf %y, %y : tensor<4x16xf32>
      %e = arith.subf %ones, %yy : tensor<4x16xf32>
      %dd = arith.mulf %all, %e : tensor<4x16xf32>
      %dw = tessera.dot_general %in, %dd batching = [] x [] contracting = [0] x [0] : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<16x16xf32>
      %gw2 = arith.addf %gw, %dw : tensor<16x16xf32>
      %ds = tessera.dot_general %dd, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %o2r = tessera.reshape %ds : tensor<4x16xf32> -> tensor<1x4x16xf32>
      %o2 = tessera.dynamic_update_slice %o, %o2r[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x16xf32>
      scf.yield %ds, %o2, %gw2 : tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<16x16xf32>
    }
    %b1:3 = scf.for %t = %c0 to %cT step %c1 iter_args(%g = %start, %o = %stack, %gw = %zeros) -> (tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<16x16xf32>) {
      %t32 = arith.index_cast %t : index to i32
      %tf = tensor.from_elements %t32 : tensor<i32>
      %tn = arith.subi %last, %tf : tensor<i32>
      %cts = tessera.dynamic_slice %b2#1[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %ct = tessera.reshape %cts : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %ys = tessera.dynamic_slice %f1#1[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %y = tessera.reshape %ys : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %ins = tessera.dynamic_slice %x0[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %in = tessera.reshape %ins : tensor<1x4x16xf32> -> tensor<4x16xf32>
      %all = arith.addf %g, %ct : tensor<4x16xf32>
      %yy = arith.mulf %y, %y : tensor<4x16xf32>
      %e = arith.subf %ones, %yy : tensor<4x16xf32>
      %dd = arith.mulf %all, %e : tensor<4x16xf32>
      %dw = tessera.dot_general %in, %dd batching = [] x [] contracting = [0] x [0] : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<16x16xf32>
      %gw2 = arith.addf %gw, %dw : tensor<16x16xf32>
      %ds = tessera.dot_general %dd, %w1 batching = [] x [] contracting = [1] x [1] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %o2r = tessera.reshape %ds : tensor<4x16xf32> -> tensor<1x4x16xf32>
      %o2 = tessera.dynamic_update_slice %o, %o2r[%tn, %zi, %zi] : (tensor<3x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x16xf32>
      scf.yield %ds, %o2, %gw2 : tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<16x16xf32>
    }
    %n1 = arith.addf %a1, %b1#2 : tensor<16x16xf32>
    %n2 = arith.addf %a2, %b2#2 : tensor<16x16xf32>
    %nl = arith.addf %l, %loss : tensor<f32>
    scf.yield %n1, %n2, %nl : tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
  } {pipe.microbatches}
  %u1 = arith.subf %w1, %r#0 : tensor<16x16xf32>
  %u2 = arith.subf %w2, %r#1 : tensor<16x16xf32>
  return %u1, %u2, %r#2 : tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
}
