// Every value passes a barrier in its own sharding, whatever the others have.
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// CHECK-NOT: spmd.
// CHECK: tessera.optimization_barrier %arg0, %arg1 : (tensor<2x16xf32>, tensor<8x4xf32>) -> (tensor<2x16xf32>, tensor<8x4xf32>)
// CHECK-NOT: spmd.
func.func @main(
    %a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0:2 = tessera.optimization_barrier %a, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  %1 = math.tanh %0#0 : tensor<8x16xf32>
  %2 = math.tanh %0#1 : tensor<8x16xf32>
  return %1, %2 : tensor<8x16xf32>, tensor<8x16xf32>
}
