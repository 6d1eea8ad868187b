// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/functions_by_series.inputs.safetensors --expect=%S/functions_by_series.expected.safetensors --tolerance=1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/functions_by_series.inputs.safetensors --expect=%S/functions_by_series.expected.safetensors --tolerance=1e-5
// RUN: tessera-fuzz %s --annotate --seed=1 --count=2 --tolerance=1e-5,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf64>, %arg6: tensor<16xf64>, %arg7: tensor<16xf64>, %arg8: tensor<16xf64>, %arg9: tensor<16xf64>):
    %0 = "chlo.bessel_i1e"(%arg0) : (tensor<16xf32>) -> tensor<16xf32>
    %1 = "chlo.erf_inv"(%arg1) : (tensor<16xf32>) -> tensor<16xf32>
    %2 = "chlo.zeta"(%arg2, %arg3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %3 = "chlo.polygamma"(%arg4, %arg3) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %4 = "chlo.bessel_i1e"(%arg5) : (tensor<16xf64>) -> tensor<16xf64>
    %5 = "chlo.erf_inv"(%arg6) : (tensor<16xf64>) -> tensor<16xf64>
    %6 = "chlo.zeta"(%arg7, %arg8) : (tensor<16xf64>, tensor<16xf64>) -> tensor<16xf64>
    %7 = "chlo.polygamma"(%arg9, %arg8) : (tensor<16xf64>, tensor<16xf64>) -> tensor<16xf64>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>) -> ()
  }) : () -> ()
}) : () -> ()
