// Every backward pass becomes what earlier stages wait for, and the rest.
// RUN: tessera-opt %s --tessera-split-weight-gradients -split-input-file | FileCheck %s

tessera.mesh @mesh = <["data"=1]>

// The cotangent of the input is the input gradient. The product for the weights waits, and reads the cotangent of the output, which both need, instead of
// computing it again.
// CHECK-LABEL: func.func @what_is_sent_comes_first(
func.func @what_is_sent_comes_first(%x: tensor<64x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = pipe.fragment once stage 1 -> tensor<128x128xf32> {
    %0 = arith.constant dense<0.0> : tensor<128x128xf32>
    pipe.yield %0 : tensor<128x128xf32>
  }
  // CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}})
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    %a = pipe.fragment forward stage 0 -> tensor<64x128xf32> {
      %0 = math.exp %x : tensor<64x128xf32>
      pipe.yield %0 : tensor<64x128xf32>
    }
    // CHECK: %[[INPUT:.*]] = pipe.transfer
    %input = pipe.transfer %a from 0 to 1 : tensor<64x128xf32>
    %y = pipe.fragment forward stage 1 -> tensor<64x128xf32> {
      %0 = tessera.dot_general %input, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
      pipe.yield %0 : tensor<64x128xf32>
    }
    // CHECK: %[[I:.*]]:2 = pipe.fragment {{ ?}}input_gradient stage 1
    // CHECK-NEXT: %[[DY:.*]] = math.exp
    // CHECK-NEXT: %[[DX:.*]] = tessera.dot_general %[[DY]], %arg1
    // CHECK-NEXT: pipe.yield %[[DX]], %[[DY]]
    // CHECK: %[[W:.*]] = pipe.fragment {{ ?}}weight_gradient stage 1
    // CHECK-NEXT: %[[DW:.*]] = tessera.dot_general %[[INPUT]], %[[I]]#1
    // CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[DW]]
    // CHECK-NEXT: pipe.yield %[[NEXT]]
    %b:2 = pipe.fragment input_gradient stage 1 -> tensor<64x128xf32>, tensor<128x128xf32> {
      %dy = math.exp %y : tensor<64x128xf32>
      %dx = tessera.dot_general %dy, %w batching = [] x [] contracting = [1] x [1] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
      %dw = tessera.dot_general %input, %dy batching = [] x [] contracting = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %next = arith.addf %acc, %dw : tensor<128x128xf32>
      pipe.yield %dx, %next : tensor<64x128xf32>, tensor<128x128xf32>
    }
    // CHECK: pipe.transfer %[[I]]#0 from 1 to 0
    %back = pipe.transfer %b#0 from 1 to 0 : tensor<64x128xf32>
    // CHECK: scf.yield %[[W]]
    scf.yield %b#1 : tensor<128x128xf32>
  }
  return %sum : tensor<128x128xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// The first stage sends nothing: its whole backward pass may wait.
// CHECK-LABEL: func.func @who_sends_nothing_has_only_weight_gradients(
func.func @who_sends_nothing_has_only_weight_gradients(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: scf.for
  // CHECK-NEXT: pipe.fragment {{ ?}}weight_gradient stage 0
  // CHECK-NEXT: math.exp
  // CHECK-NEXT: arith.addf
  // CHECK-NOT: input_gradient
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %x) -> (tensor<64xf32>) {
    %b = pipe.fragment input_gradient stage 0 -> tensor<64xf32> {
      %0 = math.exp %x : tensor<64xf32>
      %1 = arith.addf %acc, %0 : tensor<64xf32>
      pipe.yield %1 : tensor<64xf32>
    }
    scf.yield %b : tensor<64xf32>
  }
  return %sum : tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// What both halves need is repeated where that means to keep less: a broadcast from what it repeats.
