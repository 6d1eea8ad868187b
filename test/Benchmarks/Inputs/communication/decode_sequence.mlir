"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, {}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, {sdy.sharding = #sdy.sharding<@mesh, []>}], function_type = (tensor<512x512xf32>, tensor<512x512xf32>, tensor<2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512x2048xf32>, tensor<512x8x64xf32>, tensor<8x64x512xf32>, tensor<512x8x64xf32>, tensor<512x8x64xf32>, tensor<512xf32>, tensor<16x256x8x64xf32>, tensor<16x256x8x64xf32>, tensor<16xi32>, tensor<i32>) -> (tensor<16x512xf32>, tensor<16x256x8x64xf32>, tensor<16x256x8x64xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, {jax.result_info = "result[1]['k'][0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}, {jax.result_info = "result[1]['v'][0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<512x512xf32>, %arg4: tensor<512x512xf32>, %arg5: tensor<2048x512xf32>, %arg6: tensor<512xf32>, %arg7: tensor<512xf32>, %arg8: tensor<512x2048xf32>, %arg9: tensor<512x8x64xf32>, %arg10: tensor<8x64x512xf32>, %arg11: tensor<512x8x64xf32>, %arg12: tensor<512x8x64xf32>, %arg13: tensor<512xf32>, %arg14: tensor<16x256x8x64xf32>, %arg15: tensor<16x256x8x64xf32>, %arg16: tensor<16xi32>, %arg17: tensor<i32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32>
    %6 = "stablehlo.compare"(%arg16, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %7 = "stablehlo.constant"() <{value = dense<512> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32>
    %9 = "stablehlo.add"(%arg16, %8) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %10 = "stablehlo.select"(%6, %9, %arg16) : (tensor<16xi1>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xi32>) -> tensor<16x1xi32>
    %12 = "stablehlo.gather"(%arg3, %11) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 512>}> : (tensor<512x512xf32>, tensor<16x1xi32>) -> tensor<16x512xf32>
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %137 = "stablehlo.add"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%137) : (tensor<f32>) -> ()
    }) : (tensor<16x512xf32>, tensor<f32>) -> tensor<16xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %17 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %19 = "stablehlo.divide"(%16, %18) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %20 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %22 = "stablehlo.add"(%19, %21) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %23 = "stablehlo.rsqrt"(%22) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x512xf32>
    %25 = "stablehlo.multiply"(%12, %24) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %26 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> tensor<1x512xf32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> tensor<16x512xf32>
    %28 = "stablehlo.multiply"(%25, %27) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %29 = "stablehlo.dot_general"(%28, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8x64xf32>) -> tensor<16x8x64xf32>
    %30 = "stablehlo.dot_general"(%28, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8x64xf32>) -> tensor<16x8x64xf32>
    %31 = "stablehlo.dot_general"(%28, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x8x64xf32>) -> tensor<16x8x64xf32>
    %32 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<16x8x64xf32>) -> tensor<16x1x8x64xf32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.compare"(%arg17, %33) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %35 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.add"(%arg17, %35) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %37 = "stablehlo.select"(%34, %36, %arg17) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.dynamic_update_slice"(%arg14, %32, %38, %37, %39, %40) : (tensor<16x256x8x64xf32>, tensor<16x1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x256x8x64xf32>
    %42 = "sdy.sharding_constraint"(%41) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}> : (tensor<16x256x8x64xf32>) -> tensor<16x256x8x64xf32>
    %43 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64: 0, 2, 3>}> : (tensor<16x8x64xf32>) -> tensor<16x1x8x64xf32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.compare"(%arg17, %44) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %46 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.add"(%arg17, %46) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %48 = "stablehlo.select"(%45, %47, %arg17) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.dynamic_update_slice"(%arg15, %43, %49, %48, %50, %51) : (tensor<16x256x8x64xf32>, tensor<16x1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x256x8x64xf32>
    %53 = "sdy.sharding_constraint"(%52) <{sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}, {}]>}> : (tensor<16x256x8x64xf32>) -> tensor<16x256x8x64xf32>
    %54 = "stablehlo.dot_general"(%29, %42) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x64xf32>, tensor<16x256x8x64xf32>) -> tensor<16x8x256xf32>
    %55 = "stablehlo.constant"() <{value = dense<1.250000e-01> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x256xf32>
    %57 = "stablehlo.multiply"(%54, %56) : (tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %58 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<256xi32>
    %59 = "stablehlo.broadcast_in_dim"(%arg17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<256xi32>
    %60 = "stablehlo.compare"(%58, %59) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi1>
    %61 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %62 = "func.call"(%60, %57, %61) <{callee = @_where}> : (tensor<256xi1>, tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8x256xf32>
    %63 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %64 = "stablehlo.reduce"(%62, %63) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %136 = "stablehlo.maximum"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%136) : (tensor<f32>) -> ()
    }) : (tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8xf32>
    %65 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8xf32>
    %67 = "stablehlo.maximum"(%66, %64) : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x8xf32>) -> tensor<16x8x1xf32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x8x1xf32>) -> tensor<16x8x256xf32>
    %70 = "stablehlo.subtract"(%62, %69) : (tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %71 = "stablehlo.exponential"(%70) : (tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.reduce"(%71, %72) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %135 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%135) : (tensor<f32>) -> ()
    }) : (tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x8xf32>) -> tensor<16x8x1xf32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<16x8x1xf32>) -> tensor<16x8x256xf32>
    %76 = "stablehlo.divide"(%71, %75) : (tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    %77 = "stablehlo.dot_general"(%76, %53) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x256xf32>, tensor<16x256x8x64xf32>) -> tensor<16x8x64xf32>
    %78 = "stablehlo.dot_general"(%77, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x8x64xf32>, tensor<8x64x512xf32>) -> tensor<16x512xf32>
    %79 = "stablehlo.add"(%12, %78) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %80 = "stablehlo.multiply"(%79, %79) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.reduce"(%80, %81) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %134 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%134) : (tensor<f32>) -> ()
    }) : (tensor<16x512xf32>, tensor<f32>) -> tensor<16xf32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %84 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %86 = "stablehlo.divide"(%83, %85) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %87 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %89 = "stablehlo.add"(%86, %88) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %90 = "stablehlo.rsqrt"(%89) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x512xf32>
    %92 = "stablehlo.multiply"(%79, %91) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %93 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> tensor<1x512xf32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> tensor<16x512xf32>
    %95 = "stablehlo.multiply"(%92, %94) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %96 = "stablehlo.dot_general"(%95, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x2048xf32>) -> tensor<16x2048xf32>
    %97 = "stablehlo.multiply"(%96, %96) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %98 = "stablehlo.multiply"(%97, %96) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %99 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %101 = "stablehlo.multiply"(%100, %98) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %102 = "stablehlo.add"(%96, %101) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %103 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %105 = "stablehlo.multiply"(%104, %102) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %106 = "stablehlo.tanh"(%105) : (tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %107 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %109 = "stablehlo.add"(%108, %106) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %110 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x2048xf32>
    %112 = "stablehlo.multiply"(%111, %109) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %113 = "stablehlo.multiply"(%96, %112) : (tensor<16x2048xf32>, tensor<16x2048xf32>) -> tensor<16x2048xf32>
    %114 = "stablehlo.dot_general"(%113, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x2048xf32>, tensor<2048x512xf32>) -> tensor<16x512xf32>
    %115 = "stablehlo.add"(%79, %114) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %116 = "stablehlo.multiply"(%115, %115) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %117 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.reduce"(%116, %117) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %133 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%133) : (tensor<f32>) -> ()
    }) : (tensor<16x512xf32>, tensor<f32>) -> tensor<16xf32>
    %119 = "stablehlo.broadcast_in_dim"(%118) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xf32>) -> tensor<16x1xf32>
    %120 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %122 = "stablehlo.divide"(%119, %121) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %123 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.broadcast_in_dim"(%123) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x1xf32>
    %125 = "stablehlo.add"(%122, %124) : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %126 = "stablehlo.rsqrt"(%125) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<16x1xf32>) -> tensor<16x512xf32>
    %128 = "stablehlo.multiply"(%115, %127) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %129 = "stablehlo.broadcast_in_dim"(%arg13) <{broadcast_dimensions = array<i64: 1>}> : (tensor<512xf32>) -> tensor<1x512xf32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x512xf32>) -> tensor<16x512xf32>
    %131 = "stablehlo.multiply"(%128, %130) : (tensor<16x512xf32>, tensor<16x512xf32>) -> tensor<16x512xf32>
    %132 = "stablehlo.dot_general"(%131, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<16x512xf32>, tensor<512x512xf32>) -> tensor<16x512xf32>
    "func.return"(%132, %42, %53) : (tensor<16x512xf32>, tensor<16x256x8x64xf32>, tensor<16x256x8x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<256xi1>, tensor<16x8x256xf32>, tensor<f32>) -> tensor<16x8x256xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<256xi1>, %arg1: tensor<16x8x256xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2>}> : (tensor<256xi1>) -> tensor<16x8x256xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x8x256xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<16x8x256xi1>, tensor<16x8x256xf32>, tensor<16x8x256xf32>) -> tensor<16x8x256xf32>
    "func.return"(%3) : (tensor<16x8x256xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
