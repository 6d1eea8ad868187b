// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
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
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<3x6xf32> loc("x")):
    %40 = "func.call"(%arg19) <{callee = @cumsum}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc2)
    %41 = "func.call"(%arg19) <{callee = @cumsum_1}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc4)
    %42 = "func.call"(%arg19) <{callee = @cummax}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc6)
    %43 = "func.call"(%arg19) <{callee = @cumprod}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc8)
    %44 = "func.call"(%arg19) <{callee = @cumlogsumexp}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc10)
    %45 = "func.call"(%arg19) <{callee = @cumlogsumexp_2}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(#loc12)
    "func.return"(%40, %41, %42, %43, %44, %45) : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) -> () loc(#loc14)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<3x6xf32> loc(unknown)):
    %39 = "func.call"(%arg18) <{callee = @cumsum_0}> : (tensor<3x6xf32>) -> tensor<3x6xf32> loc(unknown)
    "func.return"(%39) : (tensor<3x6xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc15)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<3x6xf32> loc(unknown)):
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_window_sum")
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc("reduce_window_sum")
    %37 = "stablehlo.reduce_window"(%arg15, %36) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg16: tensor<f32> loc("reduce_window_sum:"), %arg17: tensor<f32> loc("reduce_window_sum:")):
      %38 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_window_sum")
      "stablehlo.return"(%38) : (tensor<f32>) -> () loc("reduce_window_sum")
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc("reduce_window_sum")
    "func.return"(%37) : (tensor<3x6xf32>) -> () loc(unknown)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<3x6xf32> loc(#loc4)):
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc16)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc16)
    %33 = "stablehlo.reduce_window"(%arg12, %32) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg13: tensor<f32> loc("reduce_window_sum:"), %arg14: tensor<f32> loc("reduce_window_sum:")):
      %34 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
      "stablehlo.return"(%34) : (tensor<f32>) -> () loc(#loc16)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc16)
    "func.return"(%33) : (tensor<3x6xf32>) -> () loc(#loc4)
  }) : () -> () loc(#loc4)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cummax", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x6xf32> loc(#loc6)):
    %27 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc17)
    %29 = "stablehlo.reduce_window"(%arg9, %28) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_window_max:"), %arg11: tensor<f32> loc("reduce_window_max:")):
      %30 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
      "stablehlo.return"(%30) : (tensor<f32>) -> () loc(#loc17)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc17)
    "func.return"(%29) : (tensor<3x6xf32>) -> () loc(#loc6)
  }) : () -> () loc(#loc6)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumprod", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<3x6xf32> loc(#loc8)):
    %24 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("cumprod:")
    %25 = "stablehlo.reduce_window"(%arg6, %24) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg7: tensor<f32> loc("reduce_window:"), %arg8: tensor<f32> loc("reduce_window:")):
      %26 = "stablehlo.multiply"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc18)
      "stablehlo.return"(%26) : (tensor<f32>) -> () loc(#loc19)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc19)
    "func.return"(%25) : (tensor<3x6xf32>) -> () loc(#loc8)
  }) : () -> () loc(#loc8)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumlogsumexp", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x6xf32> loc(#loc10)):
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc("cumlogsumexp:")
    %13 = "stablehlo.reduce_window"(%arg3, %12) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_window:"), %arg5: tensor<f32> loc("reduce_window:")):
      %14 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc20)
      %15 = "stablehlo.subtract"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc21)
      %16 = "stablehlo.compare"(%15, %15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc22)
      %17 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
      %18 = "stablehlo.abs"(%15) : (tensor<f32>) -> tensor<f32> loc(#loc24)
      %19 = "stablehlo.negate"(%18) : (tensor<f32>) -> tensor<f32> loc(#loc25)
      %20 = "stablehlo.exponential"(%19) : (tensor<f32>) -> tensor<f32> loc(#loc26)
      %21 = "stablehlo.log_plus_one"(%20) : (tensor<f32>) -> tensor<f32> loc(#loc27)
      %22 = "stablehlo.add"(%14, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
      %23 = "stablehlo.select"(%16, %17, %22) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%23) : (tensor<f32>) -> () loc(#loc29)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc29)
    "func.return"(%13) : (tensor<3x6xf32>) -> () loc(#loc10)
  }) : () -> () loc(#loc10)
  "func.func"() <{function_type = (tensor<3x6xf32>) -> tensor<3x6xf32>, sym_name = "cumlogsumexp_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x6xf32> loc(#loc12)):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc("cumlogsumexp:")
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32> loc("reduce_window:"), %arg2: tensor<f32> loc("reduce_window:")):
      %2 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc20)
      %3 = "stablehlo.subtract"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc21)
      %4 = "stablehlo.compare"(%3, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc22)
      %5 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
      %6 = "stablehlo.abs"(%3) : (tensor<f32>) -> tensor<f32> loc(#loc24)
      %7 = "stablehlo.negate"(%6) : (tensor<f32>) -> tensor<f32> loc(#loc25)
      %8 = "stablehlo.exponential"(%7) : (tensor<f32>) -> tensor<f32> loc(#loc26)
      %9 = "stablehlo.log_plus_one"(%8) : (tensor<f32>) -> tensor<f32> loc(#loc27)
      %10 = "stablehlo.add"(%2, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
      %11 = "stablehlo.select"(%4, %5, %10) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%11) : (tensor<f32>) -> () loc(#loc30)
    }) : (tensor<3x6xf32>, tensor<f32>) -> tensor<3x6xf32> loc(#loc30)
    "func.return"(%1) : (tensor<3x6xf32>) -> () loc(#loc12)
  }) : () -> () loc(#loc12)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":293:11)
#loc2 = loc("jit(cumulative)/jit(cumsum)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":293:34)
#loc4 = loc("jit(cumulative)"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":293:71)
#loc6 = loc("jit(cumulative)"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":293:94)
#loc8 = loc("jit(cumulative)"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":294:18)
#loc10 = loc("jit(cumulative)"(#loc9))
#loc11 = loc("test/Integration/JAX/programs.py":294:47)
#loc12 = loc("jit(cumulative)"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":823:11)
#loc14 = loc("jit(cumulative)"(#loc13))
#loc15 = loc("jit:"(#loc1))
#loc16 = loc("reduce_window_sum"(#loc3))
#loc17 = loc("reduce_window_max"(#loc5))
#loc18 = loc("mul"(#loc7))
#loc19 = loc("reduce_window"(#loc7))
#loc20 = loc("max"(#loc9))
#loc21 = loc("sub"(#loc9))
#loc22 = loc("ne"(#loc9))
#loc23 = loc("add"(#loc9))
#loc24 = loc("abs"(#loc9))
#loc25 = loc("neg"(#loc9))
#loc26 = loc("exp"(#loc9))
#loc27 = loc("log1p"(#loc9))
#loc28 = loc("select_n"(#loc9))
#loc29 = loc("reduce_window"(#loc9))
#loc30 = loc("reduce_window"(#loc11))
