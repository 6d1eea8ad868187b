// RUN: tessera-opt --tessera-import %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/special_functions.inputs.safetensors --expect=%S/special_functions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_special_functions"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>), res_attrs = [{jax.result_info = "result['composite']"}, {jax.result_info = "result['digamma']"}, {jax.result_info = "result['lgamma']"}, {jax.result_info = "result['towards zero']"}, {jax.result_info = "result['upwards']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<16xf32> loc("x")):
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc4)
    %6 = "chlo.next_after"(%arg1, %5) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc6)
    %7 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc8)
    %9 = "chlo.next_after"(%arg1, %8) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc10)
    %10 = "chlo.lgamma"(%arg1) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc12)
    %11 = "chlo.digamma"(%arg1) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc14)
    %12 = "stablehlo.composite"(%arg1) <{composite_attributes = {}, decomposition = @library.twice_tanh, name = "library.twice_tanh", version = 0 : i32}> : (tensor<16xf32>) -> tensor<16xf32> loc(#loc16)
    "func.return"(%12, %11, %10, %6, %9) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<16xf32>) -> tensor<16xf32>, res_attrs = [{}], sym_name = "library.twice_tanh", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16xf32> loc(unknown)):
    %0 = "stablehlo.tanh"(%arg0) : (tensor<16xf32>) -> tensor<16xf32> loc(#loc18)
    %1 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc19)
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc19)
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
#loc11 = loc("test/Integration/JAX/programs.py":424:18)
#loc12 = loc("jit(special_functions)/lgamma"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":425:19)
#loc14 = loc("jit(special_functions)/digamma"(#loc13))
#loc15 = loc("test/Integration/JAX/programs.py":426:21)
#loc16 = loc("jit(special_functions)/composite"(#loc15))
#loc17 = loc("test/Integration/JAX/programs.py":420:40)
#loc18 = loc("tanh"(#loc17))
#loc19 = loc("mul"(#loc17))
