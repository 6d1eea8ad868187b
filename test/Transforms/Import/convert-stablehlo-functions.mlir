// RUN: tessera-opt %s --tessera-convert-stablehlo | FileCheck %s

"builtin.module"() <{sym_name = "jit_step"}> ({
  // A mesh without axes says nothing; the other one keeps its name, without the copy of itself.
  // CHECK-NOT: empty_mesh
  // CHECK: tessera.mesh @mesh = <["data"=2, "model"=4]>
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "empty_mesh"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()

  // The names of arguments are their locations, those of results are attributes; unsigned integers become signless.
  // CHECK: func.func @main(
  // CHECK-SAME: %[[X:.*]]: tensor<8x4xf32> {tessera.donated = 0 : i32, tessera.name = "p['x']", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model", ?}]>},
  // CHECK-SAME: %[[IDS:.*]]: tensor<4xi32> {tessera.name = "ids", tessera.unsigned})
  // CHECK-SAME: -> (tensor<8x4xf32> {tessera.name = "result[0]", tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
  // CHECK-SAME: tensor<4xi32> {tessera.unsigned})
  "func.func"() <{
      arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model", ?}]>, tf.aliasing_output = 0 : i32},
                   {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@empty_mesh, []>, mhlo.memory_kind = "device"}],
      function_type = (tensor<8x4xf32>, tensor<4xui32>) -> (tensor<8x4xf32>, tensor<4xui32>),
      res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = ""}],
      sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<8x4xf32> loc("p['x']"), %ids: tensor<4xui32> loc("ids")):
    // CHECK: %[[Y:.*]] = call @double(%[[X]]) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %y = "func.call"(%x) <{callee = @double}> : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK: return %[[Y]], %[[IDS]] : tensor<8x4xf32>, tensor<4xi32>
    "func.return"(%y, %ids) : (tensor<8x4xf32>, tensor<4xui32>) -> ()
  }) : () -> ()

  // Shardings at the boundary of a private function are constraints inside of it.
  // CHECK: func.func private @double(%[[ARG:.*]]: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: %[[IN:.*]] = tessera.constrain %[[ARG]] to <@mesh, [{"data"}, {}]>
  // CHECK: %[[SUM:.*]] = arith.addf %[[IN]], %[[IN]]
  // CHECK: %[[OUT:.*]] = tessera.constrain %[[SUM]] to <@mesh, [{}, {"data"}]>
  // CHECK: return %[[OUT]]
  "func.func"() <{
      arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}],
      function_type = (tensor<8x4xf32>) -> tensor<8x4xf32>,
      res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}],
      sym_name = "double", sym_visibility = "private"}> ({
  ^bb0(%x: tensor<8x4xf32>):
    %y = "stablehlo.add"(%x, %x) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    "func.return"(%y) : (tensor<8x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
