// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_ulysses.inputs.safetensors --expect=%S/shard_map_ulysses.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_ulysses.inputs.safetensors --expect=%S/shard_map_ulysses.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=4,model=4 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_ulysses.inputs.safetensors --expect=%S/shard_map_ulysses.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=model=4 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_ulysses.inputs.safetensors --expect=%S/shard_map_ulysses.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_ulysses.inputs.safetensors --expect=%S/shard_map_ulysses.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_ulysses.inputs.safetensors --expect=%S/shard_map_ulysses.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shard_map_ulysses"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}], function_type = (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x8x8xf32> loc("x")):
    %0 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x8xf32> loc(#loc4)
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc4)
    %3 = "sdy.manual_computation"(%2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}, {?}]>]>}> ({
    ^bb0(%arg1: tensor<4x2x8xf32> loc("shard_map:")):
      %7 = "stablehlo.all_to_all"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 2 : i64}> : (tensor<4x2x8xf32>) -> tensor<4x8x2xf32> loc(#loc6)
      %8 = "stablehlo.dot_general"(%7, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8x2xf32>, tensor<4x8x2xf32>) -> tensor<4x8x8xf32> loc(#loc8)
      %9 = "sdy.sharding_constraint"(%8) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc8)
      %10 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc10)
      %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 2>}> ({
      ^bb0(%arg4: tensor<f32> loc("reduce_max:"), %arg5: tensor<f32> loc("reduce_max:")):
        %39 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc10)
        "stablehlo.return"(%39) : (tensor<f32>) -> () loc(#loc10)
      }) : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32> loc(#loc10)
      %12 = "sdy.sharding_constraint"(%11) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc10)
      %13 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc11)
      %15 = "sdy.sharding_constraint"(%14) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc11)
      %16 = "stablehlo.maximum"(%15, %12) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc11)
      %17 = "sdy.sharding_constraint"(%16) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc11)
      %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>) -> tensor<4x8x1xf32> loc(#loc12)
      %19 = "sdy.sharding_constraint"(%18) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x1xf32>) -> tensor<4x8x1xf32> loc(#loc12)
      %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32> loc(#loc13)
      %21 = "sdy.sharding_constraint"(%20) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc13)
      %22 = "stablehlo.subtract"(%9, %21) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc13)
      %23 = "sdy.sharding_constraint"(%22) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc13)
      %24 = "stablehlo.exponential"(%23) : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc14)
      %25 = "sdy.sharding_constraint"(%24) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc14)
      %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
      %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 2>}> ({
      ^bb0(%arg2: tensor<f32> loc("reduce_sum:"), %arg3: tensor<f32> loc("reduce_sum:")):
        %38 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
        "stablehlo.return"(%38) : (tensor<f32>) -> () loc(#loc15)
      }) : (tensor<4x8x8xf32>, tensor<f32>) -> tensor<4x8xf32> loc(#loc15)
      %28 = "sdy.sharding_constraint"(%27) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc15)
      %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>) -> tensor<4x8x1xf32> loc(#loc12)
      %30 = "sdy.sharding_constraint"(%29) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x1xf32>) -> tensor<4x8x1xf32> loc(#loc12)
      %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<4x8x1xf32>) -> tensor<4x8x8xf32> loc(#loc16)
      %32 = "sdy.sharding_constraint"(%31) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc16)
      %33 = "stablehlo.divide"(%25, %32) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc16)
      %34 = "sdy.sharding_constraint"(%33) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc16)
      %35 = "stablehlo.dot_general"(%34, %7) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8x8xf32>, tensor<4x8x2xf32>) -> tensor<4x8x2xf32> loc(#loc18)
      %36 = "sdy.sharding_constraint"(%35) <{sharding = #sdy.sharding<@mesh, [{?}, {?}, {?}]>}> : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32> loc(#loc18)
      %37 = "stablehlo.all_to_all"(%36) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 2 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<4x8x2xf32>) -> tensor<4x2x8xf32> loc(#loc20)
      "sdy.return"(%37) : (tensor<4x2x8xf32>) -> () loc("shard_map:")
    }) : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc22)
    %4 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8x8xf32> loc(#loc23)
    %6 = "stablehlo.add"(%3, %5) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32> loc(#loc23)
    "func.return"(%6) : (tensor<4x8x8xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":626:11)
#loc2 = loc("jit(shard_map_ulysses)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":585:18)
#loc4 = loc("jit(shard_map_ulysses)/mul"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":581:12)
#loc6 = loc("all_to_all"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":582:27)
#loc8 = loc("bsd,btd->bst/dot_general"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":582:12)
#loc10 = loc("reduce_max"(#loc9))
#loc11 = loc("max"(#loc9))
#loc12 = loc("broadcast_in_dim"(#loc9))
#loc13 = loc("sub"(#loc9))
#loc14 = loc("exp"(#loc9))
#loc15 = loc("reduce_sum"(#loc9))
#loc16 = loc("div"(#loc9))
#loc17 = loc("test/Integration/JAX/programs.py":583:30)
#loc18 = loc("bst,btd->bsd/dot_general"(#loc17))
#loc19 = loc("test/Integration/JAX/programs.py":583:15)
#loc20 = loc("all_to_all"(#loc19))
#loc21 = loc("test/Integration/JAX/programs.py":585:11)
#loc22 = loc("jit(shard_map_ulysses)/shard_map"(#loc21))
#loc23 = loc("jit(shard_map_ulysses)/add"(#loc21))
