// Sums of quantized products that are larger than their expressed type, or 32 bits, holds; scales that differ along a dimension of the right factor, wherever that
// of the result has some.
// RUN: tesserac %s --compile-to=import -o %t.mlir
// RUN: tesserac %S/Inputs/quantized-sums-expected.mlir --compile-to=import -o %t.expected.mlir
// RUN: tessera-interpret %t.expected.mlir --outputs=%t.safetensors
// RUN: tessera-interpret %t.mlir --expect=%t.safetensors --tolerance=1e-6
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --expect=%t.safetensors --tolerance=1e-6
func.func @main() -> (tensor<1x1xf16>, tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  // Sixteen times 1, as 100 times 0.01, is 160000 in integers.
  %hundred = "stablehlo.constant"() <{value = dense<100> : tensor<1x16xi8>}> : () -> tensor<1x16x!quant.uniform<i8:f16, 0.01>>
  %column = "stablehlo.constant"() <{value = dense<100> : tensor<16x1xi8>}> : () -> tensor<16x1x!quant.uniform<i8:f16, 0.01>>
  %0 = "stablehlo.dot_general"(%hundred, %column) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x16x!quant.uniform<i8:f16, 0.01>>, tensor<16x1x!quant.uniform<i8:f16, 0.01>>) -> tensor<1x1x!quant.uniform<i8:f16, 0.25>>
  %1 = "stablehlo.uniform_dequantize"(%0) : (tensor<1x1x!quant.uniform<i8:f16, 0.25>>) -> tensor<1x1xf16>
  // Twice 1 or 0.01 times so much.
  %two = "stablehlo.constant"() <{value = dense<2> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32, 1.0>>
  %row = "stablehlo.constant"() <{value = dense<[[1, 100]]> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 0.01}>>
  %2 = "stablehlo.dot_general"(%two, %row) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x1x!quant.uniform<i8:f32, 1.0>>, tensor<1x2x!quant.uniform<i8:f32:1, {1.0, 0.01}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.1}>>
  %3 = "stablehlo.uniform_dequantize"(%2) : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1, 0.1}>>) -> tensor<2x2xf32>
  // 40000 times 255 times 255.
  %long = "stablehlo.constant"() <{value = dense<255> : tensor<1x40000xui8>}> : () -> tensor<1x40000x!quant.uniform<u8:f32, 1.0>>
  %tall = "stablehlo.constant"() <{value = dense<255> : tensor<40000x1xui8>}> : () -> tensor<40000x1x!quant.uniform<u8:f32, 1.0>>
  %4 = "stablehlo.dot_general"(%long, %tall) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x40000x!quant.uniform<u8:f32, 1.0>>, tensor<40000x1x!quant.uniform<u8:f32, 1.0>>) -> tensor<1x1x!quant.uniform<i8:f32, 1.0e8>>
  %5 = "stablehlo.uniform_dequantize"(%4) : (tensor<1x1x!quant.uniform<i8:f32, 1.0e8>>) -> tensor<1x1xf32>
  // Scales along what is summed up.
  %ones = "stablehlo.constant"() <{value = dense<1> : tensor<1x2xi8>}> : () -> tensor<1x2x!quant.uniform<i8:f32, 1.0>>
  %scaled = "stablehlo.constant"() <{value = dense<[[1], [100]]> : tensor<2x1xi8>}> : () -> tensor<2x1x!quant.uniform<i8:f32:0, {1.0, 0.01}>>
  %6 = "stablehlo.dot_general"(%ones, %scaled) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x2x!quant.uniform<i8:f32, 1.0>>, tensor<2x1x!quant.uniform<i8:f32:0, {1.0, 0.01}>>) -> tensor<1x1x!quant.uniform<i8:f32, 0.1>>
  %7 = "stablehlo.uniform_dequantize"(%6) : (tensor<1x1x!quant.uniform<i8:f32, 0.1>>) -> tensor<1x1xf32>
  return %1, %3, %5, %7 : tensor<1x1xf16>, tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}
