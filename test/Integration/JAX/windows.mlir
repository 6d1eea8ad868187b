// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/windows.inputs.safetensors --expect=%S/windows.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/windows.inputs.safetensors --expect=%S/windows.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/windows.inputs.safetensors --expect=%S/windows.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/windows.inputs.safetensors --expect=%S/windows.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/windows.inputs.safetensors --expect=%S/windows.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/windows.inputs.safetensors --expect=%S/windows.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_windows"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<7x9xf32>) -> (tensor<15x8xf32>, tensor<7x9xf32>, tensor<7x9xf32>, tensor<4x9xf32>, tensor<6x2xf32>), res_attrs = [{jax.result_info = "result['dilated']"}, {jax.result_info = "result['least']"}, {jax.result_info = "result['reversed']"}, {jax.result_info = "result['strided']"}, {jax.result_info = "result['wide']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<7x9xf32> loc("x")):
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc2)
    %6 = "stablehlo.reduce_window"(%arg3, %5) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_window_max:"), %arg11: tensor<f32> loc("reduce_window_max:")):
      %20 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc2)
      "stablehlo.return"(%20) : (tensor<f32>) -> () loc(#loc2)
    }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<4x9xf32> loc(#loc2)
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc4)
    %9 = "stablehlo.reduce_window"(%arg3, %8) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 7>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg8: tensor<f32> loc("reduce_window_sum:"), %arg9: tensor<f32> loc("reduce_window_sum:")):
      %19 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc4)
      "stablehlo.return"(%19) : (tensor<f32>) -> () loc(#loc4)
    }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<6x2xf32> loc(#loc4)
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc6)
    %12 = "stablehlo.reduce_window"(%arg3, %11) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 2], [0, 3]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg6: tensor<f32> loc("reduce_window_sum:"), %arg7: tensor<f32> loc("reduce_window_sum:")):
      %18 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc6)
      "stablehlo.return"(%18) : (tensor<f32>) -> () loc(#loc6)
    }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<15x8xf32> loc(#loc6)
    %13 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc8)
    %15 = "stablehlo.reduce_window"(%arg3, %14) <{base_dilations = array<i64: 1, 1>, padding = dense<[[6, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 7, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_window_min:"), %arg5: tensor<f32> loc("reduce_window_min:")):
      %17 = "stablehlo.minimum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc8)
      "stablehlo.return"(%17) : (tensor<f32>) -> () loc(#loc8)
    }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<7x9xf32> loc(#loc8)
    %16 = "func.call"(%arg3) <{callee = @cumsum}> : (tensor<7x9xf32>) -> tensor<7x9xf32> loc(#loc10)
    "func.return"(%12, %15, %16, %6, %9) : (tensor<15x8xf32>, tensor<7x9xf32>, tensor<7x9xf32>, tensor<4x9xf32>, tensor<6x2xf32>) -> () loc(#loc12)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<7x9xf32>) -> tensor<7x9xf32>, sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<7x9xf32> loc(#loc10)):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc13)
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 8]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 9>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32> loc("reduce_window_sum:"), %arg2: tensor<f32> loc("reduce_window_sum:")):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      "stablehlo.return"(%3) : (tensor<f32>) -> () loc(#loc13)
    }) : (tensor<7x9xf32>, tensor<f32>) -> tensor<7x9xf32> loc(#loc13)
    "func.return"(%2) : (tensor<7x9xf32>) -> () loc(#loc10)
  }) : () -> () loc(#loc10)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":473:19)
#loc2 = loc("jit(windows)/reduce_window_max"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":474:16)
#loc4 = loc("jit(windows)/reduce_window_sum"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":475:19)
#loc6 = loc("jit(windows)/reduce_window_sum"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":478:17)
#loc8 = loc("jit(windows)/reduce_window_min"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":479:20)
#loc10 = loc("jit(windows)"(#loc9))
#loc11 = loc("test/Integration/JAX/programs.py":488:11)
#loc12 = loc("jit(windows)"(#loc11))
#loc13 = loc("reduce_window_sum"(#loc9))
