"builtin.module"() <{sym_name = "jit_smooth"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["time"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "time", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {"time"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}], function_type = (tensor<4x512x16xf32>, tensor<193x16x8xf32>) -> tensor<4x512x8xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"time"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x512x16xf32>, %arg1: tensor<193x16x8xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<96> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<4x512x16xf32>, tensor<193x16x8xf32>) -> tensor<4x512x8xf32>
    %1 = "stablehlo.tanh"(%0) : (tensor<4x512x8xf32>) -> tensor<4x512x8xf32>
    "func.return"(%1) : (tensor<4x512x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
