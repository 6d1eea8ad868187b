"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 3 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 4 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 5 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 6 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 7 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}], function_type = (tensor<1024x256xf32>, tensor<256x2048xf32>, tensor<256x768xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256x2048xf32>, tensor<256x768xf32>, tensor<256x256xf32>, tensor<16x128x256xf32>) -> (tensor<1024x256xf32>, tensor<256x2048xf32>, tensor<256x768xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256x2048xf32>, tensor<256x768xf32>, tensor<256x256xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0][0]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[0][0]['gate_up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0][0]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0][0]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[0][1]['down']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[0][1]['gate_up']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0][1]['qkv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {jax.result_info = "result[0][1]['wo']", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<1024x256xf32>, %arg11: tensor<256x2048xf32>, %arg12: tensor<256x768xf32>, %arg13: tensor<256x256xf32>, %arg14: tensor<1024x256xf32>, %arg15: tensor<256x2048xf32>, %arg16: tensor<256x768xf32>, %arg17: tensor<256x256xf32>, %arg18: tensor<16x128x256xf32>):
    %24 = "stablehlo.multiply"(%arg18, %arg18) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %25 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%24, %25) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %423 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%423) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %28 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %30 = "stablehlo.divide"(%27, %29) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %31 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %34 = "stablehlo.rsqrt"(%33) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %36 = "stablehlo.multiply"(%arg18, %35) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %39 = "stablehlo.multiply"(%36, %38) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %40 = "stablehlo.dot_general"(%39, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x768xf32>) -> tensor<16x128x768xf32>
    %41 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 16, 128, 256>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x768xf32>) -> tensor<16x128x256xf32>
    %42 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 16, 128, 512>, start_indices = array<i64: 0, 0, 256>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x768xf32>) -> tensor<16x128x256xf32>
    %43 = "stablehlo.slice"(%40) <{limit_indices = array<i64: 16, 128, 768>, start_indices = array<i64: 0, 0, 512>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x768xf32>) -> tensor<16x128x256xf32>
    %44 = "stablehlo.reshape"(%41) : (tensor<16x128x256xf32>) -> tensor<16x128x8x1x32xf32>
    %45 = "stablehlo.reshape"(%42) : (tensor<16x128x256xf32>) -> tensor<16x128x8x32xf32>
    %46 = "stablehlo.reshape"(%43) : (tensor<16x128x256xf32>) -> tensor<16x128x8x32xf32>
    %47 = "stablehlo.dot_general"(%45, %44) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x128x8x1x32xf32>) -> tensor<16x8x128x128x1xf32>
    %48 = "stablehlo.transpose"(%47) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<16x8x128x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %49 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %51 = "stablehlo.multiply"(%48, %50) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %52 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128x128xi32>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<128x128xi32>
    %55 = "stablehlo.add"(%52, %54) : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi32>
    %56 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<128x128xi32>
    %57 = "stablehlo.compare"(%55, %56) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %58 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %59:2 = "func.call"(%57, %51, %58) <{callee = @_where}> : (tensor<128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<f32>) -> (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>)
    %60 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %61 = "stablehlo.reduce"(%59#0, %60) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %422 = "stablehlo.maximum"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%422) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %62 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128xf32>
    %64 = "stablehlo.maximum"(%63, %61) : (tensor<16x8x1x128xf32>, tensor<16x8x1x128xf32>) -> tensor<16x8x1x128xf32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %67 = "stablehlo.subtract"(%59#0, %66) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %68 = "stablehlo.exponential"(%67) : (tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %69 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.reduce"(%68, %69) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %421 = "stablehlo.add"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%421) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %73 = "stablehlo.divide"(%68, %72) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %74 = "stablehlo.multiply"(%71, %71) : (tensor<16x8x1x128x1xf32>, tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %75 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x1xf32>
    %77 = "stablehlo.divide"(%76, %74) : (tensor<16x8x1x128x1xf32>, tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %78 = "stablehlo.dot_general"(%46, %73) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x32x1x128xf32>
    %79 = "stablehlo.transpose"(%78) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<16x8x32x1x128xf32>) -> tensor<16x128x8x1x32xf32>
    %80 = "stablehlo.reshape"(%79) : (tensor<16x128x8x1x32xf32>) -> tensor<16x128x256xf32>
    %81 = "stablehlo.dot_general"(%80, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %82 = "stablehlo.add"(%arg18, %81) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %83 = "stablehlo.multiply"(%82, %82) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.reduce"(%83, %84) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %420 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%420) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %87 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %89 = "stablehlo.divide"(%86, %88) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %90 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %92 = "stablehlo.add"(%89, %91) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %93 = "stablehlo.rsqrt"(%92) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %94 = "stablehlo.divide"(%93, %92) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %95 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %97 = "stablehlo.multiply"(%96, %94) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %98 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %99 = "stablehlo.multiply"(%82, %98) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %100 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %102 = "stablehlo.multiply"(%99, %101) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %103 = "stablehlo.dot_general"(%102, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x2048xf32>) -> tensor<16x128x2048xf32>
    %104 = "stablehlo.slice"(%103) <{limit_indices = array<i64: 16, 128, 1024>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x2048xf32>) -> tensor<16x128x1024xf32>
    %105 = "stablehlo.slice"(%103) <{limit_indices = array<i64: 16, 128, 2048>, start_indices = array<i64: 0, 0, 1024>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x2048xf32>) -> tensor<16x128x1024xf32>
    %106:3 = "func.call"(%104) <{callee = @silu}> : (tensor<16x128x1024xf32>) -> (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>)
    %107 = "stablehlo.multiply"(%106#0, %105) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %108 = "stablehlo.dot_general"(%107, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x1024xf32>, tensor<1024x256xf32>) -> tensor<16x128x256xf32>
    %109 = "stablehlo.add"(%82, %108) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %110 = "stablehlo.multiply"(%109, %109) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %111 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %112 = "stablehlo.reduce"(%110, %111) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %419 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%419) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %114 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %116 = "stablehlo.divide"(%113, %115) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %117 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %119 = "stablehlo.add"(%116, %118) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %120 = "stablehlo.rsqrt"(%119) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %121 = "stablehlo.divide"(%120, %119) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %122 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %123 = "stablehlo.broadcast_in_dim"(%122) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %124 = "stablehlo.multiply"(%123, %121) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %125 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %126 = "stablehlo.multiply"(%109, %125) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %127 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %128 = "stablehlo.broadcast_in_dim"(%127) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %129 = "stablehlo.multiply"(%126, %128) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %130 = "stablehlo.dot_general"(%129, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x768xf32>) -> tensor<16x128x768xf32>
    %131 = "stablehlo.slice"(%130) <{limit_indices = array<i64: 16, 128, 256>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x768xf32>) -> tensor<16x128x256xf32>
    %132 = "stablehlo.slice"(%130) <{limit_indices = array<i64: 16, 128, 512>, start_indices = array<i64: 0, 0, 256>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x768xf32>) -> tensor<16x128x256xf32>
    %133 = "stablehlo.slice"(%130) <{limit_indices = array<i64: 16, 128, 768>, start_indices = array<i64: 0, 0, 512>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x768xf32>) -> tensor<16x128x256xf32>
    %134 = "stablehlo.reshape"(%131) : (tensor<16x128x256xf32>) -> tensor<16x128x8x1x32xf32>
    %135 = "stablehlo.reshape"(%132) : (tensor<16x128x256xf32>) -> tensor<16x128x8x32xf32>
    %136 = "stablehlo.reshape"(%133) : (tensor<16x128x256xf32>) -> tensor<16x128x8x32xf32>
    %137 = "stablehlo.dot_general"(%135, %134) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x128x8x1x32xf32>) -> tensor<16x8x128x128x1xf32>
    %138 = "stablehlo.transpose"(%137) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<16x8x128x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %139 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %141 = "stablehlo.multiply"(%138, %140) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %142 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<128x128xi32>
    %143 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %144 = "stablehlo.broadcast_in_dim"(%143) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<128x128xi32>
    %145 = "stablehlo.add"(%142, %144) : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi32>
    %146 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<128x128xi32>
    %147 = "stablehlo.compare"(%145, %146) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
    %148 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %149:2 = "func.call"(%147, %141, %148) <{callee = @_where}> : (tensor<128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<f32>) -> (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>)
    %150 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %151 = "stablehlo.reduce"(%149#0, %150) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %418 = "stablehlo.maximum"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%418) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %152 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %153 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128xf32>
    %154 = "stablehlo.maximum"(%153, %151) : (tensor<16x8x1x128xf32>, tensor<16x8x1x128xf32>) -> tensor<16x8x1x128xf32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %156 = "stablehlo.broadcast_in_dim"(%155) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %157 = "stablehlo.subtract"(%149#0, %156) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %158 = "stablehlo.exponential"(%157) : (tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %159 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %160 = "stablehlo.reduce"(%158, %159) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %417 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%417) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %161 = "stablehlo.broadcast_in_dim"(%160) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %162 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %163 = "stablehlo.divide"(%158, %162) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %164 = "stablehlo.multiply"(%161, %161) : (tensor<16x8x1x128x1xf32>, tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %165 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x1xf32>
    %167 = "stablehlo.divide"(%166, %164) : (tensor<16x8x1x128x1xf32>, tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %168 = "stablehlo.dot_general"(%136, %163) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [4]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x8x32xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x32x1x128xf32>
    %169 = "stablehlo.transpose"(%168) <{permutation = array<i64: 0, 4, 1, 3, 2>}> : (tensor<16x8x32x1x128xf32>) -> tensor<16x128x8x1x32xf32>
    %170 = "stablehlo.reshape"(%169) : (tensor<16x128x8x1x32xf32>) -> tensor<16x128x256xf32>
    %171 = "stablehlo.dot_general"(%170, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %172 = "stablehlo.add"(%109, %171) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %173 = "stablehlo.multiply"(%172, %172) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %174 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %175 = "stablehlo.reduce"(%173, %174) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
      %416 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%416) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %176 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %177 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %179 = "stablehlo.divide"(%176, %178) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %180 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %181 = "stablehlo.broadcast_in_dim"(%180) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %182 = "stablehlo.add"(%179, %181) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %183 = "stablehlo.rsqrt"(%182) : (tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %184 = "stablehlo.divide"(%183, %182) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %185 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %186 = "stablehlo.broadcast_in_dim"(%185) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %187 = "stablehlo.multiply"(%186, %184) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %188 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %189 = "stablehlo.multiply"(%172, %188) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %190 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %192 = "stablehlo.multiply"(%189, %191) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %193 = "stablehlo.dot_general"(%192, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x2048xf32>) -> tensor<16x128x2048xf32>
    %194 = "stablehlo.slice"(%193) <{limit_indices = array<i64: 16, 128, 1024>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x2048xf32>) -> tensor<16x128x1024xf32>
    %195 = "stablehlo.slice"(%193) <{limit_indices = array<i64: 16, 128, 2048>, start_indices = array<i64: 0, 0, 1024>, strides = array<i64: 1, 1, 1>}> : (tensor<16x128x2048xf32>) -> tensor<16x128x1024xf32>
    %196:3 = "func.call"(%194) <{callee = @silu}> : (tensor<16x128x1024xf32>) -> (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>)
    %197 = "stablehlo.multiply"(%196#0, %195) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %198 = "stablehlo.dot_general"(%197, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x1024xf32>, tensor<1024x256xf32>) -> tensor<16x128x256xf32>
    %199 = "stablehlo.add"(%172, %198) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %200 = "chlo.square"(%199) : (tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %201 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %203 = "stablehlo.multiply"(%202, %199) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %204 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %205 = "stablehlo.reduce"(%200, %204) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %415 = "stablehlo.add"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%415) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<f32>
    %206 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %207 = "stablehlo.divide"(%205, %206) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %208 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %209 = "stablehlo.constant"() <{value = dense<5.242880e+05> : tensor<f32>}> : () -> tensor<f32>
    %210 = "stablehlo.divide"(%208, %209) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %212 = "stablehlo.multiply"(%211, %203) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %213 = "stablehlo.dot_general"(%212, %197) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x1024xf32>) -> tensor<256x1024xf32>
    %214 = "stablehlo.transpose"(%213) <{permutation = array<i64: 1, 0>}> : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %215 = "stablehlo.dot_general"(%212, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<1024x256xf32>) -> tensor<16x128x1024xf32>
    %216 = "stablehlo.multiply"(%196#0, %215) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %217 = "stablehlo.multiply"(%215, %195) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %218 = "func.call"(%196#1, %196#2, %194, %217) <{callee = @silu_0}> : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %219 = "stablehlo.concatenate"(%218, %216) <{dimension = 2 : i64}> : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x2048xf32>
    %220 = "stablehlo.dot_general"(%219, %192) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x2048xf32>, tensor<16x128x256xf32>) -> tensor<2048x256xf32>
    %221 = "stablehlo.transpose"(%220) <{permutation = array<i64: 1, 0>}> : (tensor<2048x256xf32>) -> tensor<256x2048xf32>
    %222 = "stablehlo.dot_general"(%219, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x2048xf32>, tensor<256x2048xf32>) -> tensor<16x128x256xf32>
    %223 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %224 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %225 = "stablehlo.multiply"(%222, %224) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %226 = "stablehlo.multiply"(%172, %225) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %227 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %228 = "stablehlo.reduce"(%226, %227) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %414 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%414) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %229 = "stablehlo.reshape"(%228) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %230 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %231 = "stablehlo.multiply"(%225, %230) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %232 = "stablehlo.add"(%212, %231) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %233 = "stablehlo.multiply"(%229, %187) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %234 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %235 = "stablehlo.broadcast_in_dim"(%234) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %236 = "stablehlo.divide"(%233, %235) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %237 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %238 = "stablehlo.reduce"(%236, %237) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %413 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%413) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x256xf32>
    %240 = "stablehlo.multiply"(%172, %239) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %241 = "stablehlo.add"(%232, %240) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %242 = "stablehlo.multiply"(%239, %172) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %243 = "stablehlo.add"(%241, %242) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %244 = "stablehlo.dot_general"(%243, %170) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<256x256xf32>
    %245 = "stablehlo.transpose"(%244) <{permutation = array<i64: 1, 0>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %246 = "stablehlo.dot_general"(%243, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %247 = "stablehlo.reshape"(%246) : (tensor<16x128x256xf32>) -> tensor<16x128x8x1x32xf32>
    %248 = "stablehlo.transpose"(%247) <{permutation = array<i64: 0, 2, 4, 3, 1>}> : (tensor<16x128x8x1x32xf32>) -> tensor<16x8x32x1x128xf32>
    %249 = "stablehlo.dot_general"(%248, %136) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x32x1x128xf32>, tensor<16x128x8x32xf32>) -> tensor<16x8x1x128x128xf32>
    %250 = "stablehlo.dot_general"(%248, %163) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x32x1x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x32x128xf32>
    %251 = "stablehlo.transpose"(%250) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<16x8x32x128xf32>) -> tensor<16x128x8x32xf32>
    %252 = "stablehlo.broadcast_in_dim"(%167) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %253 = "stablehlo.multiply"(%249, %252) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %254 = "stablehlo.multiply"(%253, %158) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %255 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %256 = "stablehlo.reduce"(%254, %255) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %412 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%412) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %257 = "stablehlo.reshape"(%256) : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %258 = "stablehlo.negate"(%257) : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %259 = "stablehlo.broadcast_in_dim"(%161) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %260 = "stablehlo.divide"(%249, %259) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %261 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %262 = "stablehlo.reduce"(%258, %261) <{dimensions = array<i64: 2, 4>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %411 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%411) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x1xf32>, tensor<f32>) -> tensor<16x8x128xf32>
    %263 = "stablehlo.broadcast_in_dim"(%262) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x8x128xf32>) -> tensor<16x8x1x128xf32>
    %264 = "stablehlo.broadcast_in_dim"(%263) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x128xf32>
    %265 = "stablehlo.add"(%260, %264) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %266 = "stablehlo.multiply"(%265, %158) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %267 = "func.call"(%149#1, %266) <{callee = @_where_1}> : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %268 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %269 = "stablehlo.broadcast_in_dim"(%268) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %270 = "stablehlo.multiply"(%267, %269) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %271 = "stablehlo.transpose"(%270) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<16x8x1x128x128xf32>) -> tensor<16x8x128x128x1xf32>
    %272 = "stablehlo.dot_general"(%271, %135) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x128x128x1xf32>, tensor<16x128x8x32xf32>) -> tensor<16x8x128x1x32xf32>
    %273 = "stablehlo.transpose"(%272) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<16x8x128x1x32xf32>) -> tensor<16x128x8x1x32xf32>
    %274 = "stablehlo.dot_general"(%271, %134) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x128x128x1xf32>, tensor<16x128x8x1x32xf32>) -> tensor<16x8x128x32xf32>
    %275 = "stablehlo.transpose"(%274) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<16x8x128x32xf32>) -> tensor<16x128x8x32xf32>
    %276 = "stablehlo.reshape"(%251) : (tensor<16x128x8x32xf32>) -> tensor<16x128x256xf32>
    %277 = "stablehlo.reshape"(%275) : (tensor<16x128x8x32xf32>) -> tensor<16x128x256xf32>
    %278 = "stablehlo.reshape"(%273) : (tensor<16x128x8x1x32xf32>) -> tensor<16x128x256xf32>
    %279 = "stablehlo.concatenate"(%278, %277, %276) <{dimension = 2 : i64}> : (tensor<16x128x256xf32>, tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x768xf32>
    %280 = "stablehlo.dot_general"(%279, %129) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x768xf32>, tensor<16x128x256xf32>) -> tensor<768x256xf32>
    %281 = "stablehlo.transpose"(%280) <{permutation = array<i64: 1, 0>}> : (tensor<768x256xf32>) -> tensor<256x768xf32>
    %282 = "stablehlo.dot_general"(%279, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x768xf32>, tensor<256x768xf32>) -> tensor<16x128x256xf32>
    %283 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %284 = "stablehlo.broadcast_in_dim"(%283) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %285 = "stablehlo.multiply"(%282, %284) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %286 = "stablehlo.multiply"(%109, %285) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %287 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %288 = "stablehlo.reduce"(%286, %287) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %410 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%410) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %289 = "stablehlo.reshape"(%288) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %290 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %291 = "stablehlo.multiply"(%285, %290) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %292 = "stablehlo.add"(%243, %291) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %293 = "stablehlo.multiply"(%289, %124) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %294 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %295 = "stablehlo.broadcast_in_dim"(%294) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %296 = "stablehlo.divide"(%293, %295) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %297 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %298 = "stablehlo.reduce"(%296, %297) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %409 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%409) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x256xf32>
    %300 = "stablehlo.multiply"(%109, %299) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %301 = "stablehlo.add"(%292, %300) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %302 = "stablehlo.multiply"(%299, %109) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %303 = "stablehlo.add"(%301, %302) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %304 = "stablehlo.dot_general"(%303, %107) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x1024xf32>) -> tensor<256x1024xf32>
    %305 = "stablehlo.transpose"(%304) <{permutation = array<i64: 1, 0>}> : (tensor<256x1024xf32>) -> tensor<1024x256xf32>
    %306 = "stablehlo.dot_general"(%303, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<1024x256xf32>) -> tensor<16x128x1024xf32>
    %307 = "stablehlo.multiply"(%106#0, %306) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %308 = "stablehlo.multiply"(%306, %105) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %309 = "func.call"(%106#1, %106#2, %104, %308) <{callee = @silu_0}> : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %310 = "stablehlo.concatenate"(%309, %307) <{dimension = 2 : i64}> : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x2048xf32>
    %311 = "stablehlo.dot_general"(%310, %102) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x2048xf32>, tensor<16x128x256xf32>) -> tensor<2048x256xf32>
    %312 = "stablehlo.transpose"(%311) <{permutation = array<i64: 1, 0>}> : (tensor<2048x256xf32>) -> tensor<256x2048xf32>
    %313 = "stablehlo.dot_general"(%310, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x2048xf32>, tensor<256x2048xf32>) -> tensor<16x128x256xf32>
    %314 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %315 = "stablehlo.broadcast_in_dim"(%314) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x256xf32>
    %316 = "stablehlo.multiply"(%313, %315) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %317 = "stablehlo.multiply"(%82, %316) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %318 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %319 = "stablehlo.reduce"(%317, %318) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %408 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%408) : (tensor<f32>) -> ()
    }) : (tensor<16x128x256xf32>, tensor<f32>) -> tensor<16x128xf32>
    %320 = "stablehlo.reshape"(%319) : (tensor<16x128xf32>) -> tensor<16x128x1xf32>
    %321 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x128x1xf32>) -> tensor<16x128x256xf32>
    %322 = "stablehlo.multiply"(%316, %321) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %323 = "stablehlo.add"(%303, %322) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %324 = "stablehlo.multiply"(%320, %97) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %325 = "stablehlo.constant"() <{value = dense<2.560000e+02> : tensor<f32>}> : () -> tensor<f32>
    %326 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1xf32>
    %327 = "stablehlo.divide"(%324, %326) : (tensor<16x128x1xf32>, tensor<16x128x1xf32>) -> tensor<16x128x1xf32>
    %328 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %329 = "stablehlo.reduce"(%327, %328) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %407 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%407) : (tensor<f32>) -> ()
    }) : (tensor<16x128x1xf32>, tensor<f32>) -> tensor<16x128xf32>
    %330 = "stablehlo.broadcast_in_dim"(%329) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x128xf32>) -> tensor<16x128x256xf32>
    %331 = "stablehlo.multiply"(%82, %330) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %332 = "stablehlo.add"(%323, %331) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %333 = "stablehlo.multiply"(%330, %82) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %334 = "stablehlo.add"(%332, %333) : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x256xf32>
    %335 = "stablehlo.dot_general"(%334, %80) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<256x256xf32>
    %336 = "stablehlo.transpose"(%335) <{permutation = array<i64: 1, 0>}> : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %337 = "stablehlo.dot_general"(%334, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x256xf32>, tensor<256x256xf32>) -> tensor<16x128x256xf32>
    %338 = "stablehlo.reshape"(%337) : (tensor<16x128x256xf32>) -> tensor<16x128x8x1x32xf32>
    %339 = "stablehlo.transpose"(%338) <{permutation = array<i64: 0, 2, 4, 3, 1>}> : (tensor<16x128x8x1x32xf32>) -> tensor<16x8x32x1x128xf32>
    %340 = "stablehlo.dot_general"(%339, %46) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x32x1x128xf32>, tensor<16x128x8x32xf32>) -> tensor<16x8x1x128x128xf32>
    %341 = "stablehlo.dot_general"(%339, %73) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [2, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x32x1x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x32x128xf32>
    %342 = "stablehlo.transpose"(%341) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<16x8x32x128xf32>) -> tensor<16x128x8x32xf32>
    %343 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %344 = "stablehlo.multiply"(%340, %343) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %345 = "stablehlo.multiply"(%344, %68) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %346 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %347 = "stablehlo.reduce"(%345, %346) <{dimensions = array<i64: 4>}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %406 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%406) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x128xf32>, tensor<f32>) -> tensor<16x8x1x128xf32>
    %348 = "stablehlo.reshape"(%347) : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x1xf32>
    %349 = "stablehlo.negate"(%348) : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x1xf32>
    %350 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64: 0, 1, 2, 3, 4>}> : (tensor<16x8x1x128x1xf32>) -> tensor<16x8x1x128x128xf32>
    %351 = "stablehlo.divide"(%340, %350) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %352 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %353 = "stablehlo.reduce"(%349, %352) <{dimensions = array<i64: 2, 4>}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %405 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%405) : (tensor<f32>) -> ()
    }) : (tensor<16x8x1x128x1xf32>, tensor<f32>) -> tensor<16x8x128xf32>
    %354 = "stablehlo.broadcast_in_dim"(%353) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<16x8x128xf32>) -> tensor<16x8x1x128xf32>
    %355 = "stablehlo.broadcast_in_dim"(%354) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<16x8x1x128xf32>) -> tensor<16x8x1x128x128xf32>
    %356 = "stablehlo.add"(%351, %355) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %357 = "stablehlo.multiply"(%356, %68) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %358 = "func.call"(%59#1, %357) <{callee = @_where_1}> : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %359 = "stablehlo.constant"() <{value = dense<0.176776692> : tensor<f32>}> : () -> tensor<f32>
    %360 = "stablehlo.broadcast_in_dim"(%359) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %361 = "stablehlo.multiply"(%358, %360) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    %362 = "stablehlo.transpose"(%361) <{permutation = array<i64: 0, 1, 4, 3, 2>}> : (tensor<16x8x1x128x128xf32>) -> tensor<16x8x128x128x1xf32>
    %363 = "stablehlo.dot_general"(%362, %45) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x128x128x1xf32>, tensor<16x128x8x32xf32>) -> tensor<16x8x128x1x32xf32>
    %364 = "stablehlo.transpose"(%363) <{permutation = array<i64: 0, 2, 1, 3, 4>}> : (tensor<16x8x128x1x32xf32>) -> tensor<16x128x8x1x32xf32>
    %365 = "stablehlo.dot_general"(%362, %44) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3, 4], rhs_contracting_dimensions = [1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x128x128x1xf32>, tensor<16x128x8x1x32xf32>) -> tensor<16x8x128x32xf32>
    %366 = "stablehlo.transpose"(%365) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<16x8x128x32xf32>) -> tensor<16x128x8x32xf32>
    %367 = "stablehlo.reshape"(%342) : (tensor<16x128x8x32xf32>) -> tensor<16x128x256xf32>
    %368 = "stablehlo.reshape"(%366) : (tensor<16x128x8x32xf32>) -> tensor<16x128x256xf32>
    %369 = "stablehlo.reshape"(%364) : (tensor<16x128x8x1x32xf32>) -> tensor<16x128x256xf32>
    %370 = "stablehlo.concatenate"(%369, %368, %367) <{dimension = 2 : i64}> : (tensor<16x128x256xf32>, tensor<16x128x256xf32>, tensor<16x128x256xf32>) -> tensor<16x128x768xf32>
    %371 = "stablehlo.dot_general"(%370, %39) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x128x768xf32>, tensor<16x128x256xf32>) -> tensor<768x256xf32>
    %372 = "stablehlo.transpose"(%371) <{permutation = array<i64: 1, 0>}> : (tensor<768x256xf32>) -> tensor<256x768xf32>
    %373 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %374 = "stablehlo.broadcast_in_dim"(%373) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %375 = "stablehlo.multiply"(%374, %305) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %376 = "stablehlo.subtract"(%arg10, %375) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %377 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %378 = "stablehlo.broadcast_in_dim"(%377) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x2048xf32>
    %379 = "stablehlo.multiply"(%378, %312) : (tensor<256x2048xf32>, tensor<256x2048xf32>) -> tensor<256x2048xf32>
    %380 = "stablehlo.subtract"(%arg11, %379) : (tensor<256x2048xf32>, tensor<256x2048xf32>) -> tensor<256x2048xf32>
    %381 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %382 = "stablehlo.broadcast_in_dim"(%381) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x768xf32>
    %383 = "stablehlo.multiply"(%382, %372) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %384 = "stablehlo.subtract"(%arg12, %383) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %385 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %386 = "stablehlo.broadcast_in_dim"(%385) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
    %387 = "stablehlo.multiply"(%386, %336) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %388 = "stablehlo.subtract"(%arg13, %387) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %389 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %390 = "stablehlo.broadcast_in_dim"(%389) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x256xf32>
    %391 = "stablehlo.multiply"(%390, %214) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %392 = "stablehlo.subtract"(%arg14, %391) : (tensor<1024x256xf32>, tensor<1024x256xf32>) -> tensor<1024x256xf32>
    %393 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %394 = "stablehlo.broadcast_in_dim"(%393) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x2048xf32>
    %395 = "stablehlo.multiply"(%394, %221) : (tensor<256x2048xf32>, tensor<256x2048xf32>) -> tensor<256x2048xf32>
    %396 = "stablehlo.subtract"(%arg15, %395) : (tensor<256x2048xf32>, tensor<256x2048xf32>) -> tensor<256x2048xf32>
    %397 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %398 = "stablehlo.broadcast_in_dim"(%397) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x768xf32>
    %399 = "stablehlo.multiply"(%398, %281) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %400 = "stablehlo.subtract"(%arg16, %399) : (tensor<256x768xf32>, tensor<256x768xf32>) -> tensor<256x768xf32>
    %401 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %402 = "stablehlo.broadcast_in_dim"(%401) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x256xf32>
    %403 = "stablehlo.multiply"(%402, %245) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    %404 = "stablehlo.subtract"(%arg17, %403) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
    "func.return"(%376, %380, %384, %388, %392, %396, %400, %404, %207) : (tensor<1024x256xf32>, tensor<256x2048xf32>, tensor<256x768xf32>, tensor<256x256xf32>, tensor<1024x256xf32>, tensor<256x2048xf32>, tensor<256x768xf32>, tensor<256x256xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<f32>) -> (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<128x128xi1>, %arg8: tensor<16x8x1x128x128xf32>, %arg9: tensor<f32>):
    %20 = "stablehlo.convert"(%arg9) : (tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 3, 4>}> : (tensor<128x128xi1>) -> tensor<16x8x1x128x128xi1>
    %22 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %23 = "stablehlo.select"(%21, %arg8, %22) : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    "func.return"(%23, %21) : (tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16x128x1024xf32>) -> (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>), res_attrs = [{}, {}, {}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<16x128x1024xf32>):
    %7 = "stablehlo.negate"(%arg6) : (tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %8 = "stablehlo.exponential"(%7) : (tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %11 = "stablehlo.add"(%10, %8) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %14 = "stablehlo.divide"(%13, %11) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x128x1024xf32>
    %17 = "stablehlo.subtract"(%16, %14) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %18 = "stablehlo.multiply"(%14, %17) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %19 = "stablehlo.multiply"(%arg6, %14) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    "func.return"(%19, %18, %14) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>, res_attrs = [{}], sym_name = "silu_0", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<16x128x1024xf32>, %arg3: tensor<16x128x1024xf32>, %arg4: tensor<16x128x1024xf32>, %arg5: tensor<16x128x1024xf32>):
    %3 = "stablehlo.multiply"(%arg4, %arg5) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %4 = "stablehlo.multiply"(%arg5, %arg3) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %5 = "stablehlo.multiply"(%3, %arg2) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    %6 = "stablehlo.add"(%4, %5) : (tensor<16x128x1024xf32>, tensor<16x128x1024xf32>) -> tensor<16x128x1024xf32>
    "func.return"(%6) : (tensor<16x128x1024xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x8x1x128x128xi1>, %arg1: tensor<16x8x1x128x128xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x1x128x128xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<16x8x1x128x128xi1>, tensor<16x8x1x128x128xf32>, tensor<16x8x1x128x128xf32>) -> tensor<16x8x1x128x128xf32>
    "func.return"(%2) : (tensor<16x8x1x128x128xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
