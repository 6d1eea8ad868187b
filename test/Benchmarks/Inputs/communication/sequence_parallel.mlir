"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 2 : i32}, {tf.aliasing_output = 3 : i32}, {tf.aliasing_output = 4 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 5 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 6 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>, tf.aliasing_output = 7 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 8 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 9 : i32}, {tf.aliasing_output = 10 : i32}, {tf.aliasing_output = 11 : i32}, {tf.aliasing_output = 12 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 13 : i32}, {tf.aliasing_output = 14 : i32}, {tf.aliasing_output = 15 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 16 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 17 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>, tf.aliasing_output = 18 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 19 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>, tf.aliasing_output = 20 : i32}, {tf.aliasing_output = 21 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}], function_type = (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<16x128xi32>, tensor<16x128xi32>) -> (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['embed']"}, {jax.result_info = "result[0]['head']"}, {jax.result_info = "result[0]['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[0]['layers'][0]['ln1']"}, {jax.result_info = "result[0]['layers'][0]['ln2']"}, {jax.result_info = "result[0]['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0]['layers'][0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['layers'][0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[0]['lnf']"}, {jax.result_info = "result[1]['m']['embed']"}, {jax.result_info = "result[1]['m']['head']"}, {jax.result_info = "result[1]['m']['layers'][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['ln1']"}, {jax.result_info = "result[1]['m']['layers'][0]['ln2']"}, {jax.result_info = "result[1]['m']['layers'][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[1]['m']['layers'][0]['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {jax.result_info = "result[1]['m']['lnf']"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg13: tensor<512x256xf32>, %arg14: tensor<256x512xf32>, %arg15: tensor<1024x256xf32>, %arg16: tensor<256xf32>, %arg17: tensor<256xf32>, %arg18: tensor<256x1024xf32>, %arg19: tensor<256x8x32xf32>, %arg20: tensor<8x32x256xf32>, %arg21: tensor<256x8x32xf32>, %arg22: tensor<256x8x32xf32>, %arg23: tensor<256xf32>, %arg24: tensor<512x256xf32>, %arg25: tensor<256x512xf32>, %arg26: tensor<1024x256xf32>, %arg27: tensor<256xf32>, %arg28: tensor<256xf32>, %arg29: tensor<256x1024xf32>, %arg30: tensor<256x8x32xf32>, %arg31: tensor<8x32x256xf32>, %arg32: tensor<256x8x32xf32>, %arg33: tensor<256x8x32xf32>, %arg34: tensor<256xf32>, %arg35: tensor<16x128xi32>, %arg36: tensor<16x128xi32>):
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128xi32>
    %36 = "stablehlo.compare"(%arg35, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi1>
    %37 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128xi32>
    %39 = "stablehlo.add"(%arg35, %38) : (tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi32>
    %40 = "stablehlo.select"(%36, %39, %arg35) : (tensor<16x128xi1>, tensor<16x128xi32>, tensor<16x128xi32>) -> tensor<16x128xi32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xi32>) -> tensor<16x128x1xi32>
    %42 = "stablehlo.gather"(%arg13, %41) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256>}> : (tensor<512x256xf32>, tensor<16x128x1xi32>) -> tensor<16x128x256xf32>
    %43 = "sdy.sharding_constraint"(%42) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %44 = "stablehlo.multiply"(%43, %43) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%44, %45) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg83: tensor<f32>, %arg84: tensor<f32>):
      %485 = "stablehlo.add"(%arg83, %arg84) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%485) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %48 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %50 = "stablehlo.divide"(%47, %49) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %51 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %53 = "stablehlo.add"(%50, %52) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %54 = "stablehlo.rsqrt"(%53) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %55 = "stablehlo.divide"(%54, %53) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %56 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %58 = "stablehlo.multiply"(%57, %55) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %59 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %60 = "stablehlo.multiply"(%43, %59) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %61 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<16x128x256xf32>
    %63 = "stablehlo.multiply"(%60, %62) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %64 = "stablehlo.dot_general"(%63, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x8x32xf32>) -> tensor<16x128x8x32xf32>
    %65 = "stablehlo.dot_general"(%63, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x8x32xf32>) -> tensor<16x128x8x32xf32>
    %66 = "stablehlo.dot_general"(%63, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x8x32xf32>) -> tensor<16x128x8x32xf32>
    %67 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2, 4>}> : (tensor<16x128x8x32xf32>) -> tensor<16x128x8x1x32xf32>
    %68 = "stablehlo.dot_general"(%65, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x128x8x1x32xf32>) -> tensor<16x8x128x128x1xf32>
    %69 = "stablehlo.transpose"(%68) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<16x8x128x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %70 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %72 = "stablehlo.multiply"(%69, %71) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %73 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %75 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 1>}> : (tensor<128xi32>) -> tensor<1x128xi32>
    %76 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xi32>) -> tensor<128x128xi32>
    %77 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %78 = "stablehlo.compare"(%76, %77) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %79 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %80:2 = "func.call"(%78, %72, %79) <{callee = @_where}> : (tensor<128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<f32>) -> (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>)
    %81 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.reduce"(%80#0, %81) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg81: tensor<f32>, %arg82: tensor<f32>):
      %484 = "stablehlo.maximum"(%arg81, %arg82) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%484) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %83 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128xf32>
    %85 = "stablehlo.maximum"(%84, %82) : (tensor<16x8x1x128xf32>, tensor<16x8x1x128xf32>) -> tensor<16x8x1x128xf32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %88 = "stablehlo.subtract"(%80#0, %87) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %89 = "stablehlo.exponential"(%88) : (tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.reduce"(%89, %90) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg79: tensor<f32>, %arg80: tensor<f32>):
      %483 = "stablehlo.add"(%arg79, %arg80) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%483) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %94 = "stablehlo.divide"(%89, %93) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %95 = "stablehlo.multiply"(%92, %92) : (tensor<16x8x1x128x1xf32>, tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %96 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x1xf32>
    %98 = "stablehlo.divide"(%97, %95) : (tensor<16x8x1x128x1xf32>, tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %99 = "stablehlo.dot_general"(%66, %94) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x32x1x128xf32>
    %100 = "stablehlo.transpose"(%99) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<16x8x32x1x128xf32>) -> tensor<16x128x8x1x32xf32>
    %101 = "stablehlo.reshape"(%100) : (tensor<16x128x8x1x32xf32>) -> tensor<16x128x8x32xf32>
    %102 = "stablehlo.dot_general"(%101, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<8x32x256xf32>) -> tensor<16x128x256xf32>
    %103 = "stablehlo.add"(%43, %102) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %104 = "sdy.sharding_constraint"(%103) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %105 = "stablehlo.multiply"(%104, %104) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.reduce"(%105, %106) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg77: tensor<f32>, %arg78: tensor<f32>):
      %482 = "stablehlo.add"(%arg77, %arg78) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%482) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %109 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %111 = "stablehlo.divide"(%108, %110) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %112 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %114 = "stablehlo.add"(%111, %113) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %115 = "stablehlo.rsqrt"(%114) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %116 = "stablehlo.divide"(%115, %114) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %117 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %119 = "stablehlo.multiply"(%118, %116) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %120 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %121 = "stablehlo.multiply"(%104, %120) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %122 = "stablehlo.broadcast_in_dim"(%arg17) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<16x128x256xf32>
    %124 = "stablehlo.multiply"(%121, %123) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %125 = "stablehlo.dot_general"(%124, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x1024xf32>) -> tensor<16x128x1024xf32>
    %126 = "stablehlo.multiply"(%125, %125) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %127 = "stablehlo.multiply"(%126, %125) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %128 = "stablehlo.multiply"(%125, %125) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %129 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %131 = "stablehlo.multiply"(%130, %128) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %132 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %134 = "stablehlo.multiply"(%133, %127) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %135 = "stablehlo.add"(%125, %134) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %136 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %138 = "stablehlo.multiply"(%137, %135) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %139 = "stablehlo.tanh"(%138) : (tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %140 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %142 = "stablehlo.subtract"(%141, %139) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %143 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %145 = "stablehlo.add"(%144, %139) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %146 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %147 = "stablehlo.broadcast_in_dim"(%146) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %148 = "stablehlo.multiply"(%147, %145) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %149 = "stablehlo.multiply"(%125, %148) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %150 = "stablehlo.dot_general"(%149, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x1024xf32>, tensor<1024x256xf32>) -> tensor<16x128x256xf32>
    %151 = "stablehlo.add"(%104, %150) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %152 = "sdy.sharding_constraint"(%151) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %153 = "stablehlo.multiply"(%152, %152) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %154 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %155 = "stablehlo.reduce"(%153, %154) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg75: tensor<f32>, %arg76: tensor<f32>):
      %481 = "stablehlo.add"(%arg75, %arg76) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%481) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %157 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %159 = "stablehlo.divide"(%156, %158) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %160 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %162 = "stablehlo.add"(%159, %161) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %163 = "stablehlo.rsqrt"(%162) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %164 = "stablehlo.divide"(%163, %162) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %165 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %167 = "stablehlo.multiply"(%166, %164) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %168 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %169 = "stablehlo.multiply"(%152, %168) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %170 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<16x128x256xf32>
    %172 = "stablehlo.multiply"(%169, %171) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %173 = "stablehlo.dot_general"(%172, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x512xf32>) -> tensor<16x128x512xf32>
    %174 = "stablehlo.broadcast_in_dim"(%arg36) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xi32>) -> tensor<16x128x1xi32>
    %175:2 = "func.call"(%173, %174) <{callee = @take_along_axis}> : (tensor<16x128x512xf32>, tensor<16x128x1xi32>) -> (tensor<16x128x1xf32>, tensor<16x128x1x1xi32>)
    %176 = "stablehlo.reshape"(%175#0) : (tensor<16x128x1xf32>) -> tensor<16x128xf32>
    %177 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %178 = "stablehlo.reduce"(%173, %177) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg73: tensor<f32>, %arg74: tensor<f32>):
      %480 = "stablehlo.maximum"(%arg73, %arg74) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%480) : (tensor<f32>) -> ()
    }) : (tensor<16x128x512xf32>, tensor<f32>) -> tensor<16x128xf32>
    %179 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128xf32>
    %181 = "stablehlo.maximum"(%180, %178) : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %182 = "stablehlo.is_finite"(%181) : (tensor<16x128xf32>) -> tensor<16x128xi1>
    %183 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128xf32>
    %185 = "stablehlo.select"(%182, %181, %184) : (tensor<16x128xi1>, tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x512xf32>
    %188 = "stablehlo.subtract"(%173, %187) : (tensor<16x128x512xf32>, tensor<16x128x512xf32>) -> tensor<16x128x512xf32>
    %189 = "stablehlo.exponential"(%188) : (tensor<16x128x512xf32>) -> tensor<16x128x512xf32>
    %190 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.reduce"(%189, %190) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg71: tensor<f32>, %arg72: tensor<f32>):
      %479 = "stablehlo.add"(%arg71, %arg72) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%479) : (tensor<f32>) -> ()
    }) : (tensor<16x128x512xf32>, tensor<f32>) -> tensor<16x128xf32>
    %192 = "stablehlo.abs"(%191) : (tensor<16x128xf32>) -> tensor<16x128xf32>
    %193 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128xf32>
    %195 = "stablehlo.compare"(%191, %194) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xi1>
    %196 = "stablehlo.log"(%192) : (tensor<16x128xf32>) -> tensor<16x128xf32>
    %197 = "stablehlo.add"(%196, %185) : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %198 = "stablehlo.subtract"(%197, %176) : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %199 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %200 = "stablehlo.reduce"(%198, %199) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg69: tensor<f32>, %arg70: tensor<f32>):
      %478 = "stablehlo.add"(%arg69, %arg70) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%478) : (tensor<f32>) -> ()
    }) : (tensor<16x128xf32>, tensor<f32>) -> tensor<f32>
    %201 = "stablehlo.constant"() <{value = dense<2.048000e+03> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.divide"(%200, %201) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %203 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %204 = "stablehlo.constant"() <{value = dense<2.048000e+03> : tensor<f32>}> : () -> tensor<f32>
    %205 = "stablehlo.divide"(%203, %204) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %206 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128xf32>
    %207 = "stablehlo.negate"(%206) : (tensor<16x128xf32>) -> tensor<16x128xf32>
    %208 = "stablehlo.divide"(%206, %192) : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %209 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %210 = "stablehlo.broadcast_in_dim"(%209) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128xf32>
    %211 = "stablehlo.select"(%195, %210, %208) : (tensor<16x128xi1>, tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %212 = "stablehlo.select"(%195, %208, %210) : (tensor<16x128xi1>, tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %213 = "stablehlo.negate"(%211) : (tensor<16x128xf32>) -> tensor<16x128xf32>
    %214 = "stablehlo.add"(%212, %213) : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x512xf32>
    %216 = "stablehlo.multiply"(%215, %189) : (tensor<16x128x512xf32>, tensor<16x128x512xf32>) -> tensor<16x128x512xf32>
    %217 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %218 = "func.call"(%175#1, %217) <{callee = @take_along_axis_0}> : (tensor<16x128x1x1xi32>, tensor<16x128x1xf32>) -> tensor<16x128x512xf32>
    %219 = "stablehlo.add"(%216, %218) : (tensor<16x128x512xf32>, tensor<16x128x512xf32>) -> tensor<16x128x512xf32>
    %220 = "stablehlo.dot_general"(%219, %172) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x512xf32>, tensor<16x128x256xf32>) -> tensor<512x256xf32>
    %221 = "stablehlo.transpose"(%220) <{permutation = array<i64: 1, 0>}> : (tensor<512x256xf32>) -> tensor<256x512xf32>
    %222 = "stablehlo.dot_general"(%219, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x512xf32>, tensor<256x512xf32>) -> tensor<16x128x256xf32>
    %223 = "stablehlo.multiply"(%169, %222) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %224 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %225 = "stablehlo.reduce"(%223, %224) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      %477 = "stablehlo.add"(%arg67, %arg68) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%477) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %226 = "stablehlo.reshape"(%225) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %227 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<16x128x256xf32>
    %228 = "stablehlo.multiply"(%222, %227) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %229 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %230 = "stablehlo.reduce"(%226, %229) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg65: tensor<f32>, %arg66: tensor<f32>):
      %476 = "stablehlo.add"(%arg65, %arg66) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%476) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %231 = "stablehlo.multiply"(%152, %228) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %232 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %233 = "stablehlo.reduce"(%231, %232) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg63: tensor<f32>, %arg64: tensor<f32>):
      %475 = "stablehlo.add"(%arg63, %arg64) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%475) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %234 = "stablehlo.reshape"(%233) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %235 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %236 = "stablehlo.multiply"(%228, %235) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %237 = "stablehlo.multiply"(%234, %167) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %238 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %240 = "stablehlo.divide"(%237, %239) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %241 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %242 = "stablehlo.reduce"(%240, %241) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg61: tensor<f32>, %arg62: tensor<f32>):
      %474 = "stablehlo.add"(%arg61, %arg62) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%474) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x256xf32>
    %244 = "stablehlo.multiply"(%152, %243) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %245 = "stablehlo.add"(%236, %244) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %246 = "stablehlo.multiply"(%243, %152) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %247 = "stablehlo.add"(%245, %246) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %248 = "sdy.sharding_constraint"(%247) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %249 = "stablehlo.dot_general"(%248, %149) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x1024xf32>) -> tensor<256x1024xf32>
    %250 = "stablehlo.transpose"(%249) <{permutation = array<i64: 1, 0>}> : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %251 = "stablehlo.dot_general"(%248, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<1024x256xf32>) -> tensor<16x128x1024xf32>
    %252 = "stablehlo.multiply"(%125, %251) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %253 = "stablehlo.multiply"(%251, %148) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %254 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %255 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %256 = "stablehlo.multiply"(%255, %252) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %257 = "stablehlo.multiply"(%256, %142) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %258 = "stablehlo.multiply"(%257, %139) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %259 = "stablehlo.add"(%257, %258) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %260 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %261 = "stablehlo.broadcast_in_dim"(%260) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %262 = "stablehlo.multiply"(%261, %259) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %263 = "stablehlo.add"(%253, %262) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %264 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %265 = "stablehlo.broadcast_in_dim"(%264) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %266 = "stablehlo.multiply"(%265, %262) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %267 = "stablehlo.multiply"(%266, %131) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %268 = "stablehlo.add"(%263, %267) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %269 = "stablehlo.dot_general"(%268, %124) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x1024xf32>, tensor<16x128x256xf32>) -> tensor<1024x256xf32>
    %270 = "stablehlo.transpose"(%269) <{permutation = array<i64: 1, 0>}> : (tensor<1024x256xf32>) -> tensor<256x1024xf32>
    %271 = "stablehlo.dot_general"(%268, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x1024xf32>, tensor<256x1024xf32>) -> tensor<16x128x256xf32>
    %272 = "stablehlo.multiply"(%121, %271) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %273 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %274 = "stablehlo.reduce"(%272, %273) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg59: tensor<f32>, %arg60: tensor<f32>):
      %473 = "stablehlo.add"(%arg59, %arg60) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%473) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %275 = "stablehlo.reshape"(%274) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %276 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<16x128x256xf32>
    %277 = "stablehlo.multiply"(%271, %276) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %278 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %279 = "stablehlo.reduce"(%275, %278) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg57: tensor<f32>, %arg58: tensor<f32>):
      %472 = "stablehlo.add"(%arg57, %arg58) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%472) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %280 = "stablehlo.multiply"(%104, %277) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %281 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %282 = "stablehlo.reduce"(%280, %281) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %471 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%471) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %283 = "stablehlo.reshape"(%282) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %284 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %285 = "stablehlo.multiply"(%277, %284) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %286 = "stablehlo.add"(%248, %285) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %287 = "stablehlo.multiply"(%283, %119) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %288 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %289 = "stablehlo.broadcast_in_dim"(%288) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %290 = "stablehlo.divide"(%287, %289) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %291 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %292 = "stablehlo.reduce"(%290, %291) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %470 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%470) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %293 = "stablehlo.broadcast_in_dim"(%292) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x256xf32>
    %294 = "stablehlo.multiply"(%104, %293) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %295 = "stablehlo.add"(%286, %294) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %296 = "stablehlo.multiply"(%293, %104) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %297 = "stablehlo.add"(%295, %296) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %298 = "sdy.sharding_constraint"(%297) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %299 = "stablehlo.dot_general"(%298, %101) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x8x32xf32>) -> tensor<256x8x32xf32>
    %300 = "stablehlo.transpose"(%299) <{permutation = array<i64: 1, 2, 0>}> : (tensor<256x8x32xf32>) -> tensor<8x32x256xf32>
    %301 = "stablehlo.dot_general"(%298, %arg20) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<8x32x256xf32>) -> tensor<16x128x8x32xf32>
    %302 = "stablehlo.reshape"(%301) : (tensor<16x128x8x32xf32>) -> tensor<16x128x8x1x32xf32>
    %303 = "stablehlo.transpose"(%302) <{permutation = array<i64: 0, 2, 4, 3, 1>}> : (tensor<16x128x8x1x32xf32>) -> tensor<16x8x32x1x128xf32>
    %304 = "stablehlo.dot_general"(%303, %66) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x32x1x128xf32>, tensor<16x128x8x32xf32>) -> tensor<16x8x1x128x128xf32>
    %305 = "stablehlo.dot_general"(%303, %94) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x32x1x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x32x128xf32>
    %306 = "stablehlo.transpose"(%305) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<16x8x32x128xf32>) -> tensor<16x128x8x32xf32>
    %307 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %308 = "stablehlo.multiply"(%304, %307) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %309 = "stablehlo.multiply"(%308, %89) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %310 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %311 = "stablehlo.reduce"(%309, %310) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %469 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%469) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %312 = "stablehlo.reshape"(%311) : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %313 = "stablehlo.negate"(%312) : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %314 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %315 = "stablehlo.divide"(%304, %314) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %316 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %317 = "stablehlo.reduce"(%313, %316) <{dimensions = array<i64: 2, 4>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %468 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%468) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x1xf32>, tensor<f32>) -> tensor<16x8x128xf32>
    %318 = "stablehlo.broadcast_in_dim"(%317) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x8x128xf32>) -> tensor<16x8x1x128xf32>
    %319 = "stablehlo.broadcast_in_dim"(%318) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x128xf32>
    %320 = "stablehlo.add"(%315, %319) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %321 = "stablehlo.multiply"(%320, %89) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %322 = "func.call"(%80#1, %321) <{callee = @_where_1}> : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %323 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %324 = "stablehlo.broadcast_in_dim"(%323) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %325 = "stablehlo.multiply"(%322, %324) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %326 = "stablehlo.transpose"(%325) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<16x8x1x128x128xf32>) -> tensor<16x8x128x128x1xf32>
    %327 = "stablehlo.dot_general"(%326, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x128x128x1xf32>, tensor<16x128x8x32xf32>) -> tensor<16x8x128x1x32xf32>
    %328 = "stablehlo.transpose"(%327) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<16x8x128x1x32xf32>) -> tensor<16x128x8x1x32xf32>
    %329 = "stablehlo.dot_general"(%326, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x128x128x1xf32>, tensor<16x128x8x1x32xf32>) -> tensor<16x8x128x32xf32>
    %330 = "stablehlo.transpose"(%329) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<16x8x128x32xf32>) -> tensor<16x128x8x32xf32>
    %331 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %332 = "stablehlo.reduce"(%328, %331) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %467 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%467) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8x1x32xf32>, tensor<f32>) -> tensor<16x128x8x32xf32>
    %333 = "stablehlo.dot_general"(%306, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x128x256xf32>) -> tensor<8x32x256xf32>
    %334 = "stablehlo.transpose"(%333) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %335 = "stablehlo.dot_general"(%306, %arg22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<16x128x256xf32>
    %336 = "stablehlo.dot_general"(%330, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x128x256xf32>) -> tensor<8x32x256xf32>
    %337 = "stablehlo.transpose"(%336) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %338 = "stablehlo.dot_general"(%330, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<16x128x256xf32>
    %339 = "stablehlo.add"(%335, %338) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %340 = "stablehlo.dot_general"(%332, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x128x256xf32>) -> tensor<8x32x256xf32>
    %341 = "stablehlo.transpose"(%340) <{permutation = array<i64: 2, 0, 1>}> : (tensor<8x32x256xf32>) -> tensor<256x8x32xf32>
    %342 = "stablehlo.dot_general"(%332, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<256x8x32xf32>) -> tensor<16x128x256xf32>
    %343 = "stablehlo.add"(%339, %342) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %344 = "stablehlo.multiply"(%60, %343) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %345 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %346 = "stablehlo.reduce"(%344, %345) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %466 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%466) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<256xf32>
    %347 = "stablehlo.reshape"(%346) : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %348 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x256xf32>) -> tensor<16x128x256xf32>
    %349 = "stablehlo.multiply"(%343, %348) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %350 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %351 = "stablehlo.reduce"(%347, %350) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %465 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%465) : (tensor<f32>) -> ()
    }) : (tensor<1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %352 = "stablehlo.multiply"(%43, %349) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %353 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %354 = "stablehlo.reduce"(%352, %353) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
      %464 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%464) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %355 = "stablehlo.reshape"(%354) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %356 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %357 = "stablehlo.multiply"(%349, %356) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %358 = "stablehlo.add"(%298, %357) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %359 = "stablehlo.multiply"(%355, %58) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %360 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %361 = "stablehlo.broadcast_in_dim"(%360) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %362 = "stablehlo.divide"(%359, %361) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %363 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %364 = "stablehlo.reduce"(%362, %363) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %463 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%463) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %365 = "stablehlo.broadcast_in_dim"(%364) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x256xf32>
    %366 = "stablehlo.multiply"(%43, %365) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %367 = "stablehlo.add"(%358, %366) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %368 = "stablehlo.multiply"(%365, %43) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %369 = "stablehlo.add"(%367, %368) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %370 = "sdy.sharding_constraint"(%369) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %371 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %372 = "stablehlo.broadcast_in_dim"(%371) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %373 = "stablehlo.scatter"(%372, %41, %370) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %462 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%462) : (tensor<f32>) -> ()
    }) : (tensor<512x256xf32>, tensor<16x128x1xi32>, tensor<16x128x256xf32>) -> tensor<512x256xf32>
    %374 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %375 = "stablehlo.broadcast_in_dim"(%374) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %376 = "stablehlo.multiply"(%375, %arg24) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %377 = "stablehlo.add"(%376, %373) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %378 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %379 = "stablehlo.broadcast_in_dim"(%378) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %380 = "stablehlo.multiply"(%379, %arg25) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %381 = "stablehlo.add"(%380, %221) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %382 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %383 = "stablehlo.broadcast_in_dim"(%382) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %384 = "stablehlo.multiply"(%383, %arg26) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %385 = "stablehlo.add"(%384, %250) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %386 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %387 = "stablehlo.broadcast_in_dim"(%386) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %388 = "stablehlo.multiply"(%387, %arg27) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %389 = "stablehlo.add"(%388, %351) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %390 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %391 = "stablehlo.broadcast_in_dim"(%390) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %392 = "stablehlo.multiply"(%391, %arg28) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %393 = "stablehlo.add"(%392, %279) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %394 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %395 = "stablehlo.broadcast_in_dim"(%394) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %396 = "stablehlo.multiply"(%395, %arg29) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %397 = "stablehlo.add"(%396, %270) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %398 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %399 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %400 = "stablehlo.multiply"(%399, %arg30) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %401 = "stablehlo.add"(%400, %337) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %402 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %403 = "stablehlo.broadcast_in_dim"(%402) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %404 = "stablehlo.multiply"(%403, %arg31) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %405 = "stablehlo.add"(%404, %300) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %406 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %407 = "stablehlo.broadcast_in_dim"(%406) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %408 = "stablehlo.multiply"(%407, %arg32) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %409 = "stablehlo.add"(%408, %341) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %410 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %411 = "stablehlo.broadcast_in_dim"(%410) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %412 = "stablehlo.multiply"(%411, %arg33) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %413 = "stablehlo.add"(%412, %334) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %414 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %415 = "stablehlo.broadcast_in_dim"(%414) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %416 = "stablehlo.multiply"(%415, %arg34) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %417 = "stablehlo.add"(%416, %230) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %418 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %419 = "stablehlo.broadcast_in_dim"(%418) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x256xf32>
    %420 = "stablehlo.multiply"(%419, %377) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %421 = "stablehlo.subtract"(%arg13, %420) : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<512x256xf32>
    %422 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %423 = "stablehlo.broadcast_in_dim"(%422) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x512xf32>
    %424 = "stablehlo.multiply"(%423, %381) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %425 = "stablehlo.subtract"(%arg14, %424) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256x512xf32>
    %426 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %427 = "stablehlo.broadcast_in_dim"(%426) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %428 = "stablehlo.multiply"(%427, %385) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %429 = "stablehlo.subtract"(%arg15, %428) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %430 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %431 = "stablehlo.broadcast_in_dim"(%430) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %432 = "stablehlo.multiply"(%431, %389) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %433 = "stablehlo.subtract"(%arg16, %432) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %434 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %435 = "stablehlo.broadcast_in_dim"(%434) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %436 = "stablehlo.multiply"(%435, %393) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %437 = "stablehlo.subtract"(%arg17, %436) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %438 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %439 = "stablehlo.broadcast_in_dim"(%438) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1024xf32>
    %440 = "stablehlo.multiply"(%439, %397) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %441 = "stablehlo.subtract"(%arg18, %440) : (tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
    %442 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %443 = "stablehlo.broadcast_in_dim"(%442) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %444 = "stablehlo.multiply"(%443, %401) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %445 = "stablehlo.subtract"(%arg19, %444) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %446 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %447 = "stablehlo.broadcast_in_dim"(%446) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x32x256xf32>
    %448 = "stablehlo.multiply"(%447, %405) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %449 = "stablehlo.subtract"(%arg20, %448) : (tensor<8x32x256xf32>, tensor<8x32x256xf32>) -> tensor<8x32x256xf32>
    %450 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %451 = "stablehlo.broadcast_in_dim"(%450) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %452 = "stablehlo.multiply"(%451, %409) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %453 = "stablehlo.subtract"(%arg21, %452) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %454 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %455 = "stablehlo.broadcast_in_dim"(%454) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8x32xf32>
    %456 = "stablehlo.multiply"(%455, %413) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %457 = "stablehlo.subtract"(%arg22, %456) : (tensor<256x8x32xf32>, tensor<256x8x32xf32>) -> tensor<256x8x32xf32>
    %458 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %459 = "stablehlo.broadcast_in_dim"(%458) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %460 = "stablehlo.multiply"(%459, %417) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %461 = "stablehlo.subtract"(%arg23, %460) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    "func.return"(%421, %425, %429, %433, %437, %441, %445, %449, %453, %457, %461, %377, %381, %385, %389, %393, %397, %401, %405, %409, %413, %417, %202) : (tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<512x256xf32>, tensor<256x512xf32>, tensor<1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256x1024xf32>, tensor<256x8x32xf32>, tensor<8x32x256xf32>, tensor<256x8x32xf32>, tensor<256x8x32xf32>, tensor<256xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<f32>) -> (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<128x128xi1>, %arg11: tensor<16x8x1x128x128xf32>, %arg12: tensor<f32>):
    %30 = "stablehlo.convert"(%arg12) : (tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 3, 4>}> : (tensor<128x128xi1>) -> tensor<16x8x1x128x128xi1>
    %32 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %33 = "stablehlo.select"(%31, %arg11, %32) : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    "func.return"(%33, %31) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x128x512xf32>, tensor<16x128x1xi32>) -> (tensor<16x128x1xf32>, tensor<16x128x1x1xi32>), res_attrs = [{}, {}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<16x128x512xf32>, %arg7: tensor<16x128x1xi32>):
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128x1xi32>
    %9 = "stablehlo.compare"(%arg7, %8) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16x128x1xi32>, tensor<16x128x1xi32>) -> tensor<16x128x1xi1>
    %10 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128x1xi32>
    %12 = "stablehlo.add"(%arg7, %11) : (tensor<16x128x1xi32>, tensor<16x128x1xi32>) -> tensor<16x128x1xi32>
    %13 = "stablehlo.select"(%9, %12, %arg7) : (tensor<16x128x1xi1>, tensor<16x128x1xi32>, tensor<16x128x1xi32>) -> tensor<16x128x1xi32>
    %14 = "stablehlo.reshape"(%13) : (tensor<16x128x1xi32>) -> tensor<16x128x1x1xi32>
    %15 = "stablehlo.constant"() <{value = dense<511> : tensor<1xi32>}> : () -> tensor<1xi32>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16x128x1x1xi32>
    %18 = "stablehlo.compare"(%14, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<16x128x1x1xi32>, tensor<16x128x1x1xi32>) -> tensor<16x128x1x1xi1>
    %19 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>) -> tensor<16x128x1x1xi32>
    %21 = "stablehlo.compare"(%14, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<16x128x1x1xi32>, tensor<16x128x1x1xi32>) -> tensor<16x128x1x1xi1>
    %22 = "stablehlo.and"(%18, %21) : (tensor<16x128x1x1xi1>, tensor<16x128x1x1xi1>) -> tensor<16x128x1x1xi1>
    %23 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %24 = "stablehlo.reduce"(%22, %23) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg8: tensor<i1>, %arg9: tensor<i1>):
      %29 = "stablehlo.and"(%arg8, %arg9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%29) : (tensor<i1>) -> ()
    }) : (tensor<16x128x1x1xi1>, tensor<i1>) -> tensor<16x128x1xi1>
    %25 = "stablehlo.gather"(%arg6, %14) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<16x128x512xf32>, tensor<16x128x1x1xi32>) -> tensor<16x128x1xf32>
    %26 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %28 = "stablehlo.select"(%24, %25, %27) : (tensor<16x128x1xi1>, tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    "func.return"(%28, %14) : (tensor<16x128x1xf32>, tensor<16x128x1x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x128x1x1xi32>, tensor<16x128x1xf32>) -> tensor<16x128x512xf32>, res_attrs = [{}], sym_name = "take_along_axis_0", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<16x128x1x1xi32>, %arg3: tensor<16x128x1xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x512xf32>
    %5 = "stablehlo.scatter"(%4, %arg2, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %6 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<16x128x512xf32>, tensor<16x128x1x1xi32>, tensor<16x128x1xf32>) -> tensor<16x128x512xf32>
    "func.return"(%5) : (tensor<16x128x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x8x1x128x128xi1>, %arg1: tensor<16x8x1x128x128xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    "func.return"(%2) : (tensor<16x8x1x128x128xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
