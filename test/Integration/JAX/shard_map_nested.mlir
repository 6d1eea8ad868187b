// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_nested.inputs.safetensors --expect=%S/shard_map_nested.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_nested.inputs.safetensors --expect=%S/shard_map_nested.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_nested.inputs.safetensors --expect=%S/shard_map_nested.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_nested.inputs.safetensors --expect=%S/shard_map_nested.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shard_map_nested"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x16xf32>) -> tensor<8x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xf32> loc("x")):
    %0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}]>]>}> ({
    ^bb0(%arg1: tensor<4x16xf32> loc("shard_map:")):
      %1 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>]>}> ({
        %36 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc2)
        %37 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc2)
        %38 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc2)
        %39 = "stablehlo.divide"(%38, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc2)
        %40 = "stablehlo.remainder"(%39, %37) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc2)
        %41 = "stablehlo.convert"(%40) : (tensor<ui32>) -> tensor<i32> loc(#loc2)
        "sdy.return"(%41) : (tensor<i32>) -> () loc("shard_map:")
      }) : () -> tensor<i32> loc(#loc3)
      %2 = "stablehlo.convert"(%1) : (tensor<i32>) -> tensor<f32> loc(#loc5)
      %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc5)
      %4 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %5 = "stablehlo.add"(%4, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc6)
      %6 = "sdy.sharding_constraint"(%5) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc6)
      %7 = "stablehlo.convert"(%6) : (tensor<f32>) -> tensor<f32> loc(#loc8)
      %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc8)
      %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16xf32> loc(#loc9)
      %10 = "sdy.sharding_constraint"(%9) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc9)
      %11 = "stablehlo.multiply"(%arg1, %10) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc9)
      %12 = "sdy.sharding_constraint"(%11) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc9)
      %13 = "sdy.manual_computation"(%12) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}]>]>}> ({
      ^bb0(%arg4: tensor<4x4xf32> loc("shard_map:")):
        %21 = "stablehlo.all_reduce"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
        ^bb0(%arg5: tensor<f32> loc("psum_invariant:"), %arg6: tensor<f32> loc("psum_invariant:")):
          %35 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
          "stablehlo.return"(%35) : (tensor<f32>) -> () loc(#loc12)
        }) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc12)
        %22 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
        %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32> loc(#loc13)
        %24 = "stablehlo.divide"(%21, %23) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc13)
        %25 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc15)
        %26 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc15)
        %27 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc15)
        %28 = "stablehlo.divide"(%27, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc15)
        %29 = "stablehlo.remainder"(%28, %26) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc15)
        %30 = "stablehlo.convert"(%29) : (tensor<ui32>) -> tensor<i32> loc(#loc15)
        %31 = "stablehlo.convert"(%30) : (tensor<i32>) -> tensor<f32> loc(#loc16)
        %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32> loc(#loc17)
        %33 = "stablehlo.multiply"(%24, %32) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc17)
        %34 = "stablehlo.subtract"(%arg4, %33) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc19)
        "sdy.return"(%34) : (tensor<4x4xf32>) -> () loc("shard_map:")
      }) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc21)
      %14 = "stablehlo.sine"(%13) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc23)
      %15 = "sdy.sharding_constraint"(%14) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc23)
      %16 = "stablehlo.all_reduce"(%12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32> loc("psum_invariant:"), %arg3: tensor<f32> loc("psum_invariant:")):
        %19 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc25)
        %20 = "sdy.sharding_constraint"(%19) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc25)
        "stablehlo.return"(%20) : (tensor<f32>) -> () loc(#loc26)
      }) : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc26)
      %17 = "stablehlo.add"(%15, %16) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc27)
      %18 = "sdy.sharding_constraint"(%17) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x16xf32>) -> tensor<4x16xf32> loc(#loc27)
      "sdy.return"(%18) : (tensor<4x16xf32>) -> () loc("shard_map:")
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32> loc(#loc29)
    "func.return"(%0) : (tensor<8x16xf32>) -> () loc(#loc31)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":594:23)
#loc2 = loc("axis_index"(#loc1))
#loc3 = loc("shard_map"(#loc1))
#loc4 = loc("test/Integration/JAX/programs.py":594:17)
#loc5 = loc("convert_element_type"(#loc4))
#loc6 = loc("add"(#loc4))
#loc7 = loc("test/Integration/JAX/programs.py":594:12)
#loc8 = loc("convert_element_type"(#loc7))
#loc9 = loc("mul"(#loc7))
#loc10 = loc("test/Integration/JAX/programs.py":598:23)
#loc11 = loc("add"(#loc10))
#loc12 = loc("psum_invariant"(#loc10))
#loc13 = loc("div"(#loc10))
#loc14 = loc("test/Integration/JAX/programs.py":598:57)
#loc15 = loc("axis_index"(#loc14))
#loc16 = loc("convert_element_type"(#loc10))
#loc17 = loc("mul"(#loc10))
#loc18 = loc("test/Integration/JAX/programs.py":598:19)
#loc19 = loc("sub"(#loc18))
#loc20 = loc("test/Integration/JAX/programs.py":600:23)
#loc21 = loc("shard_map"(#loc20))
#loc22 = loc("test/Integration/JAX/programs.py":600:15)
#loc23 = loc("sin"(#loc22))
#loc24 = loc("test/Integration/JAX/programs.py":600:35)
#loc25 = loc("add"(#loc24))
#loc26 = loc("psum_invariant"(#loc24))
#loc27 = loc("add"(#loc22))
#loc28 = loc("test/Integration/JAX/programs.py":602:11)
#loc29 = loc("jit(shard_map_nested)/shard_map"(#loc28))
#loc30 = loc("test/Integration/JAX/programs.py":626:11)
#loc31 = loc("jit(shard_map_nested)"(#loc30))
