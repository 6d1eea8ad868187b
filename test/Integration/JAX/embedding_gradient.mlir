// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/embedding_gradient.inputs.safetensors --expect=%S/embedding_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/embedding_gradient.inputs.safetensors --expect=%S/embedding_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/embedding_gradient.inputs.safetensors --expect=%S/embedding_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/embedding_gradient.inputs.safetensors --expect=%S/embedding_gradient.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/embedding_gradient.inputs.safetensors --expect=%S/embedding_gradient.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/embedding_gradient.inputs.safetensors --expect=%S/embedding_gradient.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_embedding_gradient"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<10x4xf32>, tensor<2x3xi32>) -> (tensor<f32>, tensor<10x4xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<10x4xf32> loc("table"), %arg1: tensor<2x3xi32> loc("ids")):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32> loc(#loc4)
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1> loc(#loc4)
    %3 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32> loc(#loc2)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x3xi32> loc(#loc5)
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32> loc(#loc5)
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<2x3xi1>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32> loc(#loc6)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x3xi32>) -> tensor<2x3x1xi32> loc(#loc7)
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<10x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32> loc(#loc8)
    %9 = "stablehlo.multiply"(%8, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc(#loc9)
    %10 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x4xf32> loc(#loc10)
    %12 = "stablehlo.multiply"(%11, %8) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc(#loc10)
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc12)
    %14 = "stablehlo.reduce"(%9, %13) <{dimensions = array<i64: 0, 1, 2>}> ({
    ^bb0(%arg4: tensor<f32> loc("reduce_sum:"), %arg5: tensor<f32> loc("reduce_sum:")):
      %22 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc12)
      "stablehlo.return"(%22) : (tensor<f32>) -> () loc(#loc12)
    }) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<f32> loc(#loc12)
    %15 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x4xf32> loc(#loc13)
    %17 = "stablehlo.multiply"(%16, %12) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32> loc(#loc14)
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<10x4xf32> loc(#loc15)
    %20 = "stablehlo.scatter"(%19, %7, %17) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32> loc("scatter-add:"), %arg3: tensor<f32> loc("scatter-add:")):
      %21 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc16)
      "stablehlo.return"(%21) : (tensor<f32>) -> () loc(#loc17)
    }) : (tensor<10x4xf32>, tensor<2x3x1xi32>, tensor<2x3x4xf32>) -> tensor<10x4xf32> loc(#loc17)
    "func.return"(%14, %20) : (tensor<f32>, tensor<10x4xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(embedding_gradient)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":229:52)
#loc4 = loc("jit(embedding_gradient)/jvp()/lt"(#loc3))
#loc5 = loc("jit(embedding_gradient)/jvp()/add"(#loc3))
#loc6 = loc("jit(embedding_gradient)/jvp()/select_n"(#loc3))
#loc7 = loc("jit(embedding_gradient)/jvp()/broadcast_in_dim"(#loc3))
#loc8 = loc("jit(embedding_gradient)/jvp()/gather"(#loc3))
#loc9 = loc("jit(embedding_gradient)/jvp()/integer_pow"(#loc3))
#loc10 = loc("jit(embedding_gradient)/jvp()/mul"(#loc3))
#loc11 = loc("test/Integration/JAX/programs.py":229:44)
#loc12 = loc("jit(embedding_gradient)/jvp()/reduce_sum"(#loc11))
#loc13 = loc("jit(embedding_gradient)/transpose(jvp())/broadcast_in_dim"(#loc11))
#loc14 = loc("jit(embedding_gradient)/transpose(jvp())/mul"(#loc3))
#loc15 = loc("jit(embedding_gradient)/transpose(jvp())/broadcast_in_dim"(#loc3))
#loc16 = loc("jit(embedding_gradient)/transpose(jvp())/add"(#loc3))
#loc17 = loc("jit(embedding_gradient)/transpose(jvp())/scatter-add"(#loc3))
