// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/ragged_exchange.inputs.safetensors --expect=%S/ragged_exchange.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/ragged_exchange.inputs.safetensors --expect=%S/ragged_exchange.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/ragged_exchange.inputs.safetensors --expect=%S/ragged_exchange.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/ragged_exchange.inputs.safetensors --expect=%S/ragged_exchange.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_ragged_exchange"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["expert"=8]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "expert", size = 8 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<224x6xf32>, tensor<192x6xf32>, tensor<8x8xi32>) -> (tensor<192x6xf32>, tensor<224x6xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg8: tensor<224x6xf32> loc("x"), %arg9: tensor<192x6xf32> loc("weights"), %arg10: tensor<8x8xi32> loc("sent")):
    %10 = "func.call"(%arg10) <{callee = @cumsum}> : (tensor<8x8xi32>) -> tensor<8x8xi32> loc(#loc2)
    %11 = "stablehlo.subtract"(%10, %arg10) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32> loc(#loc3)
    %12:5 = "sdy.manual_computation"(%arg8, %arg10, %11) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}, {}]>]>, manual_axes = #sdy<manual_axes{"expert"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"expert"}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}, {}]>]>}> ({
    ^bb0(%arg16: tensor<28x6xf32> loc("shard_map:"), %arg17: tensor<1x8xi32> loc("shard_map:"), %arg18: tensor<1x8xi32> loc("shard_map:")):
      %19 = "stablehlo.reshape"(%arg17) : (tensor<1x8xi32>) -> tensor<8xi32> loc(#loc5)
      %20 = "stablehlo.reshape"(%arg18) : (tensor<1x8xi32>) -> tensor<8xi32> loc(#loc7)
      %21 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xi32>) -> tensor<1x8xi32> loc(#loc9)
      %22 = "stablehlo.all_gather"(%21) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<1x8xi32>) -> tensor<8x8xi32> loc(#loc9)
      %23 = "func.call"(%22) <{callee = @cumsum_1}> : (tensor<8x8xi32>) -> tensor<8x8xi32> loc(#loc11)
      %24 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc13)
      %25 = "stablehlo.constant"() <{value = dense<8> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc13)
      %26 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc13)
      %27 = "stablehlo.divide"(%26, %24) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc13)
      %28 = "stablehlo.remainder"(%27, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc13)
      %29 = "stablehlo.convert"(%28) : (tensor<ui32>) -> tensor<i32> loc(#loc13)
      %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %31 = "stablehlo.compare"(%29, %30) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc14)
      %32 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %33 = "stablehlo.add"(%29, %32) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc15)
      %34 = "stablehlo.select"(%31, %33, %29) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc16)
      %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %37 = "stablehlo.compare"(%35, %36) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc14)
      %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %39 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %40 = "stablehlo.add"(%38, %39) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc15)
      %41 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %42 = "stablehlo.select"(%37, %40, %41) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc16)
      %43 = "stablehlo.dynamic_slice"(%23, %34, %42) <{slice_sizes = array<i64: 1, 8>}> : (tensor<8x8xi32>, tensor<i32>, tensor<i32>) -> tensor<1x8xi32> loc(#loc17)
      %44 = "stablehlo.reshape"(%43) : (tensor<1x8xi32>) -> tensor<8xi32> loc(#loc18)
      %45 = "stablehlo.subtract"(%44, %19) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32> loc(#loc19)
      %46 = "stablehlo.all_to_all"(%19) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, split_count = 8 : i64, split_dimension = 0 : i64}> : (tensor<8xi32>) -> tensor<8xi32> loc(#loc21)
      %47 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<24x6xf32> loc(#loc23)
      %49 = "stablehlo.custom_call"(%arg16, %48, %20, %19, %45, %46) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<28x6xf32>, tensor<24x6xf32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<24x6xf32> loc(#loc25)
      "sdy.return"(%20, %19, %45, %46, %49) : (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<24x6xf32>) -> () loc("shard_map:")
    }) : (tensor<224x6xf32>, tensor<8x8xi32>, tensor<8x8xi32>) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<192x6xf32>) loc(#loc27)
    %13 = "sdy.manual_computation"(%arg9, %12#0, %12#1, %12#2, %12#3) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}]>, <@mesh, [{"expert"}]>]>, manual_axes = #sdy<manual_axes{"expert"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"expert"}, {}]>]>}> ({
    ^bb0(%arg11: tensor<24x6xf32> loc("shard_map:"), %arg12: tensor<8xi32> loc("shard_map:"), %arg13: tensor<8xi32> loc("shard_map:"), %arg14: tensor<8xi32> loc("shard_map:"), %arg15: tensor<8xi32> loc("shard_map:")):
      %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<28x6xf32> loc(#loc28)
      %16 = "stablehlo.all_to_all"(%arg14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, split_count = 8 : i64, split_dimension = 0 : i64}> : (tensor<8xi32>) -> tensor<8xi32> loc(#loc29)
      %17 = "stablehlo.all_to_all"(%arg12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, split_count = 8 : i64, split_dimension = 0 : i64}> : (tensor<8xi32>) -> tensor<8xi32> loc(#loc29)
      %18 = "stablehlo.custom_call"(%arg11, %15, %16, %arg15, %17, %arg13) <{api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}, call_target_name = "ragged_all_to_all"}> : (tensor<24x6xf32>, tensor<28x6xf32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) -> tensor<28x6xf32> loc(#loc25)
      "sdy.return"(%18) : (tensor<28x6xf32>) -> () loc("shard_map:")
    }) : (tensor<192x6xf32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) -> tensor<224x6xf32> loc(#loc30)
    "func.return"(%12#4, %13) : (tensor<192x6xf32>, tensor<224x6xf32>) -> () loc(#loc32)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x8xi32>) -> tensor<8x8xi32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<8x8xi32> loc(unknown)):
    %9 = "func.call"(%arg7) <{callee = @cumsum_0}> : (tensor<8x8xi32>) -> tensor<8x8xi32> loc(unknown)
    "func.return"(%9) : (tensor<8x8xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc33)
  "func.func"() <{function_type = (tensor<8x8xi32>) -> tensor<8x8xi32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<8x8xi32> loc(unknown)):
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("reduce_window_sum")
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32> loc("reduce_window_sum")
    %7 = "stablehlo.reduce_window"(%arg4, %6) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg5: tensor<i32> loc("reduce_window_sum:"), %arg6: tensor<i32> loc("reduce_window_sum:")):
      %8 = "stablehlo.add"(%arg5, %arg6) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("reduce_window_sum")
      "stablehlo.return"(%8) : (tensor<i32>) -> () loc("reduce_window_sum")
    }) : (tensor<8x8xi32>, tensor<i32>) -> tensor<8x8xi32> loc("reduce_window_sum")
    "func.return"(%7) : (tensor<8x8xi32>) -> () loc(unknown)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x8xi32>) -> tensor<8x8xi32>, res_attrs = [{}], sym_name = "cumsum_1", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<8x8xi32> loc(unknown)):
    %4 = "func.call"(%arg3) <{callee = @cumsum_2}> : (tensor<8x8xi32>) -> tensor<8x8xi32> loc(unknown)
    "func.return"(%4) : (tensor<8x8xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc34)
  "func.func"() <{function_type = (tensor<8x8xi32>) -> tensor<8x8xi32>, sym_name = "cumsum_2", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x8xi32> loc(unknown)):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("reduce_window_sum")
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32> loc("reduce_window_sum")
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32> loc("reduce_window_sum:"), %arg2: tensor<i32> loc("reduce_window_sum:")):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc("reduce_window_sum")
      "stablehlo.return"(%3) : (tensor<i32>) -> () loc("reduce_window_sum")
    }) : (tensor<8x8xi32>, tensor<i32>) -> tensor<8x8xi32> loc("reduce_window_sum")
    "func.return"(%2) : (tensor<8x8xi32>) -> () loc(unknown)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/others.py":134:12)
