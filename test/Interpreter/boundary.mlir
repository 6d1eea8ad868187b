// What goes into a device's program is split as the arguments' shardings say and comes out whole: split, repeated, and
// unreduced (each element lies on one device or another, so that only the sum is right).
// RUN: split-file %s %t
// RUN: tessera-interpret %t/whole.mlir --random=3 --outputs=%t/whole.safetensors
// RUN: tessera-interpret %t/device.mlir --random=3 --expect=%t/whole.safetensors --tolerance=0
// RUN: not tessera-interpret %t/replicas.mlir 2>&1 | FileCheck %s --check-prefix=REPLICAS
// RUN: not tessera-interpret %t/types.mlir 2>&1 | FileCheck %s --check-prefix=TYPES

//--- whole.mlir
func.func @main(%a: tensor<4x6xf32> {tessera.name = "a"}, %b: tensor<4x6xf32> {tessera.name = "b"})
    -> (tensor<4x6xf32> {tessera.name = "x"}, tensor<4x6xf32>, tensor<4x6xf32>) {
  return %b, %a, %a : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

//--- device.mlir
tessera.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(
    %a: tensor<2x6xf32> {tessera.name = "a", tessera.global_type = tensor<4x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>},
    %b: tensor<4x1xf32> {tessera.name = "b", tessera.global_type = tensor<4x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"y", "x"}]>}) -> (
    tensor<4x1xf32> {tessera.name = "x", tessera.global_type = tensor<4x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"y", "x"}]>},
    tensor<2x6xf32> {tessera.global_type = tensor<4x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>},
    tensor<2x6xf32> {tessera.global_type = tensor<4x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %sum = spmd.all_reduce sum %a over <@mesh, ["y"]> : tensor<2x6xf32>
  return %b, %a, %sum : tensor<4x1xf32>, tensor<2x6xf32>, tensor<2x6xf32>
}

//--- replicas.mlir
tessera.mesh @mesh = <["x"=2]>
// REPLICAS: error: result 'y': device 0 (x=0) and device 1 (x=1) should hold the same and differ at element 0 of the part, where one has 0.000000, the other 1.000000
func.func @main() -> (tensor<i32> {tessera.name = "y"}) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  return %device : tensor<i32>
}

//--- types.mlir
tessera.mesh @mesh = <["x"=2]>
// TYPES: error: expected shape f32[2] for argument 0, the part of f32[4] that a device holds, got 'tensor<4xf32>'
func.func @main(%a: tensor<4xf32> {tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  return
}
