// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/cross_entropy.inputs.safetensors --expect=%S/cross_entropy.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/cross_entropy.inputs.safetensors --expect=%S/cross_entropy.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/cross_entropy.inputs.safetensors --expect=%S/cross_entropy.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/cross_entropy.inputs.safetensors --expect=%S/cross_entropy.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/cross_entropy.inputs.safetensors --expect=%S/cross_entropy.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/cross_entropy.inputs.safetensors --expect=%S/cross_entropy.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_cross_entropy"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}], function_type = (tensor<8x10xf32>, tensor<8xi32>) -> (tensor<f32>, tensor<8x10xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg20: tensor<8x10xf32> loc("logits"), %arg21: tensor<8xi32> loc("labels")):
    %56:3 = "func.call"(%arg20) <{callee = @log_softmax}> : (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>) loc(#loc2)
    %57 = "stablehlo.broadcast_in_dim"(%arg21) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xi32>) -> tensor<8x1xi32> loc(#loc4)
    %58:2 = "func.call"(%56#0, %57) <{callee = @take_along_axis}> : (tensor<8x10xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>) loc(#loc6)
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc8)
    %60 = "stablehlo.reduce"(%58#0, %59) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg22: tensor<f32> loc("reduce_sum:"), %arg23: tensor<f32> loc("reduce_sum:")):
      %71 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc8)
      "stablehlo.return"(%71) : (tensor<f32>) -> () loc(#loc8)
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<f32> loc(#loc8)
    %61 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc10)
    %62 = "stablehlo.divide"(%60, %61) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
    %63 = "stablehlo.negate"(%62) : (tensor<f32>) -> tensor<f32> loc(#loc13)
    %64 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc10)
    %65 = "stablehlo.negate"(%64) : (tensor<f32>) -> tensor<f32> loc(#loc14)
    %66 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc10)
    %67 = "stablehlo.divide"(%65, %66) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc15)
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32> loc(#loc16)
    %69 = "func.call"(%58#1, %68) <{callee = @take_along_axis_0}> : (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32> loc(#loc17)
    %70 = "func.call"(%56#1, %56#2, %69) <{callee = @log_softmax_1}> : (tensor<8x10xf32>, tensor<8x1xf32>, tensor<8x10xf32>) -> tensor<8x10xf32> loc(#loc18)
    "func.return"(%63, %70) : (tensor<f32>, tensor<8x10xf32>) -> () loc(#loc10)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>), res_attrs = [{}, {}, {}], sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<8x10xf32> loc(unknown)):
    %39 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc("reduce_max")
    %40 = "stablehlo.reduce"(%arg15, %39) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg18: tensor<f32> loc("reduce_max:"), %arg19: tensor<f32> loc("reduce_max:")):
      %55 = "stablehlo.maximum"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_max")
      "stablehlo.return"(%55) : (tensor<f32>) -> () loc("reduce_max")
    }) : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32> loc("reduce_max")
    %41 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32> loc("max")
    %43 = "stablehlo.maximum"(%42, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("max")
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32> loc("broadcast_in_dim")
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xf32>) -> tensor<8x10xf32> loc("sub")
    %46 = "stablehlo.subtract"(%arg15, %45) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32> loc("sub")
    %47 = "stablehlo.exponential"(%46) : (tensor<8x10xf32>) -> tensor<8x10xf32> loc("exp")
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_sum")
    %49 = "stablehlo.reduce"(%47, %48) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg16: tensor<f32> loc("reduce_sum:"), %arg17: tensor<f32> loc("reduce_sum:")):
      %54 = "stablehlo.add"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_sum")
      "stablehlo.return"(%54) : (tensor<f32>) -> () loc("reduce_sum")
    }) : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32> loc("reduce_sum")
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x1xf32> loc("broadcast_in_dim")
    %51 = "stablehlo.log"(%50) : (tensor<8x1xf32>) -> tensor<8x1xf32> loc("log")
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x1xf32>) -> tensor<8x10xf32> loc("sub")
    %53 = "stablehlo.subtract"(%46, %52) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32> loc("sub")
    "func.return"(%53, %47, %50) : (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc19)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x10xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>), res_attrs = [{}, {}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<8x10xf32> loc(unknown), %arg12: tensor<8x1xi32> loc(unknown)):
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x1xi32> loc("lt")
    %18 = "stablehlo.compare"(%arg12, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1> loc("lt")
    %19 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x1xi32> loc("add")
    %21 = "stablehlo.add"(%arg12, %20) : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi32> loc("add")
    %22 = "stablehlo.select"(%18, %21, %arg12) : (tensor<8x1xi1>, tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi32> loc("select_n")
    %23 = "stablehlo.reshape"(%22) : (tensor<8x1xi32>) -> tensor<8x1x1xi32> loc("reshape")
    %24 = "stablehlo.constant"() <{value = dense<9> : tensor<1xi32>}> : () -> tensor<1xi32> loc("gather")
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("gather")
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<8x1x1xi32> loc("ge")
    %27 = "stablehlo.compare"(%23, %26) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1> loc("ge")
    %28 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32> loc("broadcast_in_dim")
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<8x1x1xi32> loc("le")
    %30 = "stablehlo.compare"(%23, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1> loc("le")
    %31 = "stablehlo.and"(%27, %30) : (tensor<8x1x1xi1>, tensor<8x1x1xi1>) -> tensor<8x1x1xi1> loc("and")
    %32 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1> loc("reduce_and")
    %33 = "stablehlo.reduce"(%31, %32) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg13: tensor<i1> loc("reduce_and:"), %arg14: tensor<i1> loc("reduce_and:")):
      %38 = "stablehlo.and"(%arg13, %arg14) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc("reduce_and")
      "stablehlo.return"(%38) : (tensor<i1>) -> () loc("reduce_and")
    }) : (tensor<8x1x1xi1>, tensor<i1>) -> tensor<8x1xi1> loc("reduce_and")
    %34 = "stablehlo.gather"(%arg11, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x10xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32> loc("gather")
    %35 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc("gather")
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32> loc("broadcast_in_dim")
    %37 = "stablehlo.select"(%33, %34, %36) : (tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32> loc("select_n")
    "func.return"(%37, %23) : (tensor<8x1xf32>, tensor<8x1x1xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc20)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32>, res_attrs = [{}], sym_name = "take_along_axis_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<8x1x1xi32> loc(unknown), %arg8: tensor<8x1xf32> loc(unknown)):
    %12 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x10xf32> loc("broadcast_in_dim")
    %14 = "stablehlo.scatter"(%13, %arg7, %arg8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32> loc("scatter-add:"), %arg10: tensor<f32> loc("scatter-add:")):
      %15 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("add")
      "stablehlo.return"(%15) : (tensor<f32>) -> () loc("scatter-add")
    }) : (tensor<8x10xf32>, tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x10xf32> loc("scatter-add")
    "func.return"(%14) : (tensor<8x10xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc20)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x10xf32>, tensor<8x1xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>, res_attrs = [{}], sym_name = "log_softmax_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x10xf32> loc(unknown), %arg1: tensor<8x1xf32> loc(unknown), %arg2: tensor<8x10xf32> loc(unknown)):
    %0 = "stablehlo.negate"(%arg2) : (tensor<8x10xf32>) -> tensor<8x10xf32> loc("neg")
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_sum")
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f32> loc("reduce_sum:"), %arg6: tensor<f32> loc("reduce_sum:")):
      %11 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_sum")
      "stablehlo.return"(%11) : (tensor<f32>) -> () loc("reduce_sum")
    }) : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32> loc("reduce_sum")
    %3 = "stablehlo.reshape"(%2) : (tensor<8xf32>) -> tensor<8x1xf32> loc("reshape")
    %4 = "stablehlo.divide"(%3, %arg1) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32> loc("div")
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("reduce_sum")
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<f32> loc("reduce_sum:"), %arg4: tensor<f32> loc("reduce_sum:")):
      %10 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("reduce_sum")
      "stablehlo.return"(%10) : (tensor<f32>) -> () loc("reduce_sum")
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32> loc("reduce_sum")
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8x10xf32> loc("broadcast_in_dim")
    %8 = "stablehlo.multiply"(%7, %arg0) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32> loc("mul")
    %9 = "stablehlo.add"(%arg2, %8) : (tensor<8x10xf32>, tensor<8x10xf32>) -> tensor<8x10xf32> loc("add_any")
    "func.return"(%9) : (tensor<8x10xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc19)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":142:45)
