// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/sorted_experts.inputs.safetensors --expect=%S/sorted_experts.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/sorted_experts.inputs.safetensors --expect=%S/sorted_experts.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_experts.inputs.safetensors --expect=%S/sorted_experts.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_experts.inputs.safetensors --expect=%S/sorted_experts.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_experts.inputs.safetensors --expect=%S/sorted_experts.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/sorted_experts.inputs.safetensors --expect=%S/sorted_experts.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_sorted_experts"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<16x8xf32>, tensor<16xi32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<16x8xf32> loc("x"), %arg11: tensor<16xi32> loc("expert"), %arg12: tensor<4x8x8xf32> loc("w")):
    %10 = "func.call"(%arg11) <{callee = @argsort}> : (tensor<16xi32>) -> tensor<16xi32> loc(#loc2)
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc6)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %14 = "func.call"(%arg11, %13) <{callee = @clip}> : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32> loc(#loc7)
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc8)
    %17 = "stablehlo.compare"(%14, %16) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1> loc(#loc8)
    %18 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc9)
    %20 = "stablehlo.add"(%14, %19) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc(#loc9)
    %21 = "stablehlo.select"(%17, %20, %14) : (tensor<16xi1>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc(#loc10)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xi32>) -> tensor<16x1xi32> loc(#loc6)
    %23 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc6)
    %25 = "stablehlo.scatter"(%12, %22, %24) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg13: tensor<i32> loc("scatter-add:"), %arg14: tensor<i32> loc("scatter-add:")):
      %62 = "stablehlo.add"(%arg13, %arg14) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc9)
      "stablehlo.return"(%62) : (tensor<i32>) -> () loc(#loc11)
    }) : (tensor<4xi32>, tensor<16x1xi32>, tensor<16xi32>) -> tensor<4xi32> loc(#loc11)
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc13)
    %28 = "stablehlo.compare"(%10, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1> loc(#loc13)
    %29 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc14)
    %31 = "stablehlo.add"(%10, %30) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc(#loc14)
    %32 = "stablehlo.select"(%28, %31, %10) : (tensor<16xi1>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc(#loc15)
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xi32>) -> tensor<16x1xi32> loc(#loc16)
    %34 = "stablehlo.gather"(%arg10, %33) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32> loc(#loc17)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x8xf32>) -> tensor<4x16x8xf32> loc(#loc19)
    %36 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x16x8xi32> loc(#loc20)
    %37 = "func.call"(%25) <{callee = @cumsum}> : (tensor<4xi32>) -> tensor<4xi32> loc(#loc21)
    %38 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc22)
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc19)
    %40 = "stablehlo.slice"(%39) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1xi32> loc(#loc23)
    %41 = "stablehlo.slice"(%37) <{limit_indices = array<i64: 3>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xi32>) -> tensor<3xi32> loc(#loc23)
    %42 = "stablehlo.concatenate"(%40, %41) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32> loc(#loc24)
    %43 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x16x8xi32> loc(#loc19)
    %44 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x16x8xi32> loc(#loc19)
    %45 = "stablehlo.compare"(%44, %36) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x16x8xi32>, tensor<4x16x8xi32>) -> tensor<4x16x8xi1> loc(#loc25)
    %46 = "stablehlo.compare"(%36, %43) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4x16x8xi32>, tensor<4x16x8xi32>) -> tensor<4x16x8xi1> loc(#loc26)
    %47 = "stablehlo.and"(%45, %46) : (tensor<4x16x8xi1>, tensor<4x16x8xi1>) -> tensor<4x16x8xi1> loc(#loc27)
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc22)
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x16x8xf32> loc(#loc19)
    %50 = "stablehlo.select"(%47, %35, %49) : (tensor<4x16x8xi1>, tensor<4x16x8xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32> loc(#loc28)
    %51 = "stablehlo.dot_general"(%50, %arg12) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x16x8xf32>, tensor<4x8x8xf32>) -> tensor<16x8xf32> loc(#loc29)
    %52 = "func.call"(%10) <{callee = @argsort}> : (tensor<16xi32>) -> tensor<16xi32> loc(#loc31)
    %53 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc26)
    %55 = "stablehlo.compare"(%52, %54) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1> loc(#loc26)
    %56 = "stablehlo.constant"() <{value = dense<16> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc(#loc32)
    %58 = "stablehlo.add"(%52, %57) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc(#loc32)
    %59 = "stablehlo.select"(%55, %58, %52) : (tensor<16xi1>, tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc(#loc28)
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64: 0>}> : (tensor<16xi32>) -> tensor<16x1xi32> loc(#loc19)
    %61 = "stablehlo.gather"(%51, %60) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32> loc(#loc33)
    "func.return"(%61) : (tensor<16x8xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<16xi32>) -> tensor<16xi32>, res_attrs = [{}], sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<16xi32> loc(unknown)):
    %7 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<16xi32> loc("iota")
    %8:2 = "stablehlo.sort"(%arg5, %7) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i32> loc("sort:"), %arg7: tensor<i32> loc("sort:"), %arg8: tensor<i32> loc("sort:"), %arg9: tensor<i32> loc("sort:")):
      %9 = "stablehlo.compare"(%arg6, %arg7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("lt_to")
      "stablehlo.return"(%9) : (tensor<i1>) -> () loc("sort")
    }) : (tensor<16xi32>, tensor<16xi32>) -> (tensor<16xi32>, tensor<16xi32>) loc("sort")
    "func.return"(%8#1) : (tensor<16xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc34)
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<16xi32> loc(unknown), %arg4: tensor<i32> loc(unknown)):
    %4 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<i32> loc("convert_element_type")
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<16xi32> loc("max")
    %6 = "stablehlo.maximum"(%5, %arg3) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32> loc("max")
    "func.return"(%6) : (tensor<16xi32>) -> () loc(unknown)
  }) : () -> () loc(#loc35)
  "func.func"() <{function_type = (tensor<4xi32>) -> tensor<4xi32>, sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4xi32> loc(#loc36)):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc37)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<i32> loc(#loc37)
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1>, padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 4>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32> loc("reduce_window_sum:"), %arg2: tensor<i32> loc("reduce_window_sum:")):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32> loc(#loc37)
      "stablehlo.return"(%3) : (tensor<i32>) -> () loc(#loc37)
    }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32> loc(#loc37)
    "func.return"(%2) : (tensor<4xi32>) -> () loc(#loc36)
  }) : () -> () loc(#loc36)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/models.py":149:12)
#loc2 = loc("jit(sorted_experts)/jit(argsort)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":585:11)
#loc4 = loc("jit(sorted_experts)"(#loc3))
#loc5 = loc("test/Integration/JAX/models.py":150:12)
#loc6 = loc("jit(sorted_experts)/broadcast_in_dim"(#loc5))
#loc7 = loc("jit(sorted_experts)/jit(clip)"(#loc5))
#loc8 = loc("jit(sorted_experts)/lt"(#loc5))
#loc9 = loc("jit(sorted_experts)/add"(#loc5))
#loc10 = loc("jit(sorted_experts)/select_n"(#loc5))
#loc11 = loc("jit(sorted_experts)/scatter-add"(#loc5))
#loc12 = loc("test/Integration/JAX/models.py":151:26)
#loc13 = loc("jit(sorted_experts)/lt"(#loc12))
#loc14 = loc("jit(sorted_experts)/add"(#loc12))
#loc15 = loc("jit(sorted_experts)/select_n"(#loc12))
#loc16 = loc("jit(sorted_experts)/broadcast_in_dim"(#loc12))
#loc17 = loc("jit(sorted_experts)/gather"(#loc12))
#loc18 = loc("test/Integration/JAX/models.py":151:11)
#loc19 = loc("jit(sorted_experts)/broadcast_in_dim"(#loc18))
#loc20 = loc("jit(sorted_experts)/iota"(#loc18))
#loc21 = loc("jit(sorted_experts)"(#loc18))
#loc22 = loc("jit(sorted_experts)/ragged_dot_general"(#loc18))
#loc23 = loc("jit(sorted_experts)/slice"(#loc18))
#loc24 = loc("jit(sorted_experts)/concatenate"(#loc18))
#loc25 = loc("jit(sorted_experts)/le"(#loc18))
#loc26 = loc("jit(sorted_experts)/lt"(#loc18))
#loc27 = loc("jit(sorted_experts)/and"(#loc18))
#loc28 = loc("jit(sorted_experts)/select_n"(#loc18))
#loc29 = loc("jit(sorted_experts)/dot_general"(#loc18))
#loc30 = loc("test/Integration/JAX/models.py":151:46)
#loc31 = loc("jit(sorted_experts)/jit(argsort)"(#loc30))
#loc32 = loc("jit(sorted_experts)/add"(#loc18))
#loc33 = loc("jit(sorted_experts)/gather"(#loc18))
#loc34 = loc("jit:"(#loc1))
#loc35 = loc("jit:"(#loc5))
#loc36 = loc("sorted_experts"(#loc18))
#loc37 = loc("reduce_window_sum"(#loc18))
