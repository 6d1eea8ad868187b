// An optimizer that skips steps whose gradients are not finite stands in a branch, with all parameters. Each stage updates
// its own all the same: both sides are computed, and each value is chosen by itself. What contracts stays a branch (%z).
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --stages=2 --schedule=1f1b --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W1:[^:]*]]: tensor<64x64xf32> {{.*}}"w1"{{.*}} %[[W2:[^:]*]]: tensor<64x64xf32> {{.*}}"w2"
// CHECK: {pipe.microbatches
// No parameter and no gradient moves: only what the norm needs, and what is contracted.
// CHECK-NOT: pipe.transfer %{{.*}} : tensor<64x64xf32>
// CHECK-DAG: arith.subf %[[W1]], %{{.*}} : tensor<64x64xf32>
// CHECK-DAG: arith.subf %[[W2]], %{{.*}} : tensor<64x64xf32>
// CHECK-DAG: arith.select %{{.*}}, %{{.*}}, %[[W1]]
// CHECK-DAG: arith.select %{{.*}}, %{{.*}}, %[[W2]]
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: return

tessera.mesh @mesh = <["data"=1]>
func.func @main(%w1: tensor<64x64xf32> {tessera.donated = 0 : i32, tessera.name = "w1"},
    %w2: tensor<64x64xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
    %z: tensor<2x2xf32> {tessera.donated = 3 : i32, tessera.name = "z"},
    %x: tensor<16x64xf32> {tessera.name = "x"})
    -> (tensor<64x64xf32> {tessera.name = "new1"}, tensor<64x64xf32> {tessera.name = "new2"}, tensor<f32> {tessera.name = "loss"},
        tensor<2x2xf32> {tessera.name = "newz"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %zeros, %a2 = %zeros, %l = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %d1 = tessera.dot_general %xb, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %d2 = tessera.dot_general %d1, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %sq = arith.mulf %d2, %d2 : tensor<4x64xf32>
    %loss = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %dl = arith.addf %d2, %d2 : tensor<4x64xf32>
    %g2 = tessera.dot_general %d1, %dl batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
    %dd = tessera.dot_general %dl, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
    %g1 = tessera.dot_general %xb, %dd batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
    %b1 = arith.addf %a1, %g1 : tensor<64x64xf32>
    %b2 = arith.addf %a2, %g2 : tensor<64x64xf32>
    %l2 = arith.addf %l, %loss : tensor<f32>
    scf.yield %b1, %b2, %l2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>
  } {pipe.microbatches}
  %s1 = arith.mulf %r#0, %r#0 : tensor<64x64xf32>
  %n1 = tessera.reduce sum %s1 dims = [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %s2 = arith.mulf %r#1, %r#1 : tensor<64x64xf32>
  %n2 = tessera.reduce sum %s2 dims = [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %norm = arith.addf %n1, %n2 : tensor<f32>
  %inf = arith.constant dense<0x7F800000> : tensor<f32>
  %finite = arith.cmpf olt, %norm, %inf : tensor<f32>
  %do = tensor.extract %finite[] : tensor<i1>
  %u:2 = scf.if %do -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    // Small steps, small ones in one more branch.
    %small = arith.cmpf olt, %norm, %zero : tensor<f32>
    %is = tensor.extract %small[] : tensor<i1>
    %v1 = scf.if %is -> (tensor<64x64xf32>) {
      %h = arith.constant dense<0.1> : tensor<64x64xf32>
      %m = arith.mulf %r#0, %h : tensor<64x64xf32>
      scf.yield %m : tensor<64x64xf32>
    } else {
      %h = arith.constant dense<0.01> : tensor<64x64xf32>
      %m = arith.mulf %r#0, %h : tensor<64x64xf32>
      scf.yield %m : tensor<64x64xf32>
    }
    %t1 = arith.subf %w1, %v1 : tensor<64x64xf32>
    %t2 = arith.subf %w2, %r#1 : tensor<64x64xf32>
    scf.yield %t1, %t2 : tensor<64x64xf32>, tensor<64x64xf32>
  } else {
    scf.yield %w1, %w2 : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %y = scf.if %do -> (tensor<2x2xf32>) {
    %p = tessera.dot_general %z, %z batching = [] x [] contracting = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %p : tensor<2x2xf32>
  } else {
    scf.yield %z : tensor<2x2xf32>
  }
  return %u#0, %u#1, %r#2, %y : tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>, tensor<2x2xf32>
}
