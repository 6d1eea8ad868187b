// RUN: tessera-opt --tessera-exchange-boundary --mlir-print-debuginfo --mlir-print-local-scope --split-input-file %s | FileCheck %s

// Device 3 has the second part of `%a`, which the program has on device 1: its position there is 1.
// CHECK: tessera.mesh @mesh = <["x"=2, "y"=2]>
tessera.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<4xf32>
func.func @arguments(
    %a: tensor<2xf32> {tessera.device_order = array<i64: 0, 3, 1, 2>, tessera.global_type = tensor<8xf32>, tessera.name = "w", tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    %b: tensor<4xf32> {tessera.device_order = array<i64: 1, 0, 3, 2>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>},
    %c: tensor<4xf32> {tessera.device_order = array<i64: 1, 0, 3, 2>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<2xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
        tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>},
        tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[HERE:.*]] = spmd.permute %[[A]] to [0, 2, 3, 1] over <@mesh, ["x", "y"]> : tensor<2xf32>
  // CHECK-SAME: #tessera.provenance<"device order" {{.*}} producer #tessera.place<"argument 'w'" at loc({{[^)]*}})> because "devices hold its parts in the order [0, 3, 1, 2] and the program takes them in the order [0, 1, 2, 3]"
  // In each group along "y" the two devices change places.
  // CHECK: %[[THERE:.*]] = spmd.permute %[[B]] to [1, 0] over <@mesh, ["y"]> : tensor<4xf32>
  // CHECK-NOT: spmd.permute
  // CHECK: arith.addf %[[HERE]], %[[HERE]]
  // CHECK: return %{{.*}}, %[[THERE]], %[[C]]
  %0 = arith.addf %a, %a : tensor<2xf32>
  return %0, %b, %c : tensor<2xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A result goes to the devices that should have it. Without an argument's uses nothing is exchanged.
tessera.mesh @mesh = <["x"=4], device_ids=[3, 2, 1, 0]>

// CHECK-LABEL: func.func @results(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2xf32>
func.func @results(
    %a: tensor<2xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %unused: tensor<2xf32> {tessera.device_order = array<i64: 0, 1, 2, 3>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<2xf32> {tessera.device_order = array<i64: 3, 2, 0, 1>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[THERE:.*]] = spmd.permute %[[A]] to [0, 1, 3, 2] over <@mesh, ["x"]> : tensor<2xf32>
  // CHECK-NOT: spmd.permute
  // CHECK: return %[[THERE]]
  return %a : tensor<2xf32>
}
