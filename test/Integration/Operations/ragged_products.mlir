// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/ragged_products.inputs.safetensors --expect=%S/ragged_products.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/ragged_products.inputs.safetensors --expect=%S/ragged_products.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<12x6xf32>, tensor<4x6x8xf32>, tensor<12x8xf32>, tensor<4xi64>, tensor<2x12x6xf32>, tensor<4x2x6x8xf32>) -> (tensor<12x8xf32>, tensor<4x6x8xf32>, tensor<4x12x8xf32>, tensor<2x12x8xf32>, tensor<4x2x6x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<12x6xf32>, %arg1: tensor<4x6x8xf32>, %arg2: tensor<12x8xf32>, %arg3: tensor<4xi64>, %arg4: tensor<2x12x6xf32>, %arg5: tensor<4x2x6x8xf32>):
    %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg3) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<12x6xf32>, tensor<4x6x8xf32>, tensor<4xi64>) -> tensor<12x8xf32>
    %1 = "chlo.ragged_dot"(%arg0, %arg2, %arg3) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<12x6xf32>, tensor<12x8xf32>, tensor<4xi64>) -> tensor<4x6x8xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<12x6xf32>) -> tensor<4x12x6xf32>
    %3 = "chlo.ragged_dot"(%2, %arg1, %arg3) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<4x12x6xf32>, tensor<4x6x8xf32>, tensor<4xi64>) -> tensor<4x12x8xf32>
    %4 = "chlo.ragged_dot"(%arg4, %arg5, %arg3) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x12x6xf32>, tensor<4x2x6x8xf32>, tensor<4xi64>) -> tensor<2x12x8xf32>
    %5 = "chlo.ragged_dot"(%arg4, %arg4, %arg3) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}> : (tensor<2x12x6xf32>, tensor<2x12x6xf32>, tensor<4xi64>) -> tensor<4x2x6x6xf32>
    "func.return"(%0, %1, %3, %4, %5) : (tensor<12x8xf32>, tensor<4x6x8xf32>, tensor<4x12x8xf32>, tensor<2x12x8xf32>, tensor<4x2x6x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
