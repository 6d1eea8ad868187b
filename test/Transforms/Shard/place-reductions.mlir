// RUN: tessera-opt --tessera-propagate-shardings --tessera-insert-reshards --tessera-place-reductions --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// The input gradients of two projections are added before they are reduced.
// CHECK-LABEL: func.func @sums_are_formed_first(
func.func @sums_are_formed_first(
    %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = tessera.dot_general %k, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[SUM:.*]] = arith.addf {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
  // CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{}, {}]>
  // CHECK-NEXT: return %[[WHOLE]]
  %2 = arith.addf %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A row of the product is reduced, not the whole of it.
// CHECK-LABEL: func.func @small_values_are_reduced(
func.func @small_values_are_reduced(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1x8xf32> {
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[ROW:.*]] = tessera.slice {{.*}}unreduced={"x"}
  // CHECK-NEXT: tessera.reshard %[[ROW]] to <@mesh, [{}, {}]>
  %1 = tessera.slice %0 [0, 0] to [1, 8] by [1, 1] : tensor<8x8xf32> -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A gradient that is also squared is needed whole at once: one reduction, right away.
// CHECK-LABEL: func.func @what_is_squared_is_reduced_once(
func.func @what_is_squared_is_reduced_once(
    %x: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %dy: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: %[[PARTIAL:.*]] = tessera.dot_general
  // CHECK-NEXT: %[[G:.*]] = tessera.reshard %[[PARTIAL]] to <@mesh, [{}, {}]>
  // CHECK-NOT: tessera.reshard
  %g = tessera.dot_general %x, %dy batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: arith.negf %[[G]]
  %0 = arith.negf %g : tensor<8x8xf32>
  // CHECK: arith.mulf %[[G]], %[[G]]
  %1 = arith.mulf %g, %g : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// With the sum split over the axis that is reduced, the sum is formed whole and then scattered.
// CHECK-LABEL: func.func @split_sums_are_formed_first_too(
func.func @split_sums_are_formed_first_too(
    %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %k: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = tessera.dot_general %k, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  // CHECK: %[[SUM:.*]] = arith.addf {{.*}}{tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>}
  // CHECK-NEXT: %[[PART:.*]] = tessera.reshard %[[SUM]] to <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: return %[[PART]]
  %2 = arith.addf %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
