// Collectives by levels have the values of whole ones: sizes that the devices of a node divide and that they do not, groups in whose order near devices are minor, major, or both by turns, two in one call, dimensions that
// are split and joined in any order, two levels and three.
// DEFINE: %{mesh} = ["x"=2, "y"=4]> on <links = [[1.0e-4, 5.0e+10], [1.0e-5, 2.0e+11]]
// DEFINE: %{options} = always
// DEFINE: %{try} = sed 's/@mesh = <.*, compute/@mesh = <%{mesh}, compute/' %s > %t.whole.mlir && tessera-interpret %t.whole.mlir --random=1 --outputs=%t.expected.safetensors \
// DEFINE:   && tessera-opt --tessera-combine-collectives --tessera-decompose-collectives=%{options} %t.whole.mlir -o %t.levels.mlir \
// DEFINE:   && tessera-interpret %t.levels.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-6
// RUN: %{try}
// RUN: tessera-interpret %t.levels.mlir --random=1 --count | FileCheck %s
// REDEFINE: %{mesh} = ["x"=4, "y"=2]> on <links = [[1.0e-4, 5.0e+10], [1.0e-6, 4.0e+11]]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=4], device_ids=[6, 7, 2, 3, 0, 1, 5, 4]> on <links = [[1.0e-4, 5.0e+10], [1.0e-4, 5.0e+10]]
// RUN: %{try}
// By price: calls cost nothing, and levels are of 2, 4 and all devices.
// REDEFINE: %{options} = "always=false collective-seconds=0"
// REDEFINE: %{mesh} = ["x"=2, "y"=4]> on <links = [[1.0e-4, 5.0e+10], [1.0e-5, 2.0e+11]]
// RUN: %{try}
// RUN: tessera-interpret %t.levels.mlir --random=1 --count | FileCheck %s
// REDEFINE: %{mesh} = ["x"=4, "y"=2]> on <links = [[1.0e-4, 5.0e+10], [1.0e-6, 4.0e+11]]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=4], device_ids=[6, 7, 2, 3, 0, 1, 5, 4]> on <links = [[1.0e-4, 5.0e+10], [1.0e-4, 5.0e+10]]
// RUN: %{try}

// None is left over all devices but where near devices are minor and major by turns.
// CHECK-NOT: {"x", "y"}
// CHECK: in all
module attributes {pipe.levels = [[2, 1.0e-6, 4.0e+11], [4, 1.0e-5, 2.0e+11], [0, 1.0e-4, 5.0e+10]]} {
tessera.mesh @mesh = <["x"=2, "y"=4]> on <links = [[1.0e-4, 5.0e+10], [1.0e-5, 2.0e+11]], compute = 1.0e+14, memory_bandwidth = 1.0e+12, memory = 80000000000>
func.func @main(
    %a: tensor<3x8xf32> {tessera.global_type = tensor<24x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    %b: tensor<5xf32> {tessera.global_type = tensor<40xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>},
    %c: tensor<16x24x2xf32> {tessera.global_type = tensor<16x24x16xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"y", "x"}]>})
    -> (tensor<3x8xf32> {tessera.global_type = tensor<3x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
        tensor<5xf32> {tessera.global_type = tensor<5xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
        tensor<3x64xf32> {tessera.global_type = tensor<3x64xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
        tensor<24x8xf32> {tessera.global_type = tensor<24x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
        tensor<16x3x2xf32> {tessera.global_type = tensor<16x24x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>},
        tensor<2x24x2xf32> {tessera.global_type = tensor<16x24x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y", "x"}, {}, {}]>},
        tensor<2x24x16xf32> {tessera.global_type = tensor<16x24x16xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}, {}]>},
        tensor<16x24x2xf32> {tessera.global_type = tensor<16x192x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>},
        tensor<128x3x2xf32> {tessera.global_type = tensor<128x24x2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"y", "x"}, {}]>}) {
  // Somebody waits for each of them. Two sums of one call; five elements are no multiple.
  %0 = spmd.all_reduce sum %a over <@mesh, ["x", "y"]> : tensor<3x8xf32>
  %1 = spmd.all_reduce sum %b over <@mesh, ["x", "y"]> : tensor<5xf32>
  %r0 = arith.negf %0 : tensor<3x8xf32>
  %r1 = arith.negf %1 : tensor<5xf32>
  %2 = spmd.all_gather %a dim = 1 over <@mesh, ["x", "y"]> : tensor<3x8xf32> -> tensor<3x64xf32>
  %r2 = arith.negf %2 : tensor<3x64xf32>
  %3 = spmd.all_gather %a dim = 0 over <@mesh, ["y", "x"]> : tensor<3x8xf32> -> tensor<24x8xf32>
  %r3 = arith.negf %3 : tensor<24x8xf32>
  %4 = spmd.reduce_scatter sum %c dim = 1 over <@mesh, ["x", "y"]> : tensor<16x24x2xf32> -> tensor<16x3x2xf32>
  %r4 = arith.negf %4 : tensor<16x3x2xf32>
  %5 = spmd.reduce_scatter max %c dim = 0 over <@mesh, ["y", "x"]> : tensor<16x24x2xf32> -> tensor<2x24x2xf32>
  %r5 = arith.negf %5 : tensor<2x24x2xf32>
  %6 = spmd.all_to_all %c split = 0 concat = 2 over <@mesh, ["x", "y"]> : tensor<16x24x2xf32> -> tensor<2x24x16xf32>
  %r6 = arith.negf %6 : tensor<2x24x16xf32>
  %7 = spmd.all_to_all %c split = 1 concat = 1 over <@mesh, ["x", "y"]> : tensor<16x24x2xf32> -> tensor<16x24x2xf32>
  %r7 = arith.negf %7 : tensor<16x24x2xf32>
  %8 = spmd.all_to_all %c split = 1 concat = 0 over <@mesh, ["y", "x"]> : tensor<16x24x2xf32> -> tensor<128x3x2xf32>
  %r8 = arith.negf %8 : tensor<128x3x2xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<3x8xf32>, tensor<5xf32>, tensor<3x64xf32>, tensor<24x8xf32>, tensor<16x3x2xf32>, tensor<2x24x2xf32>, tensor<2x24x16xf32>, tensor<16x24x2xf32>, tensor<128x3x2xf32>
}
}
