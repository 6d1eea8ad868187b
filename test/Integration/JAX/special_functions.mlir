// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_special_functions"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>), res_attrs = [{jax.result_info = "result['composite']"}, {jax.result_info = "result['digamma']"}, {jax.result_info = "result['lgamma']"}, {jax.result_info = "result['towards zero']"}, {jax.result_info = "result['upwards']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<16xf32> loc("x")):
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc4)
    %9 = "chlo.next_after"(%arg4, %8) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc6)
    %10 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc8)
    %12 = "chlo.next_after"(%arg4, %11) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc10)
    %13 = "stablehlo.abs"(%arg4) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc12)
    %14 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc13)
    %16 = "stablehlo.compare"(%13, %15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1> loc(#loc13)
    %17 = "stablehlo.constant"() <{value = dense<0.699999988> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %18 = "func.call"(%16, %17, %arg4) <{callee = @_where}> : (tensor<16xi1>, tensor<f32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc15)
    %19 = "chlo.lgamma"(%18) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc17)
    %20 = "stablehlo.abs"(%arg4) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc19)
    %21 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc20)
    %23 = "stablehlo.compare"(%20, %22) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1> loc(#loc20)
    %24 = "stablehlo.constant"() <{value = dense<0.699999988> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %25 = "func.call"(%23, %24, %arg4) <{callee = @_where}> : (tensor<16xi1>, tensor<f32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc22)
    %26 = "chlo.digamma"(%25) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc24)
    %27 = "stablehlo.composite"(%arg4) <{composite_attributes = {}, decomposition = @library.twice_tanh, name = "library.twice_tanh", version = 0 : i32}> : (tensor<16xf32>) -> tensor<16xf32> loc(#loc26)
    "func.return"(%27, %26, %19, %9, %12) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16xi1>, tensor<f32>, tensor<16xf32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<16xi1> loc(unknown), %arg2: tensor<f32> loc(unknown), %arg3: tensor<16xf32> loc(unknown)):
    %4 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32> loc("convert_element_type")
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc("broadcast_in_dim")
    %6 = "stablehlo.select"(%arg1, %5, %arg3) : (tensor<16xi1>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc("select_n")
    "func.return"(%6) : (tensor<16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc27)
  "func.func"() <{function_type = (tensor<16xf32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "library.twice_tanh", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16xf32> loc(unknown)):
    %0 = "stablehlo.tanh"(%arg0) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc29)
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc30)
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc30)
    "func.return"(%3) : (tensor<16xf32>) -> () loc(unknown)
  }) : () -> () loc("composite:")
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":606:11)
#loc2 = loc("jit(special_functions)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":422:41)
#loc4 = loc("jit(special_functions)/broadcast_in_dim"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":422:24)
#loc6 = loc("jit(special_functions)/nextafter"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":423:36)
#loc8 = loc("jit(special_functions)/broadcast_in_dim"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":423:19)
#loc10 = loc("jit(special_functions)/nextafter"(#loc9))
#loc11 = loc("test/Integration/JAX/programs.py":424:39)
#loc12 = loc("jit(special_functions)/abs"(#loc11))
#loc13 = loc("jit(special_functions)/lt"(#loc11))
#loc14 = loc("test/Integration/JAX/programs.py":424:29)
#loc15 = loc("jit(special_functions)/jit(_where)"(#loc14))
#loc16 = loc("test/Integration/JAX/programs.py":424:18)
#loc17 = loc("jit(special_functions)/lgamma"(#loc16))
#loc18 = loc("test/Integration/JAX/programs.py":425:41)
#loc19 = loc("jit(special_functions)/abs"(#loc18))
#loc20 = loc("jit(special_functions)/lt"(#loc18))
#loc21 = loc("test/Integration/JAX/programs.py":425:31)
#loc22 = loc("jit(special_functions)/jit(_where)"(#loc21))
#loc23 = loc("test/Integration/JAX/programs.py":425:19)
#loc24 = loc("jit(special_functions)/digamma"(#loc23))
#loc25 = loc("test/Integration/JAX/programs.py":426:21)
#loc26 = loc("jit(special_functions)/composite"(#loc25))
#loc27 = loc("jit:"(#loc14))
#loc28 = loc("test/Integration/JAX/programs.py":420:40)
#loc29 = loc("tanh"(#loc28))
#loc30 = loc("mul"(#loc28))
