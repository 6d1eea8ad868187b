// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/short_convolutions.inputs.safetensors --expect=%S/short_convolutions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/short_convolutions.inputs.safetensors --expect=%S/short_convolutions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/short_convolutions.inputs.safetensors --expect=%S/short_convolutions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/short_convolutions.inputs.safetensors --expect=%S/short_convolutions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/short_convolutions.inputs.safetensors --expect=%S/short_convolutions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/short_convolutions.inputs.safetensors --expect=%S/short_convolutions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_short_convolutions"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x8x3xf32>, tensor<3x3x4xf32>, tensor<2x1x8xi8>, tensor<1x1x3xi8>) -> (tensor<10xf32>, tensor<2x8x4xbf16>, tensor<2x1x8xi32>, tensor<2x4x9xf32>), res_attrs = [{jax.result_info = "result['convolve']"}, {jax.result_info = "result['half']"}, {jax.result_info = "result['integers']"}, {jax.result_info = "result['patches']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<2x8x3xf32> loc("x"), %arg6: tensor<3x3x4xf32> loc("w"), %arg7: tensor<2x1x8xi8> loc("n"), %arg8: tensor<1x1x3xi8> loc("m")):
    %7 = "stablehlo.convert"(%arg5) : (tensor<2x8x3xf32>) -> tensor<2x8x3xbf16> loc(#loc2)
    %8 = "stablehlo.convert"(%arg6) : (tensor<3x3x4xf32>) -> tensor<3x3x4xbf16> loc(#loc4)
    %9 = "stablehlo.convolution"(%7, %8) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<2x8x3xbf16>, tensor<3x3x4xbf16>) -> tensor<2x8x4xbf16> loc(#loc6)
    %10 = "stablehlo.convolution"(%arg7, %arg8) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<2x1x8xi8>, tensor<1x1x3xi8>) -> tensor<2x1x8xi32> loc(#loc8)
    %11 = "stablehlo.slice"(%arg5) <{limit_indices = array<i64: 1, 8, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x8x3xf32>) -> tensor<1x8x1xf32> loc(#loc10)
    %12 = "stablehlo.reshape"(%11) : (tensor<1x8x1xf32>) -> tensor<8xf32> loc(#loc11)
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3, 1, 1>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<3x3x4xf32>) -> tensor<3x1x1xf32> loc(#loc13)
    %14 = "stablehlo.reshape"(%13) : (tensor<3x1x1xf32>) -> tensor<3xf32> loc(#loc14)
    %15 = "func.call"(%12, %14) <{callee = @convolve}> : (tensor<8xf32>, tensor<3xf32>) -> tensor<10xf32> loc(#loc16)
    %16 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xi32> loc(#loc18)
    %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc20)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x3xi32> loc(#loc21)
    %19 = "stablehlo.add"(%16, %18) : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi32> loc(#loc21)
    %20 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xi32> loc(#loc18)
    %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1> loc(#loc22)
    %22 = "stablehlo.convert"(%21) : (tensor<3x3xi1>) -> tensor<3x3xf32> loc(#loc23)
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x3xf32>) -> tensor<3x3x3xf32> loc(#loc24)
    %24 = "stablehlo.reshape"(%23) : (tensor<3x3x3xf32>) -> tensor<9x1x3xf32> loc(#loc25)
    %25 = "stablehlo.transpose"(%24) <{permutation = array<i64: 2, 1, 0>}> : (tensor<9x1x3xf32>) -> tensor<3x1x9xf32> loc(#loc26)
    %26 = "stablehlo.convolution"(%arg5, %25) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 1>, padding = dense<[[0, 1]]> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 2>}> : (tensor<2x8x3xf32>, tensor<3x1x9xf32>) -> tensor<2x4x9xf32> loc(#loc27)
    "func.return"(%15, %9, %10, %26) : (tensor<10xf32>, tensor<2x8x4xbf16>, tensor<2x1x8xi32>, tensor<2x4x9xf32>) -> () loc(#loc20)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xf32>, tensor<3xf32>) -> tensor<10xf32>, res_attrs = [{}], sym_name = "convolve", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<8xf32> loc(unknown), %arg4: tensor<3xf32> loc(unknown)):
    %6 = "func.call"(%arg3, %arg4) <{callee = @_conv}> : (tensor<8xf32>, tensor<3xf32>) -> tensor<10xf32> loc("jit(_conv)")
    "func.return"(%6) : (tensor<10xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc28)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8xf32>, tensor<3xf32>) -> tensor<10xf32>, res_attrs = [{}], sym_name = "_conv", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<8xf32> loc(unknown), %arg2: tensor<3xf32> loc(unknown)):
    %1 = "func.call"(%arg2) <{callee = @_flip}> : (tensor<3xf32>) -> tensor<3xf32> loc("jit(_flip)")
    %2 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 2>}> : (tensor<8xf32>) -> tensor<1x1x8xf32> loc("broadcast_in_dim")
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 2>}> : (tensor<3xf32>) -> tensor<1x1x3xf32> loc("broadcast_in_dim")
    %4 = "stablehlo.convolution"(%2, %3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<2> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> tensor<1x1x10xf32> loc("conv_general_dilated")
    %5 = "stablehlo.reshape"(%4) : (tensor<1x1x10xf32>) -> tensor<10xf32> loc("squeeze")
    "func.return"(%5) : (tensor<10xf32>) -> () loc(unknown)
  }) : () -> () loc("jit:")
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3xf32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3xf32> loc(unknown)):
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3xf32> loc("rev")
    "func.return"(%0) : (tensor<3xf32>) -> () loc(unknown)
  }) : () -> () loc("jit:")
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":353:8)
#loc2 = loc("jit(short_convolutions)/convert_element_type"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":353:32)
#loc4 = loc("jit(short_convolutions)/convert_element_type"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":352:11)
#loc6 = loc("jit(short_convolutions)/conv_general_dilated"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":357:20)
#loc8 = loc("jit(short_convolutions)/conv_general_dilated"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":358:33)
#loc10 = loc("jit(short_convolutions)/slice"(#loc9))
#loc11 = loc("jit(short_convolutions)/squeeze"(#loc9))
#loc12 = loc("test/Integration/JAX/programs.py":358:45)
#loc13 = loc("jit(short_convolutions)/slice"(#loc12))
#loc14 = loc("jit(short_convolutions)/squeeze"(#loc12))
#loc15 = loc("test/Integration/JAX/programs.py":358:20)
#loc16 = loc("jit(short_convolutions)/jit(convolve)"(#loc15))
#loc17 = loc("test/Integration/JAX/programs.py":359:19)
#loc18 = loc("jit(short_convolutions)/iota"(#loc17))
#loc19 = loc("test/Integration/JAX/programs.py":746:11)
#loc20 = loc("jit(short_convolutions)"(#loc19))
#loc21 = loc("jit(short_convolutions)/add"(#loc17))
#loc22 = loc("jit(short_convolutions)/eq"(#loc17))
#loc23 = loc("jit(short_convolutions)/convert_element_type"(#loc17))
#loc24 = loc("jit(short_convolutions)/broadcast_in_dim"(#loc17))
#loc25 = loc("jit(short_convolutions)/reshape"(#loc17))
#loc26 = loc("jit(short_convolutions)/transpose"(#loc17))
#loc27 = loc("jit(short_convolutions)/conv_general_dilated"(#loc17))
#loc28 = loc("jit:"(#loc15))
