"builtin.module"() <{sym_name = "jit_loss"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], function_type = (tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<f32>, tensor<512x512xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<512x512xf32>, %arg7: tensor<512x512xf32>):
    %64 = "stablehlo.constant"() <{value = dense<2.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %66 = "stablehlo.multiply"(%65, %arg6) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %67 = "stablehlo.transpose"(%arg6) <{permutation = array<i64: 1, 0>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %68 = "stablehlo.dot_general"(%66, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %69 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %70 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %73 = "stablehlo.add"(%69, %72) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %74 = "stablehlo.compare"(%73, %70) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %75 = "stablehlo.convert"(%74) : (tensor<512x512xi1>) -> tensor<512x512xf32>
    %76 = "stablehlo.add"(%68, %75) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %77 = "sdy.sharding_constraint"(%76) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %78:5 = "func.call"(%77) <{callee = @cholesky}> : (tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xi1>)
    %79 = "sdy.sharding_constraint"(%78#0) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %80 = "stablehlo.multiply"(%79, %arg7) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %81 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %82 = "stablehlo.reduce"(%80, %81) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %97 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%97) : (tensor<f32>) -> ()
    }) : (tensor<512x512xf32>, tensor<f32>) -> tensor<f32>
    %83 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %85 = "stablehlo.multiply"(%84, %arg7) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %86 = "sdy.sharding_constraint"(%85) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %87 = "func.call"(%78#1, %78#2, %78#3, %78#4, %86) <{callee = @cholesky_0}> : (tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %88 = "sdy.sharding_constraint"(%87) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %89 = "stablehlo.dot_general"(%88, %66) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %90 = "stablehlo.transpose"(%89) <{permutation = array<i64: 1, 0>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %91 = "stablehlo.dot_general"(%88, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %92 = "stablehlo.transpose"(%90) <{permutation = array<i64: 1, 0>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %93 = "stablehlo.constant"() <{value = dense<2.000000e+01> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %95 = "stablehlo.multiply"(%94, %91) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %96 = "stablehlo.add"(%92, %95) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"(%82, %96) : (tensor<f32>, tensor<512x512xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xi1>), res_attrs = [{}, {}, {}, {}, {}], sym_name = "cholesky", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<512x512xf32>):
    %16 = "stablehlo.transpose"(%arg5) <{permutation = array<i64: 1, 0>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %17 = "stablehlo.add"(%arg5, %16) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %20 = "stablehlo.divide"(%17, %19) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %21:2 = "stablehlo.custom_call"(%20) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_spotrf_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}> {mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], []) {i=512, j=512, k=512, l=512}, custom>} : (tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<i32>)
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %24 = "stablehlo.compare"(%21#1, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %26 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %28 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<512x512xi1>
    %29 = "stablehlo.select"(%28, %21#0, %27) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %30 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %34 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %35 = "stablehlo.compare"(%33, %34) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %36 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %38 = "stablehlo.select"(%35, %29, %37) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %39 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %42 = "stablehlo.add"(%39, %41) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %43 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %44 = "stablehlo.compare"(%42, %43) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %45 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %48 = "stablehlo.add"(%45, %47) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %49 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %50 = "stablehlo.compare"(%48, %49) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %51 = "stablehlo.convert"(%50) : (tensor<512x512xi1>) -> tensor<512x512xf32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %54 = "stablehlo.add"(%53, %51) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %55 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %56 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %58 = "stablehlo.add"(%55, %57) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %59 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %60 = "stablehlo.compare"(%58, %59) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %63 = "stablehlo.select"(%60, %38, %62) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"(%63, %38, %44, %54, %60) : (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}], function_type = (tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>) -> tensor<512x512xf32>, res_attrs = [{}], sym_name = "cholesky_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<512x512xf32>, %arg1: tensor<512x512xi1>, %arg2: tensor<512x512xf32>, %arg3: tensor<512x512xi1>, %arg4: tensor<512x512xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %2 = "stablehlo.select"(%arg3, %arg4, %1) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %3 = "stablehlo.dot_general"(%2, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %5 = "stablehlo.divide"(%4, %arg2) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %8 = "stablehlo.select"(%arg1, %5, %7) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %9 = "stablehlo.custom_call"(%arg0, %8) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_strsm_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=512, j=512, k=512, l=512, m=512, n=512}, custom>} : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %10 = "stablehlo.custom_call"(%arg0, %9) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_strsm_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=512, j=512, k=512, l=512, m=512, n=512}, custom>} : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %11 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %13 = "stablehlo.divide"(%10, %12) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %14 = "stablehlo.transpose"(%13) <{permutation = array<i64: 1, 0>}> : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %15 = "stablehlo.add"(%13, %14) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"(%15) : (tensor<512x512xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
