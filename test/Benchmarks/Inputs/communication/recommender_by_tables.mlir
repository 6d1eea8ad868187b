"builtin.module"() <{sym_name = "jit_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}], function_type = (tensor<64x64xf32>, tensor<9x9xf32>, tensor<8x1024x64xf32>, tensor<512x8xi32>, tensor<512x64xf32>, tensor<512xf32>) -> (tensor<64x64xf32>, tensor<9x9xf32>, tensor<8x1024x64xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['dense']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['score']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, {jax.result_info = "result[0]['tables']", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<64x64xf32>, %arg1: tensor<9x9xf32>, %arg2: tensor<8x1024x64xf32>, %arg3: tensor<512x8xi32>, %arg4: tensor<512x64xf32>, %arg5: tensor<512xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x8xi32>
    %2 = "stablehlo.compare"(%arg3, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<512x8xi32>, tensor<512x8xi32>) -> tensor<512x8xi1>
    %3 = "stablehlo.constant"() <{value = dense<1024> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x8xi32>
    %5 = "stablehlo.add"(%arg3, %4) : (tensor<512x8xi32>, tensor<512x8xi32>) -> tensor<512x8xi32>
    %6 = "stablehlo.select"(%2, %5, %arg3) : (tensor<512x8xi1>, tensor<512x8xi32>, tensor<512x8xi32>) -> tensor<512x8xi32>
    %7 = "stablehlo.transpose"(%6) <{permutation = array<i64: 1, 0>}> : (tensor<512x8xi32>) -> tensor<8x512xi32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x512xi32>) -> tensor<8x512x1xi32>
    %9 = "stablehlo.gather"(%arg2, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 64>}> : (tensor<8x1024x64xf32>, tensor<8x512x1xi32>) -> tensor<8x512x64xf32>
    %10 = "stablehlo.transpose"(%9) <{permutation = array<i64: 1, 0, 2>}> : (tensor<8x512x64xf32>) -> tensor<512x8x64xf32>
    %11 = "stablehlo.dot_general"(%arg4, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %12 = "stablehlo.tanh"(%11) : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %13 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x64xf32>
    %15 = "stablehlo.subtract"(%14, %12) : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    %16 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<512x64xf32>) -> tensor<512x1x64xf32>
    %17 = "stablehlo.concatenate"(%16, %10) <{dimension = 1 : i64}> : (tensor<512x1x64xf32>, tensor<512x8x64xf32>) -> tensor<512x9x64xf32>
    %18 = "stablehlo.dot_general"(%17, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x9x64xf32>, tensor<512x9x64xf32>) -> tensor<512x9x9xf32>
    %19 = "stablehlo.dot_general"(%arg1, %18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [2, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<9x9xf32>, tensor<512x9x9xf32>) -> tensor<512xf32>
    %20 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %22 = "stablehlo.maximum"(%21, %19) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %23 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %24 = "stablehlo.subtract"(%23, %19) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %25 = "stablehlo.compare"(%24, %24) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xi1>
    %26 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %27 = "stablehlo.add"(%26, %19) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %28 = "stablehlo.abs"(%24) : (tensor<512xf32>) -> tensor<512xf32>
    %29 = "stablehlo.negate"(%28) : (tensor<512xf32>) -> tensor<512xf32>
    %30 = "stablehlo.exponential"(%29) : (tensor<512xf32>) -> tensor<512xf32>
    %31 = "stablehlo.log_plus_one"(%30) : (tensor<512xf32>) -> tensor<512xf32>
    %32 = "stablehlo.add"(%22, %31) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %33 = "stablehlo.select"(%25, %27, %32) : (tensor<512xi1>, tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %34 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %36 = "stablehlo.compare"(%19, %35) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xi1>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %39 = "stablehlo.select"(%36, %38, %19) : (tensor<512xi1>, tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %40 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %42 = "stablehlo.compare"(%33, %41) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xi1>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %45 = "stablehlo.select"(%42, %44, %33) : (tensor<512xi1>, tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %46 = "stablehlo.subtract"(%39, %45) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %47 = "stablehlo.exponential"(%46) : (tensor<512xf32>) -> tensor<512xf32>
    %48 = "stablehlo.multiply"(%arg5, %19) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %49 = "stablehlo.subtract"(%33, %48) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %96 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%96) : (tensor<f32>) -> ()
    }) : (tensor<512xf32>, tensor<f32>) -> tensor<f32>
    %52 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.divide"(%51, %52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %54 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %55 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.divide"(%54, %55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512xf32>
    %58 = "stablehlo.negate"(%57) : (tensor<512xf32>) -> tensor<512xf32>
    %59 = "stablehlo.multiply"(%arg5, %58) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %60 = "stablehlo.multiply"(%57, %47) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %61 = "stablehlo.add"(%59, %60) : (tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32>
    %62 = "stablehlo.dot_general"(%61, %arg1) <{dot_dimension_numbers = #stablehlo.dot<>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512xf32>, tensor<9x9xf32>) -> tensor<512x9x9xf32>
    %63 = "stablehlo.transpose"(%62) <{permutation = array<i64: 0, 2, 1>}> : (tensor<512x9x9xf32>) -> tensor<512x9x9xf32>
    %64 = "stablehlo.dot_general"(%61, %18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512xf32>, tensor<512x9x9xf32>) -> tensor<9x9xf32>
    %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 1, 0>}> : (tensor<9x9xf32>) -> tensor<9x9xf32>
    %66 = "stablehlo.dot_general"(%63, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x9x9xf32>, tensor<512x9x64xf32>) -> tensor<512x9x64xf32>
    %67 = "stablehlo.dot_general"(%63, %17) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x9x9xf32>, tensor<512x9x64xf32>) -> tensor<512x9x64xf32>
    %68 = "stablehlo.add"(%66, %67) : (tensor<512x9x64xf32>, tensor<512x9x64xf32>) -> tensor<512x9x64xf32>
    %69 = "stablehlo.slice"(%68) <{limit_indices = array<i64: 512, 1, 64>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<512x9x64xf32>) -> tensor<512x1x64xf32>
    %70 = "stablehlo.slice"(%68) <{limit_indices = array<i64: 512, 9, 64>, start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<512x9x64xf32>) -> tensor<512x8x64xf32>
    %71 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.reduce"(%69, %71) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %95 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%95) : (tensor<f32>) -> ()
    }) : (tensor<512x1x64xf32>, tensor<f32>) -> tensor<512x64xf32>
    %73 = "stablehlo.multiply"(%72, %15) : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    %74 = "stablehlo.multiply"(%73, %12) : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    %75 = "stablehlo.add"(%73, %74) : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    %76 = "stablehlo.dot_general"(%75, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %77 = "stablehlo.transpose"(%76) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %78 = "stablehlo.transpose"(%70) <{permutation = array<i64: 1, 0, 2>}> : (tensor<512x8x64xf32>) -> tensor<8x512x64xf32>
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1024x64xf32>
    %81 = "stablehlo.scatter"(%80, %8, %78) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %94 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%94) : (tensor<f32>) -> ()
    }) : (tensor<8x1024x64xf32>, tensor<8x512x1xi32>, tensor<8x512x64xf32>) -> tensor<8x1024x64xf32>
    %82 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x64xf32>
    %84 = "stablehlo.multiply"(%83, %77) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %85 = "stablehlo.subtract"(%arg0, %84) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %86 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<9x9xf32>
    %88 = "stablehlo.multiply"(%87, %65) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %89 = "stablehlo.subtract"(%arg1, %88) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %90 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1024x64xf32>
    %92 = "stablehlo.multiply"(%91, %81) : (tensor<8x1024x64xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32>
    %93 = "stablehlo.subtract"(%arg2, %92) : (tensor<8x1024x64xf32>, tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32>
    "func.return"(%85, %89, %93, %53) : (tensor<64x64xf32>, tensor<9x9xf32>, tensor<8x1024x64xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
