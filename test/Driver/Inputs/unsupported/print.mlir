"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<[], device_ids=[0]>, sym_name = "maximal_mesh_0"}> {stablehlo.mesh = {axes = [], device_ids = dense<0> : tensor<1xi64>}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc("x")):
    "stablehlo.custom_call"(%arg0) <{api_version = 1 : i32, backend_config = "", call_target_name = "xla_ffi_python_cpu_callback", called_computations = [], has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = []}> {mhlo.backend_config = {index = 0 : ui64}, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<4x4xf32>) -> () loc(#loc2)
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32> loc(#loc6)
    %2 = "stablehlo.add"(%arg0, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc6)
    "func.return"(%2) : (tensor<4x4xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":35:25)
#loc2 = loc("debug_print:"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
#loc5 = loc("test/Driver/Inputs/unsupported.py":35:51)
#loc6 = loc("jit(<lambda>)/add"(#loc5))
