"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xi4>) -> tensor<4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xi4> loc("x")):
    %0 = "stablehlo.convert"(%arg0) : (tensor<4xi4>) -> tensor<4xf32> loc(#loc2)
    "func.return"(%0) : (tensor<4xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":55:23)
#loc2 = loc("jit(<lambda>)/convert_element_type"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
