// A result that a manual region gives whole, along an axis that splits it behind: it is split there, not in the region; nor do parts of the axis enter.
// RUN: tessera-fuzz %s --seed=1
// RUN: tessera-opt %s --tessera-shard-phase | FileCheck %s
tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
func.func @main(%a: tensor<4x2xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(2)2}, {}]>}, %b: tensor<f32>)
    -> (tensor<4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, tensor<4x8xf32>) {
  // CHECK: %[[WHOLE:.*]]:2 = tessera.manual_computation
  %0:2 = tessera.manual_computation(%b, %a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, []>, #tessera.sharding<@mesh, [{?}, {?}]>]
      out [#tessera.sharding<@mesh, [{?}]>, #tessera.sharding<@mesh, [{}, {"x", ?}]>]
      : (tensor<f32>, tensor<4x2xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  ^bb0(%x: tensor<f32>, %y: tensor<4x2xf32>):
    %1 = tessera.broadcast %x dims = [] : tensor<f32> -> tensor<4xf32>
    tessera.yield %1, %y : tensor<4xf32>, tensor<4x2xf32>
  }
  // CHECK: tessera.reshard %[[WHOLE]]#0 to <@mesh, [{"x"}]>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4x8xf32>
}
