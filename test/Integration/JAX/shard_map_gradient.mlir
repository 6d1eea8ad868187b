// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/shard_map_gradient.inputs.safetensors --expect=%S/shard_map_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/shard_map_gradient.inputs.safetensors --expect=%S/shard_map_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_gradient.inputs.safetensors --expect=%S/shard_map_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/shard_map_gradient.inputs.safetensors --expect=%S/shard_map_gradient.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_shard_map_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<f32>, tensor<8x16xf32>, tensor<16x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]['w1']"}, {jax.result_info = "result[1]['w2']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x16xf32> loc("p['w1']"), %arg1: tensor<16x8xf32> loc("p['w2']"), %arg2: tensor<4x8xf32> loc("x")):
    %0:5 = "sdy.manual_computation"(%arg0, %arg1, %arg2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>, <@mesh, [{"data"}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data"}, {}]>]>}> ({
    ^bb0(%arg14: tensor<8x4xf32> loc("shard_map:"), %arg15: tensor<4x8xf32> loc("shard_map:"), %arg16: tensor<2x8xf32> loc("shard_map:")):
      %28 = "stablehlo.dot_general"(%arg16, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32> loc(#loc2)
      %29 = "stablehlo.tanh"(%28) : (tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc4)
      %30 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("shard_map:")
      %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32> loc(#loc5)
      %32 = "stablehlo.subtract"(%31, %29) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc5)
      %33 = "stablehlo.dot_general"(%29, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32> loc(#loc6)
      %34 = "stablehlo.all_reduce"(%33) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg17: tensor<f32> loc("psum_invariant:"), %arg18: tensor<f32> loc("psum_invariant:")):
        %35 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc8)
        "stablehlo.return"(%35) : (tensor<f32>) -> () loc(#loc9)
      }) : (tensor<2x8xf32>) -> tensor<2x8xf32> loc(#loc9)
      "sdy.return"(%arg16, %29, %32, %arg15, %34) : (tensor<2x8xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4x8xf32>, tensor<2x8xf32>) -> () loc("shard_map:")
    }) : (tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<32x8xf32>, tensor<4x8xf32>) loc(#loc11)
    %1 = "stablehlo.multiply"(%0#4, %0#4) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc12)
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc15)
    %4 = "stablehlo.multiply"(%3, %0#4) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc15)
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc17)
    %6 = "stablehlo.reduce"(%1, %5) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg12: tensor<f32> loc("reduce_sum:"), %arg13: tensor<f32> loc("reduce_sum:")):
      %27 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
      "stablehlo.return"(%27) : (tensor<f32>) -> () loc(#loc17)
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc17)
    %7 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %8 = "stablehlo.divide"(%6, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc18)
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %10 = "stablehlo.constant"() <{value = dense<3.200000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc14)
    %11 = "stablehlo.divide"(%9, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32> loc(#loc20)
    %13 = "stablehlo.multiply"(%12, %4) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc21)
    %14:2 = "sdy.manual_computation"(%13, %0#0, %0#1, %0#2, %0#3) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}]>, <@mesh, [{"data", "model"}, {}]>]>, manual_axes = #sdy<manual_axes{"data", "model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>]>}> ({
    ^bb0(%arg3: tensor<2x8xf32> loc("shard_map:"), %arg4: tensor<2x8xf32> loc("shard_map:"), %arg5: tensor<2x4xf32> loc("shard_map:"), %arg6: tensor<2x4xf32> loc("shard_map:"), %arg7: tensor<4x8xf32> loc("shard_map:")):
      %15 = "stablehlo.dot_general"(%arg3, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8xf32>, tensor<2x4xf32>) -> tensor<8x4xf32> loc(#loc6)
      %16 = "stablehlo.transpose"(%15) <{permutation = array<i64: 1, 0>}> : (tensor<8x4xf32>) -> tensor<4x8xf32> loc(#loc22)
      %17 = "stablehlo.dot_general"(%arg3, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xf32> loc(#loc6)
      %18 = "stablehlo.all_reduce"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32> loc("psum_invariant:"), %arg11: tensor<f32> loc("psum_invariant:")):
        %26 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
        "stablehlo.return"(%26) : (tensor<f32>) -> () loc(#loc24)
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32> loc(#loc24)
      %19 = "stablehlo.multiply"(%17, %arg6) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc25)
      %20 = "stablehlo.multiply"(%19, %arg5) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc25)
      %21 = "stablehlo.add"(%19, %20) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32> loc(#loc26)
      %22 = "stablehlo.dot_general"(%21, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4xf32>, tensor<2x8xf32>) -> tensor<4x8xf32> loc(#loc2)
      %23 = "stablehlo.transpose"(%22) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32> loc(#loc27)
      %24 = "stablehlo.all_reduce"(%23) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32> loc("psum_invariant:"), %arg9: tensor<f32> loc("psum_invariant:")):
        %25 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
        "stablehlo.return"(%25) : (tensor<f32>) -> () loc(#loc29)
      }) : (tensor<8x4xf32>) -> tensor<8x4xf32> loc(#loc29)
      "sdy.return"(%24, %18) : (tensor<8x4xf32>, tensor<4x8xf32>) -> () loc("shard_map:")
    }) : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<32x8xf32>) -> (tensor<8x16xf32>, tensor<16x8xf32>) loc(#loc30)
    "func.return"(%8, %14#0, %14#1) : (tensor<f32>, tensor<8x16xf32>, tensor<16x8xf32>) -> () loc(#loc14)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":558:33)
#loc2 = loc("dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":558:24)
#loc4 = loc("tanh"(#loc3))
#loc5 = loc("sub"(#loc3))
#loc6 = loc("dot_general"(#loc3))
#loc7 = loc("test/Integration/JAX/programs.py":558:15)
#loc8 = loc("add"(#loc7))
#loc9 = loc("psum_invariant"(#loc7))
#loc10 = loc("test/Integration/JAX/programs.py":560:49)
#loc11 = loc("jit(shard_map_gradient)/jvp()/shard_map"(#loc10))
#loc12 = loc("jit(shard_map_gradient)/jvp()/integer_pow"(#loc10))
#loc13 = loc("test/Integration/JAX/programs.py":626:11)
#loc14 = loc("jit(shard_map_gradient)"(#loc13))
#loc15 = loc("jit(shard_map_gradient)/jvp()/mul"(#loc10))
#loc16 = loc("test/Integration/JAX/programs.py":560:40)
#loc17 = loc("jit(shard_map_gradient)/jvp()/reduce_sum"(#loc16))
#loc18 = loc("jit(shard_map_gradient)/jvp()/div"(#loc16))
#loc19 = loc("jit(shard_map_gradient)/transpose(jvp())/div"(#loc16))
#loc20 = loc("jit(shard_map_gradient)/transpose(jvp())/broadcast_in_dim"(#loc16))
#loc21 = loc("jit(shard_map_gradient)/transpose(jvp())/mul"(#loc10))
#loc22 = loc("transpose"(#loc3))
#loc23 = loc("add"(#loc3))
#loc24 = loc("psum_invariant"(#loc3))
#loc25 = loc("mul"(#loc3))
#loc26 = loc("add_any"(#loc3))
#loc27 = loc("transpose"(#loc1))
#loc28 = loc("add"(#loc1))
#loc29 = loc("psum_invariant"(#loc1))
#loc30 = loc("jit(shard_map_gradient)/transpose(jvp())/shard_map"(#loc10))
