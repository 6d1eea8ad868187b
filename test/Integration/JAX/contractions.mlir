// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/contractions.inputs.safetensors --expect=%S/contractions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/contractions.inputs.safetensors --expect=%S/contractions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/contractions.inputs.safetensors --expect=%S/contractions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/contractions.inputs.safetensors --expect=%S/contractions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/contractions.inputs.safetensors --expect=%S/contractions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/contractions.inputs.safetensors --expect=%S/contractions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_contractions"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x4x5xf32>, tensor<3x5x2x6xf32>) -> (tensor<2x3x4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<5x6xf32>, tensor<4xf32>), res_attrs = [{jax.result_info = "result['batched']"}, {jax.result_info = "result['contract_two']"}, {jax.result_info = "result['inner']"}, {jax.result_info = "result['outer']"}, {jax.result_info = "result['vector']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3x4x5xf32> loc("x"), %arg1: tensor<3x5x2x6xf32> loc("y")):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [2, 0], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x5xf32>, tensor<3x5x2x6xf32>) -> tensor<2x3x4x6xf32> loc(#loc2)
    %1 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1, 3], rhs_contracting_dimensions = [2, 0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4x5xf32>, tensor<3x5x2x6xf32>) -> tensor<4x6xf32> loc(#loc4)
    %2 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [2, 0, 1], rhs_batching_dimensions = [0, 1, 3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x5x2x6xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x5x6x4xf32> loc(#loc6)
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 0, 1, 4, 2, 3>}> : (tensor<2x3x5x6x4xf32>) -> tensor<2x3x4x5x6xf32> loc(#loc7)
    %4 = "stablehlo.slice"(%3) <{limit_indices = array<i64: 1, 1, 1, 5, 6>, start_indices = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x3x4x5x6xf32>) -> tensor<1x1x1x5x6xf32> loc(#loc8)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x1x1x5x6xf32>) -> tensor<5x6xf32> loc(#loc9)
    %6 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 1, 4, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x3x4x5xf32>) -> tensor<1x1x4x5xf32> loc(#loc11)
    %7 = "stablehlo.reshape"(%6) : (tensor<1x1x4x5xf32>) -> tensor<4x5xf32> loc(#loc12)
    %8 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 1, 5, 1, 1>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<3x5x2x6xf32>) -> tensor<1x5x1x1xf32> loc(#loc14)
    %9 = "stablehlo.reshape"(%8) : (tensor<1x5x1x1xf32>) -> tensor<5xf32> loc(#loc15)
    %10 = "stablehlo.dot_general"(%7, %9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4xf32> loc(#loc16)
    %11 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 1, 1, 5>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x3x4x5xf32>) -> tensor<1x1x1x5xf32> loc(#loc18)
    %12 = "stablehlo.reshape"(%11) : (tensor<1x1x1x5xf32>) -> tensor<5xf32> loc(#loc19)
    %13 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 1, 5, 1, 1>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<3x5x2x6xf32>) -> tensor<1x5x1x1xf32> loc(#loc21)
    %14 = "stablehlo.reshape"(%13) : (tensor<1x5x1x1xf32>) -> tensor<5xf32> loc(#loc22)
    %15 = "stablehlo.dot_general"(%12, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32> loc(#loc24)
    "func.return"(%0, %1, %15, %5, %10) : (tensor<2x3x4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<5x6xf32>, tensor<4xf32>) -> () loc(#loc26)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":382:19)
#loc2 = loc("jit(contractions)/abcd,bdae->abce/dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":383:24)
#loc4 = loc("jit(contractions)/abcd,bdae->ce/dot_general"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":384:17)
#loc6 = loc("jit(contractions)/abcd,bdae->abcde/dot_general"(#loc5))
#loc7 = loc("jit(contractions)/abcd,bdae->abcde/transpose"(#loc5))
#loc8 = loc("jit(contractions)/slice"(#loc5))
#loc9 = loc("jit(contractions)/squeeze"(#loc5))
#loc10 = loc("test/Integration/JAX/programs.py":385:18)
#loc11 = loc("jit(contractions)/slice"(#loc10))
#loc12 = loc("jit(contractions)/squeeze"(#loc10))
#loc13 = loc("test/Integration/JAX/programs.py":385:28)
#loc14 = loc("jit(contractions)/slice"(#loc13))
#loc15 = loc("jit(contractions)/squeeze"(#loc13))
#loc16 = loc("jit(contractions)/dot_general"(#loc10))
#loc17 = loc("test/Integration/JAX/programs.py":386:26)
#loc18 = loc("jit(contractions)/slice"(#loc17))
#loc19 = loc("jit(contractions)/squeeze"(#loc17))
#loc20 = loc("test/Integration/JAX/programs.py":386:38)
#loc21 = loc("jit(contractions)/slice"(#loc20))
#loc22 = loc("jit(contractions)/squeeze"(#loc20))
#loc23 = loc("test/Integration/JAX/programs.py":386:17)
#loc24 = loc("jit(contractions)/dot_general"(#loc23))
#loc25 = loc("test/Integration/JAX/programs.py":424:11)
#loc26 = loc("jit(contractions)"(#loc25))
