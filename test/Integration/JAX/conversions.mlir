// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/conversions.inputs.safetensors --expect=%S/conversions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/conversions.inputs.safetensors --expect=%S/conversions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/conversions.inputs.safetensors --expect=%S/conversions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/conversions.inputs.safetensors --expect=%S/conversions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/conversions.inputs.safetensors --expect=%S/conversions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/conversions.inputs.safetensors --expect=%S/conversions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_conversions"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xui32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xi32>, tensor<4xi1>), res_attrs = [{jax.result_info = "result['bits']"}, {jax.result_info = "result['boolean']"}, {jax.result_info = "result['brain']"}, {jax.result_info = "result['half']"}, {jax.result_info = "result['integer']"}, {jax.result_info = "result['to_boolean']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<8xf32> loc("x"), %arg4: tensor<4xf32> loc("wide")):
    %6 = "stablehlo.convert"(%arg3) : (tensor<8xf32>) -> tensor<8xf16> loc(#loc2)
    %7 = "stablehlo.convert"(%6) : (tensor<8xf16>) -> tensor<8xf32> loc(#loc2)
    %8 = "stablehlo.convert"(%arg3) : (tensor<8xf32>) -> tensor<8xbf16> loc(#loc4)
    %9 = "stablehlo.convert"(%8) : (tensor<8xbf16>) -> tensor<8xf32> loc(#loc4)
    %10 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %11 = "stablehlo.constant"() <{value = dense<1.000000e+09> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %12 = "func.call"(%arg4, %10, %11) <{callee = @clip}> : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32> loc(#loc8)
    %13 = "stablehlo.convert"(%12) : (tensor<4xf32>) -> tensor<4xi32> loc(#loc9)
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32> loc(#loc11)
    %16 = "stablehlo.compare"(%arg3, %15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1> loc(#loc11)
    %17 = "stablehlo.convert"(%16) : (tensor<8xi1>) -> tensor<8xf32> loc(#loc13)
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc(#loc15)
    %20 = "stablehlo.compare"(%arg4, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1> loc(#loc15)
    %21 = "stablehlo.convert"(%20) : (tensor<4xi1>) -> tensor<4xi1> loc(#loc15)
    %22 = "stablehlo.bitcast_convert"(%arg3) : (tensor<8xf32>) -> tensor<8xui32> loc(#loc17)
    "func.return"(%22, %17, %9, %7, %13, %21) : (tensor<8xui32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xi32>, tensor<4xi1>) -> () loc(#loc6)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xf32> loc(unknown), %arg1: tensor<f32> loc(unknown), %arg2: tensor<f32> loc(unknown)):
    %0 = "stablehlo.convert"(%arg1) : (tensor<f32>) -> tensor<f32> loc("convert_element_type")
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc("max")
    %2 = "stablehlo.maximum"(%1, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("max")
    %3 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32> loc("convert_element_type")
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc("min")
    %5 = "stablehlo.minimum"(%4, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("min")
    "func.return"(%5) : (tensor<4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc18)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":351:16)
#loc2 = loc("jit(conversions)/convert_element_type"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":352:17)
#loc4 = loc("jit(conversions)/convert_element_type"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":424:11)
#loc6 = loc("jit(conversions)"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":353:19)
#loc8 = loc("jit(conversions)/jit(clip)"(#loc7))
#loc9 = loc("jit(conversions)/convert_element_type"(#loc7))
#loc10 = loc("test/Integration/JAX/programs.py":354:20)
#loc11 = loc("jit(conversions)/gt"(#loc10))
#loc12 = loc("test/Integration/JAX/programs.py":354:19)
#loc13 = loc("jit(conversions)/convert_element_type"(#loc12))
#loc14 = loc("test/Integration/JAX/programs.py":355:22)
#loc15 = loc("jit(conversions)/convert_element_type"(#loc14))
#loc16 = loc("test/Integration/JAX/programs.py":356:16)
#loc17 = loc("jit(conversions)/bitcast_convert_type"(#loc16))
#loc18 = loc("jit:"(#loc7))
