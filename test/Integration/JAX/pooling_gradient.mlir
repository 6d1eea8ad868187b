// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/pooling_gradient.inputs.safetensors --expect=%S/pooling_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/pooling_gradient.inputs.safetensors --expect=%S/pooling_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/pooling_gradient.inputs.safetensors --expect=%S/pooling_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/pooling_gradient.inputs.safetensors --expect=%S/pooling_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/pooling_gradient.inputs.safetensors --expect=%S/pooling_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/pooling_gradient.inputs.safetensors --expect=%S/pooling_gradient.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_pooling_gradient"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x6x6x2xf32>) -> (tensor<f32>, tensor<1x6x6x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<1x6x6x2xf32> loc("x")):
    %1 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc2)
    %3 = "stablehlo.reduce_window"(%arg1, %2) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg30: tensor<f32> loc("reduce_window_max:"), %arg31: tensor<f32> loc("reduce_window_max:")):
      %109 = "stablehlo.maximum"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc2)
      "stablehlo.return"(%109) : (tensor<f32>) -> () loc(#loc2)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x3x3x2xf32> loc(#loc2)
    %4 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc6)
    %6 = "stablehlo.multiply"(%5, %arg1) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc6)
    %7 = "func.call"(%6) <{callee = @round}> : (tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc8)
    %8 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc10)
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc10)
    %10 = "stablehlo.reduce_window"(%7, %9) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 2, 1, 1>}> ({
    ^bb0(%arg28: tensor<f32> loc("reduce_window_max:"), %arg29: tensor<f32> loc("reduce_window_max:")):
      %108 = "stablehlo.maximum"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc10)
      "stablehlo.return"(%108) : (tensor<f32>) -> () loc(#loc10)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x3x6x2xf32> loc(#loc10)
    %11 = "func.call"(%arg1) <{callee = @round}> : (tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc12)
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc14)
    %14 = "stablehlo.reduce_window"(%11, %13) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg26: tensor<f32> loc("reduce_window_max:"), %arg27: tensor<f32> loc("reduce_window_max:")):
      %107 = "stablehlo.maximum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      "stablehlo.return"(%107) : (tensor<f32>) -> () loc(#loc14)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x3x3x2xf32> loc(#loc14)
    %15 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc16)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc16)
    %17 = "stablehlo.reduce_window"(%arg1, %16) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg24: tensor<f32> loc("reduce_window_min:"), %arg25: tensor<f32> loc("reduce_window_min:")):
      %106 = "stablehlo.minimum"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
      "stablehlo.return"(%106) : (tensor<f32>) -> () loc(#loc16)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc16)
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc18)
    %20 = "stablehlo.reduce_window"(%arg1, %19) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg22: tensor<f32> loc("reduce_window_sum:"), %arg23: tensor<f32> loc("reduce_window_sum:")):
      %105 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc18)
      "stablehlo.return"(%105) : (tensor<f32>) -> () loc(#loc18)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc18)
    %21 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc19)
    %23 = "stablehlo.divide"(%20, %22) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc19)
    %24 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 1, 6, 6, 2>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 2, 1>}> : (tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc21)
    %25 = "stablehlo.multiply"(%14, %24) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc23)
    %26 = "stablehlo.multiply"(%3, %3) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc25)
    %27 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x3x2xf32> loc(#loc26)
    %29 = "stablehlo.multiply"(%28, %3) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc26)
    %30 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %31 = "stablehlo.reduce"(%26, %30) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg20: tensor<f32> loc("reduce_sum:"), %arg21: tensor<f32> loc("reduce_sum:")):
      %104 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%104) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<1x3x3x2xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %32 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %33 = "stablehlo.add"(%32, %31) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %34 = "stablehlo.multiply"(%10, %10) : (tensor<1x3x6x2xf32>, tensor<1x3x6x2xf32>) -> tensor<1x3x6x2xf32> loc(#loc25)
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %36 = "stablehlo.reduce"(%34, %35) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg18: tensor<f32> loc("reduce_sum:"), %arg19: tensor<f32> loc("reduce_sum:")):
      %103 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%103) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<1x3x6x2xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %37 = "stablehlo.add"(%33, %36) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %38 = "stablehlo.multiply"(%25, %25) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc25)
    %39 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x3x2xf32> loc(#loc26)
    %41 = "stablehlo.multiply"(%40, %25) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc26)
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %43 = "stablehlo.reduce"(%38, %42) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg16: tensor<f32> loc("reduce_sum:"), %arg17: tensor<f32> loc("reduce_sum:")):
      %102 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%102) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<1x3x3x2xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %44 = "stablehlo.add"(%37, %43) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %45 = "stablehlo.multiply"(%17, %17) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc25)
    %46 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc26)
    %48 = "stablehlo.multiply"(%47, %17) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc26)
    %49 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %50 = "stablehlo.reduce"(%45, %49) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg14: tensor<f32> loc("reduce_sum:"), %arg15: tensor<f32> loc("reduce_sum:")):
      %101 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%101) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %51 = "stablehlo.add"(%44, %50) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %52 = "stablehlo.multiply"(%23, %23) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc25)
    %53 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc26)
    %55 = "stablehlo.multiply"(%54, %23) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc26)
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %57 = "stablehlo.reduce"(%52, %56) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg12: tensor<f32> loc("reduce_sum:"), %arg13: tensor<f32> loc("reduce_sum:")):
      %100 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%100) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %58 = "stablehlo.add"(%51, %57) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %59 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc31)
    %61 = "stablehlo.multiply"(%60, %55) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc32)
    %62 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc31)
    %64 = "stablehlo.multiply"(%63, %48) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc32)
    %65 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x3x2xf32> loc(#loc31)
    %67 = "stablehlo.multiply"(%66, %41) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc32)
    %68 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x3x2xf32> loc(#loc31)
    %70 = "stablehlo.multiply"(%69, %29) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc32)
    %71 = "stablehlo.multiply"(%14, %67) : (tensor<1x3x3x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> loc(#loc33)
    %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %73 = "stablehlo.pad"(%71, %72) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 1, 0>}> : (tensor<1x3x3x2xf32>, tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc34)
    %74 = "stablehlo.constant"() <{value = dense<9.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc35)
    %76 = "stablehlo.divide"(%61, %75) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc35)
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %78 = "stablehlo.pad"(%76, %77) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 1, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x8x8x2xf32> loc(#loc36)
    %79 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc37)
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc(#loc37)
    %81 = "stablehlo.reduce_window"(%78, %80) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_window_sum:"), %arg11: tensor<f32> loc("reduce_window_sum:")):
      %99 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc37)
      "stablehlo.return"(%99) : (tensor<f32>) -> () loc(#loc37)
    }) : (tensor<1x8x8x2xf32>, tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc37)
    %82 = "stablehlo.add"(%73, %81) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc38)
    %83 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc39)
    %84 = "stablehlo.pad"(%arg1, %83) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 1, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x8x8x2xf32> loc(#loc40)
    %85 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc39)
    %86 = "stablehlo.select_and_scatter"(%84, %64, %85) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg8: tensor<f32> loc("select_and_scatter:"), %arg9: tensor<f32> loc("select_and_scatter:")):
      %98 = "stablehlo.compare"(%arg8, %arg9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc41)
      "stablehlo.return"(%98) : (tensor<i1>) -> () loc(#loc42)
    }, {
    ^bb0(%arg6: tensor<f32> loc("select_and_scatter:"), %arg7: tensor<f32> loc("select_and_scatter:")):
      %97 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc43)
      "stablehlo.return"(%97) : (tensor<f32>) -> () loc(#loc42)
    }) : (tensor<1x8x8x2xf32>, tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x8x8x2xf32> loc(#loc42)
    %87 = "stablehlo.slice"(%86) <{limit_indices = array<i64: 1, 7, 7, 2>, start_indices = array<i64: 0, 1, 1, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x8x8x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc44)
    %88 = "stablehlo.add"(%82, %87) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc45)
    %89 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc46)
    %90 = "stablehlo.pad"(%arg1, %89) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x6x6x2xf32>, tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc47)
    %91 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc46)
    %92 = "stablehlo.select_and_scatter"(%90, %70, %91) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg4: tensor<f32> loc("select_and_scatter:"), %arg5: tensor<f32> loc("select_and_scatter:")):
      %96 = "stablehlo.compare"(%arg4, %arg5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc48)
      "stablehlo.return"(%96) : (tensor<i1>) -> () loc(#loc49)
    }, {
    ^bb0(%arg2: tensor<f32> loc("select_and_scatter:"), %arg3: tensor<f32> loc("select_and_scatter:")):
      %95 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc43)
      "stablehlo.return"(%95) : (tensor<f32>) -> () loc(#loc49)
    }) : (tensor<1x6x6x2xf32>, tensor<1x3x3x2xf32>, tensor<f32>) -> tensor<1x6x6x2xf32> loc(#loc49)
    %93 = "stablehlo.slice"(%92) <{limit_indices = array<i64: 1, 6, 6, 2>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc50)
    %94 = "stablehlo.add"(%88, %93) : (tensor<1x6x6x2xf32>, tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc(#loc51)
    "func.return"(%58, %94) : (tensor<f32>, tensor<1x6x6x2xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>, res_attrs = [{}], sym_name = "round", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x6x6x2xf32> loc(unknown)):
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> loc("round")
    "func.return"(%0) : (tensor<1x6x6x2xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc52)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":287:18)
#loc2 = loc("jit(pooling_gradient)/jvp()/reduce_window_max"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":585:11)
#loc4 = loc("jit(pooling_gradient)"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":288:50)
#loc6 = loc("jit(pooling_gradient)/jvp()/mul"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":288:40)
#loc8 = loc("jit(pooling_gradient)/jvp(jit(round))"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":288:22)
#loc10 = loc("jit(pooling_gradient)/jvp()/reduce_window_max"(#loc9))
#loc11 = loc("test/Integration/JAX/programs.py":289:33)
#loc12 = loc("jit(pooling_gradient)/jvp(jit(round))"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":289:15)
#loc14 = loc("jit(pooling_gradient)/jvp()/reduce_window_max"(#loc13))
#loc15 = loc("test/Integration/JAX/programs.py":290:16)
#loc16 = loc("jit(pooling_gradient)/jvp()/reduce_window_min"(#loc15))
#loc17 = loc("test/Integration/JAX/programs.py":291:16)
#loc18 = loc("jit(pooling_gradient)/jvp()/reduce_window_sum"(#loc17))
#loc19 = loc("jit(pooling_gradient)/jvp()/div"(#loc17))
#loc20 = loc("test/Integration/JAX/programs.py":292:72)
#loc21 = loc("jit(pooling_gradient)/jvp()/slice"(#loc20))
#loc22 = loc("test/Integration/JAX/programs.py":292:65)
#loc23 = loc("jit(pooling_gradient)/jvp()/mul"(#loc22))
#loc24 = loc("test/Integration/JAX/programs.py":292:27)
#loc25 = loc("jit(pooling_gradient)/jvp()/integer_pow"(#loc24))
#loc26 = loc("jit(pooling_gradient)/jvp()/mul"(#loc24))
#loc27 = loc("test/Integration/JAX/programs.py":292:19)
#loc28 = loc("jit(pooling_gradient)/jvp()/reduce_sum"(#loc27))
#loc29 = loc("test/Integration/JAX/programs.py":292:15)
#loc30 = loc("jit(pooling_gradient)/jvp()/add"(#loc29))
#loc31 = loc("jit(pooling_gradient)/transpose(jvp())/broadcast_in_dim"(#loc27))
#loc32 = loc("jit(pooling_gradient)/transpose(jvp())/mul"(#loc24))
#loc33 = loc("jit(pooling_gradient)/transpose(jvp())/mul"(#loc22))
#loc34 = loc("jit(pooling_gradient)/transpose(jvp())/pad"(#loc20))
#loc35 = loc("jit(pooling_gradient)/transpose(jvp())/div"(#loc17))
#loc36 = loc("jit(pooling_gradient)/transpose(jvp())/pad"(#loc17))
#loc37 = loc("jit(pooling_gradient)/transpose(jvp())/reduce_window_sum"(#loc17))
#loc38 = loc("jit(pooling_gradient)/transpose(jvp())/add_any"(#loc17))
#loc39 = loc("jit(pooling_gradient)/transpose(jvp())/select_and_scatter_add"(#loc15))
#loc40 = loc("jit(pooling_gradient)/transpose(jvp())/pad"(#loc15))
#loc41 = loc("jit(pooling_gradient)/transpose(jvp())/le"(#loc15))
#loc42 = loc("jit(pooling_gradient)/transpose(jvp())/select_and_scatter"(#loc15))
#loc43 = loc("jit(pooling_gradient)/transpose(jvp())/add"(#loc15))
#loc44 = loc("jit(pooling_gradient)/transpose(jvp())/slice"(#loc15))
#loc45 = loc("jit(pooling_gradient)/transpose(jvp())/add_any"(#loc15))
#loc46 = loc("jit(pooling_gradient)/transpose(jvp())/select_and_scatter_add"(#loc1))
#loc47 = loc("jit(pooling_gradient)/transpose(jvp())/pad"(#loc1))
#loc48 = loc("jit(pooling_gradient)/transpose(jvp())/ge"(#loc1))
#loc49 = loc("jit(pooling_gradient)/transpose(jvp())/select_and_scatter"(#loc1))
#loc50 = loc("jit(pooling_gradient)/transpose(jvp())/slice"(#loc1))
#loc51 = loc("jit(pooling_gradient)/transpose(jvp())/add_any"(#loc1))
#loc52 = loc("jit:"(#loc7))
