"builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32>):
    %0 = "stablehlo.infeed"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc4)
    "func.return"(%0) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
#loc1 = loc("/opt/python/lib/python3.11/site-packages/jax/_src/numpy/linalg.py":107:11)
#loc2 = loc("model.py":12:7)
#loc3 = loc("train.py":3:1)
#loc4 = loc("jit(f)/cholesky"(callsite(#loc1 at callsite(#loc2 at #loc3))))
