// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/region_along_one_of_two_axes.inputs.safetensors --expect=%S/region_along_one_of_two_axes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_along_one_of_two_axes.inputs.safetensors --expect=%S/region_along_one_of_two_axes.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/region_along_one_of_two_axes.inputs.safetensors --expect=%S/region_along_one_of_two_axes.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/region_along_one_of_two_axes.inputs.safetensors --expect=%S/region_along_one_of_two_axes.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_region_along_one_of_two_axes"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=1, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}, {name = "model", size = 2 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x"), %arg1: tensor<8x8xf32> loc("w")):
    %0 = "sdy.manual_computation"(%arg0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", "model"}, {}]>, <@mesh, [{}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", "model"}, {}]>]>}> ({
    ^bb0(%arg2: tensor<4x8xf32> loc("shard_map:"), %arg3: tensor<8x8xf32> loc("shard_map:")):
      %1 = "stablehlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %2 = "stablehlo.tanh"(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc4)
      %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc6)
      %4 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc8)
      %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
      %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg38: tensor<f32> loc("reduce_sum:"), %arg39: tensor<f32> loc("reduce_sum:")):
        %105 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
        "stablehlo.return"(%105) : (tensor<f32>) -> () loc(#loc9)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      %7 = "stablehlo.reduce_scatter"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg36: tensor<f32> loc("reduce_scatter:"), %arg37: tensor<f32> loc("reduce_scatter:")):
        %104 = "stablehlo.add"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
        "stablehlo.return"(%104) : (tensor<f32>) -> () loc(#loc12)
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc12)
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
      %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg34: tensor<f32> loc("reduce_sum:"), %arg35: tensor<f32> loc("reduce_sum:")):
        %103 = "stablehlo.add"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
        "stablehlo.return"(%103) : (tensor<f32>) -> () loc(#loc13)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      %10 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %11 = "stablehlo.divide"(%9, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      %12 = "stablehlo.add"(%6, %11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
      %13 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
      %14 = "stablehlo.reduce"(%2, %13) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg32: tensor<f32> loc("reduce_max:"), %arg33: tensor<f32> loc("reduce_max:")):
        %102 = "stablehlo.maximum"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
        "stablehlo.return"(%102) : (tensor<f32>) -> () loc(#loc17)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc17)
      %15 = "stablehlo.add"(%12, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
      %16 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc19)
      %17 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc19)
      %18 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc19)
      %19 = "stablehlo.divide"(%18, %16) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc19)
      %20 = "stablehlo.remainder"(%19, %17) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc19)
      %21 = "stablehlo.convert"(%20) : (tensor<ui32>) -> tensor<i32> loc(#loc19)
      %22 = "stablehlo.convert"(%21) : (tensor<i32>) -> tensor<f32> loc(#loc21)
      %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc22)
      %24 = "stablehlo.add"(%2, %23) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc22)
      %25 = "stablehlo.add"(%24, %3) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc22)
      %26 = "stablehlo.multiply"(%2, %2) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc24)
      %27 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc26)
      %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg30: tensor<f32> loc("reduce_sum:"), %arg31: tensor<f32> loc("reduce_sum:")):
        %101 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc26)
        "stablehlo.return"(%101) : (tensor<f32>) -> () loc(#loc26)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc26)
      %29 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %30 = "stablehlo.add"(%29, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      %31 = "stablehlo.all_reduce"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg28: tensor<f32> loc("psum:"), %arg29: tensor<f32> loc("psum:")):
        %100 = "stablehlo.add"(%arg28, %arg29) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
        "stablehlo.return"(%100) : (tensor<f32>) -> () loc(#loc31)
      }) : (tensor<f32>) -> tensor<f32> loc(#loc31)
      %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc33)
      %33 = "stablehlo.divide"(%25, %32) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc33)
      %34 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc34)
      %35 = "stablehlo.add"(%33, %34) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc34)
      %36 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc36)
      %37 = "stablehlo.reduce"(%2, %36) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg26: tensor<f32> loc("reduce_min:"), %arg27: tensor<f32> loc("reduce_min:")):
        %99 = "stablehlo.minimum"(%arg26, %arg27) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc36)
        "stablehlo.return"(%99) : (tensor<f32>) -> () loc(#loc36)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc36)
      %38 = "stablehlo.all_reduce"(%37) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg24: tensor<f32> loc("pmax:"), %arg25: tensor<f32> loc("pmax:")):
        %98 = "stablehlo.maximum"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc38)
        "stablehlo.return"(%98) : (tensor<f32>) -> () loc(#loc39)
      }) : (tensor<f32>) -> tensor<f32> loc(#loc39)
      %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc34)
      %40 = "stablehlo.add"(%35, %39) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc34)
      %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc41)
      %42 = "stablehlo.reduce"(%arg2, %41) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg22: tensor<f32> loc("reduce_sum:"), %arg23: tensor<f32> loc("reduce_sum:")):
        %97 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc41)
        "stablehlo.return"(%97) : (tensor<f32>) -> () loc(#loc41)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc41)
      %43 = "stablehlo.all_reduce"(%42) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32> loc("psum:"), %arg21: tensor<f32> loc("psum:")):
        %96 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc43)
        "stablehlo.return"(%96) : (tensor<f32>) -> () loc(#loc44)
      }) : (tensor<f32>) -> tensor<f32> loc(#loc44)
      %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc46)
      %45 = "stablehlo.add"(%40, %44) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc46)
      %46 = "stablehlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %47 = "stablehlo.tanh"(%46) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc4)
      %48 = "stablehlo.collective_permute"(%47) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc6)
      %49 = "stablehlo.all_gather"(%47) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<8x8xf32> loc(#loc8)
      %50 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
      %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg18: tensor<f32> loc("reduce_sum:"), %arg19: tensor<f32> loc("reduce_sum:")):
        %95 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
        "stablehlo.return"(%95) : (tensor<f32>) -> () loc(#loc9)
      }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      %52 = "stablehlo.reduce_scatter"(%47) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32> loc("reduce_scatter:"), %arg17: tensor<f32> loc("reduce_scatter:")):
        %94 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
        "stablehlo.return"(%94) : (tensor<f32>) -> () loc(#loc12)
      }) : (tensor<4x8xf32>) -> tensor<2x8xf32> loc(#loc12)
      %53 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
      %54 = "stablehlo.reduce"(%52, %53) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg14: tensor<f32> loc("reduce_sum:"), %arg15: tensor<f32> loc("reduce_sum:")):
        %93 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
        "stablehlo.return"(%93) : (tensor<f32>) -> () loc(#loc13)
      }) : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      %55 = "stablehlo.constant"() <{value = dense<1.600000e+01> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %56 = "stablehlo.divide"(%54, %55) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      %57 = "stablehlo.add"(%51, %56) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
      %58 = "stablehlo.all_to_all"(%47) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc47)
      %59 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
      %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg12: tensor<f32> loc("reduce_max:"), %arg13: tensor<f32> loc("reduce_max:")):
        %92 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
        "stablehlo.return"(%92) : (tensor<f32>) -> () loc(#loc17)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc17)
      %61 = "stablehlo.add"(%57, %60) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
      %62 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc19)
      %63 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc19)
      %64 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc19)
      %65 = "stablehlo.divide"(%64, %62) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc19)
      %66 = "stablehlo.remainder"(%65, %63) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc19)
      %67 = "stablehlo.convert"(%66) : (tensor<ui32>) -> tensor<i32> loc(#loc19)
      %68 = "stablehlo.convert"(%67) : (tensor<i32>) -> tensor<f32> loc(#loc21)
      %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc22)
      %70 = "stablehlo.add"(%47, %69) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc22)
      %71 = "stablehlo.add"(%70, %48) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc22)
      %72 = "stablehlo.multiply"(%47, %47) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc24)
      %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc26)
      %74 = "stablehlo.reduce"(%72, %73) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg10: tensor<f32> loc("reduce_sum:"), %arg11: tensor<f32> loc("reduce_sum:")):
        %91 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc26)
        "stablehlo.return"(%91) : (tensor<f32>) -> () loc(#loc26)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc26)
      %75 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %76 = "stablehlo.add"(%75, %74) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      %77 = "stablehlo.all_reduce"(%76) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32> loc("psum:"), %arg9: tensor<f32> loc("psum:")):
        %90 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
        "stablehlo.return"(%90) : (tensor<f32>) -> () loc(#loc31)
      }) : (tensor<f32>) -> tensor<f32> loc(#loc31)
      %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc33)
      %79 = "stablehlo.divide"(%71, %78) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc33)
      %80 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc34)
      %81 = "stablehlo.add"(%79, %80) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc34)
      %82 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc36)
      %83 = "stablehlo.reduce"(%47, %82) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg6: tensor<f32> loc("reduce_min:"), %arg7: tensor<f32> loc("reduce_min:")):
        %89 = "stablehlo.minimum"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc36)
        "stablehlo.return"(%89) : (tensor<f32>) -> () loc(#loc36)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc36)
      %84 = "stablehlo.all_reduce"(%83) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32> loc("pmax:"), %arg5: tensor<f32> loc("pmax:")):
        %88 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc38)
        "stablehlo.return"(%88) : (tensor<f32>) -> () loc(#loc39)
      }) : (tensor<f32>) -> tensor<f32> loc(#loc39)
      %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc34)
      %86 = "stablehlo.add"(%81, %85) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc34)
      %87 = "stablehlo.add"(%45, %86) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc46)
      "sdy.return"(%87) : (tensor<4x8xf32>) -> () loc("shard_map:")
    }) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc49)
    "func.return"(%0) : (tensor<8x8xf32>) -> () loc(#loc51)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/regions.py":99:21)
#loc2 = loc("dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/regions.py":99:12)
#loc4 = loc("tanh"(#loc3))
#loc5 = loc("test/Integration/JAX/regions.py":101:17)
#loc6 = loc("ppermute"(#loc5))
#loc7 = loc("test/Integration/JAX/regions.py":102:17)
#loc8 = loc("all_gather"(#loc7))
#loc9 = loc("reduce_sum"(#loc7))
#loc10 = loc("test/Integration/JAX/regions.py":102:61)
#loc11 = loc("add"(#loc10))
#loc12 = loc("reduce_scatter"(#loc10))
#loc13 = loc("reduce_sum"(#loc10))
#loc14 = loc("div"(#loc10))
#loc15 = loc("add"(#loc7))
#loc16 = loc("test/Integration/JAX/regions.py":102:108)
#loc17 = loc("reduce_max"(#loc16))
#loc18 = loc("test/Integration/JAX/regions.py":103:20)
#loc19 = loc("axis_index"(#loc18))
#loc20 = loc("test/Integration/JAX/regions.py":103:16)
#loc21 = loc("convert_element_type"(#loc20))
#loc22 = loc("add"(#loc20))
#loc23 = loc("test/Integration/JAX/regions.py":103:74)
#loc24 = loc("mul"(#loc23))
#loc25 = loc("test/Integration/JAX/regions.py":103:66)
#loc26 = loc("reduce_sum"(#loc25))
#loc27 = loc("test/Integration/JAX/regions.py":103:62)
#loc28 = loc("add"(#loc27))
#loc29 = loc("test/Integration/JAX/regions.py":103:53)
#loc30 = loc("add"(#loc29))
#loc31 = loc("psum"(#loc29))
#loc32 = loc("test/Integration/JAX/regions.py":103:15)
#loc33 = loc("div"(#loc32))
#loc34 = loc("add"(#loc32))
#loc35 = loc("test/Integration/JAX/regions.py":103:108)
#loc36 = loc("reduce_min"(#loc35))
#loc37 = loc("test/Integration/JAX/regions.py":103:99)
#loc38 = loc("max"(#loc37))
#loc39 = loc("pmax"(#loc37))
#loc40 = loc("test/Integration/JAX/regions.py":128:61)
#loc41 = loc("reduce_sum"(#loc40))
#loc42 = loc("test/Integration/JAX/regions.py":128:52)
#loc43 = loc("add"(#loc42))
#loc44 = loc("psum"(#loc42))
#loc45 = loc("test/Integration/JAX/regions.py":128:24)
#loc46 = loc("add"(#loc45))
#loc47 = loc("all_to_all"(#loc16))
#loc48 = loc("test/Integration/JAX/regions.py":129:11)
#loc49 = loc("jit(region_along_one_of_two_axes)/shard_map"(#loc48))
#loc50 = loc("test/Integration/JAX/programs.py":955:11)
#loc51 = loc("jit(region_along_one_of_two_axes)"(#loc50))
