"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{jax.token = true}, {}], function_type = (!stablehlo.token, tensor<4x4xf32>) -> (!stablehlo.token, tensor<4x4xf32>), res_attrs = [{jax.token = true}, {jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: !stablehlo.token loc(unknown), %arg1: tensor<4x4xf32> loc("x")):
    %0 = "stablehlo.custom_call"(%arg0, %arg1) <{api_version = 1 : i32, backend_config = "", call_target_name = "xla_ffi_python_cpu_callback", called_computations = [], has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>, dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<> : tensor<0xindex>]}> {mhlo.backend_config = {index = 0 : ui64}} : (!stablehlo.token, tensor<4x4xf32>) -> !stablehlo.token loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32> loc(#loc6)
    %3 = "stablehlo.add"(%arg1, %2) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc6)
    "func.return"(%0, %3) : (!stablehlo.token, tensor<4x4xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":37:33)
#loc2 = loc("debug_print:"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
#loc5 = loc("test/Driver/Inputs/unsupported.py":37:73)
#loc6 = loc("jit(<lambda>)/add"(#loc5))
