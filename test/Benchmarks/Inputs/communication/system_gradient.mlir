"builtin.module"() <{sym_name = "jit_loss"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], function_type = (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>) -> (tensor<f32>, tensor<512x512xf32>, tensor<512x512xf32>), res_attrs = [{jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<512x512xf32>, %arg1: tensor<512x512xf32>, %arg2: tensor<512x512xf32>):
    %0 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %2 = "stablehlo.divide"(%arg0, %1) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %4 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %7 = "stablehlo.add"(%3, %6) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %8 = "stablehlo.compare"(%7, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %9 = "stablehlo.convert"(%8) : (tensor<512x512xi1>) -> tensor<512x512xf32>
    %10 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %12 = "stablehlo.multiply"(%11, %9) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %13 = "stablehlo.add"(%2, %12) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %14 = "stablehlo.custom_call"(%13, %arg1) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_strsm_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=512, j=512, k=512, l=512, m=512, n=512}, custom>} : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %15 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<512x512xi32>
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<512x512xi32>
    %18 = "stablehlo.add"(%15, %17) : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi32>
    %19 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<512x512xi32>
    %20 = "stablehlo.compare"(%18, %19) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %21 = "stablehlo.multiply"(%14, %14) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %22 = "stablehlo.multiply"(%21, %arg2) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.reduce"(%22, %23) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %41 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<512x512xf32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %27 = "stablehlo.multiply"(%26, %arg2) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %28 = "stablehlo.multiply"(%14, %27) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %29 = "stablehlo.multiply"(%27, %14) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %31 = "stablehlo.custom_call"(%13, %30) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_strsm_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=512, j=512, k=512, l=512, m=512, n=512}, custom>} : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %32 = "stablehlo.dot_general"(%30, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %33 = "stablehlo.custom_call"(%13, %32) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_strsm_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=512, j=512, k=512, l=512, m=512, n=512}, custom>} : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %34 = "stablehlo.negate"(%33) : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %37 = "stablehlo.select"(%20, %34, %36) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %38 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<512x512xf32>
    %40 = "stablehlo.divide"(%37, %39) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"(%24, %40, %31) : (tensor<f32>, tensor<512x512xf32>, tensor<512x512xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
