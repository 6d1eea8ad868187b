"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xf32> loc("a"), %arg1: tensor<8xf32> loc("b"), %arg2: tensor<8xf32> loc("c"), %arg3: tensor<8x2xf32> loc("d")):
    %0:5 = "stablehlo.custom_call"(%arg0, %arg1, %arg2, %arg3) <{api_version = 1 : i32, backend_config = "", call_target_name = "lapack_sgtsv_ffi", called_computations = [], has_side_effect = false, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [2], operand_index = 2, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [3], operand_index = 3, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]}> {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "0"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i], [j], [k], [l, m])->([n], [o], [p], [q, r], []) {i=8, j=8, k=8, l=8, m=2, n=8, o=8, p=8, q=8, r=2}, custom>} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x2xf32>, tensor<i32>) loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32> loc(#loc2)
    %3 = "stablehlo.compare"(%0#4, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc2)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<1x1xi1> loc(#loc2)
    %5 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2xf32> loc(#loc2)
    %7 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<8x2xi1> loc(#loc2)
    %8 = "stablehlo.select"(%7, %0#3, %6) : (tensor<8x2xi1>, tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32> loc(#loc2)
    "func.return"(%8) : (tensor<8x2xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":49:39)
#loc2 = loc("jit(<lambda>)/tridiagonal_solve"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
