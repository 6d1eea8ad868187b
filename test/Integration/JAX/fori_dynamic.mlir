// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/fori_dynamic.inputs.safetensors --expect=%S/fori_dynamic.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/fori_dynamic.inputs.safetensors --expect=%S/fori_dynamic.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/fori_dynamic.inputs.safetensors --expect=%S/fori_dynamic.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/fori_dynamic.inputs.safetensors --expect=%S/fori_dynamic.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/fori_dynamic.inputs.safetensors --expect=%S/fori_dynamic.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/fori_dynamic.inputs.safetensors --expect=%S/fori_dynamic.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_fori_dynamic"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<i32>, tensor<4xf32>) -> tensor<4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<i32> loc("count"), %arg1: tensor<4xf32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %1:3 = "stablehlo.while"(%0, %arg0, %arg1) ({
    ^bb0(%arg5: tensor<i32> loc("while:"), %arg6: tensor<i32> loc("while:"), %arg7: tensor<4xf32> loc("while:")):
      %10 = "stablehlo.compare"(%arg5, %arg6) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc4)
      "stablehlo.return"(%10) : (tensor<i1>) -> () loc(#loc5)
    }, {
    ^bb0(%arg2: tensor<i32> loc("while:"), %arg3: tensor<i32> loc("while:"), %arg4: tensor<4xf32> loc("while:")):
      %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc5)
      %3 = "stablehlo.add"(%arg2, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc6)
      %4 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc5)
      %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc(#loc8)
      %6 = "stablehlo.multiply"(%arg4, %5) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(#loc8)
      %7 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<f32> loc(#loc10)
      %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc(#loc11)
      %9 = "stablehlo.add"(%6, %8) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(#loc11)
      "stablehlo.return"(%3, %arg3, %9) : (tensor<i32>, tensor<i32>, tensor<4xf32>) -> () loc(#loc5)
    }) : (tensor<i32>, tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<i32>, tensor<4xf32>) loc(#loc5)
    "func.return"(%1#2) : (tensor<4xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(fori_dynamic)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":199:11)
#loc4 = loc("jit(fori_dynamic)/while/cond/lt"(#loc3))
#loc5 = loc("jit(fori_dynamic)/while"(#loc3))
#loc6 = loc("jit(fori_dynamic)/while/body/add"(#loc3))
#loc7 = loc("test/Integration/JAX/programs.py":199:48)
#loc8 = loc("jit(fori_dynamic)/while/body/mul"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":199:58)
#loc10 = loc("jit(fori_dynamic)/while/body/convert_element_type"(#loc9))
#loc11 = loc("jit(fori_dynamic)/while/body/add"(#loc7))
