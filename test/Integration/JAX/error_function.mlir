// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/error_function.inputs.safetensors --expect=%S/error_function.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/error_function.inputs.safetensors --expect=%S/error_function.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/error_function.inputs.safetensors --expect=%S/error_function.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/error_function.inputs.safetensors --expect=%S/error_function.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/error_function.inputs.safetensors --expect=%S/error_function.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/error_function.inputs.safetensors --expect=%S/error_function.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_error_function"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xf32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32> loc(#loc4)
    %2 = "stablehlo.multiply"(%1, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc(#loc4)
    %3 = "stablehlo.negate"(%arg0) : (tensor<8xf32>) -> tensor<8xf32> loc(#loc5)
    %4 = "stablehlo.constant"() <{value = dense<0.707106769> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32> loc(#loc4)
    %6 = "stablehlo.multiply"(%3, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc(#loc4)
    %7 = "chlo.erfc"(%6) : (tensor<8xf32>) -> tensor<8xf32> loc(#loc6)
    %8 = "stablehlo.multiply"(%2, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc(#loc4)
    %9 = "stablehlo.tanh"(%arg0) : (tensor<8xf32>) -> tensor<8xf32> loc(#loc8)
    %10 = "chlo.erf_inv"(%9) : (tensor<8xf32>) -> tensor<8xf32> loc(#loc10)
    "func.return"(%8, %10) : (tensor<8xf32>, tensor<8xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(error_function)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":317:11)
#loc4 = loc("jit(error_function)/mul"(#loc3))
#loc5 = loc("jit(error_function)/neg"(#loc3))
#loc6 = loc("jit(error_function)/erfc"(#loc3))
#loc7 = loc("test/Integration/JAX/programs.py":317:58)
#loc8 = loc("jit(error_function)/tanh"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":317:46)
#loc10 = loc("jit(error_function)/erf_inv"(#loc9))
