// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/region_of_one_device.inputs.safetensors --expect=%S/region_of_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_of_one_device.inputs.safetensors --expect=%S/region_of_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/region_of_one_device.inputs.safetensors --expect=%S/region_of_one_device.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/region_of_one_device.inputs.safetensors --expect=%S/region_of_one_device.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/region_of_one_device.inputs.safetensors --expect=%S/region_of_one_device.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_region_of_one_device"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc("x"), %arg1: tensor<8x8xf32> loc("w")):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc2)
    %1 = "stablehlo.tanh"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc4)
    %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc6)
    %3 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc8)
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc9)
    %5 = "stablehlo.reduce"(%3, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg16: tensor<f32> loc("reduce_sum:"), %arg17: tensor<f32> loc("reduce_sum:")):
      %47 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      "stablehlo.return"(%47) : (tensor<f32>) -> () loc(#loc9)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc9)
    %6 = "stablehlo.reduce_scatter"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg14: tensor<f32> loc("reduce_scatter:"), %arg15: tensor<f32> loc("reduce_scatter:")):
      %46 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
      "stablehlo.return"(%46) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc12)
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc13)
    %8 = "stablehlo.reduce"(%6, %7) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg12: tensor<f32> loc("reduce_sum:"), %arg13: tensor<f32> loc("reduce_sum:")):
      %45 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc13)
      "stablehlo.return"(%45) : (tensor<f32>) -> () loc(#loc13)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc13)
    %9 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %10 = "stablehlo.divide"(%8, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
    %11 = "stablehlo.add"(%5, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc19)
    %13 = "stablehlo.reduce"(%1, %12) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg10: tensor<f32> loc("reduce_max:"), %arg11: tensor<f32> loc("reduce_max:")):
      %44 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
      "stablehlo.return"(%44) : (tensor<f32>) -> () loc(#loc19)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc19)
    %14 = "stablehlo.add"(%11, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc17)
    %15 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc21)
    %16 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32> loc(#loc21)
    %17 = "stablehlo.partition_id"() : () -> tensor<ui32> loc(#loc21)
    %18 = "stablehlo.divide"(%17, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc21)
    %19 = "stablehlo.remainder"(%18, %16) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32> loc(#loc21)
    %20 = "stablehlo.convert"(%19) : (tensor<ui32>) -> tensor<i32> loc(#loc21)
    %21 = "stablehlo.convert"(%20) : (tensor<i32>) -> tensor<f32> loc(#loc23)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc24)
    %23 = "stablehlo.add"(%1, %22) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %24 = "stablehlo.add"(%23, %2) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %25 = "stablehlo.multiply"(%1, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc26)
    %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc28)
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg8: tensor<f32> loc("reduce_sum:"), %arg9: tensor<f32> loc("reduce_sum:")):
      %43 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc28)
      "stablehlo.return"(%43) : (tensor<f32>) -> () loc(#loc28)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc28)
    %28 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %29 = "stablehlo.add"(%28, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
    %30 = "stablehlo.all_reduce"(%29) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32> loc("psum:"), %arg7: tensor<f32> loc("psum:")):
      %42 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc32)
      "stablehlo.return"(%42) : (tensor<f32>) -> () loc(#loc33)
    }) : (tensor<f32>) -> tensor<f32> loc(#loc33)
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc35)
    %32 = "stablehlo.divide"(%24, %31) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc35)
    %33 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc36)
    %34 = "stablehlo.add"(%32, %33) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    %35 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc38)
    %36 = "stablehlo.reduce"(%1, %35) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_min:"), %arg5: tensor<f32> loc("reduce_min:")):
      %41 = "stablehlo.minimum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc38)
      "stablehlo.return"(%41) : (tensor<f32>) -> () loc(#loc38)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc38)
    %37 = "stablehlo.all_reduce"(%36) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32> loc("pmax:"), %arg3: tensor<f32> loc("pmax:")):
      %40 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc40)
      "stablehlo.return"(%40) : (tensor<f32>) -> () loc(#loc41)
    }) : (tensor<f32>) -> tensor<f32> loc(#loc41)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc36)
    %39 = "stablehlo.add"(%34, %38) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc36)
    "func.return"(%39) : (tensor<8x8xf32>) -> () loc(#loc43)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/regions.py":99:21)
#loc2 = loc("jit(region_of_one_device)/dot_general"(#loc1))
#loc3 = loc("test/Integration/JAX/regions.py":99:12)
#loc4 = loc("jit(region_of_one_device)/tanh"(#loc3))
#loc5 = loc("test/Integration/JAX/regions.py":101:17)
#loc6 = loc("jit(region_of_one_device)/ppermute"(#loc5))
#loc7 = loc("test/Integration/JAX/regions.py":102:17)
#loc8 = loc("jit(region_of_one_device)/all_gather"(#loc7))
#loc9 = loc("jit(region_of_one_device)/reduce_sum"(#loc7))
#loc10 = loc("test/Integration/JAX/regions.py":102:61)
#loc11 = loc("jit(region_of_one_device)/add"(#loc10))
#loc12 = loc("jit(region_of_one_device)/reduce_scatter"(#loc10))
#loc13 = loc("jit(region_of_one_device)/reduce_sum"(#loc10))
#loc14 = loc("test/Integration/JAX/regions.py":116:11)
#loc15 = loc("jit(region_of_one_device)/shard_map"(#loc14))
#loc16 = loc("jit(region_of_one_device)/div"(#loc10))
#loc17 = loc("jit(region_of_one_device)/add"(#loc7))
#loc18 = loc("test/Integration/JAX/regions.py":102:108)
#loc19 = loc("jit(region_of_one_device)/reduce_max"(#loc18))
#loc20 = loc("test/Integration/JAX/regions.py":103:20)
#loc21 = loc("jit(region_of_one_device)/axis_index"(#loc20))
#loc22 = loc("test/Integration/JAX/regions.py":103:16)
#loc23 = loc("jit(region_of_one_device)/convert_element_type"(#loc22))
#loc24 = loc("jit(region_of_one_device)/add"(#loc22))
#loc25 = loc("test/Integration/JAX/regions.py":103:74)
#loc26 = loc("jit(region_of_one_device)/mul"(#loc25))
#loc27 = loc("test/Integration/JAX/regions.py":103:66)
#loc28 = loc("jit(region_of_one_device)/reduce_sum"(#loc27))
#loc29 = loc("test/Integration/JAX/regions.py":103:62)
#loc30 = loc("jit(region_of_one_device)/add"(#loc29))
#loc31 = loc("test/Integration/JAX/regions.py":103:53)
#loc32 = loc("jit(region_of_one_device)/add"(#loc31))
#loc33 = loc("jit(region_of_one_device)/psum"(#loc31))
#loc34 = loc("test/Integration/JAX/regions.py":103:15)
#loc35 = loc("jit(region_of_one_device)/div"(#loc34))
#loc36 = loc("jit(region_of_one_device)/add"(#loc34))
#loc37 = loc("test/Integration/JAX/regions.py":103:108)
#loc38 = loc("jit(region_of_one_device)/reduce_min"(#loc37))
#loc39 = loc("test/Integration/JAX/regions.py":103:99)
#loc40 = loc("jit(region_of_one_device)/max"(#loc39))
#loc41 = loc("jit(region_of_one_device)/pmax"(#loc39))
#loc42 = loc("test/Integration/JAX/programs.py":955:11)
#loc43 = loc("jit(region_of_one_device)"(#loc42))
