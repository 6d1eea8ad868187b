// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/dynamic_slice_clamps.inputs.safetensors --expect=%S/dynamic_slice_clamps.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/dynamic_slice_clamps.inputs.safetensors --expect=%S/dynamic_slice_clamps.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/dynamic_slice_clamps.inputs.safetensors --expect=%S/dynamic_slice_clamps.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/dynamic_slice_clamps.inputs.safetensors --expect=%S/dynamic_slice_clamps.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/dynamic_slice_clamps.inputs.safetensors --expect=%S/dynamic_slice_clamps.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/dynamic_slice_clamps.inputs.safetensors --expect=%S/dynamic_slice_clamps.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_dynamic_slice_clamps"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<4x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc("x"), %arg1: tensor<i32> loc("high"), %arg2: tensor<i32> loc("low")):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2xf32> loc(#loc4)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc6)
    %4 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc7)
    %6 = "stablehlo.select"(%3, %5, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc8)
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %8 = "stablehlo.compare"(%arg2, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc6)
    %9 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %10 = "stablehlo.add"(%arg2, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc7)
    %11 = "stablehlo.select"(%8, %10, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc8)
    %12 = "stablehlo.dynamic_slice"(%arg0, %6, %11) <{slice_sizes = array<i64: 2, 2>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32> loc(#loc9)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %14 = "stablehlo.compare"(%arg2, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc11)
    %15 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %16 = "stablehlo.add"(%arg2, %15) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc12)
    %17 = "stablehlo.select"(%14, %16, %arg2) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc13)
    %18 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %19 = "stablehlo.compare"(%arg1, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc11)
    %20 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %21 = "stablehlo.add"(%arg1, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc12)
    %22 = "stablehlo.select"(%19, %21, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc13)
    %23 = "stablehlo.dynamic_update_slice"(%arg0, %1, %17, %22) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32> loc(#loc14)
    "func.return"(%12, %23) : (tensor<2x2xf32>, tensor<4x4xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(dynamic_slice_clamps)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":222:13)
#loc4 = loc("jit(dynamic_slice_clamps)/broadcast_in_dim"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":223:11)
#loc6 = loc("jit(dynamic_slice_clamps)/lt"(#loc5))
#loc7 = loc("jit(dynamic_slice_clamps)/add"(#loc5))
#loc8 = loc("jit(dynamic_slice_clamps)/select_n"(#loc5))
#loc9 = loc("jit(dynamic_slice_clamps)/dynamic_slice"(#loc5))
#loc10 = loc("test/Integration/JAX/programs.py":223:54)
#loc11 = loc("jit(dynamic_slice_clamps)/lt"(#loc10))
#loc12 = loc("jit(dynamic_slice_clamps)/add"(#loc10))
#loc13 = loc("jit(dynamic_slice_clamps)/select_n"(#loc10))
#loc14 = loc("jit(dynamic_slice_clamps)/dynamic_update_slice"(#loc10))
