// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --mesh=data=2 -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/complex_functions.inputs.safetensors --expect=%S/complex_functions.expected.safetensors --tolerance=1e-4
"builtin.module"() <{sym_name = "jit_complex_functions"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x8xcomplex<f32>>) -> (tensor<6x8xf32>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>), res_attrs = [{jax.result_info = "result['angle']"}, {jax.result_info = "result['atan']"}, {jax.result_info = "result['atanh']"}, {jax.result_info = "result['conj']"}, {jax.result_info = "result['cosh']"}, {jax.result_info = "result['cube']"}, {jax.result_info = "result['exp']"}, {jax.result_info = "result['expm1']"}, {jax.result_info = "result['power']"}, {jax.result_info = "result['quotient']"}, {jax.result_info = "result['rsqrt']"}, {jax.result_info = "result['sinh']"}, {jax.result_info = "result['tan']"}, {jax.result_info = "result['tanh']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<6x8xcomplex<f32>> loc("z")):
    %3 = "stablehlo.exponential"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc2)
    %4 = "stablehlo.exponential_minus_one"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc3)
    %5 = "stablehlo.rsqrt"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc4)
    %6 = "stablehlo.tan"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc5)
    %7 = "stablehlo.tanh"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc6)
    %8 = "chlo.sinh"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc7)
    %9 = "chlo.cosh"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc8)
    %10 = "chlo.atan"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc9)
    %11 = "chlo.atanh"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc10)
    %12 = "stablehlo.multiply"(%arg1, %arg1) : (tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc12)
    %13 = "stablehlo.multiply"(%12, %arg1) : (tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc12)
    %14 = "stablehlo.constant"() <{value = dense<(5.000000e-01,2.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>> loc(#loc14)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc16)
    %16 = "stablehlo.power"(%arg1, %15) : (tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc16)
    %17 = "stablehlo.constant"() <{value = dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>> loc(#loc14)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc18)
    %19 = "stablehlo.divide"(%18, %arg1) : (tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>> loc(#loc18)
    %20 = "stablehlo.real"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32> loc(#loc19)
    %21 = "stablehlo.imag"(%arg1) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32> loc(#loc20)
    %22 = "stablehlo.negate"(%21) : (tensor<6x8xf32>) -> tensor<6x8xf32> loc(#loc21)
    %23 = "stablehlo.complex"(%20, %22) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xcomplex<f32>> loc(#loc22)
    %24 = "func.call"(%arg1) <{callee = @angle}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32> loc(#loc23)
    "func.return"(%24, %10, %11, %23, %9, %13, %3, %4, %16, %19, %5, %8, %6, %7) : (tensor<6x8xf32>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>) -> () loc(#loc14)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32>, res_attrs = [{}], sym_name = "angle", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6x8xcomplex<f32>> loc(unknown)):
    %0 = "stablehlo.real"(%arg0) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32> loc("real")
    %1 = "stablehlo.imag"(%arg0) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32> loc("imag")
    %2 = "stablehlo.atan2"(%1, %0) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32> loc("atan2")
    "func.return"(%2) : (tensor<6x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc24)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/complexes.py":33:18)
#loc2 = loc("jit(complex_functions)/exp"(#loc1))
#loc3 = loc("jit(complex_functions)/expm1"(#loc1))
#loc4 = loc("jit(complex_functions)/rsqrt"(#loc1))
#loc5 = loc("jit(complex_functions)/tan"(#loc1))
#loc6 = loc("jit(complex_functions)/tanh"(#loc1))
#loc7 = loc("jit(complex_functions)/sinh"(#loc1))
#loc8 = loc("jit(complex_functions)/cosh"(#loc1))
#loc9 = loc("jit(complex_functions)/atan"(#loc1))
#loc10 = loc("jit(complex_functions)/atanh"(#loc1))
#loc11 = loc("test/Integration/JAX/complexes.py":32:37)
#loc12 = loc("jit(complex_functions)/integer_pow"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":988:11)
#loc14 = loc("jit(complex_functions)"(#loc13))
#loc15 = loc("test/Integration/JAX/complexes.py":32:59)
#loc16 = loc("jit(complex_functions)/pow"(#loc15))
#loc17 = loc("test/Integration/JAX/complexes.py":32:95)
#loc18 = loc("jit(complex_functions)/div"(#loc17))
#loc19 = loc("jit(complex_functions)/real"(#loc1))
#loc20 = loc("jit(complex_functions)/imag"(#loc1))
#loc21 = loc("jit(complex_functions)/neg"(#loc1))
#loc22 = loc("jit(complex_functions)/complex"(#loc1))
#loc23 = loc("jit(complex_functions)/jit(angle)"(#loc1))
#loc24 = loc("jit:"(#loc1))
