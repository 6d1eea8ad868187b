// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/gather_points.inputs.safetensors --expect=%S/gather_points.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/gather_points.inputs.safetensors --expect=%S/gather_points.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/gather_points.inputs.safetensors --expect=%S/gather_points.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/gather_points.inputs.safetensors --expect=%S/gather_points.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/gather_points.inputs.safetensors --expect=%S/gather_points.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/gather_points.inputs.safetensors --expect=%S/gather_points.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_gather_points"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6x5xf32>, tensor<7xi32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<6x7xf32>, tensor<7x5xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<6x5xf32> loc("x"), %arg10: tensor<7xi32> loc("rows"), %arg11: tensor<7xi32> loc("columns")):
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc(#loc4)
    %29 = "stablehlo.compare"(%arg10, %28) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1> loc(#loc4)
    %30 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc(#loc5)
    %32 = "stablehlo.add"(%arg10, %31) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc(#loc5)
    %33 = "stablehlo.select"(%29, %32, %arg10) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc(#loc6)
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc(#loc4)
    %36 = "stablehlo.compare"(%arg11, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1> loc(#loc4)
    %37 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc(#loc5)
    %39 = "stablehlo.add"(%arg11, %38) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc(#loc5)
    %40 = "stablehlo.select"(%36, %39, %arg11) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc(#loc6)
    %41 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32> loc(#loc7)
    %42 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32> loc(#loc7)
    %43 = "stablehlo.concatenate"(%41, %42) <{dimension = 1 : i64}> : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x2xi32> loc(#loc8)
    %44 = "stablehlo.gather"(%arg9, %43) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<6x5xf32>, tensor<7x2xi32>) -> tensor<7xf32> loc(#loc9)
    %45 = "func.call"(%arg9, %arg10) <{callee = @_take}> : (tensor<6x5xf32>, tensor<7xi32>) -> tensor<6x7xf32> loc(#loc11)
    %46 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc(#loc13)
    %48 = "stablehlo.add"(%arg10, %47) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc(#loc13)
    %49 = "func.call"(%arg9, %48) <{callee = @_take_0}> : (tensor<6x5xf32>, tensor<7xi32>) -> tensor<7x5xf32> loc(#loc15)
    "func.return"(%44, %45, %49) : (tensor<7xf32>, tensor<6x7xf32>, tensor<7x5xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<6x5xf32>, tensor<7xi32>) -> tensor<6x7xf32>, res_attrs = [{}], sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<6x5xf32> loc(unknown), %arg8: tensor<7xi32> loc(unknown)):
    %25 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32> loc("broadcast_in_dim")
    %26 = "stablehlo.gather"(%arg7, %25) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 6, 1>}> : (tensor<6x5xf32>, tensor<7x1xi32>) -> tensor<6x7xf32> loc("gather")
    "func.return"(%26) : (tensor<6x7xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc16)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<6x5xf32>, tensor<7xi32>) -> tensor<7x5xf32>, res_attrs = [{}], sym_name = "_take_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<6x5xf32> loc(unknown), %arg4: tensor<7xi32> loc(unknown)):
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc("lt")
    %3 = "stablehlo.compare"(%arg4, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1> loc("lt")
    %4 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(unknown)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7xi32> loc("add")
    %6 = "stablehlo.add"(%arg4, %5) : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc("add")
    %7 = "func.call"(%3, %6, %arg4) <{callee = @_where}> : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc("jit(_where)")
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi32>) -> tensor<7x1xi32> loc("broadcast_in_dim")
    %9 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32> loc("gather")
    %10 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc("gather")
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<7x1xi32> loc("ge")
    %12 = "stablehlo.compare"(%8, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1> loc("ge")
    %13 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32> loc("broadcast_in_dim")
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<7x1xi32> loc("le")
    %15 = "stablehlo.compare"(%8, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1> loc("le")
    %16 = "stablehlo.and"(%12, %15) : (tensor<7x1xi1>, tensor<7x1xi1>) -> tensor<7x1xi1> loc("and")
    %17 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1> loc("reduce_and")
    %18 = "stablehlo.reduce"(%16, %17) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<i1> loc("reduce_and:"), %arg6: tensor<i1> loc("reduce_and:")):
      %24 = "stablehlo.and"(%arg5, %arg6) : (tensor<i1>, tensor<i1>) -> tensor<i1> loc("reduce_and")
      "stablehlo.return"(%24) : (tensor<i1>) -> () loc("reduce_and")
    }) : (tensor<7x1xi1>, tensor<i1>) -> tensor<7xi1> loc("reduce_and")
    %19 = "stablehlo.gather"(%arg3, %8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<6x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32> loc("gather")
    %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0>}> : (tensor<7xi1>) -> tensor<7x5xi1> loc("broadcast_in_dim")
    %21 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32> loc("gather")
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<7x5xf32> loc("broadcast_in_dim")
    %23 = "stablehlo.select"(%20, %19, %22) : (tensor<7x5xi1>, tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x5xf32> loc("select_n")
    "func.return"(%23) : (tensor<7x5xf32>) -> () loc(unknown)
  }) : () -> () loc(#loc17)
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<7xi1> loc(unknown), %arg1: tensor<7xi32> loc(unknown), %arg2: tensor<7xi32> loc(unknown)):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<7xi1>, tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32> loc("select_n")
    "func.return"(%0) : (tensor<7xi32>) -> () loc(unknown)
  }) : () -> () loc("jit:")
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(gather_points)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":234:11)
#loc4 = loc("jit(gather_points)/lt"(#loc3))
#loc5 = loc("jit(gather_points)/add"(#loc3))
#loc6 = loc("jit(gather_points)/select_n"(#loc3))
#loc7 = loc("jit(gather_points)/broadcast_in_dim"(#loc3))
#loc8 = loc("jit(gather_points)/concatenate"(#loc3))
#loc9 = loc("jit(gather_points)/gather"(#loc3))
#loc10 = loc("test/Integration/JAX/programs.py":234:29)
#loc11 = loc("jit(gather_points)/jit(_take)"(#loc10))
#loc12 = loc("test/Integration/JAX/programs.py":234:81)
#loc13 = loc("jit(gather_points)/add"(#loc12))
#loc14 = loc("test/Integration/JAX/programs.py":234:69)
#loc15 = loc("jit(gather_points)/jit(_take)"(#loc14))
#loc16 = loc("jit:"(#loc10))
#loc17 = loc("jit:"(#loc14))
