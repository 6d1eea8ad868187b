// RUN: tessera-opt %s --tessera-convert-stablehlo | FileCheck %s

"sdy.mesh"() <{mesh = #sdy.mesh<["a"=4, "b"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, sym_name = "mesh"}> : () -> ()
// CHECK: tessera.mesh @mesh_1 = <["c"=8]>
// CHECK: tessera.mesh @mesh = <["a"=4, "b"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>

// CHECK-LABEL: func.func @constraints(
// CHECK-SAME: %[[X:.*]]: tensor<8x8xf32>, %[[S:.*]]: tensor<f32>)
func.func @constraints(%x: tensor<8x8xf32>, %s: tensor<f32>) {
  // CHECK-NEXT: tessera.constrain %[[X]] to <@mesh, [{"b", "a"}, {?}]>
  %0 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{"b", "a"}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: tessera.constrain %[[X]] to <@mesh, [{"a":(1)2}p1, {}], replicated={"b"}>
  %1 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{"a":(1)2}p1, {}], replicated={"b"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: tessera.constrain %[[S]] to <@mesh, [], unreduced={"a"}>
  %2 = "sdy.sharding_constraint"(%s) <{sharding = #sdy.sharding<@mesh, [], unreduced={"a"}>}> : (tensor<f32>) -> tensor<f32>
  // A sharding on any operation is a constraint of its result.
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[X]]
  // CHECK-NEXT: tessera.constrain %[[SUM]] to <@mesh, [{"a"}, {}]>
  %3 = "stablehlo.add"(%x, %x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: %[[BARRIER:.*]]:2 = tessera.optimization_barrier %[[X]], %[[S]]
  // CHECK-NEXT: tessera.constrain %[[BARRIER]]#0 to <@mesh, [{}, {"a"}]>
  // CHECK-NEXT: tessera.constrain %[[BARRIER]]#1 to <@mesh, []>
  %4:2 = "stablehlo.optimization_barrier"(%x, %s) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"a"}]>, <@mesh, []>]>} : (tensor<8x8xf32>, tensor<f32>) -> (tensor<8x8xf32>, tensor<f32>)
  // CHECK-NEXT: tessera.constrain %[[X]] to <@mesh, [{}, {}], unreduced=max{"b"}>
  %6 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=max{"b"}>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: tessera.sharding_group %[[X]] in 5
  "sdy.sharding_group"(%x) <{group_id = 5 : i64}> : (tensor<8x8xf32>) -> ()
  // CHECK-NEXT: tessera.propagation_barrier %[[X]] allows none
  %7 = "sdy.propagation_barrier"(%x) <{allowed_direction = 0 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: tessera.propagation_barrier %[[X]] allows forward
  %8 = "sdy.propagation_barrier"(%x) <{allowed_direction = 1 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: tessera.propagation_barrier %[[X]] allows backward
  %9 = "sdy.propagation_barrier"(%x) <{allowed_direction = 2 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // What lets everything pass is none.
  %10 = "sdy.propagation_barrier"(%x) <{allowed_direction = 3 : i32}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // A mesh inside of a sharding becomes one of the module's, unless it is one already.
  // CHECK-NEXT: tessera.constrain %[[X]] to <@mesh_1, [{"c"}, {}]>
  %11 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<mesh<["c"=8]>, [{"c"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-NEXT: tessera.constrain %[[X]] to <@mesh, [{"a"}, {}]>
  %12 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<mesh<["a"=4, "b"=2], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, [{"a"}, {}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // What leaves every choice open says nothing.
  // CHECK-NEXT: return
  %5 = "sdy.sharding_constraint"(%x) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
  "func.return"() : () -> ()
}
