// RUN: tessera-opt --tessera-import-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --inputs=%S/orders_and_bits.inputs.safetensors --expect=%S/orders_and_bits.expected.safetensors --tolerance=1e-12
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --inputs=%S/orders_and_bits.inputs.safetensors --expect=%S/orders_and_bits.expected.safetensors --tolerance=1e-12
// RUN: tessera-fuzz %s --annotate --seed=1 --count=2 --tolerance=1e-12,1e-6
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<3x32xi1>) -> (tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64x2xf32>, tensor<64x2xf32>, tensor<64xf64>, tensor<64xf64>, tensor<3xi32>, tensor<3x32xi1>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<64xf64>, %arg1: tensor<64xf64>, %arg2: tensor<64xf64>, %arg3: tensor<64xf64>, %arg4: tensor<3x32xi1>):
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<64xf64>, tensor<64xf64>) -> tensor<64xcomplex<f64>>
    %1 = "stablehlo.complex"(%arg2, %arg3) : (tensor<64xf64>, tensor<64xf64>) -> tensor<64xcomplex<f64>>
    %2 = "stablehlo.maximum"(%0, %1) : (tensor<64xcomplex<f64>>, tensor<64xcomplex<f64>>) -> tensor<64xcomplex<f64>>
    %3 = "stablehlo.real"(%2) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %4 = "stablehlo.imag"(%2) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %5 = "stablehlo.minimum"(%0, %1) : (tensor<64xcomplex<f64>>, tensor<64xcomplex<f64>>) -> tensor<64xcomplex<f64>>
    %6 = "stablehlo.real"(%5) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %7 = "stablehlo.imag"(%5) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %8 = "stablehlo.atan2"(%0, %1) : (tensor<64xcomplex<f64>>, tensor<64xcomplex<f64>>) -> tensor<64xcomplex<f64>>
    %9 = "stablehlo.real"(%8) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %10 = "stablehlo.imag"(%8) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %11 = "stablehlo.bitcast_convert"(%0) : (tensor<64xcomplex<f64>>) -> tensor<64x2xcomplex<f32>>
    %12 = "stablehlo.bitcast_convert"(%11) : (tensor<64x2xcomplex<f32>>) -> tensor<64xcomplex<f64>>
    %13 = "stablehlo.real"(%11) : (tensor<64x2xcomplex<f32>>) -> tensor<64x2xf32>
    %14 = "stablehlo.imag"(%11) : (tensor<64x2xcomplex<f32>>) -> tensor<64x2xf32>
    %15 = "stablehlo.real"(%12) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %16 = "stablehlo.imag"(%12) : (tensor<64xcomplex<f64>>) -> tensor<64xf64>
    %17 = "stablehlo.bitcast_convert"(%arg4) : (tensor<3x32xi1>) -> tensor<3xi32>
    %18 = "stablehlo.bitcast_convert"(%17) : (tensor<3xi32>) -> tensor<3x32xi1>
    "func.return"(%3, %4, %6, %7, %9, %10, %13, %14, %15, %16, %17, %18) : (tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64xf64>, tensor<64x2xf32>, tensor<64x2xf32>, tensor<64xf64>, tensor<64xf64>, tensor<3xi32>, tensor<3x32xi1>) -> ()
  }) : () -> ()
}) : () -> ()
