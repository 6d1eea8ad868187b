// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_loops.inputs.safetensors --expect=%S/shard_map_loops.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_loops.inputs.safetensors --expect=%S/shard_map_loops.expected.safetensors --tolerance=1e-4
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_loops.inputs.safetensors --expect=%S/shard_map_loops.expected.safetensors --tolerance=1e-4
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_loops.inputs.safetensors --expect=%S/shard_map_loops.expected.safetensors --tolerance=1e-4
"builtin.module"() <{sym_name = "jit_shard_map_loops"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x16xf32>, tensor<16x4xf32>) -> (tensor<f32>, tensor<8x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg64: tensor<8x16xf32> loc("x"), %arg65: tensor<16x4xf32> loc("w")):
    %70 = "sdy.manual_computation"(%arg65) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", "model"}, {}]>]>}> ({
    ^bb0(%arg92: tensor<16x1xf32> loc("shard_map:")):
      %102 = "stablehlo.transpose"(%arg92) <{permutation = array<i64: 1, 0>}> : (tensor<16x1xf32>) -> tensor<1x16xf32> loc(#loc2)
      "sdy.return"(%102) : (tensor<1x16xf32>) -> () loc("shard_map:")
    }) : (tensor<16x4xf32>) -> tensor<8x16xf32> loc(#loc4)
    %71 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %72 = "stablehlo.broadcast_in_dim"(%71) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32> loc(#loc7)
    %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc6)
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x4x16xf32> loc(#loc7)
    %75 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc8)
    %76:6 = "stablehlo.while"(%arg65, %70, %75, %arg64, %72, %74) ({
    ^bb0(%arg86: tensor<16x4xf32> loc("while:"), %arg87: tensor<8x16xf32> loc("while:"), %arg88: tensor<i32> loc("while:"), %arg89: tensor<8x16xf32> loc("while:"), %arg90: tensor<2x24x4x16xf32> loc("while:"), %arg91: tensor<2x24x4x16xf32> loc("while:")):
      %100 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc9)
      %101 = "stablehlo.compare"(%arg88, %100) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc10)
      "stablehlo.return"(%101) : (tensor<i1>) -> () loc(#loc9)
    }, {
    ^bb0(%arg80: tensor<16x4xf32> loc("while:"), %arg81: tensor<8x16xf32> loc("while:"), %arg82: tensor<i32> loc("while:"), %arg83: tensor<8x16xf32> loc("while:"), %arg84: tensor<2x24x4x16xf32> loc("while:"), %arg85: tensor<2x24x4x16xf32> loc("while:")):
      %95:3 = "func.call"(%arg80, %arg81, %arg83) <{callee = @closed_call}> : (tensor<16x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<24x4x16xf32>, tensor<24x4x16xf32>) loc(#loc11)
      %96 = "func.call"(%arg84, %95#1, %arg82) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<2x24x4x16xf32>, tensor<24x4x16xf32>, tensor<i32>) -> tensor<2x24x4x16xf32> loc(#loc12)
      %97 = "func.call"(%arg85, %95#2, %arg82) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<2x24x4x16xf32>, tensor<24x4x16xf32>, tensor<i32>) -> tensor<2x24x4x16xf32> loc(#loc12)
      %98 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc9)
      %99 = "stablehlo.add"(%arg82, %98) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc13)
      "stablehlo.return"(%arg80, %arg81, %99, %95#0, %96, %97) : (tensor<16x4xf32>, tensor<8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> () loc(#loc9)
    }) : (tensor<16x4xf32>, tensor<8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) -> (tensor<16x4xf32>, tensor<8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>) loc(#loc9)
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %78 = "stablehlo.reduce"(%76#3, %77) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg78: tensor<f32> loc("reduce_sum:"), %arg79: tensor<f32> loc("reduce_sum:")):
      %94 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
      "stablehlo.return"(%94) : (tensor<f32>) -> () loc(#loc15)
    }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32> loc(#loc15)
    %79 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32> loc(#loc18)
    %81 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc19)
    %82:6 = "stablehlo.while"(%76#4, %76#5, %arg65, %70, %81, %80) ({
    ^bb0(%arg72: tensor<2x24x4x16xf32> loc("while:"), %arg73: tensor<2x24x4x16xf32> loc("while:"), %arg74: tensor<16x4xf32> loc("while:"), %arg75: tensor<8x16xf32> loc("while:"), %arg76: tensor<i32> loc("while:"), %arg77: tensor<8x16xf32> loc("while:")):
      %92 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc20)
      %93 = "stablehlo.compare"(%arg76, %92) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc21)
      "stablehlo.return"(%93) : (tensor<i1>) -> () loc(#loc20)
    }, {
    ^bb0(%arg66: tensor<2x24x4x16xf32> loc("while:"), %arg67: tensor<2x24x4x16xf32> loc("while:"), %arg68: tensor<16x4xf32> loc("while:"), %arg69: tensor<8x16xf32> loc("while:"), %arg70: tensor<i32> loc("while:"), %arg71: tensor<8x16xf32> loc("while:")):
      %83 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc20)
      %84 = "stablehlo.subtract"(%83, %arg70) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc22)
      %85 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc20)
      %86 = "stablehlo.subtract"(%84, %85) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc22)
      %87 = "func.call"(%arg66, %86) <{callee = @dynamic_index_in_dim}> : (tensor<2x24x4x16xf32>, tensor<i32>) -> tensor<24x4x16xf32> loc(#loc23)
      %88 = "func.call"(%arg67, %86) <{callee = @dynamic_index_in_dim}> : (tensor<2x24x4x16xf32>, tensor<i32>) -> tensor<24x4x16xf32> loc(#loc23)
      %89 = "func.call"(%arg68, %arg69, %arg71, %87, %88) <{callee = @closed_call_2}> : (tensor<16x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<24x4x16xf32>, tensor<24x4x16xf32>) -> tensor<8x16xf32> loc(#loc24)
      %90 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc20)
      %91 = "stablehlo.add"(%arg70, %90) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc25)
      "stablehlo.return"(%arg66, %arg67, %arg68, %arg69, %91, %89) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>, tensor<i32>, tensor<8x16xf32>) -> () loc(#loc20)
    }) : (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>, tensor<i32>, tensor<8x16xf32>) -> (tensor<2x24x4x16xf32>, tensor<2x24x4x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>, tensor<i32>, tensor<8x16xf32>) loc(#loc20)
    "func.return"(%78, %82#5) : (tensor<f32>, tensor<8x16xf32>) -> () loc(#loc17)
  }) : () -> () loc(unknown)
  "func.func"() <{function_type = (tensor<16x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<24x4x16xf32>, tensor<24x4x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg46: tensor<16x4xf32> loc(unknown), %arg47: tensor<8x16xf32> loc(unknown), %arg48: tensor<8x16xf32> loc(unknown)):
    %56:3 = "sdy.manual_computation"(%arg46, %arg47, %arg48) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data"}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", "model"}, {}, {}]>, <@mesh, [{"data", "model"}, {}, {}]>, <@mesh, [{"data"}, {}]>]>}> ({
    ^bb0(%arg49: tensor<16x1xf32> loc("shard_map:"), %arg50: tensor<1x16xf32> loc("shard_map:"), %arg51: tensor<4x16xf32> loc("shard_map:")):
      %57 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc27)
      %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x16xf32> loc(#loc28)
      %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc27)
      %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4x16xf32> loc(#loc28)
      %61 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc29)
      %62:6 = "stablehlo.while"(%arg49, %arg50, %61, %arg51, %58, %60) ({
      ^bb0(%arg58: tensor<16x1xf32> loc("while:"), %arg59: tensor<1x16xf32> loc("while:"), %arg60: tensor<i32> loc("while:"), %arg61: tensor<4x16xf32> loc("while:"), %arg62: tensor<3x4x16xf32> loc("while:"), %arg63: tensor<3x4x16xf32> loc("while:")):
        %68 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc30)
        %69 = "stablehlo.compare"(%arg60, %68) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc31)
        "stablehlo.return"(%69) : (tensor<i1>) -> () loc(#loc30)
      }, {
      ^bb0(%arg52: tensor<16x1xf32> loc("while:"), %arg53: tensor<1x16xf32> loc("while:"), %arg54: tensor<i32> loc("while:"), %arg55: tensor<4x16xf32> loc("while:"), %arg56: tensor<3x4x16xf32> loc("while:"), %arg57: tensor<3x4x16xf32> loc("while:")):
        %63:3 = "func.call"(%arg52, %arg53, %arg55) <{callee = @closed_call_0}> : (tensor<16x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) loc(#loc32)
        %64 = "func.call"(%arg56, %63#1, %arg54) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<3x4x16xf32> loc(#loc33)
        %65 = "func.call"(%arg57, %63#2, %arg54) <{callee = @dynamic_update_index_in_dim}> : (tensor<3x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<3x4x16xf32> loc(#loc33)
        %66 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc30)
        %67 = "stablehlo.add"(%arg54, %66) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc34)
        "stablehlo.return"(%arg52, %arg53, %67, %63#0, %64, %65) : (tensor<16x1xf32>, tensor<1x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<3x4x16xf32>) -> () loc(#loc30)
      }) : (tensor<16x1xf32>, tensor<1x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<3x4x16xf32>) -> (tensor<16x1xf32>, tensor<1x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<3x4x16xf32>, tensor<3x4x16xf32>) loc(#loc30)
      "sdy.return"(%62#4, %62#5, %62#3) : (tensor<3x4x16xf32>, tensor<3x4x16xf32>, tensor<4x16xf32>) -> () loc("shard_map:")
    }) : (tensor<16x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<24x4x16xf32>, tensor<24x4x16xf32>, tensor<8x16xf32>) loc(#loc35)
    "func.return"(%56#2, %56#0, %56#1) : (tensor<8x16xf32>, tensor<24x4x16xf32>, tensor<24x4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc36)
  "func.func"() <{function_type = (tensor<16x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_0", sym_visibility = "private"}> ({
  ^bb0(%arg41: tensor<16x1xf32> loc(unknown), %arg42: tensor<1x16xf32> loc(unknown), %arg43: tensor<4x16xf32> loc(unknown)):
    %46 = "stablehlo.collective_permute"(%arg43) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 4], [4, 0], [1, 5], [5, 1], [2, 6], [6, 2], [3, 7], [7, 3]]> : tensor<8x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc38)
    %47 = "stablehlo.dot_general"(%46, %arg41) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16xf32>, tensor<16x1xf32>) -> tensor<4x1xf32> loc(#loc40)
    %48 = "stablehlo.dot_general"(%47, %arg42) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x1xf32>, tensor<1x16xf32>) -> tensor<4x16xf32> loc(#loc40)
    %49 = "stablehlo.all_reduce"(%48) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32> loc("psum:"), %arg45: tensor<f32> loc("psum:")):
      %55 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc42)
      "stablehlo.return"(%55) : (tensor<f32>) -> () loc(#loc43)
    }) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc43)
    %50 = "stablehlo.add"(%46, %49) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc45)
    %51 = "stablehlo.tanh"(%50) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc47)
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32> loc(#loc48)
    %54 = "stablehlo.subtract"(%53, %51) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc48)
    "func.return"(%51, %51, %54) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc49)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<3x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<3x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg38: tensor<3x4x16xf32> loc(unknown), %arg39: tensor<4x16xf32> loc(unknown), %arg40: tensor<i32> loc(unknown)):
    %42 = "stablehlo.broadcast_in_dim"(%arg39) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x16xf32>) -> tensor<1x4x16xf32> loc(#loc28)
    %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %45 = "stablehlo.dynamic_update_slice"(%arg38, %42, %arg40, %43, %44) : (tensor<3x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x16xf32> loc(#loc50)
    "func.return"(%45) : (tensor<3x4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc51)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<24x4x16xf32>, tensor<i32>) -> tensor<2x24x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg35: tensor<2x24x4x16xf32> loc(unknown), %arg36: tensor<24x4x16xf32> loc(unknown), %arg37: tensor<i32> loc(unknown)):
    %37 = "stablehlo.broadcast_in_dim"(%arg36) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<24x4x16xf32>) -> tensor<1x24x4x16xf32> loc(#loc52)
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %41 = "stablehlo.dynamic_update_slice"(%arg35, %37, %arg37, %38, %39, %40) : (tensor<2x24x4x16xf32>, tensor<1x24x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x24x4x16xf32> loc(#loc53)
    "func.return"(%41) : (tensor<2x24x4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc54)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x24x4x16xf32>, tensor<i32>) -> tensor<24x4x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<2x24x4x16xf32> loc(unknown), %arg34: tensor<i32> loc(unknown)):
    %32 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %35 = "stablehlo.dynamic_slice"(%arg33, %arg34, %32, %33, %34) <{slice_sizes = array<i64: 1, 24, 4, 16>}> : (tensor<2x24x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x24x4x16xf32> loc(#loc55)
    %36 = "stablehlo.reshape"(%35) : (tensor<1x24x4x16xf32>) -> tensor<24x4x16xf32> loc(#loc56)
    "func.return"(%36) : (tensor<24x4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc54)
  "func.func"() <{function_type = (tensor<16x4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<24x4x16xf32>, tensor<24x4x16xf32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "closed_call_2", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<16x4xf32> loc(unknown), %arg10: tensor<8x16xf32> loc(unknown), %arg11: tensor<8x16xf32> loc(unknown), %arg12: tensor<24x4x16xf32> loc(unknown), %arg13: tensor<24x4x16xf32> loc(unknown)):
    %13 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32> loc(#loc57)
    %15 = "stablehlo.divide"(%arg11, %14) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc57)
    %16 = "sdy.manual_computation"(%15, %arg9, %arg10, %arg12, %arg13) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}, {}]>, <@mesh, [{"data", "model"}, {}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>}> ({
    ^bb0(%arg14: tensor<4x16xf32> loc("shard_map:"), %arg15: tensor<16x1xf32> loc("shard_map:"), %arg16: tensor<1x16xf32> loc("shard_map:"), %arg17: tensor<3x4x16xf32> loc("shard_map:"), %arg18: tensor<3x4x16xf32> loc("shard_map:")):
      %17 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc29)
      %18:6 = "stablehlo.while"(%arg17, %arg18, %arg15, %arg16, %17, %arg14) ({
      ^bb0(%arg27: tensor<3x4x16xf32> loc("while:"), %arg28: tensor<3x4x16xf32> loc("while:"), %arg29: tensor<16x1xf32> loc("while:"), %arg30: tensor<1x16xf32> loc("while:"), %arg31: tensor<i32> loc("while:"), %arg32: tensor<4x16xf32> loc("while:")):
        %30 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc30)
        %31 = "stablehlo.compare"(%arg31, %30) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc31)
        "stablehlo.return"(%31) : (tensor<i1>) -> () loc(#loc30)
      }, {
      ^bb0(%arg21: tensor<3x4x16xf32> loc("while:"), %arg22: tensor<3x4x16xf32> loc("while:"), %arg23: tensor<16x1xf32> loc("while:"), %arg24: tensor<1x16xf32> loc("while:"), %arg25: tensor<i32> loc("while:"), %arg26: tensor<4x16xf32> loc("while:")):
        %21 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc30)
        %22 = "stablehlo.subtract"(%21, %arg25) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc58)
        %23 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc30)
        %24 = "stablehlo.subtract"(%22, %23) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc58)
        %25 = "func.call"(%arg21, %24) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x4x16xf32>, tensor<i32>) -> tensor<4x16xf32> loc(#loc59)
        %26 = "func.call"(%arg22, %24) <{callee = @dynamic_index_in_dim_3}> : (tensor<3x4x16xf32>, tensor<i32>) -> tensor<4x16xf32> loc(#loc59)
        %27 = "func.call"(%arg23, %arg24, %arg26, %25, %26) <{callee = @closed_call_4}> : (tensor<16x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc32)
        %28 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc30)
        %29 = "stablehlo.add"(%arg25, %28) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc34)
        "stablehlo.return"(%arg21, %arg22, %arg23, %arg24, %29, %27) : (tensor<3x4x16xf32>, tensor<3x4x16xf32>, tensor<16x1xf32>, tensor<1x16xf32>, tensor<i32>, tensor<4x16xf32>) -> () loc(#loc30)
      }) : (tensor<3x4x16xf32>, tensor<3x4x16xf32>, tensor<16x1xf32>, tensor<1x16xf32>, tensor<i32>, tensor<4x16xf32>) -> (tensor<3x4x16xf32>, tensor<3x4x16xf32>, tensor<16x1xf32>, tensor<1x16xf32>, tensor<i32>, tensor<4x16xf32>) loc(#loc30)
      %19 = "stablehlo.all_reduce"(%18#5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg19: tensor<f32> loc("psum:"), %arg20: tensor<f32> loc("psum:")):
        %20 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc42)
        "stablehlo.return"(%20) : (tensor<f32>) -> () loc(#loc60)
      }) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc60)
      "sdy.return"(%19) : (tensor<4x16xf32>) -> () loc("shard_map:")
    }) : (tensor<8x16xf32>, tensor<16x4xf32>, tensor<8x16xf32>, tensor<24x4x16xf32>, tensor<24x4x16xf32>) -> tensor<8x16xf32> loc(#loc35)
    "func.return"(%16) : (tensor<8x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc36)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4x16xf32>, tensor<i32>) -> tensor<4x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<3x4x16xf32> loc(unknown), %arg8: tensor<i32> loc(unknown)):
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %11 = "stablehlo.dynamic_slice"(%arg7, %arg8, %9, %10) <{slice_sizes = array<i64: 1, 4, 16>}> : (tensor<3x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32> loc(#loc61)
    %12 = "stablehlo.reshape"(%11) : (tensor<1x4x16xf32>) -> tensor<4x16xf32> loc(#loc62)
    "func.return"(%12) : (tensor<4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc51)
  "func.func"() <{function_type = (tensor<16x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>, res_attrs = [{}], sym_name = "closed_call_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16x1xf32> loc(unknown), %arg1: tensor<1x16xf32> loc(unknown), %arg2: tensor<4x16xf32> loc(unknown), %arg3: tensor<4x16xf32> loc(unknown), %arg4: tensor<4x16xf32> loc(unknown)):
    %0 = "stablehlo.multiply"(%arg2, %arg4) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc63)
    %1 = "stablehlo.multiply"(%0, %arg3) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc63)
    %2 = "stablehlo.add"(%0, %1) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc64)
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32> loc("psum:"), %arg6: tensor<f32> loc("psum:")):
      %8 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc42)
      "stablehlo.return"(%8) : (tensor<f32>) -> () loc(#loc43)
    }) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc43)
    %4 = "stablehlo.dot_general"(%3, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16xf32>, tensor<1x16xf32>) -> tensor<4x1xf32> loc(#loc40)
    %5 = "stablehlo.dot_general"(%4, %arg0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x1xf32>, tensor<16x1xf32>) -> tensor<4x16xf32> loc(#loc40)
    %6 = "stablehlo.add"(%2, %5) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc65)
    %7 = "stablehlo.collective_permute"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[4, 0], [0, 4], [5, 1], [1, 5], [6, 2], [2, 6], [7, 3], [3, 7]]> : tensor<8x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc38)
    "func.return"(%7) : (tensor<4x16xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc49)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":613:49)
