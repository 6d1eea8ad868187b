"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}], function_type = (tensor<64x256x128xf32>) -> tensor<64x256x128xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<64x256x128xf32>):
    %0 = "stablehlo.cosine"(%arg0) : (tensor<64x256x128xf32>) -> tensor<64x256x128xf32>
    %1 = "sdy.sharding_constraint"(%0) <{sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}, {}]>}> : (tensor<64x256x128xf32>) -> tensor<64x256x128xf32>
    %2 = "stablehlo.sine"(%1) : (tensor<64x256x128xf32>) -> tensor<64x256x128xf32>
    "func.return"(%2) : (tensor<64x256x128xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
