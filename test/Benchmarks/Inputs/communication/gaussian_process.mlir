"builtin.module"() <{sym_name = "jit_evidence"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}], function_type = (tensor<1024x8xf32>, tensor<1024xf32>) -> tensor<f32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, []>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<1024x8xf32>, %arg5: tensor<1024xf32>):
    %58 = "stablehlo.multiply"(%arg4, %arg4) : (tensor<1024x8xf32>, tensor<1024x8xf32>) -> tensor<1024x8xf32>
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %103 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%103) : (tensor<f32>) -> ()
    }) : (tensor<1024x8xf32>, tensor<f32>) -> tensor<1024xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %62 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1024xf32>) -> tensor<1x1024xf32>
    %63 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1024x1xf32>) -> tensor<1024x1024xf32>
    %64 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1024xf32>) -> tensor<1024x1024xf32>
    %65 = "stablehlo.add"(%63, %64) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %66 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x8xf32>
    %68 = "stablehlo.multiply"(%67, %arg4) : (tensor<1024x8xf32>, tensor<1024x8xf32>) -> tensor<1024x8xf32>
    %69 = "stablehlo.transpose"(%arg4) <{permutation = array<i64: 1, 0>}> : (tensor<1024x8xf32>) -> tensor<8x1024xf32>
    %70 = "stablehlo.dot_general"(%68, %69) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1024x8xf32>, tensor<8x1024xf32>) -> tensor<1024x1024xf32>
    %71 = "stablehlo.subtract"(%65, %70) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %72 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x1024xf32>
    %74 = "stablehlo.multiply"(%73, %71) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %75 = "stablehlo.exponential"(%74) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %76 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1024x1024xi32>
    %77 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1024x1024xi32>
    %78 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024x1024xi32>
    %80 = "stablehlo.add"(%76, %79) : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
    %81 = "stablehlo.compare"(%80, %77) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi1>
    %82 = "stablehlo.convert"(%81) : (tensor<1024x1024xi1>) -> tensor<1024x1024xf32>
    %83 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x1024xf32>
    %85 = "stablehlo.multiply"(%84, %82) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %86 = "stablehlo.add"(%75, %85) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %87 = "sdy.sharding_constraint"(%86) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %88 = "func.call"(%87) <{callee = @cholesky}> : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %89 = "sdy.sharding_constraint"(%88) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %90 = "func.call"(%89, %arg5) <{callee = @_solve_triangular}> : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %91 = "stablehlo.multiply"(%90, %90) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.reduce"(%91, %92) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %102 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%102) : (tensor<f32>) -> ()
    }) : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
    %94 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.multiply"(%94, %93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %96 = "func.call"(%89) <{callee = @diagonal}> : (tensor<1024x1024xf32>) -> tensor<1024xf32>
    %97 = "stablehlo.log"(%96) : (tensor<1024xf32>) -> tensor<1024xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.reduce"(%97, %98) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %101 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%101) : (tensor<f32>) -> ()
    }) : (tensor<1024xf32>, tensor<f32>) -> tensor<f32>
    %100 = "stablehlo.add"(%95, %99) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%100) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>, res_attrs = [{}], sym_name = "cholesky", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1024x1024xf32>):
    %35 = "stablehlo.transpose"(%arg3) <{permutation = array<i64: 1, 0>}> : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %36 = "stablehlo.add"(%arg3, %35) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %37 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x1024xf32>
    %39 = "stablehlo.divide"(%36, %38) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %40:2 = "stablehlo.custom_call"(%39) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_spotrf_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}> {mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], []) {i=1024, j=1024, k=1024, l=1024}, custom>} : (tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<i32>)
    %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32>
    %43 = "stablehlo.compare"(%40#1, %42) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %45 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x1024xf32>
    %47 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<1024x1024xi1>
    %48 = "stablehlo.select"(%47, %40#0, %46) : (tensor<1024x1024xi1>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %49 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1024x1024xi32>
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024x1024xi32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
    %53 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1024x1024xi32>
    %54 = "stablehlo.compare"(%52, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi1>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1024x1024xf32>
    %57 = "stablehlo.select"(%54, %48, %56) : (tensor<1024x1024xi1>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    "func.return"(%57) : (tensor<1024x1024xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>, res_attrs = [{}], sym_name = "_solve_triangular", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1024x1024xf32>, %arg2: tensor<1024xf32>):
    %32 = "stablehlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %33 = "stablehlo.custom_call"(%arg1, %32) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_strsm_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([m, n]) {i=1024, j=1024, k=1024, l=1, m=1024, n=1}, custom>} : (tensor<1024x1024xf32>, tensor<1024x1xf32>) -> tensor<1024x1xf32>
    %34 = "stablehlo.reshape"(%33) : (tensor<1024x1xf32>) -> tensor<1024xf32>
    "func.return"(%34) : (tensor<1024xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1024x1024xf32>) -> tensor<1024xf32>, res_attrs = [{}], sym_name = "diagonal", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1024x1024xf32>):
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1024x1024xi32>
    %1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1024x1024xi32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024x1024xi32>
    %4 = "stablehlo.add"(%0, %3) : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
    %5 = "stablehlo.compare"(%4, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi1>
    %6 = "stablehlo.convert"(%5) : (tensor<1024x1024xi1>) -> tensor<1024x1024xf32>
    %7 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.case"(%7) ({
      %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      "stablehlo.return"(%31) : (tensor<i32>) -> ()
    }, {
      %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      "stablehlo.return"(%30) : (tensor<i32>) -> ()
    }) : (tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.case"(%8) ({
      %10 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1024xi32>
      %11 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1024xi32>
      %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024xi32>
      %14 = "stablehlo.compare"(%10, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi1>
      %15 = "stablehlo.constant"() <{value = dense<1024> : tensor<i32>}> : () -> tensor<i32>
      %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024xi32>
      %17 = "stablehlo.add"(%10, %16) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
      %18 = "stablehlo.select"(%14, %17, %10) : (tensor<1024xi1>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
      %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024xi32>
      %21 = "stablehlo.compare"(%11, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi1>
      %22 = "stablehlo.constant"() <{value = dense<1024> : tensor<i32>}> : () -> tensor<i32>
      %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1024xi32>
      %24 = "stablehlo.add"(%11, %23) : (tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
      %25 = "stablehlo.select"(%21, %24, %11) : (tensor<1024xi1>, tensor<1024xi32>, tensor<1024xi32>) -> tensor<1024xi32>
      %26 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1024xi32>) -> tensor<1024x1xi32>
      %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1024xi32>) -> tensor<1024x1xi32>
      %28 = "stablehlo.concatenate"(%26, %27) <{dimension = 1 : i64}> : (tensor<1024x1xi32>, tensor<1024x1xi32>) -> tensor<1024x2xi32>
      %29 = "stablehlo.gather"(%arg0, %28) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<1024x1024xf32>, tensor<1024x2xi32>) -> tensor<1024xf32>
      "stablehlo.return"(%29) : (tensor<1024xf32>) -> ()
    }) : (tensor<i32>) -> tensor<1024xf32>
    "func.return"(%9) : (tensor<1024xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
