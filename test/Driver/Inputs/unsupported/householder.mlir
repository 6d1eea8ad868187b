"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc("x")):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x4xf32>) -> tensor<1x4xf32> loc(#loc2)
    %1 = "stablehlo.reshape"(%0) : (tensor<1x4xf32>) -> tensor<4xf32> loc(#loc3)
    %2 = "stablehlo.custom_call"(%arg0, %1) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_sorgqr_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k])->([l, m]) {i=4, j=4, k=4, l=4, m=4}, custom>} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32> loc(#loc5)
    "func.return"(%2) : (tensor<4x4xf32>) -> () loc(#loc7)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":44:64)
#loc2 = loc("jit(<lambda>)/slice"(#loc1))
#loc3 = loc("jit(<lambda>)/squeeze"(#loc1))
#loc4 = loc("test/Driver/Inputs/unsupported.py":44:30)
#loc5 = loc("jit(<lambda>)/householder_product"(#loc4))
#loc6 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc7 = loc("jit(<lambda>)"(#loc6))
