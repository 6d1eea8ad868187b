// A stage may end between two layers of a loop over layers: the loop becomes
// layers, and each stage has the rows of its own layers of what is stacked.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-opt %t.mlir --tessera-cut-stages=stages=2 --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s < %t.cut.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-6

// CHECK: %[[W0:.*]] = tessera.slice %arg0 [0, 0, 0] to [1, 64, 64]
// CHECK: %[[W1:.*]] = tessera.slice %arg0 [1, 0, 0] to [2, 64, 64]
// CHECK: %[[W2:.*]] = tessera.slice %arg0 [2, 0, 0] to [3, 64, 64]
// CHECK: %[[W3:.*]] = tessera.slice %arg0 [3, 0, 0] to [4, 64, 64]
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: pipe.fragment forward stage 0
// CHECK-COUNT-2: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK: pipe.fragment forward stage 1
// CHECK-COUNT-2: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// What the layers keep for the backward pass is not stacked on its way.
// CHECK-NOT: tessera.dynamic_update_slice
// CHECK: pipe.fragment input_gradient stage 1
// CHECK-COUNT-4: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK: pipe.fragment input_gradient stage 0
// CHECK-COUNT-3: tessera.dot_general
// CHECK-NOT: tessera.dot_general
// CHECK: scf.yield
// Each stage updates its own rows, and sends none.
// CHECK-NOT: pipe.transfer
// CHECK: %[[NEW01:.*]]:2 = pipe.fragment once stage 0
// CHECK: arith.subf %[[W0]]
// CHECK: arith.subf %[[W1]]
// CHECK: %[[NEW23:.*]]:2 = pipe.fragment once stage 1
// CHECK: arith.subf %[[W2]]
// CHECK: arith.subf %[[W3]]
// CHECK: %[[NEW:.*]] = tessera.concatenate %[[NEW01]]#0, %[[NEW01]]#1, %[[NEW23]]#0, %[[NEW23]]#1 dim = 0
// CHECK: return %[[NEW]]

tessera.mesh @mesh = <["data"=2]>
func.func @main(%w: tensor<4x64x64xf32> {tessera.donated = 0 : i32, tessera.name = "w"},
    %x: tensor<16x64xf32> {tessera.name = "x"})
    -> (tensor<4x64x64xf32> {tessera.name = "new"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<4x64x64xf32>
  %none = arith.constant dense<0.0> : tensor<4x4x64xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x64xf32> -> tensor<4x4x64xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zeros, %l = %zero) -> (tensor<4x64x64xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
    %xb = tessera.reshape %xs : tensor<1x4x64xf32> -> tensor<4x64xf32>
    %f:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%h = %xb, %ins = %none, %outs = %none) -> (tensor<4x64xf32>, tensor<4x4x64xf32>, tensor<4x4x64xf32>) {
      %k32 = arith.index_cast %k : index to i32
      %kn = tensor.from_elements %k32 : tensor<i32>
      %ws = tessera.dynamic_slice %w[%kn, %zi, %zi] : (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %wk = tessera.reshape %ws : tensor<1x64x64xf32> -> tensor<64x64xf32>
      %d = tessera.dot_general %h, %wk batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
      %t = math.tanh %d : tensor<4x64xf32>
      %h1 = tessera.reshape %h : tensor<4x64xf32> -> tensor<1x4x64xf32>
      %t1 = tessera.reshape %t : tensor<4x64xf32> -> tensor<1x4x64xf32>
      %ins2 = tessera.dynamic_update_slice %ins, %h1[%kn, %zi, %zi] : (tensor<4x4x64xf32>, tensor<1x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4x64xf32>
      %outs2 = tessera.dynamic_update_slice %outs, %t1[%kn, %zi, %zi] : (tensor<4x4x64xf32>, tensor<1x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x4x64xf32>
      scf.yield %t, %ins2, %outs2 : tensor<4x64xf32>, tensor<4x4x64xf32>, tensor<4x4x64xf32>
    }
    %sq = arith.mulf %f#0, %f#0 : tensor<4x64xf32>
    %loss = tessera.reduce sum %sq dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    %dl = arith.addf %f#0, %f#0 : tensor<4x64xf32>
    %b:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%g = %dl, %gw = %zeros) -> (tensor<4x64xf32>, tensor<4x64x64xf32>) {
      %k32 = arith.index_cast %k : index to i32
      %kn = tensor.from_elements %k32 : tensor<i32>
      %last = arith.constant dense<3> : tensor<i32>
      %kr = arith.subi %last, %kn : tensor<i32>
      %ws = tessera.dynamic_slice %w[%kr, %zi, %zi] : (tensor<4x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %wk = tessera.reshape %ws : tensor<1x64x64xf32> -> tensor<64x64xf32>
      %hs = tessera.dynamic_slice %f#1[%kr, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
      %h = tessera.reshape %hs : tensor<1x4x64xf32> -> tensor<4x64xf32>
      %ts = tessera.dynamic_slice %f#2[%kr, %zi, %zi] : (tensor<4x4x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x64xf32>
      %t = tessera.reshape %ts : tensor<1x4x64xf32> -> tensor<4x64xf32>
      %one = arith.constant dense<1.0> : tensor<4x64xf32>
      %tt = arith.mulf %t, %t : tensor<4x64xf32>
      %s = arith.subf %one, %tt : tensor<4x64xf32>
      %dd = arith.mulf %g, %s : tensor<4x64xf32>
      %dw = tessera.dot_general %h, %dd batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
      %dw1 = tessera.reshape %dw : tensor<64x64xf32> -> tensor<1x64x64xf32>
      %dh = tessera.dot_general %dd, %wk batching = [] x [] contracting = [1] x [1] : (tensor<4x64xf32>, tensor<64x64xf32>) -> tensor<4x64xf32>
      %gw2 = tessera.dynamic_update_slice %gw, %dw1[%kr, %zi, %zi] : (tensor<4x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x64xf32>
      scf.yield %dh, %gw2 : tensor<4x64xf32>, tensor<4x64x64xf32>
    }
    %a2 = arith.addf %a, %b#1 : tensor<4x64x64xf32>
    %l2 = arith.addf %l, %loss : tensor<f32>
    scf.yield %a2, %l2 : tensor<4x64x64xf32>, tensor<f32>
  } {pipe.microbatches}
  %lr = arith.constant dense<0.01> : tensor<4x64x64xf32>
  %step = arith.mulf %r#0, %lr : tensor<4x64x64xf32>
  %new = arith.subf %w, %step : tensor<4x64x64xf32>
  return %new, %r#1 : tensor<4x64x64xf32>, tensor<f32>
}