#loc2 = loc("transpose"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":617:25)
#loc4 = loc("jit(shard_map_loops)/shard_map"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":618:48)
#loc6 = loc("jit(shard_map_loops)/jvp()/empty2"(#loc5))
#loc7 = loc("jit(shard_map_loops)/jvp()/broadcast_in_dim"(#loc5))
#loc8 = loc("jit(shard_map_loops)/jvp()/scan"(#loc5))
#loc9 = loc("jit(shard_map_loops)/jvp()/while"(#loc5))
#loc10 = loc("jit(shard_map_loops)/jvp()/while/cond/lt"(#loc5))
#loc11 = loc("jit(shard_map_loops)/jvp()/while/body/closed_call"(#loc5))
#loc12 = loc("jit(shard_map_loops)/jvp()/while/body/jit(dynamic_update_index_in_dim)"(#loc5))
#loc13 = loc("jit(shard_map_loops)/jvp()/while/body/add"(#loc5))
#loc14 = loc("test/Integration/JAX/programs.py":618:40)
#loc15 = loc("jit(shard_map_loops)/jvp()/reduce_sum"(#loc14))
#loc16 = loc("test/Integration/JAX/programs.py":626:11)
#loc17 = loc("jit(shard_map_loops)"(#loc16))
#loc18 = loc("jit(shard_map_loops)/transpose(jvp())/broadcast_in_dim"(#loc14))
#loc19 = loc("jit(shard_map_loops)/transpose(jvp())/scan"(#loc5))
#loc20 = loc("jit(shard_map_loops)/transpose(jvp())/while"(#loc5))
#loc21 = loc("jit(shard_map_loops)/transpose(jvp())/while/cond/lt"(#loc5))
#loc22 = loc("jit(shard_map_loops)/transpose(jvp())/while/body/sub"(#loc5))
#loc23 = loc("jit(shard_map_loops)/transpose(jvp())/while/body/jit(dynamic_index_in_dim)"(#loc5))
#loc24 = loc("jit(shard_map_loops)/transpose(jvp())/while/body/closed_call"(#loc5))
#loc25 = loc("jit(shard_map_loops)/transpose(jvp())/while/body/add"(#loc5))
#loc26 = loc("test/Integration/JAX/programs.py":615:15)
#loc27 = loc("empty2"(#loc26))
#loc28 = loc("broadcast_in_dim"(#loc26))
#loc29 = loc("scan"(#loc26))
#loc30 = loc("while"(#loc26))
#loc31 = loc("while/cond/lt"(#loc26))
#loc32 = loc("while/body/closed_call"(#loc26))
#loc33 = loc("while/body/jit(dynamic_update_index_in_dim)"(#loc26))
#loc34 = loc("while/body/add"(#loc26))
#loc35 = loc("shard_map"(#loc3))
#loc36 = loc("closed_call:"(#loc5))
#loc37 = loc("test/Integration/JAX/programs.py":612:16)
#loc38 = loc("ppermute"(#loc37))
#loc39 = loc("test/Integration/JAX/programs.py":613:41)
#loc40 = loc("dot_general"(#loc39))
#loc41 = loc("test/Integration/JAX/programs.py":613:32)
#loc42 = loc("add"(#loc41))
#loc43 = loc("psum"(#loc41))
#loc44 = loc("test/Integration/JAX/programs.py":613:28)
#loc45 = loc("add"(#loc44))
#loc46 = loc("test/Integration/JAX/programs.py":613:19)
#loc47 = loc("tanh"(#loc46))
#loc48 = loc("sub"(#loc46))
#loc49 = loc("closed_call:"(#loc26))
#loc50 = loc("dynamic_update_slice"(#loc26))
#loc51 = loc("jit:"(#loc26))
#loc52 = loc("broadcast_in_dim"(#loc5))
#loc53 = loc("dynamic_update_slice"(#loc5))
#loc54 = loc("jit:"(#loc5))
#loc55 = loc("dynamic_slice"(#loc5))
#loc56 = loc("squeeze"(#loc5))
#loc57 = loc("div"(#loc3))
#loc58 = loc("while/body/sub"(#loc26))
#loc59 = loc("while/body/jit(dynamic_index_in_dim)"(#loc26))
#loc60 = loc("psum"(#loc3))
#loc61 = loc("dynamic_slice"(#loc26))
#loc62 = loc("squeeze"(#loc26))
#loc63 = loc("mul"(#loc46))
#loc64 = loc("add_any"(#loc46))
#loc65 = loc("add_any"(#loc39))
