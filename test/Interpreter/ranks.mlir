// Every pipeline rank runs its own program on its own copy of the mesh; messages go to the device in the same place.
// RUN: tessera-interpret %s | FileCheck %s
// RUN: tessera-interpret %s --count | FileCheck %s --check-prefix=COUNT

// Position i of rank 0 sends i + 1, and then 10 * (i + 1), with different tags that rank 1 takes in the other order. Rank 1 sums over its own two devices only.
// CHECK: ten: f32[2] = [10, 20]
// CHECK: sum: f32[] = 3
// CHECK: echo: f32[2] = [1, 2]
// COUNT: bytes times collective
// COUNT-NEXT: 4 1 send to pipeline rank 1 tensor<1xf32>
// COUNT-NEXT: 4 1 send to pipeline rank 1 tensor<1xf32>
// COUNT-NEXT: 8 2 in all, per device
tessera.mesh @mesh = <["x"=2]>
func.func private @main() -> (
    tensor<1xf32> {tessera.name = "ten", tessera.global_type = tensor<2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    tensor<f32> {tessera.name = "sum", tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>},
    tensor<1xf32> {tessera.name = "echo", tessera.global_type = tensor<2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
func.func @rank_0() -> (
    tensor<1xf32> {pipe.result = 2 : i64, tessera.global_type = tensor<2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    attributes {pipe.rank = 0 : i64} {
  %0:2 = call @numbers() {pipe.task = "0F0"} : () -> (tensor<1xf32>, tensor<1xf32>)
  spmd.send %0#0 to 1 tag 0 : tensor<1xf32>
  spmd.send %0#1 to 1 tag 1 : tensor<1xf32>
  %1 = spmd.recv from 1 tag 0 : tensor<1xf32>
  return %1 : tensor<1xf32>
}
func.func @rank_1() -> (
    tensor<1xf32> {pipe.result = 0 : i64, tessera.global_type = tensor<2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    tensor<f32> {pipe.result = 1 : i64, tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>},
    tensor<1xf32> {pipe.result = 2 : i64, tessera.global_type = tensor<2xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    attributes {pipe.rank = 1 : i64} {
  %0 = spmd.recv from 0 tag 1 : tensor<1xf32>
  %1 = spmd.recv from 0 tag 0 : tensor<1xf32>
  spmd.send %1 to 0 tag 0 : tensor<1xf32>
  %2 = call @total(%1) {pipe.task = "1F0"} : (tensor<1xf32>) -> tensor<f32>
  return %0, %2, %1 : tensor<1xf32>, tensor<f32>, tensor<1xf32>
}
func.func private @numbers() -> (tensor<1xf32>, tensor<1xf32>) {
  %0 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %1 = arith.sitofp %0 : tensor<i32> to tensor<f32>
  %2 = tessera.reshape %1 : tensor<f32> -> tensor<1xf32>
  %3 = arith.constant dense<1.0> : tensor<1xf32>
  %4 = arith.addf %2, %3 : tensor<1xf32>
  %5 = arith.constant dense<10.0> : tensor<1xf32>
  %6 = arith.mulf %4, %5 : tensor<1xf32>
  return %4, %6 : tensor<1xf32>, tensor<1xf32>
}
func.func private @total(%a: tensor<1xf32>) -> tensor<f32> {
  %0 = tessera.reduce sum %a dims = [0] : tensor<1xf32> -> tensor<f32>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["x"]> : tensor<f32>
  return %1 : tensor<f32>
}
