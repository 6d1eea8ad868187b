// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_partial.inputs.safetensors --expect=%S/shard_map_partial.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_partial.inputs.safetensors --expect=%S/shard_map_partial.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=4,model=4 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_partial.inputs.safetensors --expect=%S/shard_map_partial.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=model=4 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_partial.inputs.safetensors --expect=%S/shard_map_partial.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_partial.inputs.safetensors --expect=%S/shard_map_partial.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_partial.inputs.safetensors --expect=%S/shard_map_partial.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shard_map_partial"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}], function_type = (tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<8x16xf32>, tensor<16x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['w1']"}, {jax.result_info = "result[1]['w2']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xf32> loc("p['w1']"), %arg1: tensor<16x8xf32> loc("p['w2']"), %arg2: tensor<4x8xf32> loc("x")):
    %0:4 = "sdy.manual_computation"(%arg0, %arg1, %arg2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}]>, <@mesh, [{"model", ?}, {?}]>, <@mesh, [{?}, {?}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"model", ?}, {?}]>, <@mesh, [{"model", ?}, {?}]>, <@mesh, [{"model", ?}, {?}]>, <@mesh, [{?}, {"model", ?}]>]>}> ({
    ^bb0(%arg10: tensor<8x4xf32> loc("shard_map:"), %arg11: tensor<4x8xf32> loc("shard_map:"), %arg12: tensor<4x8xf32> loc("shard_map:")):
      %33 = "stablehlo.dot_general"(%arg12, %arg10) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> loc(#loc2)
      %34 = "sdy.sharding_constraint"(%33) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc2)
      %35 = "stablehlo.tanh"(%34) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc4)
      %36 = "sdy.sharding_constraint"(%35) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc4)
      %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x4xf32> loc(#loc5)
      %39 = "sdy.sharding_constraint"(%38) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc5)
      %40 = "stablehlo.subtract"(%39, %36) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc5)
      %41 = "sdy.sharding_constraint"(%40) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc5)
      %42 = "stablehlo.dot_general"(%36, %arg11) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc6)
      %43 = "sdy.sharding_constraint"(%42) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc6)
      %44 = "stablehlo.reduce_scatter"(%43) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
      ^bb0(%arg13: tensor<f32> loc("reduce_scatter:"), %arg14: tensor<f32> loc("reduce_scatter:")):
        %58 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc8)
        %59 = "sdy.sharding_constraint"(%58) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc8)
        "stablehlo.return"(%59) : (tensor<f32>) -> () loc(#loc9)
      }) : (tensor<4x8xf32>) -> tensor<4x2xf32> loc(#loc9)
      %45 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>]>}> ({
        %52 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc11)
        %53 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc11)
        %54 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc11)
        %55 = "stablehlo.divide"(%54, %52) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc11)
        %56 = "stablehlo.remainder"(%55, %53) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc11)
        %57 = "stablehlo.convert"(%56) : (tensor<ui32>) -> tensor<i32> loc(#loc11)
        "sdy.return"(%57) : (tensor<i32>) -> () loc("shard_map:")
      }) : () -> tensor<i32> loc(#loc12)
      %46 = "stablehlo.convert"(%45) : (tensor<i32>) -> tensor<f32> loc(#loc13)
      %47 = "sdy.sharding_constraint"(%46) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc13)
      %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32> loc(#loc8)
      %49 = "sdy.sharding_constraint"(%48) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc8)
      %50 = "stablehlo.add"(%44, %49) : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc8)
      %51 = "sdy.sharding_constraint"(%50) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x2xf32>) -> tensor<4x2xf32> loc(#loc8)
      "sdy.return"(%arg12, %36, %41, %51) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>) -> () loc("shard_map:")
    }) : (tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<4x8xf32>) loc(#loc15)
    %1 = "stablehlo.multiply"(%0#3, %0#3) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc16)
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc19)
    %4 = "stablehlo.multiply"(%3, %0#3) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc19)
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc21)
    %6 = "stablehlo.reduce"(%1, %5) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg8: tensor<f32> loc("reduce_sum:"), %arg9: tensor<f32> loc("reduce_sum:")):
      %32 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc21)
      "stablehlo.return"(%32) : (tensor<f32>) -> () loc(#loc21)
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc21)
    %7 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %8 = "stablehlo.divide"(%6, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc22)
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %10 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %11 = "stablehlo.divide"(%9, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc24)
    %13 = "stablehlo.multiply"(%12, %4) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc25)
    %14:2 = "sdy.manual_computation"(%13, %0#0, %0#1, %0#2, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}]>, <@mesh, [{"model", ?}, {?}]>, <@mesh, [{"model", ?}, {?}]>, <@mesh, [{"model", ?}, {?}]>, <@mesh, [{"model", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{?}, {"model", ?}]>, <@mesh, [{"model", ?}, {?}]>]>}> ({
    ^bb0(%arg3: tensor<4x2xf32> loc("shard_map:"), %arg4: tensor<4x8xf32> loc("shard_map:"), %arg5: tensor<4x4xf32> loc("shard_map:"), %arg6: tensor<4x4xf32> loc("shard_map:"), %arg7: tensor<4x8xf32> loc("shard_map:")):
      %15 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<4x8xf32> loc(#loc26)
      %16 = "stablehlo.dot_general"(%15, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<8x4xf32> loc(#loc6)
      %17 = "sdy.sharding_constraint"(%16) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc6)
      %18 = "stablehlo.transpose"(%17) <{permutation = array<i64: 1, 0>}> : (tensor<8x4xf32>) -> tensor<4x8xf32> loc(#loc27)
      %19 = "sdy.sharding_constraint"(%18) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc27)
      %20 = "stablehlo.dot_general"(%15, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32> loc(#loc6)
      %21 = "sdy.sharding_constraint"(%20) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc6)
      %22 = "stablehlo.multiply"(%21, %arg6) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc28)
      %23 = "sdy.sharding_constraint"(%22) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc28)
      %24 = "stablehlo.multiply"(%23, %arg5) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc28)
      %25 = "sdy.sharding_constraint"(%24) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc28)
      %26 = "stablehlo.add"(%23, %25) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc29)
      %27 = "sdy.sharding_constraint"(%26) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(#loc29)
      %28 = "stablehlo.dot_general"(%27, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %29 = "sdy.sharding_constraint"(%28) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %30 = "stablehlo.transpose"(%29) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32> loc(#loc30)
      %31 = "sdy.sharding_constraint"(%30) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc30)
      "sdy.return"(%31, %19) : (tensor<8x4xf32>, tensor<4x8xf32>) -> () loc("shard_map:")
    }) : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x8xf32>) -> (tensor<8x16xf32>, tensor<16x8xf32>) loc(#loc31)
    "func.return"(%8, %14#0, %14#1) : (tensor<f32>, tensor<8x16xf32>, tensor<16x8xf32>) -> () loc(#loc18)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":569:27)
#loc2 = loc("dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":569:18)
#loc4 = loc("tanh"(#loc3))
#loc5 = loc("sub"(#loc3))
#loc6 = loc("dot_general"(#loc3))
#loc7 = loc("test/Integration/JAX/programs.py":570:15)
#loc8 = loc("add"(#loc7))
#loc9 = loc("reduce_scatter"(#loc7))
#loc10 = loc("test/Integration/JAX/programs.py":570:85)
#loc11 = loc("axis_index"(#loc10))
#loc12 = loc("shard_map"(#loc10))
#loc13 = loc("convert_element_type"(#loc7))
#loc14 = loc("test/Integration/JAX/programs.py":572:49)
#loc15 = loc("jit(shard_map_partial)/jvp()/shard_map"(#loc14))
#loc16 = loc("jit(shard_map_partial)/jvp()/integer_pow"(#loc14))
#loc17 = loc("test/Integration/JAX/programs.py":626:11)
#loc18 = loc("jit(shard_map_partial)"(#loc17))
#loc19 = loc("jit(shard_map_partial)/jvp()/mul"(#loc14))
#loc20 = loc("test/Integration/JAX/programs.py":572:40)
#loc21 = loc("jit(shard_map_partial)/jvp()/reduce_sum"(#loc20))
#loc22 = loc("jit(shard_map_partial)/jvp()/div"(#loc20))
#loc23 = loc("jit(shard_map_partial)/transpose(jvp())/div"(#loc20))
#loc24 = loc("jit(shard_map_partial)/transpose(jvp())/broadcast_in_dim"(#loc20))
#loc25 = loc("jit(shard_map_partial)/transpose(jvp())/mul"(#loc14))
#loc26 = loc("all_gather"(#loc7))
#loc27 = loc("transpose"(#loc3))
#loc28 = loc("mul"(#loc3))
#loc29 = loc("add_any"(#loc3))
#loc30 = loc("transpose"(#loc1))
#loc31 = loc("jit(shard_map_partial)/transpose(jvp())/shard_map"(#loc14))
