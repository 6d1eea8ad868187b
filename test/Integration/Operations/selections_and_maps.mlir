// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/selections_and_maps.inputs.safetensors --expect=%S/selections_and_maps.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/selections_and_maps.inputs.safetensors --expect=%S/selections_and_maps.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x6xf32>, tensor<2x8x6xf32>, tensor<2x4xi32>, tensor<8x6xf32>) -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x8x4x6xf32>, tensor<8x6xf32>, tensor<ui32>, tensor<8x6xf32>, tensor<8x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x6xf32>, %arg1: tensor<2x8x6xf32>, %arg2: tensor<2x4xi32>, %arg3: tensor<8x6xf32>):
    %0 = "stablehlo.torch_index_select"(%arg0, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<8x6xf32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
    %1 = "stablehlo.torch_index_select"(%arg1, %arg2) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<2x8x6xf32>, tensor<2x4xi32>) -> tensor<2x4x6xf32>
    %2 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 1, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x4xi32>) -> tensor<1x4xi32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1x4xi32>) -> tensor<4xi32>
    %4 = "stablehlo.concatenate"(%3, %3) <{dimension = 0 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>
    %5 = "stablehlo.reshape"(%4) : (tensor<8xi32>) -> tensor<2x4xi32>
    %6 = "stablehlo.torch_index_select"(%arg1, %3) <{batch_dims = 0 : i64, dim = 2 : i64}> : (tensor<2x8x6xf32>, tensor<4xi32>) -> tensor<2x8x4xf32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x4xf32>) -> tensor<2x8x4x6xf32>
    %8 = "stablehlo.map"(%arg0, %arg3) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %12 = "stablehlo.multiply"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %13 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.add"(%12, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %9 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %10 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %11 = "stablehlo.custom_call"(%arg3) <{call_target_name = "LayoutConstraint", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> : (tensor<8x6xf32>) -> tensor<8x6xf32>
    "func.return"(%0, %1, %7, %8, %9, %10, %11) : (tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x8x4x6xf32>, tensor<8x6xf32>, tensor<ui32>, tensor<8x6xf32>, tensor<8x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
