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

// Each axis of the second mesh is a part of the line, (3)2 and (2)3, but no grid has both: it takes the line's order.
// CHECK: tessera.mesh @line = <["z"=6]>
// CHECK-NOT: tessera.mesh
tessera.mesh @line = <["z"=6]>
tessera.mesh @remainders = <["x"=2, "y"=3], device_ids=[0, 4, 2, 3, 1, 5]>

// CHECK-LABEL: func.func @two_remainders(
// CHECK-SAME: tensor<6x6xf32> {tessera.device_order = array<i64: 0, 4, 2, 3, 1, 5>, tessera.sharding = #tessera.sharding<@line, [{"z":(1)2}, {"z":(2)3}]>}
func.func @two_remainders(%line: tensor<6x8xf32> {tessera.sharding = #tessera.sharding<@line, [{"z"}, {}]>},
                      %both: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@remainders, [{"x"}, {"y"}]>}) {
  return
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

// No axes of one mesh express both orders: the second mesh takes its devices in the order of the first, and says so where it tells who holds an argument or result.
// CHECK: tessera.mesh @a = <["x"=4], device_ids=[0, 2, 1, 3]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=4], device_ids=[0, 2, 1, 3]>
tessera.mesh @b = <["u"=2, "v"=2], device_ids=[1, 0, 2, 3]>

// CHECK-LABEL: func.func @other_order(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {}]>}
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4x4xf32> {tessera.device_order = array<i64: 1, 0, 2, 3>, tessera.sharding = #tessera.sharding<@a, [{"x":(1)2}, {"x":(2)2, ?}]>}
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@a, [{"x":(1)2, ?}, {}]>}
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@a, [{}, {?}]>}
// CHECK-SAME: -> (tensor<4x4xf32> {tessera.device_order = array<i64: 1, 0, 2, 3>, tessera.sharding = #tessera.sharding<@a, [{"x":(2)2}, {}]>},
// CHECK-SAME: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@a, [{}, {}], unreduced={"x"}>})
func.func @other_order(%a: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {}]>},
    %moved: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@b, [{"u"}, {"v", ?}]>},
    %stays: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@a, [{"x":(1)2, ?}, {}]>},
    %whole: tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@b, [{}, {?}]>})
    -> (tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@b, [{"v"}, {}]>},
        tensor<4x4xf32> {tessera.sharding = #tessera.sharding<@b, [{}, {}], unreduced={"u", "v"}>}) {
  // CHECK: tessera.constrain %{{.*}} to <@a, [{"x":(1)2}, {"x":(2)2}]>
  %0 = tessera.constrain %moved to <@b, [{"u"}, {"v"}]> : tensor<4x4xf32>
  return %0, %0 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// The mesh remains with which least lies on other devices at the boundary: here the second.
// CHECK-NOT: tessera.mesh @small
// CHECK: tessera.mesh @large = <["x"=4], device_ids=[0, 3, 1, 2]>
tessera.mesh @small = <["x"=4]>
tessera.mesh @large = <["x"=4], device_ids=[0, 3, 1, 2]>

// CHECK-LABEL: func.func @least(
// CHECK-SAME: tensor<8xf32> {tessera.device_order = array<i64: 0, 1, 2, 3>, tessera.sharding = #tessera.sharding<@large, [{"x"}]>}
// CHECK-SAME: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@large, [{"x"}, {}]>}
func.func @least(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@small, [{"x"}]>},
                 %b: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@large, [{"x"}, {}]>}) {
  return
}

// -----

// A result that nobody shards lies where the argument was that is donated to it; one that is annotated where it says.
tessera.mesh @a = <["x"=4]>
tessera.mesh @b = <["x"=4], device_ids=[0, 3, 1, 2]>

