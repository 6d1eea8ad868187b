"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xcomplex<f32>> loc("z")):
    %0 = "stablehlo.constant"() <{value = dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<4xcomplex<f32>> loc(#loc4)
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> loc(#loc4)
    "func.return"(%2) : (tensor<4xcomplex<f32>>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc2 = loc("jit(<lambda>)"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":51:26)
#loc4 = loc("jit(<lambda>)/mul"(#loc3))
