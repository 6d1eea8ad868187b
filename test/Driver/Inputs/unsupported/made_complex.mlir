"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xf32>) -> tensor<8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xf32> loc("x")):
    %0 = "stablehlo.complex"(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xcomplex<f32>> loc(#loc2)
    %1 = "stablehlo.abs"(%0) : (tensor<8xcomplex<f32>>) -> tensor<8xf32> loc(#loc4)
    "func.return"(%1) : (tensor<8xf32>) -> () loc(#loc6)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":52:39)
#loc2 = loc("jit(<lambda>)/complex"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":52:31)
#loc4 = loc("jit(<lambda>)/abs"(#loc3))
#loc5 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc6 = loc("jit(<lambda>)"(#loc5))
