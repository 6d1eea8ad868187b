// Of what has a row for every layer, each stage has the rows of its layers: parameters, and what the optimizer combines
// with them row by row (%m). What it reduces over rows (the norm) is added up of theirs. An argument that something needs
// whole (%p, whose new value is not made of rows) stays whole.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --stages=2 --schedule=1f1b --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tesserac --inspect %t.tsx | FileCheck %s --check-prefix=INSPECT
// RUN: tesserac --inspect %t.tsx --json | FileCheck %s --check-prefix=MANIFEST

// CHECK-LABEL: func.func @main(%arg0: {{.*}}"w"{{.*}}, %arg1: {{.*}}"m"{{.*}}, %arg2: {{.*}}"p"
// CHECK-DAG: %[[W0:.*]] = tessera.slice %arg0 [0, 0, 0] to [1, 64, 64]
// CHECK-DAG: %[[W1:.*]] = tessera.slice %arg0 [1, 0, 0] to [2, 64, 64]
// CHECK-DAG: %[[M0:.*]] = tessera.slice %arg1 [0, 0, 0] to [1, 64, 64]
// CHECK-DAG: %[[M1:.*]] = tessera.slice %arg1 [1, 0, 0] to [2, 64, 64]
// CHECK-NOT: tessera.slice
// CHECK: scf.for
// CHECK: pipe.transfer %{{.*}} : tensor<f32>
// CHECK-NOT: pipe.transfer %{{.*}} : tensor<1x64x64xf32>
// What waits for the norm is computed when that is there.
// CHECK: %[[NEW1:.*]]:3 = pipe.fragment once stage 1
// CHECK: arith.mulf %[[M1]]
// CHECK: arith.subf %[[W1]]
// CHECK: %[[NEW0:.*]]:2 = pipe.fragment once stage 0
// CHECK: arith.mulf %[[M0]]
// CHECK: arith.subf %[[W0]]
// CHECK-COUNT-2: tessera.concatenate

// INSPECT: w {{.*}} on pipeline ranks 0 (row 0), 1 (row 1)

// MANIFEST: "programs": [
// MANIFEST: "first_row": 0
// MANIFEST-NEXT: "number": 0
// MANIFEST-NEXT: "rows": 1
// MANIFEST: "rank": 1
// MANIFEST: "first_row": 1
// MANIFEST-NEXT: "number": 0

tessera.mesh @mesh = <["data"=1]>
func.func @main(%w: tensor<2x64x64xf32> {tessera.donated = 0 : i32, tessera.name = "w"},
    %m: tensor<2x64x64xf32> {tessera.donated = 1 : i32, tessera.name = "m"},
    %p: tensor<2x64xf32> {tessera.donated = 2 : i32, tessera.name = "p"},
    %x: tensor<16x64xf32> {tessera.name = "x"})
    -> (tensor<2x64x64xf32> {tessera.name = "new"}, tensor<2x64x64xf32> {tessera.name = "momentum"},
        tensor<2x64xf32> {tessera.name = "turned"}, tensor<f32> {tessera.name = "norm"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<2x64x64xf32>
  %none = arith.constant dense<0.0> : tensor<2x4x64xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zeros, %l = %zero) -> (tensor<2x64x64xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %f:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%h = %xb, %ins = %none) -> (tensor<4x64xf32>, tensor<2x4x64xf32>) {
      %k32 = arith.index_cast %k : index to i32
      %kn = tensor.from_elements %k32 : tensor<i32>
      %ws = tessera.dynamic_slice %w[%kn, %zi, %zi] : (tensor<2x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %wk = tessera.reshape %ws : tensor<1x64x64xf32> -> tensor<64x64xf32>
      %ps = tessera.dynamic_slice %p[%kn, %zi] : (tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
      %pk = tessera.reshape %ps : tensor<1x64xf32> -> tensor<64xf32>
      %pb = tessera.broadcast %pk dims = [1] : tensor<64xf32> -> tensor<4x64xf32>
      %d = tessera.dot_general %h, %wk batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
      %e = arith.addf %d, %pb : tensor<4x64xf32>
      %h1 = tessera.reshape %h : tensor<4x64xf32> -> tensor<1x4x64xf32>
      %ins2 = tessera.dynamic_update_slice %ins, %h1[%kn, %zi, %zi] : (tensor<2x4x64xf32>, tensor<1x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x64xf32>
      scf.yield %e, %ins2 : tensor<4x64xf32>, tensor<2x4x64xf32>
    }
    %sq = arith.mulf %f#0, %f#0 : tensor<4x64xf32>
    %loss = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %dl = arith.addf %f#0, %f#0 : tensor<4x64xf32>
    %b:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%g = %dl, %gw = %zeros) -> (tensor<4x64xf32>, tensor<2x64x64xf32>) {
      %k32 = arith.index_cast %k : index to i32
      %kn = tensor.from_elements %k32 : tensor<i32>
      %last = arith.constant dense<1> : tensor<i32>
      %kr = arith.subi %last, %kn : tensor<i32>
      %ws = tessera.dynamic_slice %w[%kr, %zi, %zi] : (tensor<2x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %wk = tessera.reshape %ws : tensor<1x64x64xf32> -> tensor<64x64xf32>
      %hs = tessera.dynamic_slice %f#1[%kr, %zi, %zi] : (tensor<2x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
      %h = tessera.reshape %hs : tensor<1x4x64xf32> -> tensor<4x64xf32>
      %dw = tessera.dot_general %h, %g batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
      %dw1 = tessera.reshape %dw : tensor<64x64xf32> -> tensor<1x64x64xf32>
      %dh = tessera.dot_general %g, %wk batching = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
      %gw2 = tessera.dynamic_update_slice %gw, %dw1[%kr, %zi, %zi] : (tensor<2x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x64x64xf32>
      scf.yield %dh, %gw2 : tensor<4x64xf32>, tensor<2x64x64xf32>
    }
    %a2 = arith.addf %a, %b#1 : tensor<2x64x64xf32>
    %l2 = arith.addf %l, %loss : tensor<f32>
    scf.yield %a2, %l2 : tensor<2x64x64xf32>, tensor<f32>
  } {pipe.microbatches}
  %squares = arith.mulf %r#0, %r#0 : tensor<2x64x64xf32>
  %norm = tessera.reduce sum %squares dims = [0, 1, 2] : tensor<2x64x64xf32> -> tensor<f32>
  %norms = tessera.broadcast %norm dims = [] : tensor<f32> -> tensor<2x64x64xf32>
  %clipped = arith.divf %r#0, %norms : tensor<2x64x64xf32>
  %decay = arith.constant dense<0.9> : tensor<2x64x64xf32>
  %kept = arith.mulf %m, %decay : tensor<2x64x64xf32>
  %momentum = arith.addf %kept, %clipped : tensor<2x64x64xf32>
  %new = arith.subf %w, %momentum : tensor<2x64x64xf32>
  %turned = tessera.reverse %p dims = [0] : tensor<2x64xf32>
  return %new, %momentum, %turned, %norm : tensor<2x64x64xf32>, tensor<2x64x64xf32>, tensor<2x64xf32>, tensor<f32>
}
