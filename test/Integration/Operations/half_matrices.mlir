// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/half_matrices.inputs.safetensors --expect=%S/half_matrices.expected.safetensors --tolerance=1e-3
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/half_matrices.inputs.safetensors --expect=%S/half_matrices.expected.safetensors --tolerance=1e-3
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4x4xf16>, tensor<3x4x2xf16>) -> (tensor<3x4x4xf16>, tensor<3x4x2xf16>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4x4xf16>, %arg1: tensor<3x4x2xf16>):
    %0 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<3x4x4xf16>) -> tensor<3x4x4xf16>
    %1 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x4x4xf16>, tensor<3x4x2xf16>) -> tensor<3x4x2xf16>
    "func.return"(%0, %1) : (tensor<3x4x4xf16>, tensor<3x4x2xf16>) -> ()
  }) : () -> ()
}) : () -> ()