#loc2 = loc("jit(ragged_exchange)/jit(cumsum)"(#loc1))
#loc3 = loc("jit(ragged_exchange)/sub"(#loc1))
#loc4 = loc("test/Integration/JAX/others.py":129:22)
#loc5 = loc("squeeze"(#loc4))
#loc6 = loc("test/Integration/JAX/others.py":129:31)
#loc7 = loc("squeeze"(#loc6))
#loc8 = loc("test/Integration/JAX/others.py":130:28)
#loc9 = loc("all_gather"(#loc8))
#loc10 = loc("test/Integration/JAX/others.py":130:17)
#loc11 = loc("jit(cumsum)"(#loc10))
#loc12 = loc("test/Integration/JAX/others.py":130:63)
#loc13 = loc("axis_index"(#loc12))
#loc14 = loc("lt"(#loc10))
#loc15 = loc("add"(#loc10))
#loc16 = loc("select_n"(#loc10))
#loc17 = loc("dynamic_slice"(#loc10))
#loc18 = loc("squeeze"(#loc10))
#loc19 = loc("sub"(#loc10))
#loc20 = loc("test/Integration/JAX/others.py":131:19)
#loc21 = loc("all_to_all"(#loc20))
#loc22 = loc("test/Integration/JAX/others.py":132:40)
#loc23 = loc("broadcast_in_dim"(#loc22))
#loc24 = loc("test/Integration/JAX/others.py":132:15)
#loc25 = loc("ragged_all_to_all"(#loc24))
#loc26 = loc("test/Integration/JAX/others.py":135:38)
#loc27 = loc("jit(ragged_exchange)/jvp()/shard_map"(#loc26))
#loc28 = loc("broadcast_in_dim"(#loc24))
#loc29 = loc("all_to_all"(#loc24))
#loc30 = loc("jit(ragged_exchange)/transpose(jvp())/shard_map"(#loc26))
#loc31 = loc("test/Integration/JAX/programs.py":955:11)
#loc32 = loc("jit(ragged_exchange)"(#loc31))
#loc33 = loc("jit:"(#loc1))
#loc34 = loc("jit:"(#loc10))
