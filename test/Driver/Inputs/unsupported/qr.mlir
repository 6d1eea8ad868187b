"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<4x4xf32> loc("x")):
    %11 = "func.call"(%arg1) <{callee = @qr}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc2)
    "func.return"(%11) : (tensor<4x4xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{}], sym_name = "qr", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc(unknown)):
    %0:2 = "stablehlo.custom_call"(%arg0) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_sgeqrf_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}> {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m]) {i=4, j=4, k=4, l=4, m=4}, custom>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) loc("geqrf")
    %1 = "stablehlo.custom_call"(%0#0, %0#1) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_sorgqr_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k])->([l, m]) {i=4, j=4, k=4, l=4, m=4}, custom>} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32> loc("householder_product")
    %2 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32> loc("iota")
    %3 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32> loc("qr")
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x4xi32> loc("add")
    %5 = "stablehlo.add"(%2, %4) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32> loc("add")
    %6 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32> loc("iota")
    %7 = "stablehlo.compare"(%5, %6) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1> loc("ge")
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("qr")
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32> loc("broadcast_in_dim")
    %10 = "stablehlo.select"(%7, %9, %0#0) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("select_n")
    "func.return"(%1) : (tensor<4x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc5)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":43:21)
#loc2 = loc("jit(<lambda>)/jit(qr)"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
#loc5 = loc("jit:"(#loc1))
