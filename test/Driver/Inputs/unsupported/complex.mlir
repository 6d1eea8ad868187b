"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<4xcomplex<f32>> loc("z")):
    %4 = "func.call"(%arg4) <{callee = @cumprod}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> loc(#loc2)
    "func.return"(%4) : (tensor<4xcomplex<f32>>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, res_attrs = [{}], sym_name = "cumprod", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4xcomplex<f32>> loc(unknown)):
    %3 = "func.call"(%arg3) <{callee = @cumprod_0}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> loc(unknown)
    "func.return"(%3) : (tensor<4xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(#loc5)
  "func.func"() <{function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, sym_name = "cumprod_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xcomplex<f32>> loc(unknown)):
    %0 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>> loc("cumprod:")
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<complex<f32>> loc("reduce_window:"), %arg2: tensor<complex<f32>> loc("reduce_window:")):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>> loc("mul")
      "stablehlo.return"(%2) : (tensor<complex<f32>>) -> () loc("reduce_window")
    }) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>> loc("reduce_window")
    "func.return"(%1) : (tensor<4xcomplex<f32>>) -> () loc(unknown)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Driver/Inputs/unsupported.py":51:26)
#loc2 = loc("jit(<lambda>)/jit(cumprod)"(#loc1))
#loc3 = loc("test/Driver/Inputs/unsupported.py":66:57)
#loc4 = loc("jit(<lambda>)"(#loc3))
#loc5 = loc("jit:"(#loc1))
