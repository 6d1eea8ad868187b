// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/scatters_with_bodies.inputs.safetensors --expect=%S/scatters_with_bodies.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/scatters_with_bodies.inputs.safetensors --expect=%S/scatters_with_bodies.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x1xi32>, tensor<2x1xi32>, tensor<4x6xf32>, tensor<4x6xi32>, tensor<2x6xf32>, tensor<3x4x5xf32>, tensor<3x2x2x1xi32>, tensor<3x2x2x2xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xi32>, tensor<3x4x5xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xi32>, %arg2: tensor<4x1xi32>, %arg3: tensor<2x1xi32>, %arg4: tensor<4x6xf32>, %arg5: tensor<4x6xi32>, %arg6: tensor<2x6xf32>, %arg7: tensor<3x4x5xf32>, %arg8: tensor<3x2x2x1xi32>, %arg9: tensor<3x2x2x2xf32>):
    %0 = "stablehlo.scatter"(%arg0, %arg2, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %13 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.multiply"(%arg18, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.add"(%14, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<4x1xi32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %1 = "stablehlo.scatter"(%arg0, %arg3, %arg6) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %10 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.multiply"(%arg16, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.add"(%11, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %2:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg4, %arg5) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<i32>, %arg14: tensor<f32>, %arg15: tensor<i32>):
      %7 = "stablehlo.compare"(%arg12, %arg14) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.select"(%7, %arg12, %arg14) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %9 = "stablehlo.select"(%7, %arg13, %arg15) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%8, %9) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x1xi32>, tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
    %3 = "stablehlo.scatter"(%arg7, %arg8, %arg9) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %4 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %5 = "stablehlo.multiply"(%arg10, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %6 = "stablehlo.add"(%5, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<3x4x5xf32>, tensor<3x2x2x1xi32>, tensor<3x2x2x2xf32>) -> tensor<3x4x5xf32>
    "func.return"(%0, %1, %2#0, %2#1, %3) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xi32>, tensor<3x4x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
