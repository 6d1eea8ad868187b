// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_collectives.inputs.safetensors --expect=%S/shard_map_collectives.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_collectives.inputs.safetensors --expect=%S/shard_map_collectives.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_collectives.inputs.safetensors --expect=%S/shard_map_collectives.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_collectives.inputs.safetensors --expect=%S/shard_map_collectives.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shard_map_collectives"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x4xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<16x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x4xf32> loc("x"), %arg1: tensor<4x8xf32> loc("w")):
    %0:4 = "sdy.manual_computation"(%arg0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"data"}, {}]>]>}> ({
    ^bb0(%arg2: tensor<4x4xf32> loc("shard_map:"), %arg3: tensor<4x2xf32> loc("shard_map:")):
      %1 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32> loc("psum:"), %arg11: tensor<f32> loc("psum:")):
        %24 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc2)
        "stablehlo.return"(%24) : (tensor<f32>) -> () loc(#loc3)
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc3)
      %2 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32> loc(#loc5)
      %3 = "stablehlo.dot_general"(%1, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc7)
      %4 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32> loc("reduce_scatter:"), %arg9: tensor<f32> loc("reduce_scatter:")):
        %23 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
        "stablehlo.return"(%23) : (tensor<f32>) -> () loc(#loc10)
      }) : (tensor<4x2xf32>) -> tensor<2x2xf32> loc(#loc10)
      %5 = "stablehlo.collective_permute"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc12)
      %6 = "stablehlo.all_to_all"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x4xf32>) -> tensor<8x2xf32> loc(#loc14)
      %7 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc16)
      %8 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc16)
      %9 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc16)
      %10 = "stablehlo.divide"(%9, %7) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc16)
      %11 = "stablehlo.remainder"(%10, %8) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc16)
      %12 = "stablehlo.convert"(%11) : (tensor<ui32>) -> tensor<i32> loc(#loc16)
      %13 = "stablehlo.convert"(%12) : (tensor<i32>) -> tensor<f32> loc(#loc17)
      %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc19)
      %15 = "stablehlo.reduce"(%2, %14) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg6: tensor<f32> loc("reduce_sum:"), %arg7: tensor<f32> loc("reduce_sum:")):
        %22 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
        "stablehlo.return"(%22) : (tensor<f32>) -> () loc(#loc19)
      }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc19)
      %16 = "stablehlo.all_reduce"(%15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32> loc("psum:"), %arg5: tensor<f32> loc("psum:")):
        %21 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc21)
        "stablehlo.return"(%21) : (tensor<f32>) -> () loc(#loc22)
      }) : (tensor<f32>) -> tensor<f32> loc(#loc22)
      %17 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %18 = "stablehlo.divide"(%16, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
      %19 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32> loc(#loc25)
      %20 = "stablehlo.add"(%5, %19) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc25)
      "sdy.return"(%18, %4, %20, %6) : (tensor<f32>, tensor<2x2xf32>, tensor<4x2xf32>, tensor<8x2xf32>) -> () loc("shard_map:")
    }) : (tensor<8x4xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<16x2xf32>) loc(#loc27)
    "func.return"(%0#0, %0#1, %0#2, %0#3) : (tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<16x2xf32>) -> () loc(#loc29)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":416:16)
#loc2 = loc("add"(#loc1))
#loc3 = loc("psum"(#loc1))
#loc4 = loc("test/Integration/JAX/programs.py":417:19)
#loc5 = loc("all_gather"(#loc4))
#loc6 = loc("test/Integration/JAX/programs.py":418:37)
#loc7 = loc("dot_general"(#loc6))
#loc8 = loc("test/Integration/JAX/programs.py":418:20)
#loc9 = loc("add"(#loc8))
#loc10 = loc("reduce_scatter"(#loc8))
#loc11 = loc("test/Integration/JAX/programs.py":419:18)
#loc12 = loc("ppermute"(#loc11))
#loc13 = loc("test/Integration/JAX/programs.py":420:20)
#loc14 = loc("all_to_all"(#loc13))
#loc15 = loc("test/Integration/JAX/programs.py":421:19)
#loc16 = loc("axis_index"(#loc15))
#loc17 = loc("convert_element_type"(#loc15))
#loc18 = loc("test/Integration/JAX/programs.py":422:25)
#loc19 = loc("reduce_sum"(#loc18))
#loc20 = loc("test/Integration/JAX/programs.py":422:15)
#loc21 = loc("add"(#loc20))
#loc22 = loc("psum"(#loc20))
#loc23 = loc("div"(#loc20))
#loc24 = loc("test/Integration/JAX/programs.py":422:65)
#loc25 = loc("add"(#loc24))
#loc26 = loc("test/Integration/JAX/programs.py":424:11)
#loc27 = loc("jit(shard_map_collectives)/shard_map"(#loc26))
#loc28 = loc("test/Integration/JAX/programs.py":623:11)
#loc29 = loc("jit(shard_map_collectives)"(#loc28))
