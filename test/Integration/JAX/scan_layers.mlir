// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/scan_layers.inputs.safetensors --expect=%S/scan_layers.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/scan_layers.inputs.safetensors --expect=%S/scan_layers.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/scan_layers.inputs.safetensors --expect=%S/scan_layers.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/scan_layers.inputs.safetensors --expect=%S/scan_layers.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/scan_layers.inputs.safetensors --expect=%S/scan_layers.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/scan_layers.inputs.safetensors --expect=%S/scan_layers.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_scan_layers"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<2x4xf32>) -> (tensor<f32>, tensor<3x4xf32>, tensor<3x4x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['b']"}, {jax.result_info = "result[1]['w']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg35: tensor<3x4xf32> loc("p['b']"), %arg36: tensor<3x4x4xf32> loc("p['w']"), %arg37: tensor<2x4xf32> loc("x")):
    %56 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc(#loc3)
    %58 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4xf32> loc(#loc3)
    %60 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4xf32> loc(#loc3)
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x2x4xf32> loc(#loc3)
    %64 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %65:8 = "stablehlo.while"(%arg35, %arg36, %64, %arg37, %57, %59, %61, %63) ({
    ^bb0(%arg68: tensor<3x4xf32> loc("while:"), %arg69: tensor<3x4x4xf32> loc("while:"), %arg70: tensor<i32> loc("while:"), %arg71: tensor<2x4xf32> loc("while:"), %arg72: tensor<3xf32> loc("while:"), %arg73: tensor<3x2x4xf32> loc("while:"), %arg74: tensor<3x2x4xf32> loc("while:"), %arg75: tensor<3x2x4xf32> loc("while:")):
      %108 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc5)
      %109 = "stablehlo.compare"(%arg70, %108) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc6)
      "stablehlo.return"(%109) : (tensor<i1>) -> () loc(#loc5)
    }, {
    ^bb0(%arg60: tensor<3x4xf32> loc("while:"), %arg61: tensor<3x4x4xf32> loc("while:"), %arg62: tensor<i32> loc("while:"), %arg63: tensor<2x4xf32> loc("while:"), %arg64: tensor<3xf32> loc("while:"), %arg65: tensor<3x2x4xf32> loc("while:"), %arg66: tensor<3x2x4xf32> loc("while:"), %arg67: tensor<3x2x4xf32> loc("while:")):
      %99 = "func.call"(%arg60, %arg62) <{callee = @dynamic_index_in_dim}> : (tensor<3x4xf32>, tensor<i32>) -> tensor<4xf32> loc(#loc7)
      %100 = "func.call"(%arg61, %arg62) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32> loc(#loc7)
      %101:5 = "func.call"(%arg63, %99, %100) <{callee = @closed_call}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) loc(#loc8)
      %102 = "func.call"(%arg64, %101#1, %arg62) <{callee = @dynamic_update_index_in_dim}> : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32> loc(#loc9)
      %103 = "func.call"(%arg65, %101#2, %arg62) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32> loc(#loc9)
      %104 = "func.call"(%arg66, %101#3, %arg62) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32> loc(#loc9)
      %105 = "func.call"(%arg67, %101#4, %arg62) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32> loc(#loc9)
      %106 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc5)
      %107 = "stablehlo.add"(%arg62, %106) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc10)
      "stablehlo.return"(%arg60, %arg61, %107, %101#0, %102, %103, %104, %105) : (tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> () loc(#loc5)
    }) : (tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> (tensor<3x4xf32>, tensor<3x4x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>) loc(#loc5)
    %66 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc12)
    %67 = "stablehlo.reduce"(%65#3, %66) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg58: tensor<f32> loc("reduce_sum:"), %arg59: tensor<f32> loc("reduce_sum:")):
      %98 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      "stablehlo.return"(%98) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc12)
    %68 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %69 = "stablehlo.reduce"(%65#4, %68) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg56: tensor<f32> loc("reduce_sum:"), %arg57: tensor<f32> loc("reduce_sum:")):
      %97 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      "stablehlo.return"(%97) : (tensor<f32>) -> () loc(#loc14)
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32> loc(#loc14)
    %70 = "stablehlo.add"(%67, %69) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
    %71 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32> loc(#loc18)
    %73 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc19)
    %75 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc20)
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32> loc(#loc21)
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc20)
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x4xf32> loc(#loc21)
    %79 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc22)
    %80:9 = "stablehlo.while"(%72, %arg36, %65#5, %65#6, %65#7, %79, %74, %76, %78) ({
    ^bb0(%arg47: tensor<3xf32> loc("while:"), %arg48: tensor<3x4x4xf32> loc("while:"), %arg49: tensor<3x2x4xf32> loc("while:"), %arg50: tensor<3x2x4xf32> loc("while:"), %arg51: tensor<3x2x4xf32> loc("while:"), %arg52: tensor<i32> loc("while:"), %arg53: tensor<2x4xf32> loc("while:"), %arg54: tensor<3x4xf32> loc("while:"), %arg55: tensor<3x4x4xf32> loc("while:")):
      %95 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc23)
      %96 = "stablehlo.compare"(%arg52, %95) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc24)
      "stablehlo.return"(%96) : (tensor<i1>) -> () loc(#loc23)
    }, {
    ^bb0(%arg38: tensor<3xf32> loc("while:"), %arg39: tensor<3x4x4xf32> loc("while:"), %arg40: tensor<3x2x4xf32> loc("while:"), %arg41: tensor<3x2x4xf32> loc("while:"), %arg42: tensor<3x2x4xf32> loc("while:"), %arg43: tensor<i32> loc("while:"), %arg44: tensor<2x4xf32> loc("while:"), %arg45: tensor<3x4xf32> loc("while:"), %arg46: tensor<3x4x4xf32> loc("while:")):
      %81 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc23)
      %82 = "stablehlo.subtract"(%81, %arg43) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc25)
      %83 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc23)
      %84 = "stablehlo.subtract"(%82, %83) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc25)
      %85 = "func.call"(%arg38, %84) <{callee = @dynamic_index_in_dim_2}> : (tensor<3xf32>, tensor<i32>) -> tensor<f32> loc(#loc26)
      %86 = "func.call"(%arg39, %84) <{callee = @dynamic_index_in_dim_0}> : (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32> loc(#loc26)
      %87 = "func.call"(%arg40, %84) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32> loc(#loc26)
      %88 = "func.call"(%arg41, %84) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32> loc(#loc26)
      %89 = "func.call"(%arg42, %84) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32> loc(#loc26)
      %90:3 = "func.call"(%arg44, %85, %86, %87, %88, %89) <{callee = @closed_call_4}> : (tensor<2x4xf32>, tensor<f32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4x4xf32>) loc(#loc27)
      %91 = "func.call"(%arg45, %90#1, %84) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<3x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<3x4xf32> loc(#loc28)
      %92 = "func.call"(%arg46, %90#2, %84) <{callee = @dynamic_update_index_in_dim_6}> : (tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32> loc(#loc28)
      %93 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc23)
      %94 = "stablehlo.add"(%arg43, %93) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc29)
      "stablehlo.return"(%arg38, %arg39, %arg40, %arg41, %arg42, %94, %90#0, %91, %92) : (tensor<3xf32>, tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<3x4x4xf32>) -> () loc(#loc23)
    }) : (tensor<3xf32>, tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<3x4x4xf32>) -> (tensor<3xf32>, tensor<3x4x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<3x2x4xf32>, tensor<i32>, tensor<2x4xf32>, tensor<3x4xf32>, tensor<3x4x4xf32>) loc(#loc23)
    "func.return"(%70, %80#7, %80#8) : (tensor<f32>, tensor<3x4xf32>, tensor<3x4x4xf32>) -> () loc(#loc17)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xf32>, tensor<i32>) -> tensor<4xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<3x4xf32> loc(unknown), %arg34: tensor<i32> loc(unknown)):
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %54 = "stablehlo.dynamic_slice"(%arg33, %arg34, %53) <{slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32> loc(#loc30)
    %55 = "stablehlo.reshape"(%54) : (tensor<1x4xf32>) -> tensor<4xf32> loc(#loc31)
    "func.return"(%55) : (tensor<4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<3x4x4xf32> loc(unknown), %arg32: tensor<i32> loc(unknown)):
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %51 = "stablehlo.dynamic_slice"(%arg31, %arg32, %49, %50) <{slice_sizes = array<i64: 1, 4, 4>}> : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32> loc(#loc30)
    %52 = "stablehlo.reshape"(%51) : (tensor<1x4x4xf32>) -> tensor<4x4xf32> loc(#loc31)
    "func.return"(%52) : (tensor<4x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>), res_attrs = [{}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg26: tensor<2x4xf32> loc(unknown), %arg27: tensor<4xf32> loc(unknown), %arg28: tensor<4x4xf32> loc(unknown)):
    %37 = "stablehlo.dot_general"(%arg26, %arg28) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc34)
    %38 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32> loc(#loc35)
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xf32>) -> tensor<2x4xf32> loc(#loc36)
    %40 = "stablehlo.add"(%37, %39) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc36)
    %41 = "stablehlo.tanh"(%40) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc38)
    %42 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc39)
    %44 = "stablehlo.subtract"(%43, %41) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc39)
    %45 = "stablehlo.multiply"(%arg26, %arg26) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc41)
    %46 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc43)
    %47 = "stablehlo.reduce"(%45, %46) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg29: tensor<f32> loc("reduce_sum:"), %arg30: tensor<f32> loc("reduce_sum:")):
      %48 = "stablehlo.add"(%arg29, %arg30) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc43)
      "stablehlo.return"(%48) : (tensor<f32>) -> () loc(#loc43)
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc43)
    "func.return"(%41, %47, %arg26, %41, %44) : (tensor<2x4xf32>, tensor<f32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc44)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg23: tensor<3xf32> loc(unknown), %arg24: tensor<f32> loc(unknown), %arg25: tensor<i32> loc(unknown)):
    %35 = "stablehlo.broadcast_in_dim"(%arg24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32> loc(#loc45)
    %36 = "stablehlo.dynamic_update_slice"(%arg23, %35, %arg25) : (tensor<3xf32>, tensor<1xf32>, tensor<i32>) -> tensor<3xf32> loc(#loc46)
    "func.return"(%36) : (tensor<3xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<3x2x4xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<3x2x4xf32> loc(unknown), %arg21: tensor<2x4xf32> loc(unknown), %arg22: tensor<i32> loc(unknown)):
    %31 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x4xf32>) -> tensor<1x2x4xf32> loc(#loc45)
    %32 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %34 = "stablehlo.dynamic_update_slice"(%arg20, %31, %arg22, %32, %33) : (tensor<3x2x4xf32>, tensor<1x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x2x4xf32> loc(#loc46)
    "func.return"(%34) : (tensor<3x2x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3xf32>, tensor<i32>) -> tensor<f32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<3xf32> loc(unknown), %arg19: tensor<i32> loc(unknown)):
    %29 = "stablehlo.dynamic_slice"(%arg18, %arg19) <{slice_sizes = array<i64: 1>}> : (tensor<3xf32>, tensor<i32>) -> tensor<1xf32> loc(#loc30)
    %30 = "stablehlo.reshape"(%29) : (tensor<1xf32>) -> tensor<f32> loc(#loc31)
    "func.return"(%30) : (tensor<f32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x2x4xf32>, tensor<i32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<3x2x4xf32> loc(unknown), %arg17: tensor<i32> loc(unknown)):
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %27 = "stablehlo.dynamic_slice"(%arg16, %arg17, %25, %26) <{slice_sizes = array<i64: 1, 2, 4>}> : (tensor<3x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32> loc(#loc30)
    %28 = "stablehlo.reshape"(%27) : (tensor<1x2x4xf32>) -> tensor<2x4xf32> loc(#loc31)
    "func.return"(%28) : (tensor<2x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<f32>, tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4x4xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_4", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x4xf32> loc(unknown), %arg7: tensor<f32> loc(unknown), %arg8: tensor<4x4xf32> loc(unknown), %arg9: tensor<2x4xf32> loc(unknown), %arg10: tensor<2x4xf32> loc(unknown), %arg11: tensor<2x4xf32> loc(unknown)):
    %7 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc47)
    %8 = "stablehlo.multiply"(%arg9, %7) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc41)
    %9 = "stablehlo.multiply"(%7, %arg9) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc41)
    %10 = "stablehlo.add"(%8, %9) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc48)
    %11 = "stablehlo.multiply"(%arg6, %arg11) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc49)
    %12 = "stablehlo.multiply"(%11, %arg10) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc49)
    %13 = "stablehlo.add"(%11, %12) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc50)
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc51)
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg14: tensor<f32> loc("reduce_sum:"), %arg15: tensor<f32> loc("reduce_sum:")):
      %24 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc51)
      "stablehlo.return"(%24) : (tensor<f32>) -> () loc(#loc51)
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32> loc(#loc51)
    %16 = "stablehlo.reshape"(%15) : (tensor<4xf32>) -> tensor<1x4xf32> loc(#loc52)
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc51)
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg12: tensor<f32> loc("reduce_sum:"), %arg13: tensor<f32> loc("reduce_sum:")):
      %23 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc51)
      "stablehlo.return"(%23) : (tensor<f32>) -> () loc(#loc51)
    }) : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32> loc(#loc51)
    %19 = "stablehlo.dot_general"(%13, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32> loc(#loc34)
    %20 = "stablehlo.transpose"(%19) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc53)
    %21 = "stablehlo.dot_general"(%13, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32> loc(#loc34)
    %22 = "stablehlo.add"(%10, %21) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc54)
    "func.return"(%22, %18, %20) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc44)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<3x4xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x4xf32> loc(unknown), %arg4: tensor<4xf32> loc(unknown), %arg5: tensor<i32> loc(unknown)):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1x4xf32> loc(#loc45)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %6 = "stablehlo.dynamic_update_slice"(%arg3, %4, %arg5, %5) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32> loc(#loc46)
    "func.return"(%6) : (tensor<3x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<i32>) -> tensor<3x4x4xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x4x4xf32> loc(unknown), %arg1: tensor<4x4xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x4xf32>) -> tensor<1x4x4xf32> loc(#loc45)
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32> loc(#loc46)
    "func.return"(%3) : (tensor<3x4x4xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":152:19)
#loc2 = loc("jit(scan_layers)/jvp()/empty2"(#loc1))
#loc3 = loc("jit(scan_layers)/jvp()/broadcast_in_dim"(#loc1))
#loc4 = loc("jit(scan_layers)/jvp()/scan"(#loc1))
#loc5 = loc("jit(scan_layers)/jvp()/while"(#loc1))
#loc6 = loc("jit(scan_layers)/jvp()/while/cond/lt"(#loc1))
#loc7 = loc("jit(scan_layers)/jvp()/while/body/jit(dynamic_index_in_dim)"(#loc1))
#loc8 = loc("jit(scan_layers)/jvp()/while/body/closed_call"(#loc1))
#loc9 = loc("jit(scan_layers)/jvp()/while/body/jit(dynamic_update_index_in_dim)"(#loc1))
#loc10 = loc("jit(scan_layers)/jvp()/while/body/add"(#loc1))
#loc11 = loc("test/Integration/JAX/programs.py":153:15)
#loc12 = loc("jit(scan_layers)/jvp()/reduce_sum"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":153:28)
#loc14 = loc("jit(scan_layers)/jvp()/reduce_sum"(#loc13))
#loc15 = loc("jit(scan_layers)/jvp()/add"(#loc11))
#loc16 = loc("test/Integration/JAX/programs.py":424:11)
#loc17 = loc("jit(scan_layers)"(#loc16))
#loc18 = loc("jit(scan_layers)/transpose(jvp())/broadcast_in_dim"(#loc13))
#loc19 = loc("jit(scan_layers)/transpose(jvp())/broadcast_in_dim"(#loc11))
#loc20 = loc("jit(scan_layers)/transpose(jvp())/empty2"(#loc1))
#loc21 = loc("jit(scan_layers)/transpose(jvp())/broadcast_in_dim"(#loc1))
#loc22 = loc("jit(scan_layers)/transpose(jvp())/scan"(#loc1))
#loc23 = loc("jit(scan_layers)/transpose(jvp())/while"(#loc1))
#loc24 = loc("jit(scan_layers)/transpose(jvp())/while/cond/lt"(#loc1))
#loc25 = loc("jit(scan_layers)/transpose(jvp())/while/body/sub"(#loc1))
#loc26 = loc("jit(scan_layers)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)"(#loc1))
#loc27 = loc("jit(scan_layers)/transpose(jvp())/while/body/closed_call"(#loc1))
#loc28 = loc("jit(scan_layers)/transpose(jvp())/while/body/jit(dynamic_update_index_in_dim)"(#loc1))
#loc29 = loc("jit(scan_layers)/transpose(jvp())/while/body/add"(#loc1))
#loc30 = loc("dynamic_slice"(#loc1))
#loc31 = loc("squeeze"(#loc1))
#loc32 = loc("jit:"(#loc1))
#loc33 = loc("test/Integration/JAX/programs.py":152:55)
#loc34 = loc("dot_general"(#loc33))
#loc35 = loc("broadcast_in_dim"(#loc33))
#loc36 = loc("add"(#loc33))
#loc37 = loc("test/Integration/JAX/programs.py":152:46)
#loc38 = loc("tanh"(#loc37))
#loc39 = loc("sub"(#loc37))
#loc40 = loc("test/Integration/JAX/programs.py":152:93)
#loc41 = loc("mul"(#loc40))
#loc42 = loc("test/Integration/JAX/programs.py":152:85)
#loc43 = loc("reduce_sum"(#loc42))
#loc44 = loc("closed_call:"(#loc1))
#loc45 = loc("broadcast_in_dim"(#loc1))
#loc46 = loc("dynamic_update_slice"(#loc1))
#loc47 = loc("broadcast_in_dim"(#loc42))
#loc48 = loc("add_any"(#loc40))
#loc49 = loc("mul"(#loc37))
#loc50 = loc("add_any"(#loc37))
#loc51 = loc("reduce_sum"(#loc33))
#loc52 = loc("reshape"(#loc33))
#loc53 = loc("transpose"(#loc33))
#loc54 = loc("add_any"(#loc33))