// CHECK-LABEL: func.func @donated(
// CHECK-SAME: -> (tensor<8xf32> {tessera.device_order = array<i64: 0, 3, 1, 2>}, tensor<8xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}]>})
func.func @donated(%p: tensor<8xf32> {tessera.donated = 0 : i64, tessera.sharding = #tessera.sharding<@b, [{"x"}]>},
                   %q: tensor<8xf32> {tessera.donated = 1 : i64, tessera.sharding = #tessera.sharding<@b, [{"x"}]>},
                   %large: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {}]>})
    -> (tensor<8xf32>, tensor<8xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}]>}) {
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// -----

// Where some of several axes of both meshes are by hand, the axes of neither do: one is cut where those of the other end. An axis of one device has no links to take over.
// CHECK: tessera.mesh @devices = <["x"=2, "one"=1, "y_1"=2, "y_2"=2]> on <links = {{\[\[[^,]*}}, 3.000000e+10], [{{[^,]*}}, 2.500000e+10], [{{[^,]*}}, 5.000000e+10], [{{[^,]*}}, 5.000000e+10]]
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=2, "one"=1, "y"=4]> on <links = [[2.0e-6, 3.0e+10], [3.0e-6, 4.0e+10], [4.0e-6, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 1000>
tessera.mesh @b = <["u"=4, "v"=2]>

// CHECK-LABEL: func.func @partly_by_hand(
func.func @partly_by_hand(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK: tessera.manual_computation{{.*}} over <@devices, ["y_1", "y_2"]> in [#tessera.sharding<@devices, [{?}, {"y_1", "y_2"}]>]
  %0 = tessera.manual_computation(%a) over <@a, ["y"]> in [#tessera.sharding<@a, [{?}, {"y"}]>] out [#tessera.sharding<@a, [{?}, {"y"}]>]
    : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: tensor<8x2xf32>):
    tessera.yield %x : tensor<8x2xf32>
  }
  // CHECK: tessera.manual_computation{{.*}} over <@devices, ["x", "y_1"]> in [#tessera.sharding<@devices, [{"x", "y_1"}, {?}]>]
  %1 = tessera.manual_computation(%0) over <@b, ["u"]> in [#tessera.sharding<@b, [{"u"}, {?}]>] out [#tessera.sharding<@b, [{"u"}, {?}]>]
    : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%x: tensor<2x8xf32>):
    tessera.yield %x : tensor<2x8xf32>
  }
  return %1 : tensor<8x8xf32>
}

// -----

// Where the axes of two grids have no common cuts, a line has neither's axes by hand. The second grid takes its devices in an order in which its axes are those of the first.
// CHECK: tessera.mesh @devices = <["x"=2, "y"=3]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=2, "y"=3]>
tessera.mesh @b = <["u"=3, "v"=2]>

// CHECK-LABEL: func.func @no_common_cuts(
// CHECK-SAME: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@devices, [{"x"}, {"y"}]>}
// CHECK-SAME: tensor<6x6xf32> {tessera.device_order = array<i64: 0, 2, 4, 1, 3, 5>, tessera.sharding = #tessera.sharding<@devices, [{"y"}, {"x"}]>}
func.func @no_common_cuts(%a: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {"y"}]>},
                          %b: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@b, [{"u"}, {"v"}]>}) -> tensor<6x6xf32> {
  // CHECK: tessera.manual_computation{{.*}} over <@devices, ["x"]> in [#tessera.sharding<@devices, [{"x"}, {?}]>]
  %0 = tessera.manual_computation(%a) over <@a, ["x"]> in [#tessera.sharding<@a, [{"x"}, {?}]>] out [#tessera.sharding<@a, [{"x"}, {?}]>]
    : (tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%x: tensor<3x6xf32>):
    tessera.yield %x : tensor<3x6xf32>
  }
  %1 = arith.addf %0, %b : tensor<6x6xf32>
  // CHECK: tessera.manual_computation{{.*}} over <@devices, ["y"]> in [#tessera.sharding<@devices, [{"y"}, {?}]>]
  %2 = tessera.manual_computation(%1) over <@b, ["u"]> in [#tessera.sharding<@b, [{"u"}, {?}]>] out [#tessera.sharding<@b, [{"u"}, {?}]>]
    : (tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%x: tensor<2x6xf32>):
    // CHECK: spmd.all_reduce sum %{{.*}} over <@devices, ["y"]>
    %3 = spmd.all_reduce sum %x over <@b, ["u"]> : tensor<2x6xf32>
    tessera.yield %3 : tensor<2x6xf32>
  }
  return %2 : tensor<6x6xf32>
}