#loc2 = loc("jit(cross_entropy)/jvp(jit(log_softmax))"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":142:73)
#loc4 = loc("jit(cross_entropy)/jvp()/broadcast_in_dim"(#loc3))
#loc5 = loc("test/Integration/JAX/programs.py":142:25)
#loc6 = loc("jit(cross_entropy)/jvp(jit(take_along_axis))"(#loc5))
#loc7 = loc("test/Integration/JAX/programs.py":142:16)
#loc8 = loc("jit(cross_entropy)/jvp()/reduce_sum"(#loc7))
#loc9 = loc("test/Integration/JAX/programs.py":424:11)
#loc10 = loc("jit(cross_entropy)"(#loc9))
#loc11 = loc("jit(cross_entropy)/jvp()/div"(#loc7))
#loc12 = loc("test/Integration/JAX/programs.py":142:15)
#loc13 = loc("jit(cross_entropy)/jvp()/neg"(#loc12))
#loc14 = loc("jit(cross_entropy)/transpose(jvp())/neg"(#loc12))
#loc15 = loc("jit(cross_entropy)/transpose(jvp())/div"(#loc7))
#loc16 = loc("jit(cross_entropy)/transpose(jvp())/broadcast_in_dim"(#loc7))
#loc17 = loc("jit(cross_entropy)/transpose(jvp(jit(take_along_axis)))"(#loc5))
#loc18 = loc("jit(cross_entropy)/transpose(jvp(jit(log_softmax)))"(#loc1))
#loc19 = loc("jit:"(#loc1))
#loc20 = loc("jit:"(#loc5))
