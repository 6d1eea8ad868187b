"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xf32>) -> tensor<5xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<8xf32> loc("x")):
    %1 = "func.call"(%arg1) <{callee = @fft}> : (tensor<8xf32>) -> tensor<5xcomplex<f32>> loc(#loc2)
    %2 = "stablehlo.real"(%1) : (tensor<5xcomplex<f32>>) -> tensor<5xf32> loc(#loc3)
    "func.return"(%2) : (tensor<5xf32>) -> () loc(#loc5)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xf32>) -> tensor<5xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8xf32> loc(unknown)):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<8xf32>) -> tensor<5xcomplex<f32>> loc("fft")
    "func.return"(%0) : (tensor<5xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(#loc6)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":50:22)
#loc2 = loc("jit(<lambda>)/jit(fft)"(#loc1))
#loc3 = loc("jit(<lambda>)/real"(#loc1))
#loc4 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc5 = loc("jit(<lambda>)"(#loc4))
#loc6 = loc("jit:"(#loc1))
