// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/annotated_initial_values.inputs.safetensors --expect=%S/annotated_initial_values.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/annotated_initial_values.inputs.safetensors --expect=%S/annotated_initial_values.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/annotated_initial_values.inputs.safetensors --expect=%S/annotated_initial_values.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/annotated_initial_values.inputs.safetensors --expect=%S/annotated_initial_values.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_annotated_initial_values"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}], function_type = (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<4x4xf32>, tensor<8xf32>, tensor<9x17xf32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %1 = "sdy.sharding_constraint"(%0) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc4)
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc4)
    %4 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg5: tensor<f32> loc("reduce_window:"), %arg6: tensor<f32> loc("reduce_window:")):
      %10 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc6)
      "stablehlo.return"(%10) : (tensor<f32>) -> () loc(#loc7)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32> loc(#loc7)
    %5 = "stablehlo.reduce_window"(%arg0, %3) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg3: tensor<f32> loc("reduce_window:"), %arg4: tensor<f32> loc("reduce_window:")):
      %9 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      "stablehlo.return"(%9) : (tensor<f32>) -> () loc(#loc10)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<4x4xf32> loc(#loc10)
    %6 = "stablehlo.reduce"(%arg0, %3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32> loc("reduce:"), %arg2: tensor<f32> loc("reduce:")):
      %8 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      "stablehlo.return"(%8) : (tensor<f32>) -> () loc(#loc13)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32> loc(#loc13)
    %7 = "stablehlo.pad"(%arg0, %1) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<8x8xf32>, tensor<f32>) -> tensor<9x17xf32> loc(#loc15)
    "func.return"(%4, %5, %6, %7) : (tensor<8x8xf32>, tensor<4x4xf32>, tensor<8xf32>, tensor<9x17xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":955:11)
#loc2 = loc("jit(annotated_initial_values)"(#loc1))
#loc3 = loc("test/Integration/JAX/regions.py":142:17)
#loc4 = loc("jit(annotated_initial_values)/sharding_constraint"(#loc3))
#loc5 = loc("test/Integration/JAX/regions.py":143:15)
#loc6 = loc("jit(annotated_initial_values)/add"(#loc5))
#loc7 = loc("jit(annotated_initial_values)/reduce_window"(#loc5))
#loc8 = loc("test/Integration/JAX/regions.py":143:76)
#loc9 = loc("jit(annotated_initial_values)/max"(#loc8))
#loc10 = loc("jit(annotated_initial_values)/reduce_window"(#loc8))
#loc11 = loc("test/Integration/JAX/regions.py":144:20)
#loc12 = loc("jit(annotated_initial_values)/max"(#loc11))
#loc13 = loc("jit(annotated_initial_values)/reduce"(#loc11))
#loc14 = loc("test/Integration/JAX/regions.py":144:55)
#loc15 = loc("jit(annotated_initial_values)/pad"(#loc14))
