// RUN: tessera-opt --tessera-import %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/cumulative.inputs.safetensors --expect=%S/cumulative.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/cumulative.inputs.safetensors --expect=%S/cumulative.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/cumulative.inputs.safetensors --expect=%S/cumulative.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/cumulative.inputs.safetensors --expect=%S/cumulative.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/cumulative.inputs.safetensors --expect=%S/cumulative.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/cumulative.inputs.safetensors --expect=%S/cumulative.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_cumulative"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg13: tensor<3x6xf32> loc("x")):
    %16 = "func.call"(%arg13) <{callee = @cumsum}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc2)
    %17 = "func.call"(%arg13) <{callee = @cumsum_1}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc4)
    %18 = "func.call"(%arg13) <{callee = @cummax}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc6)
    %19 = "func.call"(%arg13) <{callee = @cumprod}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc8)
    "func.return"(%16, %17, %18, %19) : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) -> () loc(#loc10)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<3x6xf32> loc(unknown)):
    %15 = "func.call"(%arg12) <{callee = @cumsum_0}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(unknown)
    "func.return"(%15) : (tensor<3x6xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc11)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x6xf32> loc(unknown)):
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_window_sum")
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc("reduce_window_sum")
    %13 = "stablehlo.reduce_window"(%arg9, %12) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_window_sum:"), %arg11: tensor<f32> loc("reduce_window_sum:")):
      %14 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_window_sum")
      "stablehlo.return"(%14) : (tensor<f32>) -> () loc("reduce_window_sum")
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc("reduce_window_sum")
    "func.return"(%13) : (tensor<3x6xf32>) -> () loc(unknown)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<3x6xf32> loc(#loc4)):
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc12)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc12)
    %9 = "stablehlo.reduce_window"(%arg6, %8) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg7: tensor<f32> loc("reduce_window_sum:"), %arg8: tensor<f32> loc("reduce_window_sum:")):
      %10 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      "stablehlo.return"(%10) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc12)
    "func.return"(%9) : (tensor<3x6xf32>) -> () loc(#loc4)
  }) : () -> () loc(#loc4)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cummax", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x6xf32> loc(#loc6)):
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc13)
    %5 = "stablehlo.reduce_window"(%arg3, %4) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_window_max:"), %arg5: tensor<f32> loc("reduce_window_max:")):
      %6 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      "stablehlo.return"(%6) : (tensor<f32>) -> () loc(#loc13)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc13)
    "func.return"(%5) : (tensor<3x6xf32>) -> () loc(#loc6)
  }) : () -> () loc(#loc6)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumprod", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x6xf32> loc(#loc8)):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("cumprod:")
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32> loc("reduce_window:"), %arg2: tensor<f32> loc("reduce_window:")):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      "stablehlo.return"(%2) : (tensor<f32>) -> () loc(#loc15)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc15)
    "func.return"(%1) : (tensor<3x6xf32>) -> () loc(#loc8)
  }) : () -> () loc(#loc8)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":278:11)
#loc2 = loc("jit(cumulative)/jit(cumsum)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":278:34)
#loc4 = loc("jit(cumulative)"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":278:71)
#loc6 = loc("jit(cumulative)"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":278:94)
#loc8 = loc("jit(cumulative)"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":424:11)
#loc10 = loc("jit(cumulative)"(#loc9))
#loc11 = loc("jit:"(#loc1))
#loc12 = loc("reduce_window_sum"(#loc3))
#loc13 = loc("reduce_window_max"(#loc5))
#loc14 = loc("mul"(#loc7))
#loc15 = loc("reduce_window"(#loc7))
