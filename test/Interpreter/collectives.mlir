// Every collective on four devices, over one axis, over both in the other order, over a part of an axis, and with devices
// out of order in the mesh. Each device starts from its own number; results are gathered along dimension 0 in the order of
// the mesh's positions.
// RUN: split-file %s %t
// RUN: tessera-interpret %t/axes.mlir | FileCheck %s --check-prefix=AXES
// RUN: tessera-interpret %t/sub-axes.mlir | FileCheck %s --check-prefix=SUB
// RUN: tessera-interpret %t/order.mlir | FileCheck %s --check-prefix=ORDER
// RUN: tessera-interpret %t/axes.mlir --count | FileCheck %s --check-prefix=COUNT

//--- axes.mlir
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> (
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    tensor<4xi32> {tessera.global_type = tensor<16xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    tensor<1x2xi32> {tessera.global_type = tensor<4x2xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) {
  %device = spmd.axis_index <@mesh, ["x", "y"]> : tensor<i32>
  %a = tessera.reshape %device : tensor<i32> -> tensor<1xi32>
  // Devices 0 and 2 form a group, 1 and 3 the other.
  // AXES: result0: i32[4] = [2, 4, 2, 4]
  %sum = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<1xi32>
  // AXES: result1: i32[4] = [1, 1, 3, 3]
  %max = spmd.all_reduce max %a over <@mesh, ["y"]> : tensor<1xi32>
  // With y as the major axis the order is 0, 2, 1, 3.
  // AXES: result2: i32[16] = [0, 2, 1, 3, 0, 2, 1, 3, 0, 2, 1, 3, 0, 2, 1, 3]
  %gather = spmd.all_gather %a dim = 0 over <@mesh, ["y", "x"]> : tensor<1xi32> -> tensor<4xi32>
  // The sum of the gathered is [0, 8, 4, 12]; device (x, y) gets part 2 * y + x.
  // AXES: result3: i32[4] = [0, 4, 8, 12]
  %scatter = spmd.reduce_scatter sum %gather dim = 0 over <@mesh, ["y", "x"]> : tensor<4xi32> -> tensor<1xi32>
  // Device i has the row [10 i, 10 i + 1]; along x the columns travel: device (0, y) gets column 0 of both.
  // AXES: result4: i32[4x2] = {{\[\[}}0, 20], [10, 30], [1, 21], [11, 31]]
  %ten = arith.constant dense<10> : tensor<1x2xi32>
  %b = tessera.broadcast %a dims = [1] : tensor<1xi32> -> tensor<1x2xi32>
  %row = arith.muli %b, %ten : tensor<1x2xi32>
  %column = tessera.iota dim = 1 : tensor<1x2xi32>
  %both = arith.addi %row, %column : tensor<1x2xi32>
  %exchanged = spmd.all_to_all %both split = 1 concat = 0 over <@mesh, ["x"]> : tensor<1x2xi32> -> tensor<2x1xi32>
  %c = tessera.reshape %exchanged : tensor<2x1xi32> -> tensor<1x2xi32>
  // Each to the next, the last to nobody; the first has zeros.
  // AXES: result5: i32[4] = [0, 0, 1, 2]
  %shifted = spmd.permute %a to [1, 2, 3, -1] over <@mesh, ["x", "y"]> : tensor<1xi32>
  // AXES: result6: i32[4] = [1, 1, 3, 3]
  %root = spmd.broadcast %a from 1 over <@mesh, ["y"]> : tensor<1xi32>
  return %sum, %max, %gather, %scatter, %c, %shifted, %root
    : tensor<1xi32>, tensor<1xi32>, tensor<4xi32>, tensor<1xi32>, tensor<1x2xi32>, tensor<1xi32>, tensor<1xi32>
}
// 2 (n - 1) / n, (n - 1) / n of the result, of the operand, of the operand, all, all.
// COUNT: 4 1 all_reduce {"x"} tensor<1xi32>
// COUNT-NEXT: 4 1 all_reduce {"y"} tensor<1xi32>
// COUNT-NEXT: 12 1 all_gather {"y", "x"} tensor<1xi32>
// COUNT-NEXT: 12 1 reduce_scatter {"y", "x"} tensor<4xi32>
// COUNT-NEXT: 4 1 all_to_all {"x"} tensor<1x2xi32>
// COUNT-NEXT: 4 1 permute {"x", "y"} tensor<1xi32>
// COUNT-NEXT: 4 1 broadcast {"y"} tensor<1xi32>
// COUNT-NEXT: 44 7 in all, per device

//--- sub-axes.mlir
tessera.mesh @mesh = <["x"=4]>
func.func @main() -> (
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    tensor<2xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}]>}) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %a = tessera.reshape %device : tensor<i32> -> tensor<1xi32>
  // The major half of the axis: 0 with 2, 1 with 3.
  // SUB: result0: i32[4] = [2, 4, 2, 4]
  %major = spmd.all_reduce sum %a over <@mesh, ["x":(1)2]> : tensor<1xi32>
  // The minor half: 0 with 1, 2 with 3.
  // SUB: result1: i32[4] = [1, 1, 5, 5]
  %minor = spmd.all_reduce sum %a over <@mesh, ["x":(2)2]> : tensor<1xi32>
  // SUB: result2: i32[4] = [0, 1, 2, 3]
  %pair = spmd.all_gather %a dim = 0 over <@mesh, ["x":(2)2]> : tensor<1xi32> -> tensor<2xi32>
  return %major, %minor, %pair : tensor<1xi32>, tensor<1xi32>, tensor<2xi32>
}

//--- order.mlir
// Positions follow the mesh, whichever device stands there.
tessera.mesh @mesh = <["x"=4], device_ids=[2, 0, 3, 1]>
func.func @main(%a: tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> (
    tensor<1xi32> {tessera.global_type = tensor<4xi32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    tensor<4xi32> {tessera.global_type = tensor<4xi32>}) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %b = tessera.reshape %device : tensor<i32> -> tensor<1xi32>
  // ORDER: result0: i32[4] = [0, 1, 2, 3]
  // ORDER: result1: i32[4] = [0, 1, 2, 3]
  %gather = spmd.all_gather %b dim = 0 over <@mesh, ["x"]> : tensor<1xi32> -> tensor<4xi32>
  return %b, %gather : tensor<1xi32>, tensor<4xi32>
}
