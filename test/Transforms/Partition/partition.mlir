// RUN: tessera-opt --tessera-partition --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// Arguments and results get local types and say what they are parts of; a pending sum becomes an all-reduce.
// CHECK-LABEL: func.func @local_types(
// CHECK-SAME: %[[A:.*]]: tensor<4x4xf32> {tessera.global_type = tensor<8x16xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>}
// CHECK-SAME: -> (tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>})
func.func @local_types(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}) {
  // CHECK-NEXT: %[[PARTIAL:.*]] = tessera.reduce sum %[[A]] dims = [1] : tensor<4x4xf32> -> tensor<4xf32>
  %0 = tessera.reduce sum %a dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}], unreduced={"model"}>} : tensor<8x16xf32> -> tensor<8xf32>
  // CHECK-NEXT: %[[SUM:.*]] = spmd.all_reduce sum %[[PARTIAL]] over <@mesh, ["model"]> : tensor<4xf32>
  %1 = tessera.reshard %0 to <@mesh, [{"data"}]> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>} : tensor<8xf32>
  // CHECK-NEXT: return %[[SUM]]
  return %1 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @moves(
func.func @moves(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
        tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
        tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: spmd.all_to_all %{{.*}} split = 1 concat = 0 over <@mesh, ["x"]> : tensor<2x8xf32> -> tensor<8x2xf32>
  %0 = tessera.reshard %a to <@mesh, [{}, {"x"}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>} : tensor<8x8xf32>
  // CHECK: %[[WHOLE:.*]] = spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["x"]> : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = tessera.reshard %a to <@mesh, [{}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<8x8xf32>
  // CHECK: %[[INDEX:.*]] = spmd.axis_index <@mesh, ["x"]>
  // CHECK: %[[BEGIN:.*]] = arith.muli %[[INDEX]], %{{.*}} : tensor<i32>
  // CHECK: tessera.dynamic_slice %[[WHOLE]][%[[BEGIN]], %{{.*}}] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
  %2 = tessera.reshard %1 to <@mesh, [{"x"}, {}]> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>

// A device counts from where its part begins.
// CHECK-LABEL: func.func @counting(
func.func @counting() -> (tensor<8xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[COUNT:.*]] = tessera.iota dim = 0 : tensor<2xi32>
  // CHECK: %[[INDEX:.*]] = spmd.axis_index <@mesh, ["x"]>
  // CHECK: %[[BEGIN:.*]] = arith.muli %[[INDEX]], %{{.*}} : tensor<i32>
  // CHECK: %[[BEGINS:.*]] = tessera.broadcast %[[BEGIN]] dims = [] : tensor<i32> -> tensor<2xi32>
  // CHECK: arith.addi %[[COUNT]], %[[BEGINS]] : tensor<2xi32>
  %0 = tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<8xi32>
  return %0 : tensor<8xi32>
}
