// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/sums_of_products.inputs.safetensors --expect=%S/sums_of_products.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/sums_of_products.inputs.safetensors --expect=%S/sums_of_products.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<6x5xf32>, tensor<2x4x6xf32>, tensor<6x2x5xf32>, tensor<4x6xi32>) -> (tensor<4x5xf32>, tensor<5x2x4xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<4x4xi32>, tensor<2x5xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<6x5xf32>, %arg2: tensor<2x4x6xf32>, %arg3: tensor<6x2x5xf32>, %arg4: tensor<4x6xi32>):
    %0 = "stablehlo.einsum"(%arg0, %arg1) <{einsum_config = "ab,bc->ac"}> : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
    %1 = "stablehlo.einsum"(%arg2, %arg3) <{einsum_config = "abc,cad->dab"}> : (tensor<2x4x6xf32>, tensor<6x2x5xf32>) -> tensor<5x2x4xf32>
    %2 = "stablehlo.unary_einsum"(%arg0) <{einsum_config = "ab->b"}> : (tensor<4x6xf32>) -> tensor<6xf32>
    %3 = "stablehlo.unary_einsum"(%arg0) <{einsum_config = "ab->ba"}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %4 = "stablehlo.einsum"(%arg4, %arg4) <{einsum_config = "ab,cb->ac"}> : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x4xi32>
    %5 = "stablehlo.einsum"(%arg2, %arg3) <{einsum_config = "abc,cad->ad"}> : (tensor<2x4x6xf32>, tensor<6x2x5xf32>) -> tensor<2x5xf32>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<4x5xf32>, tensor<5x2x4xf32>, tensor<6xf32>, tensor<6x4xf32>, tensor<4x4xi32>, tensor<2x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
