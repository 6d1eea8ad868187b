"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc("x")):
    %0 = "stablehlo.custom_call"(%arg0) <{api_version = 1 : i32, backend_config = "", call_target_name = "my_target", called_computations = [], has_side_effect = false, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc2)
    "func.return"(%0) : (tensor<4x4xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":53:26)
#loc2 = loc("jit(<lambda>)/ffi_call"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":60:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
