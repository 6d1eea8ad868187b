// RUN: tessera-opt %s --tessera-unify-meshes --split-input-file | FileCheck %s

// Other names, another grid, and the transposed grid are parts of the same axes.
// CHECK: tessera.mesh @a = <["x"=2, "y"=4]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=2, "y"=4]>
tessera.mesh @names = <["u"=2, "v"=4]>
tessera.mesh @line = <["z"=8]>
tessera.mesh @cube = <["p"=2, "q"=2, "r"=2]>
tessera.mesh @transposed = <["s"=4, "t"=2], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]>

// CHECK-LABEL: func.func @one_mesh(
// CHECK-SAME: %{{.*}}: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {"y", ?}p1]>}
// CHECK-SAME: -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@a, [{"y":(2)2, "x"}, {}], unreduced=max{"y":(1)2}>})
func.func @one_mesh(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@names, [{"u"}, {"v", ?}p1]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@cube, [{"r", "p"}, {}], unreduced=max{"q"}>}) {
  // CHECK: tessera.constrain %{{.*}} to <@a, [{"x", "y"}, {}]>
  %0 = tessera.constrain %a to <@line, [{"z"}, {}]> : tensor<8x8xf32>
  // CHECK: tessera.constrain %{{.*}} to <@a, [{"y":(1)2}, {"y":(2)2}], replicated={"x"}>
  %1 = tessera.constrain %0 to <@line, [{"z":(2)2}, {"z":(4)2}], replicated={"z":(1)2}> : tensor<8x8xf32>
  // CHECK: tessera.constrain %{{.*}} to <@a, [{"y"}, {"x"}]>
  %2 = tessera.constrain %1 to <@transposed, [{"s"}, {"t"}]> : tensor<8x8xf32>
  // CHECK: tessera.constrain %{{.*}} to <@a, [{"y"}, {"x"}]>
  %3 = tessera.constrain %2 to <@a, [{"y"}, {"x"}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// Neither grid is made of the other's axes; both are parts of a line.
// CHECK: tessera.mesh @devices = <["devices"=6]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=2, "y"=3]>
tessera.mesh @b = <["u"=3, "v"=2]>

// CHECK-LABEL: func.func @no_common_grid(
func.func @no_common_grid(%a: tensor<6x6xf32>) -> tensor<6x6xf32> {
  // CHECK: tessera.constrain %{{.*}} to <@devices, [{"devices":(1)2}, {"devices":(2)3}]>
  %0 = tessera.constrain %a to <@a, [{"x"}, {"y"}]> : tensor<6x6xf32>
  // CHECK: tessera.constrain %{{.*}} to <@devices, [{"devices":(1)3}, {"devices":(3)2}]>
  %1 = tessera.constrain %0 to <@b, [{"u"}, {"v"}]> : tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}

// -----

// With a single mesh nothing changes.
// CHECK: tessera.mesh @a = <["x"=2, "y"=3], device_ids=[5, 4, 3, 2, 1, 0]>
tessera.mesh @a = <["x"=2, "y"=3], device_ids=[5, 4, 3, 2, 1, 0]>
// CHECK-LABEL: func.func @alone(
// CHECK-SAME: <@a, [{"x"}]>
func.func @alone(%a: tensor<6xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}]>}) {
  return
}

// -----

// No axes of one mesh express both orders of the devices: the second mesh takes them in the order of the first, also where a value is one device's.
// CHECK: tessera.mesh @a = <["x"=4], device_ids=[0, 2, 1, 3]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=4], device_ids=[0, 2, 1, 3]>
tessera.mesh @b = <["u"=2, "v"=2], device_ids=[1, 0, 2, 3]>

// CHECK-LABEL: func.func @other_order(
func.func @other_order(%a: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  // CHECK: tessera.constrain %{{.*}} to <@a, [{"x":(1)2}, {"x":(2)2}]>
  %0 = tessera.constrain %a to <@b, [{"u"}, {"v"}]> : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// The manual axes of a region stay whole axes: its mesh remains, though another one expresses everything else as well.
// CHECK-NOT: tessera.mesh @line
// CHECK: tessera.mesh @grid = <["x"=2, "y"=2]>
tessera.mesh @line = <["z"=4]>
tessera.mesh @grid = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @per_device_code(
// CHECK-SAME: <@grid, [{"x", "y"}]>
func.func @per_device_code(%a: tensor<4xf32> {tessera.sharding = #tessera.sharding<@line, [{"z"}]>}) -> tensor<4xf32> {
  // CHECK: tessera.manual_computation{{.*}} over <@grid, ["x", "y"]> in [#tessera.sharding<@grid, [{"y"}]>]
  %0 = tessera.manual_computation(%a) over <@grid, ["x", "y"]> in [#tessera.sharding<@grid, [{"y"}]>] out [#tessera.sharding<@grid, [{"y"}]>]
    : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<2xf32>):
    tessera.yield %x : tensor<2xf32>
  }
  return %0 : tensor<4xf32>
}