// -----

// Parts in use say how an axis is cut into prime sizes: the second mesh's into 3 * 2, of which the first mesh's axes are made.
// CHECK: tessera.mesh @devices = <["x_1"=2, "x_2"=2, "y"=3]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=4, "y"=3]>
tessera.mesh @b = <["u"=2, "w"=6]>

// CHECK-LABEL: func.func @parts_in_use(
// CHECK-SAME: tensor<12x12xf32> {tessera.sharding = #tessera.sharding<@devices, [{"x_1", "x_2"}, {"y"}]>}
// CHECK-SAME: tensor<6x6xf32> {tessera.device_order = array<i64: 0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11>, tessera.sharding = #tessera.sharding<@devices, [{"y"}, {"x_2"}]>}
func.func @parts_in_use(%a: tensor<12x12xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {"y"}]>},
                        %b: tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@b, [{"w":(1)3}, {"w":(3)2}]>}) -> tensor<12x12xf32> {
  // CHECK: tessera.manual_computation{{.*}} over <@devices, ["y"]>
  %0 = tessera.manual_computation(%a) over <@a, ["y"]> in [#tessera.sharding<@a, [{?}, {"y", ?}]>] out [#tessera.sharding<@a, [{?}, {"y", ?}]>]
    : (tensor<12x12xf32>) -> tensor<12x12xf32> {
  ^bb0(%x: tensor<12x4xf32>):
    tessera.yield %x : tensor<12x4xf32>
  }
  return %0 : tensor<12x12xf32>
}

// -----

// Regions over all axes of grids without a common one: over a line, of which the shardings and collectives name parts.
// CHECK: tessera.mesh @devices = <["devices"=6]>
// CHECK-NOT: tessera.mesh
tessera.mesh @a = <["x"=2, "y"=3]>
tessera.mesh @b = <["u"=3, "v"=2]>

// CHECK-LABEL: func.func @by_hand(
func.func @by_hand(%a: tensor<6x6xf32>) -> tensor<6x6xf32> {
  // CHECK: tessera.manual_computation{{.*}} over <@devices, ["devices"]> in [#tessera.sharding<@devices, [{"devices":(1)2}, {}]>]
  %0 = tessera.manual_computation(%a) over <@a, ["y", "x"]> in [#tessera.sharding<@a, [{"x"}, {}]>] out [#tessera.sharding<@a, [{"x"}, {}]>]
    : (tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%x: tensor<3x6xf32>):
    // CHECK: spmd.all_reduce max %{{.*}} over <@devices, ["devices":(2)3]>
    %1 = spmd.all_reduce max %x over <@a, ["y"]> : tensor<3x6xf32>
    tessera.yield %1 : tensor<3x6xf32>
  }
  // CHECK: tessera.constrain %{{.*}} to <@devices, [{"devices":(1)3}, {"devices":(3)2}]>
  %2 = tessera.constrain %0 to <@b, [{"u"}, {"v"}]> : tensor<6x6xf32>
  return %2 : tensor<6x6xf32>
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
  // CHECK: tessera.manual_computation{{.*}} over <@grid, ["y"]> in [#tessera.sharding<@grid, [{"y"}]>]
  %0 = tessera.manual_computation(%a) over <@grid, ["y"]> in [#tessera.sharding<@grid, [{"y"}]>] out [#tessera.sharding<@grid, [{"y"}]>]
    : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<2xf32>):
    tessera.yield %x : tensor<2xf32>
  }
  return %0 : tensor<4xf32>
}
