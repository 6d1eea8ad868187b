// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/widths.inputs.safetensors --expect=%S/widths.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/widths.inputs.safetensors --expect=%S/widths.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/widths.inputs.safetensors --expect=%S/widths.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/widths.inputs.safetensors --expect=%S/widths.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/widths.inputs.safetensors --expect=%S/widths.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/widths.inputs.safetensors --expect=%S/widths.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_widths"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x2xi32>, tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4x2x4xui8>, tensor<3x4x2xui16>, tensor<3x4xf32>, tensor<4x2xi32>), res_attrs = [{jax.result_info = "result['bfloat16']"}, {jax.result_info = "result['bytes']"}, {jax.result_info = "result['halves']"}, {jax.result_info = "result['numbers']"}, {jax.result_info = "result['turned']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x2xi32> loc("n"), %arg1: tensor<3x4xf32> loc("x")):
    %0 = "stablehlo.bitcast_convert"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4x2xui16> loc(#loc2)
    %1 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4x2xi32>) -> tensor<4x2x4xui8> loc(#loc4)
    %2 = "stablehlo.bitcast_convert"(%0) : (tensor<3x4x2xui16>) -> tensor<3x4xf32> loc(#loc6)
    %3 = "stablehlo.reverse"(%1) <{dimensions = array<i64: 2>}> : (tensor<4x2x4xui8>) -> tensor<4x2x4xui8> loc(#loc8)
    %4 = "stablehlo.bitcast_convert"(%3) : (tensor<4x2x4xui8>) -> tensor<4x2xi32> loc(#loc10)
    %5 = "stablehlo.bitcast_convert"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4x2xbf16> loc(#loc12)
    %6 = "stablehlo.convert"(%5) : (tensor<3x4x2xbf16>) -> tensor<3x4x2xf32> loc(#loc13)
    %7 = "stablehlo.slice"(%6) <{limit_indices = array<i64: 3, 4, 2>, start_indices = array<i64: 0, 0, 1>, strides = array<i64: 1, 1, 1>}> : (tensor<3x4x2xf32>) -> tensor<3x4x1xf32> loc(#loc14)
    %8 = "stablehlo.reshape"(%7) : (tensor<3x4x1xf32>) -> tensor<3x4xf32> loc(#loc15)
    "func.return"(%8, %1, %0, %2, %4) : (tensor<3x4xf32>, tensor<4x2x4xui8>, tensor<3x4x2xui16>, tensor<3x4xf32>, tensor<4x2xi32>) -> () loc(#loc17)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/others.py":68:13)
#loc2 = loc("jit(widths)/bitcast_convert_type"(#loc1))
#loc3 = loc("test/Integration/JAX/others.py":69:12)
#loc4 = loc("jit(widths)/bitcast_convert_type"(#loc3))
#loc5 = loc("test/Integration/JAX/others.py":73:19)
#loc6 = loc("jit(widths)/bitcast_convert_type"(#loc5))
#loc7 = loc("test/Integration/JAX/others.py":74:43)
#loc8 = loc("jit(widths)/rev"(#loc7))
#loc9 = loc("test/Integration/JAX/others.py":74:18)
#loc10 = loc("jit(widths)/bitcast_convert_type"(#loc9))
#loc11 = loc("test/Integration/JAX/others.py":75:20)
#loc12 = loc("jit(widths)/bitcast_convert_type"(#loc11))
#loc13 = loc("jit(widths)/convert_element_type"(#loc11))
#loc14 = loc("jit(widths)/slice"(#loc11))
#loc15 = loc("jit(widths)/squeeze"(#loc11))
#loc16 = loc("test/Integration/JAX/programs.py":902:11)
#loc17 = loc("jit(widths)"(#loc16))
