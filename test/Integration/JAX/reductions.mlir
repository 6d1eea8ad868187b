// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/reductions.inputs.safetensors --expect=%S/reductions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/reductions.inputs.safetensors --expect=%S/reductions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/reductions.inputs.safetensors --expect=%S/reductions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/reductions.inputs.safetensors --expect=%S/reductions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/reductions.inputs.safetensors --expect=%S/reductions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/reductions.inputs.safetensors --expect=%S/reductions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_reductions"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<3xi1>, tensor<5xi1>, tensor<3xi32>, tensor<5xi32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<5xi32>, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>), res_attrs = [{jax.result_info = "result['all']"}, {jax.result_info = "result['any']"}, {jax.result_info = "result['argmax']"}, {jax.result_info = "result['argmin']"}, {jax.result_info = "result['logsumexp']"}, {jax.result_info = "result['max']"}, {jax.result_info = "result['mean']"}, {jax.result_info = "result['min']"}, {jax.result_info = "result['product']"}, {jax.result_info = "result['sum']"}, {jax.result_info = "result['variance']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<3x5xf32> loc("x"), %arg20: tensor<3x5xi32> loc("n")):
    %51 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %52 = "stablehlo.reduce"(%arg19, %51) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg37: tensor<f32> loc("reduce_sum:"), %arg38: tensor<f32> loc("reduce_sum:")):
      %103 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc2)
      "stablehlo.return"(%103) : (tensor<f32>) -> () loc(#loc2)
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32> loc(#loc2)
    %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc4)
    %54 = "stablehlo.reduce"(%arg19, %53) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg35: tensor<f32> loc("reduce_sum:"), %arg36: tensor<f32> loc("reduce_sum:")):
      %102 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc4)
      "stablehlo.return"(%102) : (tensor<f32>) -> () loc(#loc4)
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32> loc(#loc4)
    %55 = "stablehlo.constant"() <{value = dense<1.500000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %56 = "stablehlo.divide"(%54, %55) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc7)
    %57 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
    %58 = "stablehlo.reduce"(%arg19, %57) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg33: tensor<f32> loc("reduce_max:"), %arg34: tensor<f32> loc("reduce_max:")):
      %101 = "stablehlo.maximum"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      "stablehlo.return"(%101) : (tensor<f32>) -> () loc(#loc9)
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32> loc(#loc9)
    %59 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32> loc(#loc11)
    %60 = "stablehlo.reduce"(%arg20, %59) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg31: tensor<i32> loc("reduce_min:"), %arg32: tensor<i32> loc("reduce_min:")):
      %100 = "stablehlo.minimum"(%arg31, %arg32) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc11)
      "stablehlo.return"(%100) : (tensor<i32>) -> () loc(#loc11)
    }) : (tensor<3x5xi32>, tensor<i32>) -> tensor<5xi32> loc(#loc11)
    %61 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %62 = "stablehlo.reduce"(%arg19, %61) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg29: tensor<f32> loc("reduce_prod:"), %arg30: tensor<f32> loc("reduce_prod:")):
      %99 = "stablehlo.multiply"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      "stablehlo.return"(%99) : (tensor<f32>) -> () loc(#loc13)
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32> loc(#loc13)
    %63 = "stablehlo.constant"() <{value = dense<-8> : tensor<i32>}> : () -> tensor<i32> loc(#loc6)
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x5xi32> loc(#loc15)
    %65 = "stablehlo.compare"(%arg20, %64) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1> loc(#loc15)
    %66 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1> loc(#loc17)
    %67 = "stablehlo.reduce"(%65, %66) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg27: tensor<i1> loc("reduce_and:"), %arg28: tensor<i1> loc("reduce_and:")):
      %98 = "stablehlo.and"(%arg27, %arg28) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc17)
      "stablehlo.return"(%98) : (tensor<i1>) -> () loc(#loc17)
    }) : (tensor<3x5xi1>, tensor<i1>) -> tensor<3xi1> loc(#loc17)
    %68 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc6)
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x5xi32> loc(#loc19)
    %70 = "stablehlo.compare"(%arg20, %69) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1> loc(#loc19)
    %71 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1> loc(#loc21)
    %72 = "stablehlo.reduce"(%70, %71) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg25: tensor<i1> loc("reduce_or:"), %arg26: tensor<i1> loc("reduce_or:")):
      %97 = "stablehlo.or"(%arg25, %arg26) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc21)
      "stablehlo.return"(%97) : (tensor<i1>) -> () loc(#loc21)
    }) : (tensor<3x5xi1>, tensor<i1>) -> tensor<5xi1> loc(#loc21)
    %73 = "func.call"(%arg19) <{callee = @argmax}> : (tensor<3x5xf32>) -> tensor<3xi32> loc(#loc23)
    %74 = "func.call"(%arg20) <{callee = @argmin}> : (tensor<3x5xi32>) -> tensor<5xi32> loc(#loc25)
    %75 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc6)
    %76 = "func.call"(%arg19, %75) <{callee = @_var}> : (tensor<3x5xf32>, tensor<i32>) -> tensor<3xf32> loc(#loc27)
    %77 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc29)
    %78 = "stablehlo.reduce"(%arg19, %77) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg23: tensor<f32> loc("reduce_max:"), %arg24: tensor<f32> loc("reduce_max:")):
      %96 = "stablehlo.maximum"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc29)
      "stablehlo.return"(%96) : (tensor<f32>) -> () loc(#loc29)
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32> loc(#loc29)
    %79 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc(#loc30)
    %81 = "stablehlo.maximum"(%80, %78) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc(#loc30)
    %82 = "stablehlo.is_finite"(%81) : (tensor<3xf32>) -> tensor<3xi1> loc(#loc31)
    %83 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc(#loc32)
    %85 = "stablehlo.select"(%82, %81, %84) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc(#loc33)
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32> loc(#loc32)
    %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x5xf32> loc(#loc34)
    %88 = "stablehlo.subtract"(%arg19, %87) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32> loc(#loc34)
    %89 = "stablehlo.exponential"(%88) : (tensor<3x5xf32>) -> tensor<3x5xf32> loc(#loc35)
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc36)
    %91 = "stablehlo.reduce"(%89, %90) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg21: tensor<f32> loc("reduce_sum:"), %arg22: tensor<f32> loc("reduce_sum:")):
      %95 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc36)
      "stablehlo.return"(%95) : (tensor<f32>) -> () loc(#loc36)
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32> loc(#loc36)
    %92 = "stablehlo.abs"(%91) : (tensor<3xf32>) -> tensor<3xf32> loc(#loc37)
    %93 = "stablehlo.log"(%92) : (tensor<3xf32>) -> tensor<3xf32> loc(#loc38)
    %94 = "stablehlo.add"(%93, %85) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc(#loc39)
    "func.return"(%67, %72, %73, %74, %94, %58, %56, %60, %62, %52, %76) : (tensor<3xi1>, tensor<5xi1>, tensor<3xi32>, tensor<5xi32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<5xi32>, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>) -> () loc(#loc6)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<3x5xf32> loc(#loc23)):
    %38 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x5xi32> loc(#loc40)
    %39 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc("argmax:")
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("argmax:")
    %41:2 = "stablehlo.reduce"(%arg14, %38, %39, %40) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg15: tensor<f32> loc("reduce:"), %arg16: tensor<i32> loc("reduce:"), %arg17: tensor<f32> loc("reduce:"), %arg18: tensor<i32> loc("reduce:")):
      %42 = "stablehlo.compare"(%arg15, %arg17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc41)
      %43 = "stablehlo.compare"(%arg15, %arg15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc42)
      %44 = "stablehlo.or"(%42, %43) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc43)
      %45 = "stablehlo.compare"(%arg15, %arg17) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc(#loc44)
      %46 = "stablehlo.compare"(%arg16, %arg18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc45)
      %47 = "stablehlo.and"(%45, %46) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc46)
      %48 = "stablehlo.or"(%44, %47) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc43)
      %49 = "stablehlo.select"(%44, %arg15, %arg17) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc47)
      %50 = "stablehlo.select"(%48, %arg16, %arg18) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc47)
      "stablehlo.return"(%49, %50) : (tensor<f32>, tensor<i32>) -> () loc(#loc48)
    }) : (tensor<3x5xf32>, tensor<3x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) loc(#loc48)
    "func.return"(%41#1) : (tensor<3xi32>) -> () loc(#loc23)
  }) : () -> () loc(#loc23)
  "func.func"() <{function_type = (tensor<3x5xi32>) -> tensor<5xi32>, sym_name = "argmin", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x5xi32> loc(#loc25)):
    %25 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x5xi32> loc(#loc49)
    %26 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> tensor<i32> loc("argmin:")
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("argmin:")
    %28:2 = "stablehlo.reduce"(%arg9, %25, %26, %27) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg10: tensor<i32> loc("reduce:"), %arg11: tensor<i32> loc("reduce:"), %arg12: tensor<i32> loc("reduce:"), %arg13: tensor<i32> loc("reduce:")):
      %29 = "stablehlo.compare"(%arg10, %arg12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc50)
      %30 = "stablehlo.compare"(%arg10, %arg10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc51)
      %31 = "stablehlo.or"(%29, %30) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc52)
      %32 = "stablehlo.compare"(%arg10, %arg12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc53)
      %33 = "stablehlo.compare"(%arg11, %arg13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc50)
      %34 = "stablehlo.and"(%32, %33) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc54)
      %35 = "stablehlo.or"(%31, %34) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc(#loc52)
      %36 = "stablehlo.select"(%31, %arg10, %arg12) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc55)
      %37 = "stablehlo.select"(%35, %arg11, %arg13) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc55)
      "stablehlo.return"(%36, %37) : (tensor<i32>, tensor<i32>) -> () loc(#loc56)
    }) : (tensor<3x5xi32>, tensor<3x5xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>) loc(#loc56)
    "func.return"(%28#1) : (tensor<5xi32>) -> () loc(#loc25)
  }) : () -> () loc(#loc25)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x5xf32>, tensor<i32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x5xf32> loc(unknown), %arg4: tensor<i32> loc(unknown)):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_sum")
    %4 = "stablehlo.reduce"(%arg3, %3) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg7: tensor<f32> loc("reduce_sum:"), %arg8: tensor<f32> loc("reduce_sum:")):
      %24 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_sum")
      "stablehlo.return"(%24) : (tensor<f32>) -> () loc("reduce_sum")
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32> loc("reduce_sum")
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32> loc("broadcast_in_dim")
    %6 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x1xf32> loc("div")
    %8 = "stablehlo.divide"(%5, %7) : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x1xf32> loc("div")
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x5xf32> loc("sub")
    %10 = "stablehlo.subtract"(%arg3, %9) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32> loc("sub")
    %11 = "chlo.square"(%10) : (tensor<3x5xf32>) -> tensor<3x5xf32> loc("square")
    %12 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<f32> loc("convert_element_type")
    %13 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %14 = "stablehlo.subtract"(%13, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("sub")
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_sum")
    %16 = "stablehlo.reduce"(%11, %15) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f32> loc("reduce_sum:"), %arg6: tensor<f32> loc("reduce_sum:")):
      %23 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_sum")
      "stablehlo.return"(%23) : (tensor<f32>) -> () loc("reduce_sum")
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32> loc("reduce_sum")
    %17 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc("div")
    %18 = "stablehlo.divide"(%16, %17) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("div")
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %20 = "stablehlo.compare"(%14, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("gt")
    %21 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %22 = "func.call"(%20, %18, %21) <{callee = @_where}> : (tensor<i1>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32> loc("jit(_where)")
    "func.return"(%22) : (tensor<3xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc57)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1> loc(unknown), %arg1: tensor<3xf32> loc(unknown), %arg2: tensor<f32> loc(unknown)):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32> loc("convert_element_type")
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc("broadcast_in_dim")
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("select_n")
    "func.return"(%2) : (tensor<3xf32>) -> () loc(unknown)
  }) : () -> () loc("jit:")
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":261:15)
#loc2 = loc("jit(reductions)/reduce_sum"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":262:16)
#loc4 = loc("jit(reductions)/reduce_sum"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":424:11)
#loc6 = loc("jit(reductions)"(#loc5))
#loc7 = loc("jit(reductions)/div"(#loc3))
#loc8 = loc("test/Integration/JAX/programs.py":263:15)
#loc9 = loc("jit(reductions)/reduce_max"(#loc8))
#loc10 = loc("test/Integration/JAX/programs.py":264:15)
#loc11 = loc("jit(reductions)/reduce_min"(#loc10))
#loc12 = loc("test/Integration/JAX/programs.py":265:19)
#loc13 = loc("jit(reductions)/reduce_prod"(#loc12))
#loc14 = loc("test/Integration/JAX/programs.py":266:23)
#loc15 = loc("jit(reductions)/gt"(#loc14))
#loc16 = loc("test/Integration/JAX/programs.py":266:15)
#loc17 = loc("jit(reductions)/reduce_and"(#loc16))
#loc18 = loc("test/Integration/JAX/programs.py":267:23)
#loc19 = loc("jit(reductions)/gt"(#loc18))
#loc20 = loc("test/Integration/JAX/programs.py":267:15)
#loc21 = loc("jit(reductions)/reduce_or"(#loc20))
#loc22 = loc("test/Integration/JAX/programs.py":268:18)
#loc23 = loc("jit(reductions)"(#loc22))
#loc24 = loc("test/Integration/JAX/programs.py":269:18)
#loc25 = loc("jit(reductions)"(#loc24))
#loc26 = loc("test/Integration/JAX/programs.py":270:20)
#loc27 = loc("jit(reductions)/jit(_var)"(#loc26))
#loc28 = loc("test/Integration/JAX/programs.py":271:21)
#loc29 = loc("jit(reductions)/reduce_max"(#loc28))
#loc30 = loc("jit(reductions)/max"(#loc28))
#loc31 = loc("jit(reductions)/is_finite"(#loc28))
#loc32 = loc("jit(reductions)/broadcast_in_dim"(#loc28))
#loc33 = loc("jit(reductions)/select_n"(#loc28))
#loc34 = loc("jit(reductions)/sub"(#loc28))
#loc35 = loc("jit(reductions)/exp"(#loc28))
#loc36 = loc("jit(reductions)/reduce_sum"(#loc28))
#loc37 = loc("jit(reductions)/abs"(#loc28))
#loc38 = loc("jit(reductions)/log"(#loc28))
#loc39 = loc("jit(reductions)/add"(#loc28))
#loc40 = loc("iota"(#loc22))
#loc41 = loc("gt"(#loc22))
#loc42 = loc("ne"(#loc22))
#loc43 = loc("or"(#loc22))
#loc44 = loc("eq"(#loc22))
#loc45 = loc("lt"(#loc22))
#loc46 = loc("and"(#loc22))
#loc47 = loc("select_n"(#loc22))
#loc48 = loc("reduce"(#loc22))
#loc49 = loc("iota"(#loc24))
#loc50 = loc("lt"(#loc24))
#loc51 = loc("ne"(#loc24))
#loc52 = loc("or"(#loc24))
#loc53 = loc("eq"(#loc24))
#loc54 = loc("and"(#loc24))
#loc55 = loc("select_n"(#loc24))
#loc56 = loc("reduce"(#loc24))
#loc57 = loc("jit:"(#loc26))
