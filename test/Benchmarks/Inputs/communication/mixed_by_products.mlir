"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["seq"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "seq", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 3 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"seq"}, {}]>}], function_type = (tensor<512x128xf32>, tensor<128x512xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<4x256x128xf32>) -> (tensor<512x128xf32>, tensor<128x512xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0][0]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0][1]['up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<512x128xf32>, %arg1: tensor<128x512xf32>, %arg2: tensor<512x128xf32>, %arg3: tensor<128x512xf32>, %arg4: tensor<4x256x128xf32>):
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi32>) -> tensor<256x1xi32>
    %2 = "stablehlo.convert"(%1) : (tensor<256x1xi32>) -> tensor<256x1xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.0245436933> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1xf32>
    %5 = "stablehlo.multiply"(%4, %2) : (tensor<256x1xf32>, tensor<256x1xf32>) -> tensor<256x1xf32>
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %7 = "stablehlo.convert"(%6) : (tensor<256xi32>) -> tensor<256xf32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 1>}> : (tensor<256xf32>) -> tensor<1x256xf32>
    %9 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<256x1xf32>) -> tensor<256x256xf32>
    %10 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x256xf32>) -> tensor<256x256xf32>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %12 = "stablehlo.cosine"(%11) : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %13 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
    %15 = "stablehlo.divide"(%12, %14) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %16 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %18 = "stablehlo.convert"(%17) : (tensor<128x1xi32>) -> tensor<128x1xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.0490873866> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x1xf32>
    %21 = "stablehlo.multiply"(%20, %18) : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xf32>
    %22 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi32>
    %23 = "stablehlo.convert"(%22) : (tensor<128xi32>) -> tensor<128xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 1>}> : (tensor<128xf32>) -> tensor<1x128xf32>
    %25 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x128xf32>
    %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<128x128xf32>
    %27 = "stablehlo.multiply"(%25, %26) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %28 = "stablehlo.cosine"(%27) : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %29 = "stablehlo.constant"() <{value = dense<11.3137083> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x128xf32>
    %31 = "stablehlo.divide"(%28, %30) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %32 = "stablehlo.dot_general"(%arg4, %15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<256x256xf32>) -> tensor<4x128x256xf32>
    %33 = "stablehlo.dot_general"(%32, %31) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x128x256xf32>, tensor<128x128xf32>) -> tensor<4x256x128xf32>
    %34 = "stablehlo.add"(%arg4, %33) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %35 = "stablehlo.dot_general"(%34, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<128x512xf32>) -> tensor<4x256x512xf32>
    %36 = "stablehlo.multiply"(%35, %35) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %37 = "stablehlo.multiply"(%36, %35) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %38 = "stablehlo.multiply"(%35, %35) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %39 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %41 = "stablehlo.multiply"(%40, %38) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %42 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %44 = "stablehlo.multiply"(%43, %37) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %45 = "stablehlo.add"(%35, %44) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %46 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %48 = "stablehlo.multiply"(%47, %45) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %49 = "stablehlo.tanh"(%48) : (tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %50 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %52 = "stablehlo.subtract"(%51, %49) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %53 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %55 = "stablehlo.add"(%54, %49) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %56 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %58 = "stablehlo.multiply"(%57, %55) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %59 = "stablehlo.multiply"(%35, %58) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %60 = "stablehlo.dot_general"(%59, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x512xf32>, tensor<512x128xf32>) -> tensor<4x256x128xf32>
    %61 = "stablehlo.add"(%34, %60) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %62 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0>}> : (tensor<256xi32>) -> tensor<256x1xi32>
    %64 = "stablehlo.convert"(%63) : (tensor<256x1xi32>) -> tensor<256x1xf32>
    %65 = "stablehlo.constant"() <{value = dense<0.0245436933> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x1xf32>
    %67 = "stablehlo.multiply"(%66, %64) : (tensor<256x1xf32>, tensor<256x1xf32>) -> tensor<256x1xf32>
    %68 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %69 = "stablehlo.convert"(%68) : (tensor<256xi32>) -> tensor<256xf32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 1>}> : (tensor<256xf32>) -> tensor<1x256xf32>
    %71 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<256x1xf32>) -> tensor<256x256xf32>
    %72 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x256xf32>) -> tensor<256x256xf32>
    %73 = "stablehlo.multiply"(%71, %72) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %74 = "stablehlo.cosine"(%73) : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %75 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
    %77 = "stablehlo.divide"(%74, %76) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %78 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64: 0>}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %80 = "stablehlo.convert"(%79) : (tensor<128x1xi32>) -> tensor<128x1xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.0490873866> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x1xf32>
    %83 = "stablehlo.multiply"(%82, %80) : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xf32>
    %84 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128xi32>
    %85 = "stablehlo.convert"(%84) : (tensor<128xi32>) -> tensor<128xf32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 1>}> : (tensor<128xf32>) -> tensor<1x128xf32>
    %87 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<128x1xf32>) -> tensor<128x128xf32>
    %88 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<128x128xf32>
    %89 = "stablehlo.multiply"(%87, %88) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %90 = "stablehlo.cosine"(%89) : (tensor<128x128xf32>) -> tensor<128x128xf32>
    %91 = "stablehlo.constant"() <{value = dense<11.3137083> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x128xf32>
    %93 = "stablehlo.divide"(%90, %92) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    %94 = "stablehlo.dot_general"(%61, %77) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<256x256xf32>) -> tensor<4x128x256xf32>
    %95 = "stablehlo.dot_general"(%94, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x128x256xf32>, tensor<128x128xf32>) -> tensor<4x256x128xf32>
    %96 = "stablehlo.add"(%61, %95) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %97 = "stablehlo.dot_general"(%96, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<128x512xf32>) -> tensor<4x256x512xf32>
    %98 = "stablehlo.multiply"(%97, %97) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %99 = "stablehlo.multiply"(%98, %97) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %100 = "stablehlo.multiply"(%97, %97) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %101 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %103 = "stablehlo.multiply"(%102, %100) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %104 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %106 = "stablehlo.multiply"(%105, %99) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %107 = "stablehlo.add"(%97, %106) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %108 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %110 = "stablehlo.multiply"(%109, %107) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %111 = "stablehlo.tanh"(%110) : (tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %112 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %114 = "stablehlo.subtract"(%113, %111) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %115 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %116 = "stablehlo.broadcast_in_dim"(%115) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %117 = "stablehlo.add"(%116, %111) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %118 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %120 = "stablehlo.multiply"(%119, %117) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %121 = "stablehlo.multiply"(%97, %120) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %122 = "stablehlo.dot_general"(%121, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x512xf32>, tensor<512x128xf32>) -> tensor<4x256x128xf32>
    %123 = "stablehlo.add"(%96, %122) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %124 = "chlo.square"(%123) : (tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %125 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
    %127 = "stablehlo.multiply"(%126, %123) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %128 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %129 = "stablehlo.reduce"(%124, %128) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %204 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%204) : (tensor<f32>) -> ()
    }) : (tensor<4x256x128xf32>, tensor<f32>) -> tensor<f32>
    %130 = "stablehlo.constant"() <{value = dense<1.310720e+05> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.divide"(%129, %130) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %132 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.constant"() <{value = dense<1.310720e+05> : tensor<f32>}> : () -> tensor<f32>
    %134 = "stablehlo.divide"(%132, %133) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x128xf32>
    %136 = "stablehlo.multiply"(%135, %127) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %137 = "stablehlo.dot_general"(%136, %121) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<4x256x512xf32>) -> tensor<128x512xf32>
    %138 = "stablehlo.transpose"(%137) <{permutation = array<i64: 1, 0>}> : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %139 = "stablehlo.dot_general"(%136, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<512x128xf32>) -> tensor<4x256x512xf32>
    %140 = "stablehlo.multiply"(%97, %139) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %141 = "stablehlo.multiply"(%139, %120) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %142 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %144 = "stablehlo.multiply"(%143, %140) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %145 = "stablehlo.multiply"(%144, %114) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %146 = "stablehlo.multiply"(%145, %111) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %147 = "stablehlo.add"(%145, %146) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %148 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %150 = "stablehlo.multiply"(%149, %147) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %151 = "stablehlo.add"(%141, %150) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %152 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %154 = "stablehlo.multiply"(%153, %150) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %155 = "stablehlo.multiply"(%154, %103) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %156 = "stablehlo.add"(%151, %155) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %157 = "stablehlo.dot_general"(%156, %96) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x512xf32>, tensor<4x256x128xf32>) -> tensor<512x128xf32>
    %158 = "stablehlo.transpose"(%157) <{permutation = array<i64: 1, 0>}> : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %159 = "stablehlo.dot_general"(%156, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x512xf32>, tensor<128x512xf32>) -> tensor<4x256x128xf32>
    %160 = "stablehlo.add"(%136, %159) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %161 = "stablehlo.dot_general"(%160, %93) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<128x128xf32>) -> tensor<4x256x128xf32>
    %162 = "stablehlo.transpose"(%161) <{permutation = array<i64: 0, 2, 1>}> : (tensor<4x256x128xf32>) -> tensor<4x128x256xf32>
    %163 = "stablehlo.dot_general"(%162, %77) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x128x256xf32>, tensor<256x256xf32>) -> tensor<4x128x256xf32>
    %164 = "stablehlo.transpose"(%163) <{permutation = array<i64: 0, 2, 1>}> : (tensor<4x128x256xf32>) -> tensor<4x256x128xf32>
    %165 = "stablehlo.add"(%160, %164) : (tensor<4x256x128xf32>, tensor<4x256x128xf32>) -> tensor<4x256x128xf32>
    %166 = "stablehlo.dot_general"(%165, %59) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<4x256x512xf32>) -> tensor<128x512xf32>
    %167 = "stablehlo.transpose"(%166) <{permutation = array<i64: 1, 0>}> : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %168 = "stablehlo.dot_general"(%165, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x128xf32>, tensor<512x128xf32>) -> tensor<4x256x512xf32>
    %169 = "stablehlo.multiply"(%35, %168) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %170 = "stablehlo.multiply"(%168, %58) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %171 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %173 = "stablehlo.multiply"(%172, %169) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %174 = "stablehlo.multiply"(%173, %52) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %175 = "stablehlo.multiply"(%174, %49) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %176 = "stablehlo.add"(%174, %175) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %177 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %179 = "stablehlo.multiply"(%178, %176) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %180 = "stablehlo.add"(%170, %179) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %181 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x256x512xf32>
    %183 = "stablehlo.multiply"(%182, %179) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %184 = "stablehlo.multiply"(%183, %41) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %185 = "stablehlo.add"(%180, %184) : (tensor<4x256x512xf32>, tensor<4x256x512xf32>) -> tensor<4x256x512xf32>
    %186 = "stablehlo.dot_general"(%185, %34) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x256x512xf32>, tensor<4x256x128xf32>) -> tensor<512x128xf32>
    %187 = "stablehlo.transpose"(%186) <{permutation = array<i64: 1, 0>}> : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %188 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x128xf32>
    %190 = "stablehlo.multiply"(%189, %167) : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<512x128xf32>
    %191 = "stablehlo.subtract"(%arg0, %190) : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<512x128xf32>
    %192 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %193 = "stablehlo.broadcast_in_dim"(%192) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x512xf32>
    %194 = "stablehlo.multiply"(%193, %187) : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
    %195 = "stablehlo.subtract"(%arg1, %194) : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
    %196 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %197 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x128xf32>
    %198 = "stablehlo.multiply"(%197, %138) : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<512x128xf32>
    %199 = "stablehlo.subtract"(%arg2, %198) : (tensor<512x128xf32>, tensor<512x128xf32>) -> tensor<512x128xf32>
    %200 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %201 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<128x512xf32>
    %202 = "stablehlo.multiply"(%201, %158) : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
    %203 = "stablehlo.subtract"(%arg3, %202) : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<128x512xf32>
    "func.return"(%191, %195, %199, %203, %131) : (tensor<512x128xf32>, tensor<128x512xf32>, tensor<512x128xf32>, tensor<128x512xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