// CHECK-LABEL: func.func @cheap_work_is_repeated(
func.func @cheap_work_is_repeated(%x: tensor<64x128xf32>, %w: tensor<128x128xf32>, %zero: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
    // CHECK: %[[LOSS:.*]] = pipe.fragment {{ ?}}forward stage 1
    %loss = pipe.fragment forward stage 1 -> tensor<f32> {
      %0 = tessera.reduce sum %x dims = [0, 1] : tensor<64x128xf32> -> tensor<f32>
      pipe.yield %0 : tensor<f32>
    }
    // CHECK: %[[I:.*]]:2 = pipe.fragment {{ ?}}input_gradient stage 1 -> tensor<64x128xf32>, tensor<f32>
    // CHECK: %[[DL:.*]] = math.exp %[[LOSS]]
    // CHECK: tessera.broadcast %[[DL]]
    // CHECK: pipe.yield %{{.*}}, %[[DL]]
    // CHECK: pipe.fragment {{ ?}}weight_gradient stage 1
    // CHECK-NEXT: %[[AGAIN:.*]] = tessera.broadcast %[[I]]#1
    // CHECK-NEXT: tessera.dot_general %arg0, %[[AGAIN]]
    %b:2 = pipe.fragment input_gradient stage 1 -> tensor<64x128xf32>, tensor<128x128xf32> {
      %dl = math.exp %loss : tensor<f32>
      %dy = tessera.broadcast %dl dims = [] : tensor<f32> -> tensor<64x128xf32>
      %dx = tessera.dot_general %dy, %w batching = [] x [] contracting = [1] x [1] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
      %dw = tessera.dot_general %x, %dy batching = [] x [] contracting = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
      %next = arith.addf %acc, %dw : tensor<128x128xf32>
      pipe.yield %dx, %next : tensor<64x128xf32>, tensor<128x128xf32>
    }
    %back = pipe.transfer %b#0 from 1 to 0 : tensor<64x128xf32>
    scf.yield %b#1 : tensor<128x128xf32>
  }
  return %sum : tensor<128x128xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// The gradient of a bias is summed up at once: its cotangent need not be kept. Only the addition waits.
// CHECK-LABEL: func.func @what_shrinks_does_not_wait(
func.func @what_shrinks_does_not_wait(%x: tensor<64x128xf32>, %zero: tensor<128xf32>) -> tensor<128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128xf32>) {
    %y = pipe.fragment forward stage 1 -> tensor<64x128xf32> {
      %0 = math.exp %x : tensor<64x128xf32>
      pipe.yield %0 : tensor<64x128xf32>
    }
    // CHECK: %[[I:.*]]:2 = pipe.fragment {{ ?}}input_gradient stage 1 -> tensor<64x128xf32>, tensor<128xf32>
    // CHECK: tessera.reduce sum
    // CHECK: pipe.fragment {{ ?}}weight_gradient stage 1 -> tensor<128xf32>
    // CHECK-NEXT: arith.addf %{{.*}}, %[[I]]#1
    // CHECK-NEXT: pipe.yield
    %b:2 = pipe.fragment input_gradient stage 1 -> tensor<64x128xf32>, tensor<128xf32> {
      %dy = arith.mulf %y, %x : tensor<64x128xf32>
      %db = tessera.reduce sum %dy dims = [0] : tensor<64x128xf32> -> tensor<128xf32>
      %next = arith.addf %acc, %db : tensor<128xf32>
      pipe.yield %dy, %next : tensor<64x128xf32>, tensor<128xf32>
    }
    %back = pipe.transfer %b#0 from 1 to 0 : tensor<64x128xf32>
    scf.yield %b#1 : tensor<128xf32>
  }
  return %sum : tensor<128xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// What is sent depends on a carried value, so nothing that makes the next one may wait for a weight gradient.
// CHECK-LABEL: func.func @no_input_gradient_waits_for_a_weight_gradient(
func.func @no_input_gradient_waits_for_a_weight_gradient(%x: tensor<64xf32>, %zero: tensor<f32>) -> (tensor<f32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: scf.for {{.*}} iter_args(%[[SCALE:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}})
  %sums:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%scale = %zero, %acc = %x) -> (tensor<f32>, tensor<64xf32>) {
    %y = pipe.fragment forward stage 1 -> tensor<64xf32> {
      %0 = math.exp %x : tensor<64xf32>
      pipe.yield %0 : tensor<64xf32>
    }
    // CHECK: pipe.fragment {{ ?}}input_gradient stage 1
    // CHECK: math.tanh %[[SCALE]]
    // CHECK: pipe.fragment {{ ?}}weight_gradient stage 1
    // CHECK-NOT: %[[SCALE]]
    // CHECK: arith.addf %[[SUM]]
    %b:3 = pipe.fragment input_gradient stage 1 -> tensor<64xf32>, tensor<f32>, tensor<64xf32> {
      %wide = tessera.broadcast %scale dims = [] : tensor<f32> -> tensor<64xf32>
      %dy = arith.mulf %y, %wide : tensor<64xf32>
      %other = math.tanh %scale : tensor<f32>
      %next = arith.addf %acc, %y : tensor<64xf32>
      pipe.yield %dy, %other, %next : tensor<64xf32>, tensor<f32>, tensor<64xf32>
    }
    %back = pipe.transfer %b#0 from 1 to 0 : tensor<64xf32>
    scf.yield %b#1, %b#2 : tensor<f32>, tensor<64xf32>
  }
  return %sums#0, %sums#1 : tensor<f32>, tensor<64xf32>
}
