// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/decode_cache.inputs.safetensors --expect=%S/decode_cache.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/decode_cache.inputs.safetensors --expect=%S/decode_cache.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/decode_cache.inputs.safetensors --expect=%S/decode_cache.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/decode_cache.inputs.safetensors --expect=%S/decode_cache.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/decode_cache.inputs.safetensors --expect=%S/decode_cache.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/decode_cache.inputs.safetensors --expect=%S/decode_cache.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_decode_cache"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<i32>) -> (tensor<2x8x4xf32>, tensor<2x3x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x8x4xf32> loc("cache"), %arg1: tensor<2x1x4xf32> loc("key"), %arg2: tensor<i32> loc("position")):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %1 = "stablehlo.compare"(%arg2, %0) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc4)
    %2 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %3 = "stablehlo.add"(%arg2, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc5)
    %4 = "stablehlo.select"(%1, %3, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc6)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %7 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %5, %4, %6) : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x4xf32> loc(#loc7)
    %8 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %9 = "stablehlo.subtract"(%arg2, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc9)
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %11 = "stablehlo.compare"(%9, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc11)
    %12 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %13 = "stablehlo.add"(%9, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc12)
    %14 = "stablehlo.select"(%11, %13, %9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc13)
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %17 = "stablehlo.dynamic_slice"(%7, %15, %14, %16) <{slice_sizes = array<i64: 2, 3, 4>}> : (tensor<2x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x3x4xf32> loc(#loc14)
    "func.return"(%7, %17) : (tensor<2x8x4xf32>, tensor<2x3x4xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(decode_cache)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":214:12)
#loc4 = loc("jit(decode_cache)/lt"(#loc3))
#loc5 = loc("jit(decode_cache)/add"(#loc3))
#loc6 = loc("jit(decode_cache)/select_n"(#loc3))
#loc7 = loc("jit(decode_cache)/dynamic_update_slice"(#loc3))
#loc8 = loc("test/Integration/JAX/programs.py":215:42)
#loc9 = loc("jit(decode_cache)/sub"(#loc8))
#loc10 = loc("test/Integration/JAX/programs.py":215:13)
#loc11 = loc("jit(decode_cache)/lt"(#loc10))
#loc12 = loc("jit(decode_cache)/add"(#loc10))
#loc13 = loc("jit(decode_cache)/select_n"(#loc10))
#loc14 = loc("jit(decode_cache)/dynamic_slice"(#loc10))
