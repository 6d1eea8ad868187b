// Per-device code among sharded tensors: shardings travel through its boundary along the free axes.
// RUN: tessera-opt --tessera-propagate-shardings --split-input-file %s | FileCheck %s --check-prefix=CHECK
// RUN: tessera-opt --tessera-shard-phase --split-input-file %s | FileCheck %s --check-prefixes=CHECK,SHARDED

tessera.mesh @mesh = <["data"=2, "model"=4]>

// The batch stays split inside and behind; the manual axis goes to what enters and leaves.
// CHECK-LABEL: func.func @batch_passes_through(
// CHECK-SAME: %[[A:.*]]: tensor<8x16x4xf32> {{{.*}}[{"data"}, {"model"}, {}]>}
// CHECK-SAME: -> (tensor<8x16x4xf32> {{{.*}}[{"data"}, {}, {"model"}]>})
func.func @batch_passes_through(%a: tensor<8x16x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {?}, {?}]>}) -> tensor<8x16x4xf32> {
  // CHECK: tessera.manual_computation(%[[A]]) {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}, {"model"}]>}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}, {?}]>] out [#tessera.sharding<@mesh, [{?}, {?}, {"model", ?}]>]
      : (tensor<8x16x4xf32>) -> tensor<8x16x4xf32> {
  ^bb0(%x: tensor<8x4x4xf32>):
    // CHECK: spmd.all_to_all {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}, {}]>}
    %1 = spmd.all_to_all %x split = 2 concat = 1 over <@mesh, ["model"]> : tensor<8x4x4xf32> -> tensor<8x16x1xf32>
    tessera.yield %1 : tensor<8x16x1xf32>
  }
  return %0 : tensor<8x16x4xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// What enters in another sharding is resharded before; free axes of one dimension stand behind the manual ones.
// CHECK-LABEL: func.func @resharded_on_entry(
// CHECK-SAME: %[[A:.*]]: tensor<16x8xf32>
func.func @resharded_on_entry(%a: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>})
    -> (tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model", "data"}, {}]>}) {
  // CHECK: %[[B:.*]] = tessera.reshard %[[A]] to <@mesh, [{"model", "data"}, {}]>
  // CHECK: tessera.manual_computation(%[[B]])
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{"model", ?}, {?}]>] out [#tessera.sharding<@mesh, [{"model", ?}, {?}]>] : (tensor<16x8xf32>) -> tensor<16x8xf32> {
  ^bb0(%x: tensor<4x8xf32>):
    // CHECK: spmd.all_reduce {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
    %1 = spmd.all_reduce sum %x over <@mesh, ["model"]> : tensor<4x8xf32>
    tessera.yield %1 : tensor<4x8xf32>
  }
  return %0 : tensor<16x8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// A dimension that is gathered by hand is whole on the free axes: another one takes over the split of the batch.
// CHECK-LABEL: func.func @gathered_dimension_is_whole(
func.func @gathered_dimension_is_whole(%a: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model", "data"}, {}]>}) -> tensor<16x8xf32> {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{"model", ?}, {?}]>] out [#tessera.sharding<@mesh, [{?}, {?}]>] : (tensor<16x8xf32>) -> tensor<16x8xf32> {
  // SHARDED: ^bb0(%[[X:.*]]: tensor<4x8xf32>):
  ^bb0(%x: tensor<4x8xf32>):
    // SHARDED: %[[WHOLE:.*]] = tessera.reshard %[[X]] to <@mesh, [{}, {"data"}]>
    // SHARDED: spmd.all_gather %[[WHOLE]]
    %1 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<4x8xf32> -> tensor<16x8xf32>
    tessera.yield %1 : tensor<16x8xf32>
  }
  return %0 : tensor<16x8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// A sum over the split batch is pending inside, and reduced over the free axis there.
// CHECK-LABEL: func.func @pending_sum_inside(
func.func @pending_sum_inside(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {?}]>}) -> tensor<16xf32> {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>] out [#tessera.sharding<@mesh, [{"model", ?}]>] : (tensor<8x16xf32>) -> tensor<16xf32> {
  ^bb0(%x: tensor<8x4xf32>):
    // SHARDED: %[[SUM:.*]] = tessera.reduce sum {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"data"}>}
    // SHARDED: tessera.reshard %[[SUM]] to <@mesh, [{}]>
    %1 = tessera.reduce sum %x dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
    tessera.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<16xf32>
}
