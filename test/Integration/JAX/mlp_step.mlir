// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=4,model=2 -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/mlp_step.inputs.safetensors --expect=%S/mlp_step.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_mlp_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>, tf.aliasing_output = 0 : i32}, {tf.aliasing_output = 1 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>, tf.aliasing_output = 2 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>, tf.aliasing_output = 3 : i32}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}], function_type = (tensor<16xf32>, tensor<4xf32>, tensor<6x16xf32>, tensor<16x4xf32>, tensor<8x6xf32>, tensor<8x4xf32>) -> (tensor<16xf32>, tensor<4xf32>, tensor<6x16xf32>, tensor<16x4xf32>, tensor<f32>), res_attrs = [{jax.result_info = "result[0]['b1']"}, {jax.result_info = "result[0]['b2']"}, {jax.result_info = "result[0]['w1']"}, {jax.result_info = "result[0]['w2']"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<16xf32> loc("p['b1']"), %arg1: tensor<4xf32> loc("p['b2']"), %arg2: tensor<6x16xf32> loc("p['w1']"), %arg3: tensor<16x4xf32> loc("p['w2']"), %arg4: tensor<8x6xf32> loc("x"), %arg5: tensor<8x4xf32> loc("y")):
    %0 = "stablehlo.dot_general"(%arg4, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x6xf32>, tensor<6x16xf32>) -> tensor<8x16xf32> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1>}> : (tensor<16xf32>) -> tensor<1x16xf32> loc(#loc3)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x16xf32>) -> tensor<8x16xf32> loc(#loc4)
    %3 = "stablehlo.add"(%0, %2) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc4)
    %4 = "stablehlo.tanh"(%3) : (tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc6)
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32> loc(#loc9)
    %7 = "stablehlo.subtract"(%6, %4) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc9)
    %8 = "stablehlo.dot_general"(%4, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32> loc(#loc11)
    %9 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32> loc(#loc12)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<8x4xf32> loc(#loc13)
    %11 = "stablehlo.add"(%8, %10) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc13)
    %12 = "stablehlo.subtract"(%11, %arg5) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc14)
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc16)
    %14 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32> loc(#loc17)
    %16 = "stablehlo.multiply"(%15, %12) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc17)
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc19)
    %18 = "stablehlo.reduce"(%13, %17) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg14: tensor<f32> loc("reduce_sum:"), %arg15: tensor<f32> loc("reduce_sum:")):
      %64 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
      "stablehlo.return"(%64) : (tensor<f32>) -> () loc(#loc19)
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc19)
    %19 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %20 = "stablehlo.divide"(%18, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc20)
    %21 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %22 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %23 = "stablehlo.divide"(%21, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc21)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32> loc(#loc22)
    %25 = "stablehlo.multiply"(%24, %16) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc23)
    %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc24)
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg12: tensor<f32> loc("reduce_sum:"), %arg13: tensor<f32> loc("reduce_sum:")):
      %63 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc24)
      "stablehlo.return"(%63) : (tensor<f32>) -> () loc(#loc24)
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32> loc(#loc24)
    %28 = "stablehlo.reshape"(%27) : (tensor<4xf32>) -> tensor<1x4xf32> loc(#loc25)
    %29 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc24)
    %30 = "stablehlo.reduce"(%28, %29) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_sum:"), %arg11: tensor<f32> loc("reduce_sum:")):
      %62 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc24)
      "stablehlo.return"(%62) : (tensor<f32>) -> () loc(#loc24)
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32> loc(#loc24)
    %31 = "stablehlo.dot_general"(%25, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> loc(#loc26)
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 1, 0>}> : (tensor<4x16xf32>) -> tensor<16x4xf32> loc(#loc27)
    %33 = "stablehlo.dot_general"(%25, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32> loc(#loc26)
    %34 = "stablehlo.multiply"(%33, %7) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc28)
    %35 = "stablehlo.multiply"(%34, %4) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc28)
    %36 = "stablehlo.add"(%34, %35) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc29)
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc30)
    %38 = "stablehlo.reduce"(%36, %37) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg8: tensor<f32> loc("reduce_sum:"), %arg9: tensor<f32> loc("reduce_sum:")):
      %61 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
      "stablehlo.return"(%61) : (tensor<f32>) -> () loc(#loc30)
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32> loc(#loc30)
    %39 = "stablehlo.reshape"(%38) : (tensor<16xf32>) -> tensor<1x16xf32> loc(#loc31)
    %40 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc30)
    %41 = "stablehlo.reduce"(%39, %40) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg6: tensor<f32> loc("reduce_sum:"), %arg7: tensor<f32> loc("reduce_sum:")):
      %60 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
      "stablehlo.return"(%60) : (tensor<f32>) -> () loc(#loc30)
    }) : (tensor<1x16xf32>, tensor<f32>) -> tensor<16xf32> loc(#loc30)
    %42 = "stablehlo.dot_general"(%36, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<8x6xf32>) -> tensor<16x6xf32> loc(#loc32)
    %43 = "stablehlo.transpose"(%42) <{permutation = array<i64: 1, 0>}> : (tensor<16x6xf32>) -> tensor<6x16xf32> loc(#loc33)
    %44 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32> loc(#loc35)
    %46 = "stablehlo.multiply"(%45, %41) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc35)
    %47 = "stablehlo.subtract"(%arg0, %46) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> loc(#loc37)
    %48 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32> loc(#loc35)
    %50 = "stablehlo.multiply"(%49, %30) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(#loc35)
    %51 = "stablehlo.subtract"(%arg1, %50) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(#loc37)
    %52 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6x16xf32> loc(#loc35)
    %54 = "stablehlo.multiply"(%53, %43) : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32> loc(#loc35)
    %55 = "stablehlo.subtract"(%arg2, %54) : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32> loc(#loc37)
    %56 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x4xf32> loc(#loc35)
    %58 = "stablehlo.multiply"(%57, %32) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32> loc(#loc35)
    %59 = "stablehlo.subtract"(%arg3, %58) : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32> loc(#loc37)
    "func.return"(%47, %51, %55, %59, %20) : (tensor<16xf32>, tensor<4xf32>, tensor<6x16xf32>, tensor<16x4xf32>, tensor<f32>) -> () loc(#loc8)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":94:26)
#loc2 = loc("jit(mlp_step)/jvp()/dot_general"(#loc1))
#loc3 = loc("jit(mlp_step)/jvp()/broadcast_in_dim"(#loc1))
#loc4 = loc("jit(mlp_step)/jvp()/add"(#loc1))
#loc5 = loc("test/Integration/JAX/programs.py":94:17)
#loc6 = loc("jit(mlp_step)/jvp()/tanh"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":424:11)
#loc8 = loc("jit(mlp_step)"(#loc7))
#loc9 = loc("jit(mlp_step)/jvp()/sub"(#loc5))
#loc10 = loc("test/Integration/JAX/programs.py":95:25)
#loc11 = loc("jit(mlp_step)/jvp()/dot_general"(#loc10))
#loc12 = loc("jit(mlp_step)/jvp()/broadcast_in_dim"(#loc10))
#loc13 = loc("jit(mlp_step)/jvp()/add"(#loc10))
#loc14 = loc("jit(mlp_step)/jvp()/sub"(#loc10))
#loc15 = loc("test/Integration/JAX/programs.py":95:24)
#loc16 = loc("jit(mlp_step)/jvp()/integer_pow"(#loc15))
#loc17 = loc("jit(mlp_step)/jvp()/mul"(#loc15))
#loc18 = loc("test/Integration/JAX/programs.py":95:15)
#loc19 = loc("jit(mlp_step)/jvp()/reduce_sum"(#loc18))
#loc20 = loc("jit(mlp_step)/jvp()/div"(#loc18))
#loc21 = loc("jit(mlp_step)/transpose(jvp())/div"(#loc18))
#loc22 = loc("jit(mlp_step)/transpose(jvp())/broadcast_in_dim"(#loc18))
#loc23 = loc("jit(mlp_step)/transpose(jvp())/mul"(#loc15))
#loc24 = loc("jit(mlp_step)/transpose(jvp())/reduce_sum"(#loc10))
#loc25 = loc("jit(mlp_step)/transpose(jvp())/reshape"(#loc10))
#loc26 = loc("jit(mlp_step)/transpose(jvp())/dot_general"(#loc10))
#loc27 = loc("jit(mlp_step)/transpose(jvp())/transpose"(#loc10))
#loc28 = loc("jit(mlp_step)/transpose(jvp())/mul"(#loc5))
#loc29 = loc("jit(mlp_step)/transpose(jvp())/add_any"(#loc5))
#loc30 = loc("jit(mlp_step)/transpose(jvp())/reduce_sum"(#loc1))
#loc31 = loc("jit(mlp_step)/transpose(jvp())/reshape"(#loc1))
#loc32 = loc("jit(mlp_step)/transpose(jvp())/dot_general"(#loc1))
#loc33 = loc("jit(mlp_step)/transpose(jvp())/transpose"(#loc1))
#loc34 = loc("test/Integration/JAX/programs.py":98:41)
#loc35 = loc("jit(mlp_step)/mul"(#loc34))
#loc36 = loc("test/Integration/JAX/programs.py":98:37)
#loc37 = loc("jit(mlp_step)/sub"(#loc36))
