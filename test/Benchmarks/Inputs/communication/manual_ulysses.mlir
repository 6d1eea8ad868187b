"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "seq"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "seq", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"seq"}, {}]>}], function_type = (tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<4x512x256xf32>) -> (tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<256x8x32xf32>, %arg1: tensor<8x32x256xf32>, %arg2: tensor<256x8x32xf32>, %arg3: tensor<256x8x32xf32>, %arg4: tensor<4x512x256xf32>):
    %0 = "stablehlo.dot_general"(%arg4, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x256xf32>, tensor<256x8x32xf32>) -> tensor<4x512x8x32xf32>
    %1 = "stablehlo.dot_general"(%arg4, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x256xf32>, tensor<256x8x32xf32>) -> tensor<4x512x8x32xf32>
    %2 = "stablehlo.dot_general"(%arg4, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x256xf32>, tensor<256x8x32xf32>) -> tensor<4x512x8x32xf32>
    %3:9 = "sdy.manual_computation"(%0, %1, %2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"seq", ?}, {?}, {?}]>, <@mesh, [{?}, {"seq", ?}, {?}, {?}]>, <@mesh, [{?}, {"seq", ?}, {?}, {?}]>]>, manual_axes = #sdy<manual_axes{"seq"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{?}, {"seq", ?}, {?}, {?}]>]>}> ({
    ^bb0(%arg20: tensor<4x128x8x32xf32>, %arg21: tensor<4x128x8x32xf32>, %arg22: tensor<4x128x8x32xf32>):
      %99 = "stablehlo.all_to_all"(%arg20) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<4x128x8x32xf32>) -> tensor<4x512x2x32xf32>
      %100 = "stablehlo.all_to_all"(%arg21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<4x128x8x32xf32>) -> tensor<4x512x2x32xf32>
      %101 = "stablehlo.all_to_all"(%arg22) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<4x128x8x32xf32>) -> tensor<4x512x2x32xf32>
      %102 = "stablehlo.dot_general"(%99, %100) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x2x32xf32>, tensor<4x512x2x32xf32>) -> tensor<4x2x512x512xf32>
      %103 = "sdy.sharding_constraint"(%102) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %104 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
      %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x512x512xf32>
      %106 = "sdy.sharding_constraint"(%105) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %107 = "stablehlo.multiply"(%103, %106) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %108 = "sdy.sharding_constraint"(%107) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %109 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %110 = "stablehlo.reduce"(%108, %109) <{dimensions = array<i64: 3>}> ({
      ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
        %150 = "stablehlo.maximum"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%150) : (tensor<f32>) -> ()
      }) : (tensor<4x2x512x512xf32>, tensor<f32>) -> tensor<4x2x512xf32>
      %111 = "sdy.sharding_constraint"(%110) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %112 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
      %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x512xf32>
      %114 = "sdy.sharding_constraint"(%113) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %115 = "stablehlo.maximum"(%114, %111) : (tensor<4x2x512xf32>, tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %116 = "sdy.sharding_constraint"(%115) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512x1xf32>
      %118 = "sdy.sharding_constraint"(%117) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x512xf32>
      %120 = "sdy.sharding_constraint"(%119) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %121 = "stablehlo.subtract"(%108, %120) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %122 = "sdy.sharding_constraint"(%121) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %123 = "stablehlo.exponential"(%122) : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %124 = "sdy.sharding_constraint"(%123) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %125 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %126 = "stablehlo.reduce"(%124, %125) <{dimensions = array<i64: 3>}> ({
      ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
        %149 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%149) : (tensor<f32>) -> ()
      }) : (tensor<4x2x512x512xf32>, tensor<f32>) -> tensor<4x2x512xf32>
      %127 = "sdy.sharding_constraint"(%126) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512x1xf32>
      %129 = "sdy.sharding_constraint"(%128) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x512xf32>
      %131 = "sdy.sharding_constraint"(%130) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %132 = "stablehlo.divide"(%124, %131) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %133 = "sdy.sharding_constraint"(%132) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %134 = "stablehlo.multiply"(%129, %129) : (tensor<4x2x512x1xf32>, tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %135 = "sdy.sharding_constraint"(%134) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %136 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x512x1xf32>
      %138 = "sdy.sharding_constraint"(%137) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %139 = "stablehlo.divide"(%138, %135) : (tensor<4x2x512x1xf32>, tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %140 = "sdy.sharding_constraint"(%139) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %141 = "sdy.sharding_constraint"(%140) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %142 = "stablehlo.dot_general"(%101, %133) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x2x32xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x32x512xf32>
      %143 = "sdy.sharding_constraint"(%142) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x32x512xf32>) -> tensor<4x2x32x512xf32>
      %144 = "stablehlo.transpose"(%143) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<4x2x32x512xf32>) -> tensor<4x512x2x32xf32>
      %145 = "sdy.sharding_constraint"(%144) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x512x2x32xf32>) -> tensor<4x512x2x32xf32>
      %146 = "stablehlo.all_to_all"(%145) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x512x2x32xf32>) -> tensor<4x128x8x32xf32>
      %147 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %148 = "sdy.sharding_constraint"(%147) <{sharding = #sdy.sharding<@mesh, [{?}]>}> : (tensor<1xf32>) -> tensor<1xf32>
      "sdy.return"(%100, %99, %148, %124, %129, %141, %133, %101, %146) : (tensor<4x512x2x32xf32>, tensor<4x512x2x32xf32>, tensor<1xf32>, tensor<4x2x512x512xf32>, tensor<4x2x512x1xf32>, tensor<4x2x512x1xf32>, tensor<4x2x512x512xf32>, tensor<4x512x2x32xf32>, tensor<4x128x8x32xf32>) -> ()
    }) : (tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>) -> (tensor<16x512x2x32xf32>, tensor<16x512x2x32xf32>, tensor<4xf32>, tensor<16x2x512x512xf32>, tensor<16x2x512x1xf32>, tensor<16x2x512x1xf32>, tensor<16x2x512x512xf32>, tensor<16x512x2x32xf32>, tensor<4x512x8x32xf32>)
    %4 = "stablehlo.dot_general"(%3#8, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x8x32xf32>, tensor<8x32x256xf32>) -> tensor<4x512x256xf32>
    %5 = "chlo.square"(%4) : (tensor<4x512x256xf32>) -> tensor<4x512x256xf32>
    %6 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x512x256xf32>
    %8 = "stablehlo.multiply"(%7, %4) : (tensor<4x512x256xf32>, tensor<4x512x256xf32>) -> tensor<4x512x256xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%5, %9) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %98 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%98) : (tensor<f32>) -> ()
    }) : (tensor<4x512x256xf32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.divide"(%10, %11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.divide"(%13, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x512x256xf32>
    %17 = "stablehlo.multiply"(%16, %8) : (tensor<4x512x256xf32>, tensor<4x512x256xf32>) -> tensor<4x512x256xf32>
    %18 = "stablehlo.dot_general"(%17, %3#8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x256xf32>, tensor<4x512x8x32xf32>) -> tensor<256x8x32xf32>
    %19 = "stablehlo.transpose"(%18) <{permutation = array<i64: 1, 2, 0>}> : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %20 = "stablehlo.dot_general"(%17, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x256xf32>, tensor<8x32x256xf32>) -> tensor<4x512x8x32xf32>
    %21:3 = "sdy.manual_computation"(%20, %3#0, %3#1, %3#2, %3#3, %3#4, %3#5, %3#6, %3#7) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"seq", ?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>, <@mesh, [{"seq", ?}, {?}, {?}, {?}]>]>, manual_axes = #sdy<manual_axes{"seq"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"seq", ?}, {?}, {?}]>, <@mesh, [{?}, {"seq", ?}, {?}, {?}]>, <@mesh, [{?}, {"seq", ?}, {?}, {?}]>]>}> ({
    ^bb0(%arg5: tensor<4x128x8x32xf32>, %arg6: tensor<4x512x2x32xf32>, %arg7: tensor<4x512x2x32xf32>, %arg8: tensor<1xf32>, %arg9: tensor<4x2x512x512xf32>, %arg10: tensor<4x2x512x1xf32>, %arg11: tensor<4x2x512x1xf32>, %arg12: tensor<4x2x512x512xf32>, %arg13: tensor<4x512x2x32xf32>):
      %44 = "stablehlo.reshape"(%arg8) : (tensor<1xf32>) -> tensor<f32>
      %45 = "sdy.sharding_constraint"(%44) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
      %46 = "stablehlo.all_to_all"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<4x128x8x32xf32>) -> tensor<4x512x2x32xf32>
      %47 = "stablehlo.transpose"(%46) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<4x512x2x32xf32>) -> tensor<4x2x32x512xf32>
      %48 = "sdy.sharding_constraint"(%47) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x32x512xf32>) -> tensor<4x2x32x512xf32>
      %49 = "stablehlo.dot_general"(%48, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x2x32x512xf32>, tensor<4x512x2x32xf32>) -> tensor<4x2x512x512xf32>
      %50 = "sdy.sharding_constraint"(%49) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %51 = "stablehlo.dot_general"(%48, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x2x32x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x32x512xf32>
      %52 = "sdy.sharding_constraint"(%51) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x32x512xf32>) -> tensor<4x2x32x512xf32>
      %53 = "stablehlo.transpose"(%52) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<4x2x32x512xf32>) -> tensor<4x512x2x32xf32>
      %54 = "sdy.sharding_constraint"(%53) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x512x2x32xf32>) -> tensor<4x512x2x32xf32>
      %55 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x512xf32>
      %56 = "sdy.sharding_constraint"(%55) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %57 = "stablehlo.multiply"(%50, %56) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %58 = "sdy.sharding_constraint"(%57) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %59 = "stablehlo.multiply"(%58, %arg9) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %60 = "sdy.sharding_constraint"(%59) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %62 = "stablehlo.reduce"(%60, %61) <{dimensions = array<i64: 3>}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %97 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%97) : (tensor<f32>) -> ()
      }) : (tensor<4x2x512x512xf32>, tensor<f32>) -> tensor<4x2x512xf32>
      %63 = "sdy.sharding_constraint"(%62) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %64 = "stablehlo.reshape"(%63) : (tensor<4x2x512xf32>) -> tensor<4x2x512x1xf32>
      %65 = "sdy.sharding_constraint"(%64) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %66 = "stablehlo.negate"(%65) : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %67 = "sdy.sharding_constraint"(%66) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x1xf32>
      %68 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<4x2x512x1xf32>) -> tensor<4x2x512x512xf32>
      %69 = "sdy.sharding_constraint"(%68) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %70 = "stablehlo.divide"(%50, %69) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %71 = "sdy.sharding_constraint"(%70) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %73 = "stablehlo.reduce"(%67, %72) <{dimensions = array<i64: 3>}> ({
      ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
        %96 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%96) : (tensor<f32>) -> ()
      }) : (tensor<4x2x512x1xf32>, tensor<f32>) -> tensor<4x2x512xf32>
      %74 = "sdy.sharding_constraint"(%73) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512xf32>
      %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x2x512xf32>) -> tensor<4x2x512x512xf32>
      %76 = "sdy.sharding_constraint"(%75) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %77 = "stablehlo.add"(%71, %76) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %78 = "sdy.sharding_constraint"(%77) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %79 = "stablehlo.multiply"(%78, %arg9) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %80 = "sdy.sharding_constraint"(%79) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %81 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x512x512xf32>
      %82 = "sdy.sharding_constraint"(%81) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %83 = "stablehlo.multiply"(%80, %82) : (tensor<4x2x512x512xf32>, tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %84 = "sdy.sharding_constraint"(%83) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x512xf32>) -> tensor<4x2x512x512xf32>
      %85 = "stablehlo.dot_general"(%84, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x2x512x512xf32>, tensor<4x512x2x32xf32>) -> tensor<4x2x512x32xf32>
      %86 = "sdy.sharding_constraint"(%85) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x32xf32>) -> tensor<4x2x512x32xf32>
      %87 = "stablehlo.transpose"(%86) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<4x2x512x32xf32>) -> tensor<4x512x2x32xf32>
      %88 = "sdy.sharding_constraint"(%87) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x512x2x32xf32>) -> tensor<4x512x2x32xf32>
      %89 = "stablehlo.dot_general"(%84, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x2x512x512xf32>, tensor<4x512x2x32xf32>) -> tensor<4x2x512x32xf32>
      %90 = "sdy.sharding_constraint"(%89) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x2x512x32xf32>) -> tensor<4x2x512x32xf32>
      %91 = "stablehlo.transpose"(%90) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<4x2x512x32xf32>) -> tensor<4x512x2x32xf32>
      %92 = "sdy.sharding_constraint"(%91) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}, {?}]>}> : (tensor<4x512x2x32xf32>) -> tensor<4x512x2x32xf32>
      %93 = "stablehlo.all_to_all"(%54) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x512x2x32xf32>) -> tensor<4x128x8x32xf32>
      %94 = "stablehlo.all_to_all"(%88) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x512x2x32xf32>) -> tensor<4x128x8x32xf32>
      %95 = "stablehlo.all_to_all"(%92) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x512x2x32xf32>) -> tensor<4x128x8x32xf32>
      "sdy.return"(%95, %94, %93) : (tensor<4x128x8x32xf32>, tensor<4x128x8x32xf32>, tensor<4x128x8x32xf32>) -> ()
    }) : (tensor<4x512x8x32xf32>, tensor<16x512x2x32xf32>, tensor<16x512x2x32xf32>, tensor<4xf32>, tensor<16x2x512x512xf32>, tensor<16x2x512x1xf32>, tensor<16x2x512x1xf32>, tensor<16x2x512x512xf32>, tensor<16x512x2x32xf32>) -> (tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>, tensor<4x512x8x32xf32>)
    %22 = "stablehlo.dot_general"(%21#2, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x8x32xf32>, tensor<4x512x256xf32>) -> tensor<8x32x256xf32>
    %23 = "stablehlo.transpose"(%22) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %24 = "stablehlo.dot_general"(%21#1, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x8x32xf32>, tensor<4x512x256xf32>) -> tensor<8x32x256xf32>
    %25 = "stablehlo.transpose"(%24) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %26 = "stablehlo.dot_general"(%21#0, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x512x8x32xf32>, tensor<4x512x256xf32>) -> tensor<8x32x256xf32>
    %27 = "stablehlo.transpose"(%26) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %30 = "stablehlo.multiply"(%29, %25) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %31 = "stablehlo.subtract"(%arg0, %30) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %34 = "stablehlo.multiply"(%33, %19) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %35 = "stablehlo.subtract"(%arg1, %34) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %36 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %38 = "stablehlo.multiply"(%37, %27) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %39 = "stablehlo.subtract"(%arg2, %38) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %42 = "stablehlo.multiply"(%41, %23) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %43 = "stablehlo.subtract"(%arg3, %42) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    "func.return"(%31, %35, %39, %43, %12) : (tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
