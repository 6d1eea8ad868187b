// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/regions_three_deep.inputs.safetensors --expect=%S/regions_three_deep.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/regions_three_deep.inputs.safetensors --expect=%S/regions_three_deep.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/regions_three_deep.inputs.safetensors --expect=%S/regions_three_deep.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/regions_three_deep.inputs.safetensors --expect=%S/regions_three_deep.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_regions_three_deep"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=2, "c"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "a", size = 2 : i64}, {name = "b", size = 2 : i64}, {name = "c", size = 2 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b", "c"}]>}], function_type = (tensor<8x8xf32>) -> tensor<4x2xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x")):
    %0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"a"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>}> ({
    ^bb0(%arg1: tensor<4x8xf32> loc("shard_map:")):
      %3 = "stablehlo.tanh"(%arg1) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %4 = "sdy.sharding_constraint"(%3) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %5 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"b", ?}]>]>, manual_axes = #sdy<manual_axes{"b"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>}> ({
      ^bb0(%arg4: tensor<4x4xf32> loc("shard_map:")):
        %9 = "sdy.manual_computation"(%arg4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"c", ?}]>]>, manual_axes = #sdy<manual_axes{"c"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>}> ({
        ^bb0(%arg9: tensor<4x2xf32> loc("shard_map:")):
          %26 = "stablehlo.multiply"(%arg9, %arg9) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc4)
          %27 = "stablehlo.all_reduce"(%26) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
          ^bb0(%arg10: tensor<f32> loc("psum_invariant:"), %arg11: tensor<f32> loc("psum_invariant:")):
            %28 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc6)
            "stablehlo.return"(%28) : (tensor<f32>) -> () loc(#loc7)
          }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc7)
          "sdy.return"(%27) : (tensor<4x2xf32>) -> () loc("shard_map:")
        }) : (tensor<4x4xf32>) -> tensor<4x2xf32> loc(#loc9)
        %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc11)
        %11 = "stablehlo.reduce"(%arg4, %10) <{dimensions = array<i64: 0, 1>}> ({
        ^bb0(%arg7: tensor<f32> loc("reduce_sum:"), %arg8: tensor<f32> loc("reduce_sum:")):
          %25 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
          "stablehlo.return"(%25) : (tensor<f32>) -> () loc(#loc11)
        }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc11)
        %12 = "sdy.sharding_constraint"(%11) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc11)
        %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32> loc(#loc12)
        %14 = "sdy.sharding_constraint"(%13) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc12)
        %15 = "stablehlo.add"(%9, %14) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc12)
        %16 = "sdy.sharding_constraint"(%15) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc12)
        %17 = "stablehlo.all_reduce"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
        ^bb0(%arg5: tensor<f32> loc("psum_invariant:"), %arg6: tensor<f32> loc("psum_invariant:")):
          %23 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
          %24 = "sdy.sharding_constraint"(%23) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc14)
          "stablehlo.return"(%24) : (tensor<f32>) -> () loc(#loc15)
        }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc15)
        %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
        %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32> loc(#loc16)
        %20 = "sdy.sharding_constraint"(%19) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc16)
        %21 = "stablehlo.divide"(%17, %20) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc16)
        %22 = "sdy.sharding_constraint"(%21) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc16)
        "sdy.return"(%22) : (tensor<4x2xf32>) -> () loc("shard_map:")
      }) : (tensor<4x8xf32>) -> tensor<4x2xf32> loc(#loc18)
      %6 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32> loc("psum_invariant:"), %arg3: tensor<f32> loc("psum_invariant:")):
        %7 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc20)
        %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc20)
        "stablehlo.return"(%8) : (tensor<f32>) -> () loc(#loc21)
      }) : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc21)
      "sdy.return"(%6) : (tensor<4x2xf32>) -> () loc("shard_map:")
    }) : (tensor<8x8xf32>) -> tensor<4x2xf32> loc(#loc23)
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<8x8xf32>) -> tensor<4x2xf32> loc(#loc25)
    %2 = "stablehlo.add"(%0, %1) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc26)
    "func.return"(%2) : (tensor<4x2xf32>) -> () loc(#loc28)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/regions.py":26:109)
#loc2 = loc("tanh"(#loc1))
#loc3 = loc("test/Integration/JAX/regions.py":24:31)
#loc4 = loc("mul"(#loc3))
#loc5 = loc("test/Integration/JAX/regions.py":24:22)
#loc6 = loc("add"(#loc5))
#loc7 = loc("psum_invariant"(#loc5))
#loc8 = loc("test/Integration/JAX/regions.py":25:33)
#loc9 = loc("shard_map"(#loc8))
#loc10 = loc("test/Integration/JAX/regions.py":25:115)
#loc11 = loc("reduce_sum"(#loc10))
#loc12 = loc("add"(#loc8))
#loc13 = loc("test/Integration/JAX/regions.py":25:23)
#loc14 = loc("add"(#loc13))
#loc15 = loc("psum_invariant"(#loc13))
#loc16 = loc("div"(#loc13))
#loc17 = loc("test/Integration/JAX/regions.py":26:31)
#loc18 = loc("shard_map"(#loc17))
#loc19 = loc("test/Integration/JAX/regions.py":26:22)
#loc20 = loc("add"(#loc19))
#loc21 = loc("psum_invariant"(#loc19))
#loc22 = loc("test/Integration/JAX/regions.py":27:11)
#loc23 = loc("jit(regions_three_deep)/shard_map"(#loc22))
#loc24 = loc("test/Integration/JAX/regions.py":27:98)
#loc25 = loc("jit(regions_three_deep)/slice"(#loc24))
#loc26 = loc("jit(regions_three_deep)/add"(#loc22))
#loc27 = loc("test/Integration/JAX/programs.py":955:11)
#loc28 = loc("jit(regions_three_deep)"(#loc27))
