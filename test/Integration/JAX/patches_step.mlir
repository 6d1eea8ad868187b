// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --mesh=data=1 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/patches_step.inputs.safetensors --expect=%S/patches_step.expected.safetensors --tolerance=1e-4
"builtin.module"() <{sym_name = "jit_patches_step"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}], function_type = (tensor<4x4x3x8xf32>, tensor<4x4x8x3xf32>, tensor<3x3x8x8xf32>, tensor<4x8x12x3xf32>) -> (tensor<f32>, tensor<4x4x3x8xf32>, tensor<4x4x8x3xf32>, tensor<3x3x8x8xf32>, tensor<4x8x12x3xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]['patch']"}, {jax.result_info = "result[1][0]['up']"}, {jax.result_info = "result[1][0]['wide']"}, {jax.result_info = "result[1][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4x3x8xf32> loc("p['patch']"), %arg1: tensor<4x4x8x3xf32> loc("p['up']"), %arg2: tensor<3x3x8x8xf32> loc("p['wide']"), %arg3: tensor<4x8x12x3xf32> loc("images")):
    %0 = "stablehlo.convolution"(%arg3, %arg0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<4x8x12x3xf32>, tensor<4x4x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc2)
    %1 = "stablehlo.tanh"(%0) : (tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc4)
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2x3x8xf32> loc(#loc7)
    %4 = "stablehlo.subtract"(%3, %1) : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc7)
    %5 = "stablehlo.convolution"(%1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<2> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x2x3x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc2)
    %6 = "stablehlo.add"(%1, %5) : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc9)
    %7 = "stablehlo.convolution"(%6, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 4, 4>, padding = dense<3> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x2x3x8xf32>, tensor<4x4x8x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc11)
    %8 = "stablehlo.subtract"(%7, %arg3) : (tensor<4x8x12x3xf32>, tensor<4x8x12x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc13)
    %9 = "stablehlo.multiply"(%8, %8) : (tensor<4x8x12x3xf32>, tensor<4x8x12x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc15)
    %10 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x12x3xf32> loc(#loc16)
    %12 = "stablehlo.multiply"(%11, %8) : (tensor<4x8x12x3xf32>, tensor<4x8x12x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc16)
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %14 = "stablehlo.reduce"(%9, %13) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_sum:"), %arg5: tensor<f32> loc("reduce_sum:")):
      %37 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc18)
      "stablehlo.return"(%37) : (tensor<f32>) -> () loc(#loc18)
    }) : (tensor<4x8x12x3xf32>, tensor<f32>) -> tensor<f32> loc(#loc18)
    %15 = "stablehlo.constant"() <{value = dense<1.152000e+03> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %16 = "stablehlo.divide"(%14, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
    %17 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %18 = "stablehlo.constant"() <{value = dense<1.152000e+03> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %19 = "stablehlo.divide"(%17, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc20)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x12x3xf32> loc(#loc21)
    %21 = "stablehlo.multiply"(%20, %12) : (tensor<4x8x12x3xf32>, tensor<4x8x12x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc22)
    %22 = "stablehlo.negate"(%21) : (tensor<4x8x12x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc23)
    %23 = "stablehlo.convolution"(%6, %21) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 4, 4>, padding = dense<3> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x2x3x8xf32>, tensor<4x8x12x3xf32>) -> tensor<4x4x8x3xf32> loc(#loc24)
    %24 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0, 1>}> : (tensor<4x4x8x3xf32>) -> tensor<4x4x8x3xf32> loc(#loc25)
    %25 = "stablehlo.convolution"(%21, %24) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 4, 4>}> : (tensor<4x8x12x3xf32>, tensor<4x4x8x3xf32>) -> tensor<4x2x3x8xf32> loc(#loc24)
    %26 = "stablehlo.convolution"(%1, %25) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<2> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<3x3x8x8xf32> loc(#loc26)
    %27 = "stablehlo.reverse"(%arg2) <{dimensions = array<i64: 0, 1>}> : (tensor<3x3x8x8xf32>) -> tensor<3x3x8x8xf32> loc(#loc27)
    %28 = "stablehlo.convolution"(%25, %27) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<2> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 2, 2>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x2x3x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc26)
    %29 = "stablehlo.add"(%25, %28) : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc28)
    %30 = "stablehlo.multiply"(%29, %4) : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc29)
    %31 = "stablehlo.multiply"(%30, %1) : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc29)
    %32 = "stablehlo.add"(%30, %31) : (tensor<4x2x3x8xf32>, tensor<4x2x3x8xf32>) -> tensor<4x2x3x8xf32> loc(#loc30)
    %33 = "stablehlo.convolution"(%arg3, %32) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 4, 4>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x8x12x3xf32>, tensor<4x2x3x8xf32>) -> tensor<4x4x3x8xf32> loc(#loc26)
    %34 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0, 1>}> : (tensor<4x4x3x8xf32>) -> tensor<4x4x3x8xf32> loc(#loc27)
    %35 = "stablehlo.convolution"(%32, %34) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 4, 4>, padding = dense<3> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x2x3x8xf32>, tensor<4x4x3x8xf32>) -> tensor<4x8x12x3xf32> loc(#loc26)
    %36 = "stablehlo.add"(%22, %35) : (tensor<4x8x12x3xf32>, tensor<4x8x12x3xf32>) -> tensor<4x8x12x3xf32> loc(#loc28)
    "func.return"(%16, %33, %23, %26, %36) : (tensor<f32>, tensor<4x4x3x8xf32>, tensor<4x4x8x3xf32>, tensor<3x3x8x8xf32>, tensor<4x8x12x3xf32>) -> () loc(#loc6)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/models.py":15:11)
#loc2 = loc("jit(patches_step)/jvp()/conv_general_dilated"(#loc1))
#loc3 = loc("test/Integration/JAX/models.py":75:12)
#loc4 = loc("jit(patches_step)/jvp()/tanh"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":585:11)
#loc6 = loc("jit(patches_step)"(#loc5))
#loc7 = loc("jit(patches_step)/jvp()/sub"(#loc3))
#loc8 = loc("test/Integration/JAX/models.py":76:12)
#loc9 = loc("jit(patches_step)/jvp()/add"(#loc8))
#loc10 = loc("test/Integration/JAX/models.py":77:12)
#loc11 = loc("jit(patches_step)/jvp()/conv_general_dilated"(#loc10))
#loc12 = loc("test/Integration/JAX/models.py":78:25)
#loc13 = loc("jit(patches_step)/jvp()/sub"(#loc12))
#loc14 = loc("test/Integration/JAX/models.py":78:24)
#loc15 = loc("jit(patches_step)/jvp()/integer_pow"(#loc14))
#loc16 = loc("jit(patches_step)/jvp()/mul"(#loc14))
#loc17 = loc("test/Integration/JAX/models.py":78:15)
#loc18 = loc("jit(patches_step)/jvp()/reduce_sum"(#loc17))
#loc19 = loc("jit(patches_step)/jvp()/div"(#loc17))
#loc20 = loc("jit(patches_step)/transpose(jvp())/div"(#loc17))
#loc21 = loc("jit(patches_step)/transpose(jvp())/broadcast_in_dim"(#loc17))
#loc22 = loc("jit(patches_step)/transpose(jvp())/mul"(#loc14))
#loc23 = loc("jit(patches_step)/transpose(jvp())/neg"(#loc12))
#loc24 = loc("jit(patches_step)/transpose(jvp())/conv_general_dilated"(#loc10))
#loc25 = loc("jit(patches_step)/transpose(jvp())/rev"(#loc10))
#loc26 = loc("jit(patches_step)/transpose(jvp())/conv_general_dilated"(#loc1))
#loc27 = loc("jit(patches_step)/transpose(jvp())/rev"(#loc1))
#loc28 = loc("jit(patches_step)/transpose(jvp())/add_any"(#loc1))
#loc29 = loc("jit(patches_step)/transpose(jvp())/mul"(#loc3))
#loc30 = loc("jit(patches_step)/transpose(jvp())/add_any"(#loc3))
