// RUN: tessera-opt --tessera-import %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/scatter_updates.inputs.safetensors --expect=%S/scatter_updates.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/scatter_updates.inputs.safetensors --expect=%S/scatter_updates.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/scatter_updates.inputs.safetensors --expect=%S/scatter_updates.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/scatter_updates.inputs.safetensors --expect=%S/scatter_updates.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/scatter_updates.inputs.safetensors --expect=%S/scatter_updates.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/scatter_updates.inputs.safetensors --expect=%S/scatter_updates.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_scatter_updates"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<6x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<6x3xf32> loc("x"), %arg1: tensor<4xi32> loc("rows"), %arg2: tensor<4x3xf32> loc("updates")):
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32> loc(#loc2)
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc5)
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc5)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc7)
    %6 = "stablehlo.compare"(%3, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1> loc(#loc7)
    %7 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc8)
    %9 = "stablehlo.add"(%3, %8) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc8)
    %10 = "stablehlo.select"(%6, %9, %3) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc9)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32> loc(#loc10)
    %12 = "stablehlo.scatter"(%arg0, %11, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32> loc("scatter:"), %arg10: tensor<f32> loc("scatter:")):
      "stablehlo.return"(%arg10) : (tensor<f32>) -> () loc(#loc11)
    }) : (tensor<6x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<6x3xf32> loc(#loc11)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc13)
    %15 = "stablehlo.compare"(%arg1, %14) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1> loc(#loc13)
    %16 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc14)
    %18 = "stablehlo.add"(%arg1, %17) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc14)
    %19 = "stablehlo.select"(%15, %18, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc15)
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32> loc(#loc16)
    %21 = "stablehlo.scatter"(%arg0, %20, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32> loc("scatter-add:"), %arg8: tensor<f32> loc("scatter-add:")):
      %42 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc14)
      "stablehlo.return"(%42) : (tensor<f32>) -> () loc(#loc17)
    }) : (tensor<6x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<6x3xf32> loc(#loc17)
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc19)
    %24 = "stablehlo.compare"(%arg1, %23) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1> loc(#loc19)
    %25 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc20)
    %27 = "stablehlo.add"(%arg1, %26) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc20)
    %28 = "stablehlo.select"(%24, %27, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc21)
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32> loc(#loc22)
    %30 = "stablehlo.scatter"(%arg0, %29, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f32> loc("scatter-mul:"), %arg6: tensor<f32> loc("scatter-mul:")):
      %41 = "stablehlo.multiply"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc23)
      "stablehlo.return"(%41) : (tensor<f32>) -> () loc(#loc24)
    }) : (tensor<6x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<6x3xf32> loc(#loc24)
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc26)
    %33 = "stablehlo.compare"(%arg1, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1> loc(#loc26)
    %34 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32> loc(#loc4)
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32> loc(#loc27)
    %36 = "stablehlo.add"(%arg1, %35) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc27)
    %37 = "stablehlo.select"(%33, %36, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(#loc28)
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32> loc(#loc29)
    %39 = "stablehlo.scatter"(%arg0, %38, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32> loc("scatter-max:"), %arg4: tensor<f32> loc("scatter-max:")):
      %40 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc30)
      "stablehlo.return"(%40) : (tensor<f32>) -> () loc(#loc31)
    }) : (tensor<6x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<6x3xf32> loc(#loc31)
    "func.return"(%12, %21, %30, %39) : (tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6x3xf32>) -> () loc(#loc4)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":240:13)
#loc2 = loc("jit(scatter_updates)/iota"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":424:11)
#loc4 = loc("jit(scatter_updates)"(#loc3))
#loc5 = loc("jit(scatter_updates)/mul"(#loc1))
#loc6 = loc("test/Integration/JAX/programs.py":242:8)
#loc7 = loc("jit(scatter_updates)/lt"(#loc6))
#loc8 = loc("jit(scatter_updates)/add"(#loc6))
#loc9 = loc("jit(scatter_updates)/select_n"(#loc6))
#loc10 = loc("jit(scatter_updates)/broadcast_in_dim"(#loc6))
#loc11 = loc("jit(scatter_updates)/scatter"(#loc6))
#loc12 = loc("test/Integration/JAX/programs.py":243:8)
#loc13 = loc("jit(scatter_updates)/lt"(#loc12))
#loc14 = loc("jit(scatter_updates)/add"(#loc12))
#loc15 = loc("jit(scatter_updates)/select_n"(#loc12))
#loc16 = loc("jit(scatter_updates)/broadcast_in_dim"(#loc12))
#loc17 = loc("jit(scatter_updates)/scatter-add"(#loc12))
#loc18 = loc("test/Integration/JAX/programs.py":244:8)
#loc19 = loc("jit(scatter_updates)/lt"(#loc18))
#loc20 = loc("jit(scatter_updates)/add"(#loc18))
#loc21 = loc("jit(scatter_updates)/select_n"(#loc18))
#loc22 = loc("jit(scatter_updates)/broadcast_in_dim"(#loc18))
#loc23 = loc("jit(scatter_updates)/mul"(#loc18))
#loc24 = loc("jit(scatter_updates)/scatter-mul"(#loc18))
#loc25 = loc("test/Integration/JAX/programs.py":245:8)
#loc26 = loc("jit(scatter_updates)/lt"(#loc25))
#loc27 = loc("jit(scatter_updates)/add"(#loc25))
#loc28 = loc("jit(scatter_updates)/select_n"(#loc25))
#loc29 = loc("jit(scatter_updates)/broadcast_in_dim"(#loc25))
#loc30 = loc("jit(scatter_updates)/max"(#loc25))
#loc31 = loc("jit(scatter_updates)/scatter-max"(#loc25))
