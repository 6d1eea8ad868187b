// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/batch_normalization.inputs.safetensors --expect=%S/batch_normalization.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/batch_normalization.inputs.safetensors --expect=%S/batch_normalization.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6x2xf32>, tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x2xf64>, tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) -> (tensor<4x6x2xf32>, tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x2xf64>, tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>, tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6x2xf32>, %arg1: tensor<4x6x2xf32>, %arg2: tensor<6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<4x6x2xf64>, %arg7: tensor<4x6x2xf64>, %arg8: tensor<6xf64>, %arg9: tensor<6xf64>, %arg10: tensor<6xf64>, %arg11: tensor<6xf64>):
    %0 = "stablehlo.abs"(%arg5) : (tensor<6xf32>) -> tensor<6xf32>
    %1 = "stablehlo.batch_norm_inference"(%arg0, %arg2, %arg3, %arg4, %0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<4x6x2xf32>
    %2:3 = "stablehlo.batch_norm_training"(%arg0, %arg2, %arg3) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>)
    %3:3 = "stablehlo.batch_norm_grad"(%arg0, %arg2, %arg4, %0, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x2xf32>) -> (tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>)
    %4 = "stablehlo.abs"(%arg11) : (tensor<6xf64>) -> tensor<6xf64>
    %5 = "stablehlo.batch_norm_inference"(%arg6, %arg8, %arg9, %arg10, %4) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>) -> tensor<4x6x2xf64>
    %6:3 = "stablehlo.batch_norm_training"(%arg6, %arg8, %arg9) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>) -> (tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>)
    %7:3 = "stablehlo.batch_norm_grad"(%arg6, %arg8, %arg10, %4, %arg7) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>, tensor<6xf64>, tensor<4x6x2xf64>) -> (tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>)
    "func.return"(%1, %2#0, %2#1, %2#2, %3#0, %3#1, %3#2, %5, %6#0, %6#1, %6#2, %7#0, %7#1, %7#2) : (tensor<4x6x2xf32>, tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x2xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6x2xf64>, tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>, tensor<4x6x2xf64>, tensor<6xf64>, tensor<6xf64>) -> ()
  }) : () -> ()
}) : () -> ()
