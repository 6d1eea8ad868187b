// RUN: tessera-opt --tessera-propagate-shardings --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// From the batch forward and from the weights through the matmul: Megatron's multi-layer perceptron.
// CHECK-LABEL: func.func @shardings_flow_forward(
// CHECK-SAME: -> (tensor<16x32xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>})
func.func @shardings_flow_forward(
    %x: tensor<16x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<32x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<64x32xf32>) -> tensor<16x32xf32> {
  // CHECK: tessera.dot_general %arg0, %arg1 {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>}
  %0 = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  // CHECK: math.tanh {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>}
  %1 = math.tanh %0 : tensor<16x64xf32>
  // CHECK: tessera.dot_general {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
  %2 = tessera.dot_general %1, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Nothing but the result is annotated; the argument and the constraint's operand follow.
// CHECK-LABEL: func.func @shardings_flow_backward(
// CHECK-SAME: %arg0: tensor<8x16xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}
func.func @shardings_flow_backward(%a: tensor<8x16xf32>)
    -> (tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = tessera.transpose %a permutation = [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// An argument and the result that takes over its memory are split alike.
// CHECK-LABEL: func.func @donation_is_an_edge(
// CHECK-SAME: %arg1: tensor<8xf32> {tessera.donated = 0 : i32, tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
func.func @donation_is_an_edge(
    %a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %b: tensor<8xf32> {tessera.donated = 0 : i32}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>

// Of two annotations for one factor, the one of lower priority number is used first.
// CHECK-LABEL: func.func @user_priority_decides(
// CHECK-SAME: -> (tensor<8xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>})
func.func @user_priority_decides(
    %a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}p1]>},
    %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}p0]>}) -> tensor<8xf32> {
  %0 = arith.addf %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A loop's state has one sharding, inside and outside.
// CHECK-LABEL: func.func @loops_carry_one_sharding(
func.func @loops_carry_one_sharding(%a: tensor<8x8xf32>, %n: index,
    %w: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> tensor<8x8xf32> {
    // CHECK: arith.addf {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}
    %0 = arith.addf %s, %w : tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  }
  // CHECK: } {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}
  return %r : tensor<8x8xf32>
}

// -----

// Without a mesh there is one device.
// CHECK: tessera.mesh @mesh = <[]>
// CHECK-LABEL: func.func @one_device(
// CHECK-SAME: tessera.sharding = #tessera.sharding<@mesh, [{}]>
func.func @one_device(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4, "y"=2]>

// The values of a group have one sharding, from wherever it comes; what is computed from them follows.
// CHECK-LABEL: func.func @groups_are_sharded_alike(
// CHECK-SAME: %arg1: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>
func.func @groups_are_sharded_alike(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {?}]>},
    %b: tensor<8x16xf32>,
    %c: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{?}, {"y"}]>}) -> tensor<8x16xf32> {
  tessera.sharding_group %a in 0 : tensor<8x16xf32>
  %0 = arith.negf %c : tensor<8x16xf32>
  // CHECK: %[[TANH:.*]] = math.tanh %arg1 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>}
  %1 = math.tanh %b : tensor<8x16xf32>
  tessera.sharding_group %b in 0 : tensor<8x16xf32>
  tessera.sharding_group %0 in 0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4, "y"=2]>

// A member for which the user asks for something else than for the first keeps it, with a warning; the others are alike.
// CHECK-LABEL: func.func @members_that_contradict_keep_their_shardings(
// CHECK-SAME: %arg0: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>
// CHECK-SAME: %arg1: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>
// CHECK-SAME: %arg2: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>
func.func @members_that_contradict_keep_their_shardings(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>}, %c: tensor<8x16xf32>) {
  tessera.sharding_group %a in 0 : tensor<8x16xf32>
  tessera.sharding_group %b in 0 : tensor<8x16xf32>
  tessera.sharding_group %c in 0 : tensor<8x16xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A barrier lets shardings pass in its direction only.
// CHECK-LABEL: func.func @barriers_have_directions(
// CHECK-SAME: %arg0: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>
// CHECK-SAME: %arg1: tensor<8xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{}]>
// CHECK-SAME: %arg2: tensor<8xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>
// CHECK-SAME: %arg3: tensor<8xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{}]>
func.func @barriers_have_directions(
    %forward: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %not_backward: tensor<8xf32>, %backward: tensor<8xf32>, %none: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
        tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
        tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK: tessera.propagation_barrier %arg0 allows forward {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
  %0 = tessera.propagation_barrier %forward allows forward : tensor<8xf32>
  // CHECK: tessera.propagation_barrier %arg1 allows forward {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
  %1 = tessera.propagation_barrier %not_backward allows forward : tensor<8xf32>
  // CHECK: tessera.propagation_barrier %arg2 allows backward {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
  %2 = tessera.propagation_barrier %backward allows backward : tensor<8xf32>
  // CHECK: tessera.propagation_barrier %arg3 allows none {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
  %3 = tessera.propagation_barrier %none allows none : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4, "y"=2]>

// Annotations of scalars and of dimensions without elements stand as they are.
// CHECK-LABEL: func.func @annotations_stand_exactly(
// CHECK-SAME: %arg0: tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>}
// CHECK-SAME: %arg1: tensor<0x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}
// CHECK-SAME: %arg2: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}
// CHECK-SAME: %arg3: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
// CHECK-SAME: -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"y"}>},
// CHECK-SAME: tensor<0x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
// CHECK-SAME: tensor<8x8xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>},
// CHECK-SAME: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>})
func.func @annotations_stand_exactly(
    %scalar: tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, [], replicated={"y"}, unreduced={"x"}>},
    %empty: tensor<0x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %parts: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>},
    %replicated: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{?}, {?}], replicated={"x", "y"}>})
    -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"y"}>},
        tensor<0x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, tensor<8x8xf32>,
        tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{?}, {?}], replicated={"x", "y"}>}) {
  // CHECK: math.tanh %arg2 {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}
  %0 = math.tanh %parts : tensor<8x8xf32>
  // What must be replicated stays so, although everything around it is split.
  // CHECK: arith.addf %arg3, {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {"x":(2)2}]>}
  %1 = arith.addf %replicated, %0 : tensor<8x8xf32>
  return %scalar, %empty, %0, %1 : tensor<f32>, tensor<0x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
