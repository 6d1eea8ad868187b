"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "expert"=2, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "expert", size = 2 : i64}, {name = "model", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>, tf.aliasing_output = 3 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}], function_type = (tensor<8x512x256xf32>, tensor<256x256xf32>, tensor<256x8xf32>, tensor<8x256x512xf32>, tensor<16x128x256xf32>) -> (tensor<8x512x256xf32>, tensor<256x256xf32>, tensor<256x8xf32>, tensor<8x256x512xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {"model"}, {}]>}, {jax.result_info = "result[0]['in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {"model"}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<8x512x256xf32>, %arg12: tensor<256x256xf32>, %arg13: tensor<256x8xf32>, %arg14: tensor<8x256x512xf32>, %arg15: tensor<16x128x256xf32>):
    %30 = "stablehlo.dot_general"(%arg15, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %31 = "stablehlo.tanh"(%30) : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %34 = "stablehlo.subtract"(%33, %31) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %35 = "stablehlo.dot_general"(%31, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x8xf32>) -> tensor<16x128x8xf32>
    %36 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.reduce"(%35, %36) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %205 = "stablehlo.maximum"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%205) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8xf32>, tensor<f32>) -> tensor<16x128xf32>
    %38 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128xf32>
    %40 = "stablehlo.maximum"(%39, %37) : (tensor<16x128xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x8xf32>
    %43 = "stablehlo.subtract"(%35, %42) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %44 = "stablehlo.exponential"(%43) : (tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.reduce"(%44, %45) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg28: tensor<f32>, %arg29: tensor<f32>):
      %204 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%204) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8xf32>, tensor<f32>) -> tensor<16x128xf32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x8xf32>
    %49 = "stablehlo.divide"(%44, %48) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %50 = "stablehlo.multiply"(%47, %47) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %51 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %53 = "stablehlo.divide"(%52, %50) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %54 = "func.call"(%49) <{callee = @argmax}> : (tensor<16x128x8xf32>) -> tensor<16x128xi32>
    %55 = "func.call"(%54) <{callee = @_one_hot}> : (tensor<16x128xi32>) -> tensor<16x128x8xf32>
    %56 = "func.call"(%55) <{callee = @cumsum}> : (tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %57 = "stablehlo.multiply"(%56, %55) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %58 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x8xf32>
    %60 = "stablehlo.subtract"(%57, %59) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %61 = "stablehlo.convert"(%60) : (tensor<16x128x8xf32>) -> tensor<16x128x8xi32>
    %62 = "func.call"(%61) <{callee = @_one_hot_1}> : (tensor<16x128x8xi32>) -> tensor<16x128x8x32xf32>
    %63 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x8xf32>) -> tensor<16x128x8x1xf32>
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x128x8x1xf32>) -> tensor<16x128x8x32xf32>
    %65 = "stablehlo.multiply"(%62, %64) : (tensor<16x128x8x32xf32>, tensor<16x128x8x32xf32>) -> tensor<16x128x8x32xf32>
    %66 = "stablehlo.multiply"(%49, %55) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %67 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.reduce"(%66, %67) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %203 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%203) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8xf32>, tensor<f32>) -> tensor<16x128xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1x1xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x128x1x1xf32>) -> tensor<16x128x8x32xf32>
    %71 = "stablehlo.multiply"(%65, %70) : (tensor<16x128x8x32xf32>, tensor<16x128x8x32xf32>) -> tensor<16x128x8x32xf32>
    %72 = "stablehlo.dot_general"(%31, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x8x32xf32>) -> tensor<16x256x8x32xf32>
    %73 = "stablehlo.transpose"(%72) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<16x256x8x32xf32>) -> tensor<8x16x32x256xf32>
    %74 = "sdy.sharding_constraint"(%73) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"data"}, {}, {}]>}> : (tensor<8x16x32x256xf32>) -> tensor<8x16x32x256xf32>
    %75 = "stablehlo.dot_general"(%74, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x32x256xf32>, tensor<8x256x512xf32>) -> tensor<8x16x32x512xf32>
    %76 = "stablehlo.multiply"(%75, %75) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %77 = "stablehlo.multiply"(%76, %75) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %78 = "stablehlo.multiply"(%75, %75) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %79 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %81 = "stablehlo.multiply"(%80, %78) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %82 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %84 = "stablehlo.multiply"(%83, %77) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %85 = "stablehlo.add"(%75, %84) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %86 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %88 = "stablehlo.multiply"(%87, %85) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %89 = "stablehlo.tanh"(%88) : (tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %90 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %92 = "stablehlo.subtract"(%91, %89) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %93 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %95 = "stablehlo.add"(%94, %89) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %96 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %98 = "stablehlo.multiply"(%97, %95) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %99 = "stablehlo.multiply"(%75, %98) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %100 = "stablehlo.dot_general"(%99, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x32x512xf32>, tensor<8x512x256xf32>) -> tensor<8x16x32x256xf32>
    %101 = "sdy.sharding_constraint"(%100) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"data"}, {}, {}]>}> : (tensor<8x16x32x256xf32>) -> tensor<8x16x32x256xf32>
    %102 = "stablehlo.dot_general"(%71, %101) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [2, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<8x16x32x256xf32>) -> tensor<16x128x256xf32>
    %103 = "sdy.sharding_constraint"(%102) <{sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %104 = "stablehlo.add"(%31, %103) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %105 = "chlo.square"(%104) : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %106 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %108 = "stablehlo.multiply"(%107, %104) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.reduce"(%105, %109) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %202 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%202) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<f32>
    %111 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %112 = "stablehlo.divide"(%110, %111) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %113 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.divide"(%113, %114) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %117 = "stablehlo.multiply"(%116, %108) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %118 = "sdy.sharding_constraint"(%117) <{sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}> : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %119 = "stablehlo.dot_general"(%118, %71) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x8x32xf32>) -> tensor<16x256x8x32xf32>
    %120 = "stablehlo.transpose"(%119) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<16x256x8x32xf32>) -> tensor<8x16x32x256xf32>
    %121 = "stablehlo.dot_general"(%118, %101) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<8x16x32x256xf32>) -> tensor<16x128x8x32xf32>
    %122 = "sdy.sharding_constraint"(%120) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"data"}, {}, {}]>}> : (tensor<8x16x32x256xf32>) -> tensor<8x16x32x256xf32>
    %123 = "stablehlo.dot_general"(%122, %99) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x32x256xf32>, tensor<8x16x32x512xf32>) -> tensor<8x256x512xf32>
    %124 = "stablehlo.transpose"(%123) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x256x512xf32>) -> tensor<8x512x256xf32>
    %125 = "stablehlo.dot_general"(%122, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x32x256xf32>, tensor<8x512x256xf32>) -> tensor<8x16x32x512xf32>
    %126 = "stablehlo.multiply"(%75, %125) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %127 = "stablehlo.multiply"(%125, %98) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %128 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.broadcast_in_dim"(%128) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %130 = "stablehlo.multiply"(%129, %126) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %131 = "stablehlo.multiply"(%130, %92) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %132 = "stablehlo.multiply"(%131, %89) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %133 = "stablehlo.add"(%131, %132) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %134 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %136 = "stablehlo.multiply"(%135, %133) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %137 = "stablehlo.add"(%127, %136) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %138 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %139 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16x32x512xf32>
    %140 = "stablehlo.multiply"(%139, %136) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %141 = "stablehlo.multiply"(%140, %81) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %142 = "stablehlo.add"(%137, %141) : (tensor<8x16x32x512xf32>, tensor<8x16x32x512xf32>) -> tensor<8x16x32x512xf32>
    %143 = "stablehlo.dot_general"(%142, %74) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x32x512xf32>, tensor<8x16x32x256xf32>) -> tensor<8x512x256xf32>
    %144 = "stablehlo.transpose"(%143) <{permutation = array<i64: 0, 2, 1>}> : (tensor<8x512x256xf32>) -> tensor<8x256x512xf32>
    %145 = "stablehlo.dot_general"(%142, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16x32x512xf32>, tensor<8x256x512xf32>) -> tensor<8x16x32x256xf32>
    %146 = "sdy.sharding_constraint"(%145) <{sharding = #sdy.sharding<@mesh, [{"expert"}, {"data"}, {}, {}]>}> : (tensor<8x16x32x256xf32>) -> tensor<8x16x32x256xf32>
    %147 = "stablehlo.transpose"(%146) <{permutation = array<i64: 1, 3, 0, 2>}> : (tensor<8x16x32x256xf32>) -> tensor<16x256x8x32xf32>
    %148 = "stablehlo.dot_general"(%147, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x256x8x32xf32>, tensor<16x128x8x32xf32>) -> tensor<16x256x128xf32>
    %149 = "stablehlo.transpose"(%148) <{permutation = array<i64: 0, 2, 1>}> : (tensor<16x256x128xf32>) -> tensor<16x128x256xf32>
    %150 = "stablehlo.add"(%117, %149) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %151 = "stablehlo.multiply"(%65, %121) : (tensor<16x128x8x32xf32>, tensor<16x128x8x32xf32>) -> tensor<16x128x8x32xf32>
    %152 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %153 = "stablehlo.reduce"(%151, %152) <{dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %201 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%201) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8x32xf32>, tensor<f32>) -> tensor<16x128xf32>
    %154 = "stablehlo.reshape"(%153) : (tensor<16x128xf32>) -> tensor<16x128x1x1xf32>
    %155 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %156 = "stablehlo.reduce"(%154, %155) <{dimensions = array<i64: 2, 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %200 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%200) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %157 = "stablehlo.broadcast_in_dim"(%156) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x8xf32>
    %158 = "stablehlo.multiply"(%157, %55) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %159 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x8xf32>
    %160 = "stablehlo.multiply"(%158, %159) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %161 = "stablehlo.multiply"(%160, %44) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %162 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %163 = "stablehlo.reduce"(%161, %162) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %199 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%199) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8xf32>, tensor<f32>) -> tensor<16x128xf32>
    %164 = "stablehlo.reshape"(%163) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %165 = "stablehlo.negate"(%164) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %166 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x8xf32>
    %167 = "stablehlo.divide"(%158, %166) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %168 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %169 = "stablehlo.reduce"(%165, %168) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %198 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%198) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %170 = "stablehlo.broadcast_in_dim"(%169) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x8xf32>
    %171 = "stablehlo.add"(%167, %170) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %172 = "stablehlo.multiply"(%171, %44) : (tensor<16x128x8xf32>, tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    %173 = "stablehlo.dot_general"(%172, %31) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8xf32>, tensor<16x128x256xf32>) -> tensor<8x256xf32>
    %174 = "stablehlo.transpose"(%173) <{permutation = array<i64: 1, 0>}> : (tensor<8x256xf32>) -> tensor<256x8xf32>
    %175 = "stablehlo.dot_general"(%172, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8xf32>, tensor<256x8xf32>) -> tensor<16x128x256xf32>
    %176 = "stablehlo.add"(%150, %175) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %177 = "stablehlo.multiply"(%176, %34) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %178 = "stablehlo.multiply"(%177, %31) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %179 = "stablehlo.add"(%177, %178) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %180 = "stablehlo.dot_general"(%179, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<256x256xf32>
    %181 = "stablehlo.transpose"(%180) <{permutation = array<i64: 1, 0>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %182 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %183 = "stablehlo.broadcast_in_dim"(%182) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x512x256xf32>
    %184 = "stablehlo.multiply"(%183, %124) : (tensor<8x512x256xf32>, tensor<8x512x256xf32>) -> tensor<8x512x256xf32>
    %185 = "stablehlo.subtract"(%arg11, %184) : (tensor<8x512x256xf32>, tensor<8x512x256xf32>) -> tensor<8x512x256xf32>
    %186 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %187 = "stablehlo.broadcast_in_dim"(%186) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
    %188 = "stablehlo.multiply"(%187, %181) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %189 = "stablehlo.subtract"(%arg12, %188) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %190 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x8xf32>
    %192 = "stablehlo.multiply"(%191, %174) : (tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x8xf32>
    %193 = "stablehlo.subtract"(%arg13, %192) : (tensor<256x8xf32>, tensor<256x8xf32>) -> tensor<256x8xf32>
    %194 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %195 = "stablehlo.broadcast_in_dim"(%194) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x256x512xf32>
    %196 = "stablehlo.multiply"(%195, %144) : (tensor<8x256x512xf32>, tensor<8x256x512xf32>) -> tensor<8x256x512xf32>
    %197 = "stablehlo.subtract"(%arg14, %196) : (tensor<8x256x512xf32>, tensor<8x256x512xf32>) -> tensor<8x256x512xf32>
    "func.return"(%185, %189, %193, %197, %112) : (tensor<8x512x256xf32>, tensor<256x256xf32>, tensor<256x8xf32>, tensor<8x256x512xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x128x8xf32>) -> tensor<16x128xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<16x128x8xf32>):
    %17 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<16x128x8xi32>
    %18 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20:2 = "stablehlo.reduce"(%arg6, %17, %18, %19) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<i32>, %arg9: tensor<f32>, %arg10: tensor<i32>):
      %21 = "stablehlo.compare"(%arg7, %arg9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %22 = "stablehlo.compare"(%arg7, %arg7) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %23 = "stablehlo.or"(%21, %22) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %24 = "stablehlo.compare"(%arg7, %arg9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %25 = "stablehlo.compare"(%arg8, %arg10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %26 = "stablehlo.and"(%24, %25) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %27 = "stablehlo.or"(%23, %26) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %28 = "stablehlo.select"(%23, %arg7, %arg9) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %29 = "stablehlo.select"(%27, %arg8, %arg10) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%28, %29) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<16x128x8xf32>, tensor<16x128x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x128xf32>, tensor<16x128xi32>)
    "func.return"(%20#1) : (tensor<16x128xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x128xi32>) -> tensor<16x128x8xf32>, res_attrs = [{}], sym_name = "_one_hot", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<16x128xi32>):
    %11 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xi32>) -> tensor<16x128x1xi32>
    %12 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<1x1x8xi32>
    %13 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xi32>) -> tensor<16x128x8xi32>
    %14 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xi32>) -> tensor<16x128x8xi32>
    %15 = "stablehlo.compare"(%13, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x128x8xi32>, tensor<16x128x8xi32>) -> tensor<16x128x8xi1>
    %16 = "stablehlo.convert"(%15) : (tensor<16x128x8xi1>) -> tensor<16x128x8xf32>
    "func.return"(%16) : (tensor<16x128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x128x8xf32>) -> tensor<16x128x8xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<16x128x8xf32>):
    %10 = "func.call"(%arg4) <{callee = @cumsum_0}> : (tensor<16x128x8xf32>) -> tensor<16x128x8xf32>
    "func.return"(%10) : (tensor<16x128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x128x8xf32>) -> tensor<16x128x8xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<16x128x8xf32>):
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.reduce_window"(%arg1, %7) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [127, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 128, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %9 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<16x128x8xf32>, tensor<f32>) -> tensor<16x128x8xf32>
    "func.return"(%8) : (tensor<16x128x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x128x8xi32>) -> tensor<16x128x8x32xf32>, res_attrs = [{}], sym_name = "_one_hot_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x128x8xi32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x8xi32>) -> tensor<16x128x8x1xi32>
    %1 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<1x1x1x32xi32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x128x8x1xi32>) -> tensor<16x128x8x32xi32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x32xi32>) -> tensor<16x128x8x32xi32>
    %4 = "stablehlo.compare"(%2, %3) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<16x128x8x32xi32>, tensor<16x128x8x32xi32>) -> tensor<16x128x8x32xi1>
    %5 = "stablehlo.convert"(%4) : (tensor<16x128x8x32xi1>) -> tensor<16x128x8x32xf32>
    "func.return"(%5) : (tensor<16x128x8x32xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
