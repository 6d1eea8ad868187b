// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_reductions.inputs.safetensors --expect=%S/shard_map_reductions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_reductions.inputs.safetensors --expect=%S/shard_map_reductions.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_reductions.inputs.safetensors --expect=%S/shard_map_reductions.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_reductions.inputs.safetensors --expect=%S/shard_map_reductions.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shard_map_reductions"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<8x2xui32>, tensor<4x2xui32>), res_attrs = [{jax.result_info = "result['halves']"}, {jax.result_info = "result['least']"}, {jax.result_info = "result['most']"}, {jax.result_info = "result['n']"}, {jax.result_info = "result['pairs']"}, {jax.result_info = "result['sum']"}, {jax.result_info = "result['u']"}, {jax.result_info = "result['v']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x"), %arg1: tensor<8x8xi32> loc("n")):
    %0:8 = "sdy.manual_computation"(%arg0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{}, {}]>]>}> ({
    ^bb0(%arg2: tensor<4x2xf32> loc("shard_map:"), %arg3: tensor<4x2xi32> loc("shard_map:")):
      %1 = "stablehlo.convert"(%arg3) : (tensor<4x2xi32>) -> tensor<4x2xui32> loc(#loc2)
      %2 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg18: tensor<f32> loc("psum:"), %arg19: tensor<f32> loc("psum:")):
        %17 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc4)
        "stablehlo.return"(%17) : (tensor<f32>) -> () loc(#loc5)
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc5)
      %3 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32> loc("pmax:"), %arg17: tensor<f32> loc("pmax:")):
        %16 = "stablehlo.maximum"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc7)
        "stablehlo.return"(%16) : (tensor<f32>) -> () loc(#loc8)
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc8)
      %4 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg14: tensor<f32> loc("pmin:"), %arg15: tensor<f32> loc("pmin:")):
        %15 = "stablehlo.minimum"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc10)
        "stablehlo.return"(%15) : (tensor<f32>) -> () loc(#loc11)
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc11)
      %5 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<f32> loc("psum:"), %arg13: tensor<f32> loc("psum:")):
        %14 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
        "stablehlo.return"(%14) : (tensor<f32>) -> () loc(#loc14)
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc14)
      %6 = "stablehlo.all_reduce"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32> loc("psum:"), %arg11: tensor<f32> loc("psum:")):
        %13 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
        "stablehlo.return"(%13) : (tensor<f32>) -> () loc(#loc17)
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc17)
      %7 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<i32> loc("psum:"), %arg9: tensor<i32> loc("psum:")):
        %12 = "stablehlo.add"(%arg8, %arg9) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc19)
        "stablehlo.return"(%12) : (tensor<i32>) -> () loc(#loc20)
      }) : (tensor<4x2xi32>) -> tensor<4x2xi32> loc(#loc20)
      %8 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<ui32> loc("pmax:"), %arg7: tensor<ui32> loc("pmax:")):
        %11 = "stablehlo.maximum"(%arg6, %arg7) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc22)
        "stablehlo.return"(%11) : (tensor<ui32>) -> () loc(#loc23)
      }) : (tensor<4x2xui32>) -> tensor<4x2xui32> loc(#loc23)
      %9 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<ui32> loc("pmin:"), %arg5: tensor<ui32> loc("pmin:")):
        %10 = "stablehlo.minimum"(%arg4, %arg5) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc25)
        "stablehlo.return"(%10) : (tensor<ui32>) -> () loc(#loc26)
      }) : (tensor<4x2xui32>) -> tensor<4x2xui32> loc(#loc26)
      "sdy.return"(%5, %4, %3, %7, %6, %2, %8, %9) : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xui32>, tensor<4x2xui32>) -> () loc("shard_map:")
    }) : (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<8x2xui32>, tensor<4x2xui32>) loc(#loc28)
    "func.return"(%0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xi32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<8x2xui32>, tensor<4x2xui32>) -> () loc(#loc30)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":510:12)
#loc2 = loc("convert_element_type"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":512:19)
#loc4 = loc("add"(#loc3))
#loc5 = loc("psum"(#loc3))
#loc6 = loc("test/Integration/JAX/programs.py":513:20)
#loc7 = loc("max"(#loc6))
#loc8 = loc("pmax"(#loc6))
#loc9 = loc("test/Integration/JAX/programs.py":514:21)
#loc10 = loc("min"(#loc9))
#loc11 = loc("pmin"(#loc9))
#loc12 = loc("test/Integration/JAX/programs.py":515:22)
#loc13 = loc("add"(#loc12))
#loc14 = loc("psum"(#loc12))
#loc15 = loc("test/Integration/JAX/programs.py":516:21)
#loc16 = loc("add"(#loc15))
#loc17 = loc("psum"(#loc15))
#loc18 = loc("test/Integration/JAX/programs.py":517:17)
#loc19 = loc("add"(#loc18))
#loc20 = loc("psum"(#loc18))
#loc21 = loc("test/Integration/JAX/programs.py":518:17)
#loc22 = loc("max"(#loc21))
#loc23 = loc("pmax"(#loc21))
#loc24 = loc("test/Integration/JAX/programs.py":519:17)
#loc25 = loc("min"(#loc24))
#loc26 = loc("pmin"(#loc24))
#loc27 = loc("test/Integration/JAX/programs.py":522:11)
#loc28 = loc("jit(shard_map_reductions)/shard_map"(#loc27))
#loc29 = loc("test/Integration/JAX/programs.py":626:11)
#loc30 = loc("jit(shard_map_reductions)"(#loc29))
