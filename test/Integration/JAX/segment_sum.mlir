// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/segment_sum.inputs.safetensors --expect=%S/segment_sum.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/segment_sum.inputs.safetensors --expect=%S/segment_sum.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=1,model=1 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/segment_sum.inputs.safetensors --expect=%S/segment_sum.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/segment_sum.inputs.safetensors --expect=%S/segment_sum.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s --mesh=data=2,model=2 --target=cuda --report=%t.json -o %t.tsx
// RUN: python3 %S/../Inputs/check-spills.py %t.json
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --inputs=%S/segment_sum.inputs.safetensors --expect=%S/segment_sum.expected.safetensors --tolerance=1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --inputs=%S/segment_sum.inputs.safetensors --expect=%S/segment_sum.expected.safetensors --tolerance=1e-5
"builtin.module"() <{sym_name = "jit_segment_sum"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9x2xf32>, tensor<9xi32>) -> (tensor<4x2xf32>, tensor<4x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9x2xf32> loc("values"), %arg1: tensor<9xi32> loc("segments")):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32> loc(#loc4)
    %2 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi32>) -> tensor<9x1xi32> loc(#loc4)
    %3 = "stablehlo.scatter"(%1, %2, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32> loc("scatter-add:"), %arg5: tensor<f32> loc("scatter-add:")):
      %9 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc5)
      "stablehlo.return"(%9) : (tensor<f32>) -> () loc(#loc6)
    }) : (tensor<4x2xf32>, tensor<9x1xi32>, tensor<9x2xf32>) -> tensor<4x2xf32> loc(#loc6)
    %4 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32> loc(#loc2)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x2xf32> loc(#loc8)
    %6 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<9xi32>) -> tensor<9x1xi32> loc(#loc8)
    %7 = "stablehlo.scatter"(%5, %6, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32> loc("scatter-max:"), %arg3: tensor<f32> loc("scatter-max:")):
      %8 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(#loc9)
      "stablehlo.return"(%8) : (tensor<f32>) -> () loc(#loc10)
    }) : (tensor<4x2xf32>, tensor<9x1xi32>, tensor<9x2xf32>) -> tensor<4x2xf32> loc(#loc10)
    "func.return"(%3, %7) : (tensor<4x2xf32>, tensor<4x2xf32>) -> () loc(#loc2)
  }) : () -> () loc(unknown)
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> () loc(unknown)
#loc1 = loc("test/Integration/JAX/programs.py":424:11)
#loc2 = loc("jit(segment_sum)"(#loc1))
#loc3 = loc("test/Integration/JAX/programs.py":251:11)
#loc4 = loc("jit(segment_sum)/broadcast_in_dim"(#loc3))
#loc5 = loc("jit(segment_sum)/add"(#loc3))
#loc6 = loc("jit(segment_sum)/scatter-add"(#loc3))
#loc7 = loc("test/Integration/JAX/programs.py":251:66)
#loc8 = loc("jit(segment_sum)/broadcast_in_dim"(#loc7))
#loc9 = loc("jit(segment_sum)/max"(#loc7))
#loc10 = loc("jit(segment_sum)/scatter-max"(#loc7))
