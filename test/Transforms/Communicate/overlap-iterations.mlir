// RUN: tessera-opt --tessera-overlap-iterations=always %s -split-input-file | FileCheck %s

// What a layer gathers of its parameters is gathered while the layer before computes: the first before the loop, which has an iteration less, and for the last nothing is gathered.
// CHECK-LABEL: @gathered
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<3x4x8xf32>
// CHECK: %[[FIRST_SLICE:.*]] = tessera.dynamic_slice %[[W]]
// CHECK: %[[FIRST_ROWS:.*]] = tessera.reshape %[[FIRST_SLICE]]
// CHECK: %[[FIRST:.*]] = spmd.all_gather %[[FIRST_ROWS]]
// CHECK: %[[LAYERS:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %[[LAST_BUT:.*]] step %[[STEP:.*]] iter_args(%[[H:.*]] = %[[X]], %[[OWN:.*]] = %[[FIRST]])
// CHECK: %[[NEXT_I:.*]] = arith.addi %[[I]], %[[STEP]]
// CHECK: %[[NEXT_PLACE:.*]] = tensor.from_elements %[[NEXT_I]]
// CHECK: %[[NEXT_SLICE:.*]] = tessera.dynamic_slice %[[W]][%[[NEXT_PLACE]]
// CHECK: %[[NEXT_ROWS:.*]] = tessera.reshape %[[NEXT_SLICE]]
// CHECK: %[[NEXT:.*]] = spmd.all_gather %[[NEXT_ROWS]]
// CHECK: %[[Y:.*]] = tessera.dot_general %[[H]], %[[OWN]]
// CHECK: scf.yield %[[Y]], %[[NEXT]]
// CHECK-NOT: spmd.all_gather
// CHECK: %[[LAST:.*]] = tessera.dot_general %[[LAYERS]]#0, %[[LAYERS]]#1
// CHECK: return %[[LAST]]
tessera.mesh @mesh = <["data"=2]>
func.func @gathered(%x: tensor<4x8xf32>, %w: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %0 = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> (tensor<4x8xf32>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %2 = tessera.reshape %1 : tensor<1x4x8xf32> -> tensor<4x8xf32>
    %3 = spmd.all_gather %2 dim = 0 over <@mesh, ["data"]> : tensor<4x8xf32> -> tensor<8x8xf32>
    %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    scf.yield %4 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// -----

// The part of a layer is summed while the next one computes, from the last layer to the first: the stack has sums, and the first iteration, which finds no part, stands before the loop.
// CHECK-LABEL: @reduced
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[STACK:.*]] = arith.constant dense<0.000000e+00> : tensor<3x4xf32>
// CHECK: %[[X1:.*]] = math.tanh %[[X]]
// CHECK: %[[PART0:.*]] = tessera.reshape
// CHECK: %[[LAYERS:.*]]:3 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[H:.*]] = %[[X1]], %[[SUMS:.*]] = %[[STACK]], %[[PART:.*]] = %[[PART0]])
// CHECK: %[[BEFORE:.*]] = arith.subi %[[I]]
// CHECK: %[[SUM:.*]] = spmd.reduce_scatter sum %[[PART]] dim = 1 {{.*}} tensor<1x8xf32> -> tensor<1x4xf32>
// CHECK: %[[Y:.*]] = math.tanh %[[H]]
// CHECK: %[[OWN:.*]] = tessera.reshape
// CHECK: %[[PLACE:.*]] = tensor.from_elements %[[BEFORE]]
// CHECK: %[[FROM_END:.*]] = arith.subi %{{.*}}, %[[PLACE]]
// CHECK: %[[WRITTEN:.*]] = tessera.dynamic_update_slice %[[SUMS]], %[[SUM]][%[[FROM_END]]
// CHECK: scf.yield %[[Y]], %[[WRITTEN]], %[[OWN]]
// CHECK: %[[LAST_SUM:.*]] = spmd.reduce_scatter sum %[[LAYERS]]#2
// CHECK: %[[ALL:.*]] = tessera.dynamic_update_slice %[[LAYERS]]#1, %[[LAST_SUM]]
// CHECK-NOT: spmd.reduce_scatter
// CHECK: return %[[ALL]]
tessera.mesh @mesh = <["data"=2]>
func.func @reduced(%x: tensor<4x8xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %last = arith.constant dense<2> : tensor<i32>
  %stack = arith.constant dense<0.0> : tensor<3x8xf32>
  %0:2 = scf.for %i = %zero to %three step %one iter_args(%h = %x, %parts = %stack) -> (tensor<4x8xf32>, tensor<3x8xf32>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %from_end = arith.subi %last, %place : tensor<i32>
    %1 = math.tanh %h : tensor<4x8xf32>
    %2 = tessera.reduce sum %1 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    %3 = tessera.reshape %2 : tensor<8xf32> -> tensor<1x8xf32>
    %4 = tessera.dynamic_update_slice %parts, %3[%from_end, %none] : (tensor<3x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
    scf.yield %1, %4 : tensor<4x8xf32>, tensor<3x8xf32>
  }
  %5 = spmd.reduce_scatter sum %0#1 dim = 1 over <@mesh, ["data"]> : tensor<3x8xf32> -> tensor<3x4xf32>
  return %5 : tensor<3x4xf32>
}

// -----

// A loop of which nobody reads anything once the barrier is smaller is still there when its turn comes.
// CHECK-LABEL: @unread
// CHECK-COUNT-4: spmd.all_gather
// CHECK: return
tessera.mesh @mesh = <["data"=2]>
func.func @unread(%x: tensor<4x8xf32>, %w: tensor<3x4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %0 = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> (tensor<4x8xf32>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %2 = tessera.reshape %1 : tensor<1x4x8xf32> -> tensor<4x8xf32>
    %3 = spmd.all_gather %2 dim = 0 over <@mesh, ["data"]> : tensor<4x8xf32> -> tensor<8x8xf32>
    %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    scf.yield %4 : tensor<4x8xf32>
  }
  %dead = scf.for %i = %zero to %three step %one iter_args(%h = %x) -> (tensor<4x8xf32>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<3x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %2 = tessera.reshape %1 : tensor<1x4x8xf32> -> tensor<4x8xf32>
    %3 = spmd.all_gather %2 dim = 0 over <@mesh, ["data"]> : tensor<4x8xf32> -> tensor<8x8xf32>
    %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    scf.yield %4 : tensor<4x8xf32>
  }
  %b:2 = tessera.optimization_barrier %dead, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %b#1 : tensor<4x8xf32>
}
