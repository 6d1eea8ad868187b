// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/checkpointed.inputs.safetensors --expect=%S/checkpointed.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/checkpointed.inputs.safetensors --expect=%S/checkpointed.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/checkpointed.inputs.safetensors --expect=%S/checkpointed.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/checkpointed.inputs.safetensors --expect=%S/checkpointed.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/checkpointed.inputs.safetensors --expect=%S/checkpointed.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/checkpointed.inputs.safetensors --expect=%S/checkpointed.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_checkpointed"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x4xf32>, tensor<2x4xf32>) -> (tensor<f32>, tensor<4x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32> loc("w"), %arg1: tensor<2x4xf32> loc("x")):
    %0 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc2)
    %1 = "stablehlo.tanh"(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc4)
    %2 = "stablehlo.sine"(%1) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc6)
    %3 = "stablehlo.dot_general"(%2, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc2)
    %4 = "stablehlo.tanh"(%3) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc4)
    %5 = "stablehlo.sine"(%4) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc6)
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %7 = "stablehlo.reduce"(%5, %6) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<f32> loc("reduce_sum:"), %arg3: tensor<f32> loc("reduce_sum:")):
      %38 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc8)
      "stablehlo.return"(%38) : (tensor<f32>) -> () loc(#loc8)
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc8)
    %8 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc10)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc11)
    %10:3 = "stablehlo.optimization_barrier"(%arg0, %2, %9) : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) loc(#loc13)
    %11 = "stablehlo.dot_general"(%10#1, %10#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc14)
    %12 = "stablehlo.tanh"(%11) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc15)
    %13 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc16)
    %15 = "stablehlo.subtract"(%14, %12) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc16)
    %16 = "stablehlo.cosine"(%12) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc17)
    %17 = "stablehlo.multiply"(%10#2, %16) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc18)
    %18 = "stablehlo.multiply"(%17, %15) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc19)
    %19 = "stablehlo.multiply"(%18, %12) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc19)
    %20 = "stablehlo.add"(%18, %19) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc20)
    %21 = "stablehlo.dot_general"(%20, %10#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32> loc(#loc21)
    %22 = "stablehlo.transpose"(%21) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc22)
    %23 = "stablehlo.dot_general"(%20, %10#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc21)
    %24:3 = "stablehlo.optimization_barrier"(%arg0, %arg1, %23) : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) loc(#loc24)
    %25 = "stablehlo.dot_general"(%24#1, %24#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc14)
    %26 = "stablehlo.tanh"(%25) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc15)
    %27 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc24)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc16)
    %29 = "stablehlo.subtract"(%28, %26) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc16)
    %30 = "stablehlo.cosine"(%26) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc17)
    %31 = "stablehlo.multiply"(%24#2, %30) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc18)
    %32 = "stablehlo.multiply"(%31, %29) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc19)
    %33 = "stablehlo.multiply"(%32, %26) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc19)
    %34 = "stablehlo.add"(%32, %33) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc20)
    %35 = "stablehlo.dot_general"(%34, %24#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32> loc(#loc21)
    %36 = "stablehlo.transpose"(%35) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc22)
    %37 = "stablehlo.add"(%22, %36) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc25)
    "func.return"(%7, %37) : (tensor<f32>, tensor<4x4xf32>) -> () loc(#loc10)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":163:58)
#loc2 = loc("jit(checkpointed)/jvp()/dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":163:49)
#loc4 = loc("jit(checkpointed)/jvp()/tanh"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":163:41)
#loc6 = loc("jit(checkpointed)/jvp()/sin"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":164:15)
#loc8 = loc("jit(checkpointed)/jvp()/reduce_sum"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":424:11)
#loc10 = loc("jit(checkpointed)"(#loc9))
#loc11 = loc("jit(checkpointed)/transpose(jvp())/broadcast_in_dim"(#loc7))
#loc12 = loc("test/Integration/JAX/programs.py":164:23)
#loc13 = loc("jit(checkpointed)/transpose(jvp(jvp()))/remat2"(#loc12))
#loc14 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/rematted_computation/dot_general"(#loc1))
#loc15 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/rematted_computation/tanh"(#loc3))
#loc16 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/rematted_computation/sub"(#loc3))
#loc17 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/rematted_computation/cos"(#loc5))
#loc18 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/mul"(#loc5))
#loc19 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/mul"(#loc3))
#loc20 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/add_any"(#loc3))
#loc21 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/dot_general"(#loc1))
#loc22 = loc("jit(checkpointed)/transpose(jvp(jvp()))/checkpoint/transpose"(#loc1))
#loc23 = loc("test/Integration/JAX/programs.py":164:29)
#loc24 = loc("jit(checkpointed)/transpose(jvp(jvp()))/remat2"(#loc23))
#loc25 = loc("jit(checkpointed)/transpose(jvp(jvp()))/add_any"(#loc23))
