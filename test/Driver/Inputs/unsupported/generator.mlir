"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %2 = "stablehlo.constant"() <{value = dense<4> : tensor<2xi64>}> : () -> tensor<2xi64> loc(#loc4)
    %3 = "stablehlo.rng"(%0, %1, %2) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32> loc(#loc4)
    %4 = "stablehlo.convert"(%3) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc5)
    %5 = "stablehlo.add"(%4, %arg0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc6)
    "func.return"(%5) : (tensor<4x4xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":60:57)
#loc2 = loc("jit(<lambda>)"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":52:28)
#loc4 = loc("jit(<lambda>)/rng_uniform"(#loc3))
#loc5 = loc("jit(<lambda>)/convert_element_type"(#loc3))
#loc6 = loc("jit(<lambda>)/add"(#loc3))
