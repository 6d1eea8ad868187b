// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/regions_that_branch.inputs.safetensors --expect=%S/regions_that_branch.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/regions_that_branch.inputs.safetensors --expect=%S/regions_that_branch.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/regions_that_branch.inputs.safetensors --expect=%S/regions_that_branch.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/regions_that_branch.inputs.safetensors --expect=%S/regions_that_branch.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_regions_that_branch"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}], function_type = (tensor<8x12xf32>) -> tensor<8x12xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<8x12xf32> loc("x")):
    %8 = "sdy.manual_computation"(%arg5) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"data"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"data", ?}, {?}]>]>}> ({
    ^bb0(%arg6: tensor<4x12xf32> loc("shard_map:")):
      %9 = "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"model"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>]>}> ({
        %22 = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc2)
        %23 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc2)
        %24 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc2)
        %25 = "stablehlo.divide"(%24, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc2)
        %26 = "stablehlo.remainder"(%25, %23) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc2)
        %27 = "stablehlo.convert"(%26) : (tensor<ui32>) -> tensor<i32> loc(#loc2)
        "sdy.return"(%27) : (tensor<i32>) -> () loc("shard_map:")
      }) : () -> tensor<i32> loc(#loc3)
      %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("shard_map:")
      %11 = "stablehlo.compare"(%9, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc(#loc4)
      %12 = "stablehlo.convert"(%11) : (tensor<i1>) -> tensor<i32> loc(#loc6)
      %13 = "sdy.sharding_constraint"(%12) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32> loc(#loc6)
      %14 = "stablehlo.case"(%13) ({
        %19 = "sdy.sharding_constraint"(%arg6) <{sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc8)
        %20 = "func.call"(%19) <{callee = @_flip}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc10)
        %21 = "sdy.sharding_constraint"(%20) <{sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc8)
        "stablehlo.return"(%21) : (tensor<4x12xf32>) -> () loc(#loc11)
      }, {
        %16 = "sdy.sharding_constraint"(%arg6) <{sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc12)
        %17 = "func.call"(%16) <{callee = @cumsum}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc14)
        %18 = "sdy.sharding_constraint"(%17) <{sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc12)
        "stablehlo.return"(%18) : (tensor<4x12xf32>) -> () loc(#loc11)
      }) : (tensor<i32>) -> tensor<4x12xf32> loc(#loc11)
      %15 = "sdy.sharding_constraint"(%14) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(#loc11)
      "sdy.return"(%15) : (tensor<4x12xf32>) -> () loc("shard_map:")
    }) : (tensor<8x12xf32>) -> tensor<8x12xf32> loc(#loc16)
    "func.return"(%8) : (tensor<8x12xf32>) -> () loc(#loc18)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x12xf32>) -> tensor<4x12xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x12xf32> loc(unknown)):
    %6 = "stablehlo.reverse"(%arg4) <{dimensions = array<i64: 1>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc("rev")
    %7 = "sdy.sharding_constraint"(%6) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc("rev")
    "func.return"(%7) : (tensor<4x12xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc19)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x12xf32>) -> tensor<4x12xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x12xf32> loc(unknown)):
    %5 = "func.call"(%arg3) <{callee = @cumsum_0}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc(unknown)
    "func.return"(%5) : (tensor<4x12xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc20)
  "func.func"() <{function_type = (tensor<4x12xf32>) -> tensor<4x12xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x12xf32> loc(unknown)):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_window_sum")
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32> loc("reduce_window_sum")
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [11, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 12>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32> loc("reduce_window_sum:"), %arg2: tensor<f32> loc("reduce_window_sum:")):
      %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_window_sum")
      "stablehlo.return"(%4) : (tensor<f32>) -> () loc("reduce_window_sum")
    }) : (tensor<4x12xf32>, tensor<f32>) -> tensor<4x12xf32> loc("reduce_window_sum")
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<4x12xf32>) -> tensor<4x12xf32> loc("reduce_window_sum")
    "func.return"(%3) : (tensor<4x12xf32>) -> () loc(unknown)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/regions.py":42:24)
#loc2 = loc("axis_index"(#loc1))
#loc3 = loc("shard_map"(#loc1))
#loc4 = loc("eq"(#loc1))
#loc5 = loc("test/Integration/JAX/regions.py":42:15)
#loc6 = loc("convert_element_type"(#loc5))
#loc7 = loc("test/Integration/JAX/regions.py":40:26)
#loc8 = loc("cond/branch_0_fun/sharding_constraint"(#loc7))
#loc9 = loc("test/Integration/JAX/regions.py":41:85)
#loc10 = loc("cond/branch_0_fun/jit(_flip)"(#loc9))
#loc11 = loc("cond"(#loc5))
#loc12 = loc("cond/branch_1_fun/sharding_constraint"(#loc7))
#loc13 = loc("test/Integration/JAX/regions.py":41:43)
#loc14 = loc("cond/branch_1_fun/jit(cumsum)"(#loc13))
#loc15 = loc("test/Integration/JAX/regions.py":44:11)
#loc16 = loc("jit(regions_that_branch)/shard_map"(#loc15))
#loc17 = loc("test/Integration/JAX/programs.py":955:11)
#loc18 = loc("jit(regions_that_branch)"(#loc17))
#loc19 = loc("jit:"(#loc9))
#loc20 = loc("jit:"(#loc13))
