"builtin.module"() <{sym_name = "jit_best"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, {sdy.sharding = #sdy.sharding<@mesh, []>}], function_type = (tensor<8192x512xf32>, tensor<512x8192xf32>, tensor<2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512x2048xf32>, tensor<512x8x64xf32>, tensor<8x64x512xf32>, tensor<512x8x64xf32>, tensor<512x8x64xf32>, tensor<512xf32>, tensor<16x256x8x64xf32>, tensor<16x256x8x64xf32>, tensor<16xi32>, tensor<i32>) -> (tensor<16xi32>, tensor<16x256x8x64xf32>, tensor<16x256x8x64xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, {jax.result_info = "result[1]['k'][0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>}, {jax.result_info = "result[1]['v'][0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg8: tensor<8192x512xf32>, %arg9: tensor<512x8192xf32>, %arg10: tensor<2048x512xf32>, %arg11: tensor<512xf32>, %arg12: tensor<512xf32>, %arg13: tensor<512x2048xf32>, %arg14: tensor<512x8x64xf32>, %arg15: tensor<8x64x512xf32>, %arg16: tensor<512x8x64xf32>, %arg17: tensor<512x8x64xf32>, %arg18: tensor<512xf32>, %arg19: tensor<16x256x8x64xf32>, %arg20: tensor<16x256x8x64xf32>, %arg21: tensor<16xi32>, %arg22: tensor<i32>):
    %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32>
    %19 = "stablehlo.compare"(%arg21, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %20 = "stablehlo.constant"() <{value = dense<8192> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32>
    %22 = "stablehlo.add"(%arg21, %21) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %23 = "stablehlo.select"(%19, %22, %arg21) : (tensor<16xi1>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xi32>) -> tensor<16x1xi32>
    %25 = "stablehlo.gather"(%arg8, %24) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 512>}> : (tensor<8192x512xf32>, tensor<16x1xi32>) -> tensor<16x512xf32>
    %26 = "stablehlo.multiply"(%25, %25) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %27 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg31: tensor<f32>, %arg32: tensor<f32>):
      %151 = "stablehlo.add"(%arg31, %arg32) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%151) : (tensor<f32>) -> ()
    }) : (tensor<16x512xf32>, tensor<f32>) -> tensor<16xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %30 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %32 = "stablehlo.divide"(%29, %31) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %33 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %35 = "stablehlo.add"(%32, %34) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %36 = "stablehlo.rsqrt"(%35) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x512xf32>
    %38 = "stablehlo.multiply"(%25, %37) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %39 = "stablehlo.broadcast_in_dim"(%arg11) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> tensor<1x512xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> tensor<16x512xf32>
    %41 = "stablehlo.multiply"(%38, %40) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %42 = "stablehlo.dot_general"(%41, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8x64xf32>) -> tensor<16x8x64xf32>
    %43 = "stablehlo.dot_general"(%41, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8x64xf32>) -> tensor<16x8x64xf32>
    %44 = "stablehlo.dot_general"(%41, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8x64xf32>) -> tensor<16x8x64xf32>
    %45 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<16x8x64xf32>) -> tensor<16x1x8x64xf32>
    %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.compare"(%arg22, %46) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %48 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.add"(%arg22, %48) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %50 = "stablehlo.select"(%47, %49, %arg22) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %54 = "stablehlo.dynamic_update_slice"(%arg19, %45, %51, %50, %52, %53) : (tensor<16x256x8x64xf32>, tensor<16x1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x256x8x64xf32>
    %55 = "sdy.sharding_constraint"(%54) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>}> : (tensor<16x256x8x64xf32>) -> tensor<16x256x8x64xf32>
    %56 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<16x8x64xf32>) -> tensor<16x1x8x64xf32>
    %57 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %58 = "stablehlo.compare"(%arg22, %57) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %59 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
    %60 = "stablehlo.add"(%arg22, %59) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %61 = "stablehlo.select"(%58, %60, %arg22) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %62 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %64 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %65 = "stablehlo.dynamic_update_slice"(%arg20, %56, %62, %61, %63, %64) : (tensor<16x256x8x64xf32>, tensor<16x1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x256x8x64xf32>
    %66 = "sdy.sharding_constraint"(%65) <{sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>}> : (tensor<16x256x8x64xf32>) -> tensor<16x256x8x64xf32>
    %67 = "stablehlo.dot_general"(%42, %55) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x64xf32>, tensor<16x256x8x64xf32>) -> tensor<16x8x256xf32>
    %68 = "stablehlo.constant"() <{value = dense<1.250000e-01> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x256xf32>
    %70 = "stablehlo.multiply"(%67, %69) : (tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %71 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %72 = "stablehlo.broadcast_in_dim"(%arg22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %73 = "stablehlo.compare"(%71, %72) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
    %74 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %75 = "func.call"(%73, %70, %74) <{callee = @_where}> : (tensor<256xi1>, tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8x256xf32>
    %76 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.reduce"(%75, %76) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg29: tensor<f32>, %arg30: tensor<f32>):
      %150 = "stablehlo.maximum"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%150) : (tensor<f32>) -> ()
    }) : (tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8xf32>
    %78 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
    %80 = "stablehlo.maximum"(%79, %77) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x8xf32>) -> tensor<16x8x1xf32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x8x1xf32>) -> tensor<16x8x256xf32>
    %83 = "stablehlo.subtract"(%75, %82) : (tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %84 = "stablehlo.exponential"(%83) : (tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %85 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.reduce"(%84, %85) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %149 = "stablehlo.add"(%arg27, %arg28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%149) : (tensor<f32>) -> ()
    }) : (tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8xf32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x8xf32>) -> tensor<16x8x1xf32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x8x1xf32>) -> tensor<16x8x256xf32>
    %89 = "stablehlo.divide"(%84, %88) : (tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %90 = "stablehlo.dot_general"(%89, %66) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x256xf32>, tensor<16x256x8x64xf32>) -> tensor<16x8x64xf32>
    %91 = "stablehlo.dot_general"(%90, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x64xf32>, tensor<8x64x512xf32>) -> tensor<16x512xf32>
    %92 = "stablehlo.add"(%25, %91) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %93 = "stablehlo.multiply"(%92, %92) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.reduce"(%93, %94) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
      %148 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%148) : (tensor<f32>) -> ()
    }) : (tensor<16x512xf32>, tensor<f32>) -> tensor<16xf32>
    %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %97 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %98 = "stablehlo.broadcast_in_dim"(%97) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %99 = "stablehlo.divide"(%96, %98) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %100 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %102 = "stablehlo.add"(%99, %101) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %103 = "stablehlo.rsqrt"(%102) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x512xf32>
    %105 = "stablehlo.multiply"(%92, %104) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %106 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> tensor<1x512xf32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> tensor<16x512xf32>
    %108 = "stablehlo.multiply"(%105, %107) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %109 = "stablehlo.dot_general"(%108, %arg13) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x2048xf32>) -> tensor<16x2048xf32>
    %110 = "stablehlo.multiply"(%109, %109) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %111 = "stablehlo.multiply"(%110, %109) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %112 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %114 = "stablehlo.multiply"(%113, %111) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %115 = "stablehlo.add"(%109, %114) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %116 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %118 = "stablehlo.multiply"(%117, %115) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %119 = "stablehlo.tanh"(%118) : (tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %120 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %122 = "stablehlo.add"(%121, %119) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %123 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %125 = "stablehlo.multiply"(%124, %122) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %126 = "stablehlo.multiply"(%109, %125) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %127 = "stablehlo.dot_general"(%126, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2048xf32>, tensor<2048x512xf32>) -> tensor<16x512xf32>
    %128 = "stablehlo.add"(%92, %127) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %129 = "stablehlo.multiply"(%128, %128) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.reduce"(%129, %130) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
      %147 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%147) : (tensor<f32>) -> ()
    }) : (tensor<16x512xf32>, tensor<f32>) -> tensor<16xf32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %133 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %134 = "stablehlo.broadcast_in_dim"(%133) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %135 = "stablehlo.divide"(%132, %134) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %136 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %138 = "stablehlo.add"(%135, %137) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %139 = "stablehlo.rsqrt"(%138) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %140 = "stablehlo.broadcast_in_dim"(%139) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x512xf32>
    %141 = "stablehlo.multiply"(%128, %140) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %142 = "stablehlo.broadcast_in_dim"(%arg18) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> tensor<1x512xf32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> tensor<16x512xf32>
    %144 = "stablehlo.multiply"(%141, %143) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %145 = "stablehlo.dot_general"(%144, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8192xf32>) -> tensor<16x8192xf32>
    %146 = "func.call"(%145) <{callee = @argmax}> : (tensor<16x8192xf32>) -> tensor<16xi32>
    "func.return"(%146, %55, %66) : (tensor<16xi32>, tensor<16x256x8x64xf32>, tensor<16x256x8x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<256xi1>, tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8x256xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<256xi1>, %arg6: tensor<16x8x256xf32>, %arg7: tensor<f32>):
    %13 = "stablehlo.convert"(%arg7) : (tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xi1>) -> tensor<16x8x256xi1>
    %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x256xf32>
    %16 = "stablehlo.select"(%14, %arg6, %15) : (tensor<16x8x256xi1>, tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    "func.return"(%16) : (tensor<16x8x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16x8192xf32>) -> tensor<16xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x8192xf32>):
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<16x8192xi32>
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<f32>, %arg4: tensor<i32>):
      %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<16x8192xf32>, tensor<16x8192xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
    "func.return"(%3#1) : (tensor<16xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
