// RUN: tessera-opt --tessera-propagate-shardings --tessera-insert-reshards --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// A split matmul leaves its result unreduced; reducing it is a reshard.
// CHECK-LABEL: func.func @contraction_is_reduced(
func.func @contraction_is_reduced(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  // CHECK: %[[PARTIAL:.*]] = tessera.dot_general %arg0, %arg1 {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
  // CHECK-NEXT: %[[SUM:.*]] = tessera.reshard %[[PARTIAL]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[SUM]]
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Two users of one sharding share the reshard, which is moved to the producer.
// CHECK-LABEL: func.func @one_reshard_per_target(
func.func @one_reshard_per_target(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
        tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK: %[[MOVED:.*]] = tessera.reshard %arg0 to <@mesh, [{}, {"x"}]>
  // CHECK-NOT: tessera.reshard
  // CHECK: return %[[MOVED]], %[[MOVED]]
  return %a, %a : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A constraint guides and goes; what it asks for is done once, where it is needed.
// CHECK-LABEL: func.func @constraint_becomes_reshard(
func.func @constraint_becomes_reshard(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[MOVED:.*]] = tessera.reshard %arg0 to <@mesh, [{}, {"x"}]>
  // CHECK-NEXT: %[[RESULT:.*]] = math.tanh %[[MOVED]] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}
  // CHECK-NEXT: return %[[RESULT]]
  %0 = tessera.constrain %a to <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  %1 = math.tanh %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A constant is made in the sharding its use needs.
// CHECK-LABEL: func.func @constants_are_not_resharded(
func.func @constants_are_not_resharded(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK: tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
  // CHECK-NOT: tessera.reshard
  %0 = tessera.iota dim = 0 : tensor<8xf32>
  %1 = arith.addf %a, %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Parts that change places stay parts.
// CHECK-LABEL: func.func @reversed_dimension_stays_split(
func.func @reversed_dimension_stays_split(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NEXT: %[[REVERSED:.*]] = tessera.reverse %arg0 {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}
  // CHECK-NEXT: return %[[REVERSED]]
  %0 = tessera.reverse %a dims = [0] : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A constant that control flow hands over is made where it is needed, in the sharding that is needed there.
// CHECK-LABEL: func.func @constants_are_made_again(
// CHECK-NOT: tessera.reshard %cst
// CHECK: return
func.func @constants_are_made_again(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %n: index)
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %cst = arith.constant dense<1.0> : tensor<8xf32>
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%x = %cst, %y = %cst) -> (tensor<8xf32>, tensor<8xf32>) {
    %1 = arith.addf %y, %a : tensor<8xf32>
    %2 = arith.addf %x, %x : tensor<8xf32>
    scf.yield %2, %1 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// Queries, keys and values are split by position; attention runs on heads, which all of them have and nobody splits (Ulysses).
// CHECK-LABEL: func.func @heads_take_over_from_positions(
func.func @heads_take_over_from_positions(
    %q: tensor<1x256x8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}, {}]>},
    %k: tensor<1x256x8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}, {}]>},
    %v: tensor<1x256x8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}, {}]>})
    -> (tensor<1x8x256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"x"}, {}]>}) {
  // CHECK-COUNT-3: tessera.reshard %arg{{[0-2]}} to <@mesh, [{}, {}, {"x"}, {}]>
  // CHECK: %[[SCORES:.*]] = tessera.dot_general {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}, {}]>}
  %0 = tessera.dot_general %q, %k batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<1x256x8x16xf32>, tensor<1x256x8x16xf32>) -> tensor<1x8x256x256xf32>
  // CHECK: math.tanh %[[SCORES]] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}, {}]>}
  %1 = math.tanh %0 : tensor<1x8x256x256xf32>
  // CHECK: %[[MIXED:.*]] = tessera.dot_general {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}, {}]>}
  // CHECK: tessera.reshard %[[MIXED]] to <@mesh, [{}, {}, {"x"}, {}]>
  %2 = tessera.dot_general %1, %v batching = [0, 1] x [0, 2] contracting = [3] x [1] : (tensor<1x8x256x256xf32>, tensor<1x256x8x16xf32>) -> tensor<1x8x256x16xf32>
  return %2 : tensor<1x8x256x16xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// How what a loop adds up is split by constraint says where it is to be in the end: a sum stays pending until then.
// CHECK-LABEL: func.func @sums_over_microbatches_in_shards(
// CHECK: %[[SUM:.*]] = scf.for
// CHECK-NOT: tessera.reshard
// CHECK: tessera.dot_general {{.*}}unreduced={"x"}
// CHECK-NOT: tessera.reshard
// CHECK: scf.yield
// CHECK: %[[SPLIT:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{"x"}, {}]>
// CHECK-NEXT: return %[[SPLIT]]
func.func @sums_over_microbatches_in_shards(
    %x: tensor<4x16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %zero = tessera.constrain %zeros to <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %four = arith.constant dense<4.0> : tensor<8x8xf32>
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (tensor<8x8xf32>) {
    %place = arith.index_cast %i : index to i32
    %first = tensor.from_elements %place : tensor<i32>
    %none = arith.constant dense<0> : tensor<i32>
    %taken = tessera.dynamic_slice %x[%first, %none, %none] : (tensor<4x16x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8xf32>
    %part = tessera.reshape %taken : tensor<1x16x8xf32> -> tensor<16x8xf32>
    %product = tessera.dot_general %part, %part batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %mean = arith.divf %product, %four : tensor<8x8xf32>
    %next = arith.addf %sum, %mean : tensor<8x8xf32>
    %split = tessera.constrain %next to <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    scf.yield %split : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// Ten heads do not divide into four parts: five each, and the batch takes over the axis that is left.
// CHECK-LABEL: func.func @batch_takes_over_from_heads(
// CHECK: %[[X:.*]] = tessera.reshard %{{.*}} to <@mesh, [{"data", "model":(2)2}, {}, {"model":(1)2}]>
// CHECK: %[[HEADS:.*]] = tessera.reshape %[[X]] {{.*}}<@mesh, [{"data", "model":(2)2}, {}, {"model":(1)2}, {}]>
// CHECK: math.exp %[[HEADS]]
func.func @batch_takes_over_from_heads(%x: tensor<8x64x640xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}, {"model"}]>})
    -> (tensor<8x64x640xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
  %0 = tessera.reshape %x : tensor<8x64x640xf32> -> tensor<8x64x10x64xf32>
  %1 = math.exp %0 : tensor<8x64x10x64xf32>
  %2 = tessera.reshape %1 : tensor<8x64x10x64xf32> -> tensor<8x64x640xf32>
  return %2 : tensor<8x64x640xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// What is sorted is needed whole: rows are exchanged for columns and back, where all devices would sort all of it.
// CHECK-LABEL: func.func @rows_take_over_from_what_is_sorted(
// CHECK: %[[ROWS:.*]] = tessera.reshard %{{.*}} to <@mesh, [{"x"}, {}]>
// CHECK: %[[SORTED:.*]] = tessera.sort %[[ROWS]]
// CHECK: tessera.reshard %[[SORTED]] to <@mesh, [{}, {"x"}]>
func.func @rows_take_over_from_what_is_sorted(%x: tensor<512x512xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<512x512xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = tessera.sort %x dim = 1 : (tensor<512x512xf32>) -> tensor<512x512xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = arith.cmpf olt, %a, %b : tensor<f32>
    tessera.yield %1 : tensor<i1>
  }
  return %0 : tensor<512x512xf32>
}
