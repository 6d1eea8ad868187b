// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/high_products.inputs.safetensors --expect=%S/high_products.expected.safetensors --tolerance=0
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/high_products.inputs.safetensors --expect=%S/high_products.expected.safetensors --tolerance=0
// RUN: tessera-fuzz %s --annotate --seed=1 --count=6 --tolerance=0,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<16xi8>, tensor<16xi8>, tensor<16xui8>, tensor<16xui8>, tensor<16xi32>, tensor<16xi32>, tensor<16xui32>, tensor<16xui32>, tensor<16xi64>, tensor<16xi64>, tensor<16xui64>, tensor<16xui64>) -> (tensor<16xi8>, tensor<16xui8>, tensor<16xi32>, tensor<16xui32>, tensor<16xi64>, tensor<16xui64>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<16xi8>, %arg1: tensor<16xi8>, %arg2: tensor<16xui8>, %arg3: tensor<16xui8>, %arg4: tensor<16xi32>, %arg5: tensor<16xi32>, %arg6: tensor<16xui32>, %arg7: tensor<16xui32>, %arg8: tensor<16xi64>, %arg9: tensor<16xi64>, %arg10: tensor<16xui64>, %arg11: tensor<16xui64>):
    %0 = "chlo.mulhi"(%arg0, %arg1) : (tensor<16xi8>, tensor<16xi8>) -> tensor<16xi8>
    %1 = "chlo.mulhi"(%arg2, %arg3) : (tensor<16xui8>, tensor<16xui8>) -> tensor<16xui8>
    %2 = "chlo.mulhi"(%arg4, %arg5) : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
    %3 = "chlo.mulhi"(%arg6, %arg7) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
    %4 = "chlo.mulhi"(%arg8, %arg9) : (tensor<16xi64>, tensor<16xi64>) -> tensor<16xi64>
    %5 = "chlo.mulhi"(%arg10, %arg11) : (tensor<16xui64>, tensor<16xui64>) -> tensor<16xui64>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<16xi8>, tensor<16xui8>, tensor<16xi32>, tensor<16xui32>, tensor<16xi64>, tensor<16xui64>) -> ()
  }) : () -> ()
}) : () -> ()
