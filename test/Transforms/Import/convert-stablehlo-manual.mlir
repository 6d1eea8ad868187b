// Per-device code: regions over manual axes, and collectives that list devices.
// RUN: tessera-opt %s --tessera-convert-stablehlo --split-input-file | FileCheck %s

"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()

// A region, as `shard_map` over all axes makes it.
// CHECK-LABEL: func.func @main(
// CHECK: tessera.manual_computation(%{{.*}}) over <@mesh, ["data", "model"]>
// CHECK-SAME: in [#tessera.sharding<@mesh, [{"data"}, {"model"}]>] out [#tessera.sharding<@mesh, [{"data"}, {}]>]
// CHECK-SAME: (tensor<8x16xf32>) -> tensor<8x4xf32> {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<4x4xf32>):
// CHECK: %[[SUM:.*]] = spmd.all_reduce sum %[[X]] over <@mesh, ["model"]> : tensor<4x4xf32>
// CHECK: tessera.yield %[[SUM]] : tensor<4x4xf32>
func.func @main(%x: tensor<8x16xf32>) -> tensor<8x4xf32> {
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}> ({
  ^bb0(%a: tensor<4x4xf32>):
    %1 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %c = "sdy.sharding_constraint"(%s) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "sdy.return"(%1) : (tensor<4x4xf32>) -> ()
  }) : (tensor<8x16xf32>) -> tensor<8x4xf32>
  "func.return"(%0) : (tensor<8x4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()

// Lists of devices become axes, in the order of the lists, also where the code stands in a function of its own.
// CHECK-LABEL: func.func private @exchanges(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>, %[[U:.*]]: tensor<4xi32>)
func.func private @exchanges(%x: tensor<8x4xf32>, %u: tensor<4xui32>) -> (tensor<8x4xf32>, tensor<4xui32>) {
  // CHECK: spmd.all_gather %[[X]] dim = 1 over <@mesh, ["model", "data"]> : tensor<8x4xf32> -> tensor<8x32xf32>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x32xf32>
  // CHECK: spmd.all_to_all %[[X]] split = 0 concat = 1 over <@mesh, ["data"]> : tensor<8x4xf32> -> tensor<4x8xf32>
  %1 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  // CHECK: spmd.reduce_scatter sum %[[X]] dim = 0 over <@mesh, ["model":(1)2]> : tensor<8x4xf32> -> tensor<4x4xf32>
  %2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<8x4xf32>) -> tensor<4x4xf32>
  // CHECK: spmd.permute %[[X]] to [1, 2, 3, -1] over <@mesh, ["model"]> : tensor<8x4xf32>
  %3 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [4, 5], [5, 6], [6, 7]]> : tensor<6x2xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // The root need not be the first.
  // CHECK: spmd.broadcast %[[X]] from 2 over <@mesh, ["model"]> : tensor<8x4xf32>
  %4 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 0, 1, 3], [6, 4, 5, 7]]> : tensor<2x4xi64>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // Unsigned integers are compared as signed ones with the first bit flipped.
  // CHECK: %[[FLIPPED:.*]] = arith.xori %[[U]], %{{.*}} : tensor<4xi32>
  // CHECK: %[[MOST:.*]] = spmd.all_reduce max %[[FLIPPED]] over <@mesh, ["data"]> : tensor<4xi32>
  // CHECK: arith.xori %[[MOST]], %{{.*}} : tensor<4xi32>
  %5 = "stablehlo.all_reduce"(%u) <{replica_groups = dense<[[4, 0], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>}> ({
  ^bb0(%l: tensor<ui32>, %r: tensor<ui32>):
    %s = "stablehlo.maximum"(%l, %r) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    "stablehlo.return"(%s) : (tensor<ui32>) -> ()
  }) : (tensor<4xui32>) -> tensor<4xui32>
  "func.return"(%4, %5) : (tensor<8x4xf32>, tensor<4xui32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()

// Where `data` is free, JAX computes a position along `model` from the device's number in a region over `data`. It needs none.
// CHECK-LABEL: func.func @main(
// CHECK: tessera.manual_computation() over <@mesh, ["model"]> in [] out [#tessera.sharding<@mesh, [{"model", ?}]>] : () -> tensor<4xi32> {
// CHECK-NOT: tessera.manual_computation
// CHECK: %[[INDEX:.*]] = spmd.axis_index <@mesh, ["model"]> : tensor<i32>
// CHECK-NOT: spmd
// CHECK: %[[RESULT:.*]] = tessera.broadcast %[[INDEX]]
// CHECK: tessera.yield %[[RESULT]] : tensor<1xi32>
func.func @main() -> tensor<4xi32> {
  %0 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model", ?}]>]>}> ({
    %1 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>]>}> ({
      %one = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %four = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32>
      %id = "stablehlo.partition_id"() : () -> tensor<ui32>
      %2 = "stablehlo.divide"(%id, %one) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %3 = "stablehlo.remainder"(%2, %four) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %4 = "stablehlo.convert"(%3) : (tensor<ui32>) -> tensor<i32>
      "sdy.return"(%4) : (tensor<i32>) -> ()
    }) : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1xi32>
    "sdy.return"(%5) : (tensor<1xi32>) -> ()
  }) : () -> tensor<4xi32>
  "func.return"(%0) : (tensor<4xi32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()

// A named computation is its body, with what it says of its boundary as constraints.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>)
// CHECK: %[[IN:.*]] = tessera.constrain %[[X]] to <@mesh, [{"data"}]>
// CHECK: %[[SUM:.*]] = arith.addf %[[IN]], %[[IN]]
// CHECK: %[[OUT:.*]] = tessera.constrain %[[SUM]] to <@mesh, [{"model"}]>
// CHECK: return %[[OUT]]
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "sdy.named_computation"(%x) <{name = "f", in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model"}]>]>}> ({
  ^bb0(%a: tensor<8xf32>):
    %1 = "stablehlo.add"(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "sdy.return"(%1) : (tensor<8xf32>) -> ()
  }) : (tensor<8xf32>) -> tensor<8xf32>
  "func.return"(%0) : (tensor<8xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> : () -> ()

// A region that takes nothing but whose devices' results stand one behind the other remains.
// CHECK-LABEL: func.func @main(
// CHECK: tessera.manual_computation() over <@mesh, ["model"]> in [] out [#tessera.sharding<@mesh, [{"model", ?}]>] : () -> tensor<4xf32> {
// CHECK-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<1xf32>
// CHECK-NEXT: tessera.yield %[[ONE]] : tensor<1xf32>
func.func @main() -> tensor<4xf32> {
  %0 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model", ?}]>]>}> ({
    %1 = "stablehlo.constant"() <{value = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    "sdy.return"(%1) : (tensor<1xf32>) -> ()
  }) : () -> tensor<4xf32>
  "func.return"(%0) : (tensor<4xf32>) -> ()
}

// -----

"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "first"}> : () -> ()
"sdy.mesh"() <{mesh = #sdy.mesh<["u"=4], device_ids=[0, 3, 1, 2]>, sym_name = "second"}> : () -> ()

// A region is over the mesh of its shardings: groups of devices in it are those of this mesh, whose order says which number a device has.
// CHECK-LABEL: func.func @main(
// CHECK: tessera.manual_computation{{.*}} over <@second, ["u"]> in [#tessera.sharding<@second, [{"u"}]>]
// CHECK: spmd.permute %{{.*}} to [1, 2, 3, 0] over <@second, ["u"]>
// CHECK-DAG: %[[TABLE:.*]] = arith.constant dense<[0, 3, 1, 2]> : tensor<4xi32>
// CHECK-DAG: %[[INDEX:.*]] = spmd.axis_index <@second, ["u"]>
// CHECK: %[[SLICE:.*]] = tessera.dynamic_slice %[[TABLE]][%[[INDEX]]]
// CHECK: tessera.reshape %[[SLICE]] : tensor<1xi32> -> tensor<i32>
// CHECK: tessera.manual_computation{{.*}} over <@first, ["x"]>
// CHECK: spmd.all_reduce sum %{{.*}} over <@first, ["x"]>
func.func @main(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@second, [{"u"}]>]>, manual_axes = #sdy<manual_axes{"u"}>, out_shardings = #sdy.sharding_per_value<[<@second, [{"u"}]>]>}> ({
  ^bb0(%a: tensor<2xi32>):
    %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 3], [3, 1], [1, 2], [2, 0]]> : tensor<4x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    %id = "stablehlo.partition_id"() : () -> tensor<ui32>
    %2 = "stablehlo.convert"(%id) : (tensor<ui32>) -> tensor<i32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2xi32>
    %4 = "stablehlo.add"(%1, %3) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    "sdy.return"(%4) : (tensor<2xi32>) -> ()
  }) : (tensor<8xi32>) -> tensor<8xi32>
  %5 = "sdy.manual_computation"(%0) <{in_shardings = #sdy.sharding_per_value<[<@first, [{"x", ?}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@first, [{"x", ?}]>]>}> ({
  ^bb0(%a: tensor<4xi32>):
    %6 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%l: tensor<i32>, %r: tensor<i32>):
      %s = "stablehlo.add"(%l, %r) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    "sdy.return"(%6) : (tensor<4xi32>) -> ()
  }) : (tensor<8xi32>) -> tensor<8xi32>
  "func.return"(%5) : (tensor<8xi32>) -> ()
}
