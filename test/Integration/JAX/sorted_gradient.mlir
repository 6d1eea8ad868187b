// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=8 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=model=2 --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_gradient.inputs.safetensors --expect=%S/sorted_gradient.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_sorted_gradient"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2, "model"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}} : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}], function_type = (tensor<8x8xf32>) -> (tensor<f32>, tensor<8x8xf32>, tensor<8x8xi32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg14: tensor<8x8xf32> loc("x")):
    %39:2 = "chlo.top_k"(%arg14) <{k = 2 : i64}> : (tensor<8x8xf32>) -> (tensor<8x2xf32>, tensor<8x2xi32>) loc(#loc2)
    %40 = "stablehlo.reshape"(%39#1) : (tensor<8x2xi32>) -> tensor<8x2x1xi32> loc(#loc3)
    %41:2 = "func.call"(%arg14) <{callee = @sort}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8x1xui32>) loc(#loc5)
    %42 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xf32> loc(#loc7)
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 1>}> : (tensor<8xf32>) -> tensor<1x8xf32> loc(#loc8)
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<8x8xf32> loc(#loc9)
    %45 = "stablehlo.multiply"(%41#0, %44) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc9)
    %46 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc11)
    %47 = "stablehlo.reduce"(%45, %46) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg19: tensor<f32> loc("reduce_sum:"), %arg20: tensor<f32> loc("reduce_sum:")):
      %70 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc11)
      "stablehlo.return"(%70) : (tensor<f32>) -> () loc(#loc11)
    }) : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32> loc(#loc11)
    %48 = "stablehlo.multiply"(%39#0, %39#0) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32> loc(#loc13)
    %49 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2xf32> loc(#loc16)
    %51 = "stablehlo.multiply"(%50, %39#0) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32> loc(#loc16)
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc18)
    %53 = "stablehlo.reduce"(%48, %52) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg17: tensor<f32> loc("reduce_sum:"), %arg18: tensor<f32> loc("reduce_sum:")):
      %69 = "stablehlo.add"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc18)
      "stablehlo.return"(%69) : (tensor<f32>) -> () loc(#loc18)
    }) : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32> loc(#loc18)
    %54 = "stablehlo.add"(%47, %53) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc19)
    %55 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x2xf32> loc(#loc20)
    %57 = "stablehlo.multiply"(%56, %51) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32> loc(#loc21)
    %58 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc22)
    %60 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x8xf32>) -> tensor<8x8xf32> loc(#loc23)
    %61 = "stablehlo.multiply"(%59, %60) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc23)
    %62 = "func.call"(%41#1, %61) <{callee = @sort_0}> : (tensor<8x8x1xui32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc24)
    %63 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc15)
    %64 = "stablehlo.broadcast_in_dim"(%63) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc(#loc25)
    %65 = "stablehlo.scatter"(%64, %40, %57) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<f32> loc("scatter-add:"), %arg16: tensor<f32> loc("scatter-add:")):
      %68 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc26)
      "stablehlo.return"(%68) : (tensor<f32>) -> () loc(#loc27)
    }) : (tensor<8x8xf32>, tensor<8x2x1xi32>, tensor<8x2xf32>) -> tensor<8x8xf32> loc(#loc27)
    %66 = "stablehlo.add"(%62, %65) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc(#loc28)
    %67 = "func.call"(%arg14) <{callee = @argsort}> : (tensor<8x8xf32>) -> tensor<8x8xi32> loc(#loc30)
    "func.return"(%54, %66, %67) : (tensor<f32>, tensor<8x8xf32>, tensor<8x8xi32>) -> () loc(#loc15)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8x1xui32>), res_attrs = [{}, {}], sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<8x8xf32> loc(unknown)):
    %21 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<8x8xui32> loc("iota")
    %22:2 = "stablehlo.sort"(%arg9, %21) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg10: tensor<f32> loc("sort:"), %arg11: tensor<f32> loc("sort:"), %arg12: tensor<ui32> loc("sort:"), %arg13: tensor<ui32> loc("sort:")):
      %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %25 = "stablehlo.compare"(%arg10, %24) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("eq")
      %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %27 = "stablehlo.select"(%25, %26, %arg10) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %28 = "stablehlo.compare"(%arg10, %arg10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("ne")
      %29 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %30 = "stablehlo.select"(%28, %29, %27) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %32 = "stablehlo.compare"(%arg11, %31) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("eq")
      %33 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %34 = "stablehlo.select"(%32, %33, %arg11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %35 = "stablehlo.compare"(%arg11, %arg11) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("ne")
      %36 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %37 = "stablehlo.select"(%35, %36, %34) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %38 = "stablehlo.compare"(%30, %37) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("lt_to")
      "stablehlo.return"(%38) : (tensor<i1>) -> () loc("sort")
    }) : (tensor<8x8xf32>, tensor<8x8xui32>) -> (tensor<8x8xf32>, tensor<8x8xui32>) loc("sort")
    %23 = "stablehlo.broadcast_in_dim"(%22#1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<8x8xui32>) -> tensor<8x8x1xui32> loc("broadcast_in_dim")
    "func.return"(%22#0, %23) : (tensor<8x8xf32>, tensor<8x8x1xui32>) -> () loc(unknown)
  }) : () -> () loc(#loc31)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<8x8x1xui32>, tensor<8x8xf32>) -> tensor<8x8xf32>, res_attrs = [{}], sym_name = "sort_0", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<8x8x1xui32> loc(unknown), %arg6: tensor<8x8xf32> loc(unknown)):
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(unknown)
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x8xf32> loc("broadcast_in_dim")
    %19 = "stablehlo.scatter"(%18, %arg5, %arg6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32> loc("scatter-add:"), %arg8: tensor<f32> loc("scatter-add:")):
      %20 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc("add")
      "stablehlo.return"(%20) : (tensor<f32>) -> () loc("scatter-add")
    }) : (tensor<8x8xf32>, tensor<8x8x1xui32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("scatter-add")
    "func.return"(%19) : (tensor<8x8xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc31)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<8x8xf32>) -> tensor<8x8xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x8xf32> loc(unknown)):
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8x8xi32> loc("iota")
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32> loc("sort:"), %arg2: tensor<f32> loc("sort:"), %arg3: tensor<i32> loc("sort:"), %arg4: tensor<i32> loc("sort:")):
      %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("eq")
      %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %5 = "stablehlo.select"(%3, %4, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %6 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("ne")
      %7 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %8 = "stablehlo.select"(%6, %7, %5) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %10 = "stablehlo.compare"(%arg2, %9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("eq")
      %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %12 = "stablehlo.select"(%10, %11, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %13 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("ne")
      %14 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc("sort")
      %15 = "stablehlo.select"(%13, %14, %12) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32> loc("select_n")
      %16 = "stablehlo.compare"(%8, %15) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("lt_to")
      "stablehlo.return"(%16) : (tensor<i1>) -> () loc("sort")
    }) : (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8x8xf32>, tensor<8x8xi32>) loc("sort")
    "func.return"(%1#1) : (tensor<8x8xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc32)
}) {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":376:20)
#loc2 = loc("jit(sorted_gradient)/jvp()/top_k"(#loc1))
#loc3 = loc("jit(sorted_gradient)/jvp()/reshape"(#loc1))
#loc4 = loc("test/Integration/JAX/programs.py":377:23)
#loc5 = loc("jit(sorted_gradient)/jvp(jit(sort))"(#loc4))
#loc6 = loc("test/Integration/JAX/programs.py":377:45)
#loc7 = loc("jit(sorted_gradient)/jvp()/iota"(#loc6))
#loc8 = loc("jit(sorted_gradient)/jvp()/broadcast_in_dim"(#loc4))
#loc9 = loc("jit(sorted_gradient)/jvp()/mul"(#loc4))
#loc10 = loc("test/Integration/JAX/programs.py":377:15)
#loc11 = loc("jit(sorted_gradient)/jvp()/reduce_sum"(#loc10))
#loc12 = loc("test/Integration/JAX/programs.py":377:72)
#loc13 = loc("jit(sorted_gradient)/jvp()/integer_pow"(#loc12))
#loc14 = loc("test/Integration/JAX/programs.py":585:11)
#loc15 = loc("jit(sorted_gradient)"(#loc14))
#loc16 = loc("jit(sorted_gradient)/jvp()/mul"(#loc12))
#loc17 = loc("test/Integration/JAX/programs.py":377:64)
#loc18 = loc("jit(sorted_gradient)/jvp()/reduce_sum"(#loc17))
#loc19 = loc("jit(sorted_gradient)/jvp()/add"(#loc10))
#loc20 = loc("jit(sorted_gradient)/transpose(jvp())/broadcast_in_dim"(#loc17))
#loc21 = loc("jit(sorted_gradient)/transpose(jvp())/mul"(#loc12))
#loc22 = loc("jit(sorted_gradient)/transpose(jvp())/broadcast_in_dim"(#loc10))
#loc23 = loc("jit(sorted_gradient)/transpose(jvp())/mul"(#loc4))
#loc24 = loc("jit(sorted_gradient)/transpose(jvp(jit(sort)))"(#loc4))
#loc25 = loc("jit(sorted_gradient)/transpose(jvp())/broadcast_in_dim"(#loc1))
#loc26 = loc("jit(sorted_gradient)/transpose(jvp())/add"(#loc1))
#loc27 = loc("jit(sorted_gradient)/transpose(jvp())/scatter-add"(#loc1))
#loc28 = loc("jit(sorted_gradient)/transpose(jvp())/add_any"(#loc1))
#loc29 = loc("test/Integration/JAX/programs.py":379:40)
#loc30 = loc("jit(sorted_gradient)/jit(argsort)"(#loc29))
#loc31 = loc("jit:"(#loc4))
#loc32 = loc("jit:"(#loc29))
