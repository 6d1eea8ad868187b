"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xf32>) -> tensor<8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xf32> loc("x")):
    %0 = "stablehlo.convert"(%arg0) : (tensor<8xf32>) -> tensor<8xf8E4M3FN> loc(#loc2)
    %1 = "stablehlo.convert"(%0) : (tensor<8xf8E4M3FN>) -> tensor<8xf32> loc(#loc2)
    "func.return"(%1) : (tensor<8xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":54:25)
#loc2 = loc("jit(<lambda>)/convert_element_type"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
