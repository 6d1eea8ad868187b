// One microbatch for stages: it has all of a batch that cannot be split, and what follows the last product runs behind it.
// RUN: tessera-opt --tessera-split-microbatches="count=1 always=true" --split-input-file %s | FileCheck %s

// Each row is compared with all others; the update waits for the loop, and of the loss one number leaves it.

// CHECK-LABEL: func.func @a_contrastive_loss(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x8xf32>
// CHECK: %[[ALL:.*]] = tessera.reshape %{{.*}} : tensor<16x8xf32> -> tensor<1x16x8xf32>
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} -> (tensor<f32>, tensor<8x8xf32>) : i32
// CHECK: %[[SLICE:.*]] = tessera.dynamic_slice %[[ALL]]
// CHECK: %[[X:.*]] = tessera.reshape %[[SLICE]]
// CHECK: tessera.dot_general %[[X]], %[[P]]
// CHECK-COUNT-3: tessera.dot_general
// CHECK: } {pipe.microbatches}
// CHECK-NOT: tessera.dot_general
// CHECK: arith.mulf %[[SUMS]]#1
func.func @a_contrastive_loss(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> (tensor<8x8xf32>, tensor<f32>) {
  %h = tessera.dot_general %x, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %s = tessera.dot_general %h, %h batching = [] x [] contracting = [1] x [1] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x16xf32>
  %e = math.exp %s : tensor<16x16xf32>
  %loss = tessera.reduce sum %e dims = [0, 1] : tensor<16x16xf32> -> tensor<f32>
  %g = tessera.dot_general %e, %h batching = [] x [] contracting = [0] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %d = tessera.dot_general %x, %g batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %rate = arith.constant dense<0.1> : tensor<8x8xf32>
  %step = arith.mulf %d, %rate : tensor<8x8xf32>
  %n = arith.subf %p, %step : tensor<8x8xf32>
  return %n, %loss : tensor<8x8xf32>, tensor<f32>
}

// -----

// An update that is a branch waits as a whole, with what it takes from outside.
// CHECK-LABEL: func.func @an_update_in_a_branch(
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (tensor<8x8xf32>) : i32
// CHECK: } {pipe.microbatches}
// CHECK: scf.if
// CHECK: arith.subf %{{.*}}, %[[SUM]]
func.func @an_update_in_a_branch(%p: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<8x8xf32> {tessera.name = "x"}) -> tensor<8x8xf32> {
  %h = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = tessera.dot_general %h, %p batching = [] x [] contracting = [0] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tessera.reduce sum %d dims = [0, 1] : tensor<8x8xf32> -> tensor<f32>
  %limit = arith.constant dense<100.0> : tensor<f32>
  %c = arith.cmpf olt, %s, %limit : tensor<f32>
  %small = tensor.extract %c[] : tensor<i1>
  %n = scf.if %small -> tensor<8x8xf32> {
    %u = arith.subf %p, %d : tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  } else {
    scf.yield %p : tensor<8x8xf32>
  }
  return %n : tensor<8x8xf32>
}

// -----

// A step that is given no data works on what is no parameter of its state: a key.
// CHECK-LABEL: func.func @a_key_for_data(
// CHECK: scf.for
// CHECK: tessera.dot_general
// CHECK: } {pipe.microbatches}
func.func @a_key_for_data(%p: tensor<4x4xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %key: tensor<4xi32> {tessera.donated = 1 : i32, tessera.name = "key"}) -> (tensor<4x4xf32>, tensor<4xi32>) {
  %n = tessera.broadcast %key dims = [0] : tensor<4xi32> -> tensor<4x4xi32>
  %x = arith.sitofp %n : tensor<4x4xi32> to tensor<4x4xf32>
  %d = tessera.dot_general %x, %p batching = [] x [] contracting = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = arith.subf %p, %d : tensor<4x4xf32>
  %next = arith.addi %key, %key : tensor<4xi32>
  return %q, %next : tensor<4x4xf32>, tensor<4xi32>
}
