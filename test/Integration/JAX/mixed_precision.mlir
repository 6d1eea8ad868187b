// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/mixed_precision.inputs.safetensors --expect=%S/mixed_precision.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/mixed_precision.inputs.safetensors --expect=%S/mixed_precision.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/mixed_precision.inputs.safetensors --expect=%S/mixed_precision.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/mixed_precision.inputs.safetensors --expect=%S/mixed_precision.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/mixed_precision.inputs.safetensors --expect=%S/mixed_precision.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/mixed_precision.inputs.safetensors --expect=%S/mixed_precision.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_mixed_precision"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x6xf32> loc("x"), %arg1: tensor<6x8xf32> loc("w")):
    %0 = "stablehlo.convert"(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xbf16> loc(#loc2)
    %1 = "stablehlo.convert"(%arg1) : (tensor<6x8xf32>) -> tensor<6x8xbf16> loc(#loc4)
    %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x6xbf16>, tensor<6x8xbf16>) -> tensor<4x8xf32> loc(#loc6)
    %3 = "stablehlo.convert"(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xbf16> loc(#loc8)
    %4 = "stablehlo.convert"(%3) : (tensor<4x6xbf16>) -> tensor<4x6xf32> loc(#loc10)
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc11)
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<f32> loc("reduce_sum:"), %arg3: tensor<f32> loc("reduce_sum:")):
      %9 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
      "stablehlo.return"(%9) : (tensor<f32>) -> () loc(#loc11)
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32> loc(#loc11)
    %7 = "stablehlo.convert"(%6) : (tensor<f32>) -> tensor<bf16> loc(#loc10)
    %8 = "stablehlo.convert"(%7) : (tensor<bf16>) -> tensor<f32> loc(#loc10)
    "func.return"(%2, %8) : (tensor<4x8xf32>, tensor<f32>) -> () loc(#loc13)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":172:22)
#loc2 = loc("jit(mixed_precision)/convert_element_type"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":172:46)
#loc4 = loc("jit(mixed_precision)/convert_element_type"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":172:14)
#loc6 = loc("jit(mixed_precision)/dot_general"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":173:28)
#loc8 = loc("jit(mixed_precision)/convert_element_type"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":173:20)
#loc10 = loc("jit(mixed_precision)/convert_element_type"(#loc9))
#loc11 = loc("jit(mixed_precision)/reduce_sum"(#loc9))
#loc12 = loc("test/Integration/JAX/programs.py":424:11)
#loc13 = loc("jit(mixed_precision)"(#loc12))
