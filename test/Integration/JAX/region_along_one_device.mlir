// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/region_along_one_device.inputs.safetensors --expect=%S/region_along_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_along_one_device.inputs.safetensors --expect=%S/region_along_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_along_one_device.inputs.safetensors --expect=%S/region_along_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=4,model=2 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_along_one_device.inputs.safetensors --expect=%S/region_along_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/region_along_one_device.inputs.safetensors --expect=%S/region_along_one_device.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/region_along_one_device.inputs.safetensors --expect=%S/region_along_one_device.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_region_along_one_device"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=1, "model"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}, {name = "model", size = 2 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, {}], function_type = (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x"), %arg1: tensor<8x8xf32> loc("w")):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc2)
    %1 = "sdy.sharding_constraint"(%0) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc2)
    %2 = "stablehlo.tanh"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc4)
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc4)
    %4 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc6)
    %5 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc8)
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
    %7 = "stablehlo.reduce"(%5, %6) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg16: tensor<f32> loc("reduce_sum:"), %arg17: tensor<f32> loc("reduce_sum:")):
      %67 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      "stablehlo.return"(%67) : (tensor<f32>) -> () loc(#loc9)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc9)
    %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc9)
    %9 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg14: tensor<f32> loc("reduce_scatter:"), %arg15: tensor<f32> loc("reduce_scatter:")):
      %65 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
      %66 = "sdy.sharding_constraint"(%65) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc11)
      "stablehlo.return"(%66) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc12)
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg12: tensor<f32> loc("reduce_sum:"), %arg13: tensor<f32> loc("reduce_sum:")):
      %64 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      "stablehlo.return"(%64) : (tensor<f32>) -> () loc(#loc13)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc13)
    %12 = "sdy.sharding_constraint"(%11) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc13)
    %13 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %14 = "stablehlo.divide"(%12, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
    %15 = "sdy.sharding_constraint"(%14) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc16)
    %16 = "stablehlo.add"(%8, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
    %17 = "sdy.sharding_constraint"(%16) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc17)
    %18 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc19)
    %19 = "stablehlo.reduce"(%3, %18) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_max:"), %arg11: tensor<f32> loc("reduce_max:")):
      %63 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
      "stablehlo.return"(%63) : (tensor<f32>) -> () loc(#loc19)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc19)
    %20 = "sdy.sharding_constraint"(%19) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc19)
    %21 = "stablehlo.add"(%17, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
    %22 = "sdy.sharding_constraint"(%21) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc17)
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc21)
    %24 = "stablehlo.convert"(%23) : (tensor<i32>) -> tensor<f32> loc(#loc23)
    %25 = "sdy.sharding_constraint"(%24) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc23)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc24)
    %27 = "sdy.sharding_constraint"(%26) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %28 = "stablehlo.add"(%3, %27) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %29 = "sdy.sharding_constraint"(%28) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %30 = "stablehlo.add"(%29, %4) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %31 = "sdy.sharding_constraint"(%30) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %32 = "stablehlo.multiply"(%3, %3) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc26)
    %33 = "sdy.sharding_constraint"(%32) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc26)
    %34 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg8: tensor<f32> loc("reduce_sum:"), %arg9: tensor<f32> loc("reduce_sum:")):
      %62 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%62) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %36 = "sdy.sharding_constraint"(%35) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc28)
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %38 = "stablehlo.add"(%37, %36) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %39 = "sdy.sharding_constraint"(%38) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc30)
    %40 = "stablehlo.all_reduce"(%39) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32> loc("psum:"), %arg7: tensor<f32> loc("psum:")):
      %60 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc32)
      %61 = "sdy.sharding_constraint"(%60) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc32)
      "stablehlo.return"(%61) : (tensor<f32>) -> () loc(#loc33)
    }) : (tensor<f32>) -> tensor<f32> loc(#loc33)
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc35)
    %42 = "sdy.sharding_constraint"(%41) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc35)
    %43 = "stablehlo.divide"(%31, %42) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc35)
    %44 = "sdy.sharding_constraint"(%43) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc35)
    %45 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc36)
    %46 = "sdy.sharding_constraint"(%45) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    %47 = "stablehlo.add"(%44, %46) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    %48 = "sdy.sharding_constraint"(%47) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    %49 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc38)
    %50 = "stablehlo.reduce"(%3, %49) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_min:"), %arg5: tensor<f32> loc("reduce_min:")):
      %59 = "stablehlo.minimum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc38)
      "stablehlo.return"(%59) : (tensor<f32>) -> () loc(#loc38)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc38)
    %51 = "sdy.sharding_constraint"(%50) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc38)
    %52 = "stablehlo.all_reduce"(%51) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32> loc("pmax:"), %arg3: tensor<f32> loc("pmax:")):
      %57 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc40)
      %58 = "sdy.sharding_constraint"(%57) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32> loc(#loc40)
      "stablehlo.return"(%58) : (tensor<f32>) -> () loc(#loc41)
    }) : (tensor<f32>) -> tensor<f32> loc(#loc41)
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc36)
    %54 = "sdy.sharding_constraint"(%53) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    %55 = "stablehlo.add"(%48, %54) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    %56 = "sdy.sharding_constraint"(%55) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    "func.return"(%56) : (tensor<8x8xf32>) -> () loc(#loc43)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/regions.py":99:21)
#loc2 = loc("jit(region_along_one_device)/dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/regions.py":99:12)
#loc4 = loc("jit(region_along_one_device)/tanh"(#loc3))
#loc5 = loc("test/Integration/JAX/regions.py":101:17)
#loc6 = loc("jit(region_along_one_device)/ppermute"(#loc5))
#loc7 = loc("test/Integration/JAX/regions.py":102:17)
#loc8 = loc("jit(region_along_one_device)/all_gather"(#loc7))
#loc9 = loc("jit(region_along_one_device)/reduce_sum"(#loc7))
#loc10 = loc("test/Integration/JAX/regions.py":102:61)
#loc11 = loc("jit(region_along_one_device)/add"(#loc10))
#loc12 = loc("jit(region_along_one_device)/reduce_scatter"(#loc10))
#loc13 = loc("jit(region_along_one_device)/reduce_sum"(#loc10))
#loc14 = loc("test/Integration/JAX/regions.py":122:11)
#loc15 = loc("jit(region_along_one_device)/shard_map"(#loc14))
#loc16 = loc("jit(region_along_one_device)/div"(#loc10))
#loc17 = loc("jit(region_along_one_device)/add"(#loc7))
#loc18 = loc("test/Integration/JAX/regions.py":102:108)
#loc19 = loc("jit(region_along_one_device)/reduce_max"(#loc18))
#loc20 = loc("test/Integration/JAX/regions.py":103:20)
#loc21 = loc("jit(region_along_one_device)/axis_index"(#loc20))
#loc22 = loc("test/Integration/JAX/regions.py":103:16)
#loc23 = loc("jit(region_along_one_device)/convert_element_type"(#loc22))
#loc24 = loc("jit(region_along_one_device)/add"(#loc22))
#loc25 = loc("test/Integration/JAX/regions.py":103:74)
#loc26 = loc("jit(region_along_one_device)/mul"(#loc25))
#loc27 = loc("test/Integration/JAX/regions.py":103:66)
#loc28 = loc("jit(region_along_one_device)/reduce_sum"(#loc27))
#loc29 = loc("test/Integration/JAX/regions.py":103:62)
#loc30 = loc("jit(region_along_one_device)/add"(#loc29))
#loc31 = loc("test/Integration/JAX/regions.py":103:53)
#loc32 = loc("jit(region_along_one_device)/add"(#loc31))
#loc33 = loc("jit(region_along_one_device)/psum"(#loc31))
#loc34 = loc("test/Integration/JAX/regions.py":103:15)
#loc35 = loc("jit(region_along_one_device)/div"(#loc34))
#loc36 = loc("jit(region_along_one_device)/add"(#loc34))
#loc37 = loc("test/Integration/JAX/regions.py":103:108)
#loc38 = loc("jit(region_along_one_device)/reduce_min"(#loc37))
#loc39 = loc("test/Integration/JAX/regions.py":103:99)
#loc40 = loc("jit(region_along_one_device)/max"(#loc39))
#loc41 = loc("jit(region_along_one_device)/pmax"(#loc39))
#loc42 = loc("test/Integration/JAX/programs.py":955:11)
#loc43 = loc("jit(region_along_one_device)"(#loc42))
