!x = tensor<8x16x!quant.uniform<i8:f32, 0.05:-3>>
!w = tensor<16x4x!quant.uniform<i8<-127:127>:f32:1, {0.02, 0.03:1, 0.04, 0.05:-2}>>
!y = tensor<8x16x!quant.uniform<u8:f32, 0.04:7>>
!sums = tensor<8x4x!quant.uniform<i32:f32:1, {1.0e-3, 1.5e-3, 2.0e-3, 2.5e-3}>>
!s = tensor<8x16x!quant.uniform<i8:f32, 0.1:1>>
!t = tensor<8x16x!quant.uniform<i8:f32, 0.01>>
!row = tensor<16x!quant.uniform<i8:f32, 0.05:-3>>
!one = tensor<!quant.uniform<i8:f32, 0.05:-3>>
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %y: tensor<8x16xf32>) -> (tensor<8x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<8x16xi8>, tensor<8x16xi1>) {
  %qx = "stablehlo.uniform_quantize"(%x) : (tensor<8x16xf32>) -> !x
  %qw = "stablehlo.uniform_quantize"(%w) : (tensor<16x4xf32>) -> !w
  %qy = "stablehlo.uniform_quantize"(%y) : (tensor<8x16xf32>) -> !y
  // A product of integers.
  %0 = "stablehlo.dot_general"(%qx, %qw) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (!x, !w) -> !sums
  %product = "stablehlo.uniform_dequantize"(%0) : (!sums) -> tensor<8x4xf32>
  // A sum in the type that three quantized ones express.
  %1 = "stablehlo.add"(%qx, %qy) : (!x, !y) -> !s
  %sum = "stablehlo.uniform_dequantize"(%1) : (!s) -> tensor<8x16xf32>
  // A function, and integers that move.
  %2 = "stablehlo.tanh"(%qx) : (!x) -> !t
  %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 0>}> : (!t) -> tensor<16x8x!quant.uniform<i8:f32, 0.01>>
  %tanh = "stablehlo.uniform_dequantize"(%3) : (tensor<16x8x!quant.uniform<i8:f32, 0.01>>) -> tensor<16x8xf32>
  // A reduction, from a constant of the type.
  %least = "stablehlo.constant"() <{value = dense<-128> : tensor<i8>}> : () -> !one
  %4 = "stablehlo.reduce"(%qx, %least) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: !one, %b: !one):
    %r = "stablehlo.maximum"(%a, %b) : (!one, !one) -> !one
    "stablehlo.return"(%r) : (!one) -> ()
  }) : (!x, !one) -> !row
  %max = "stablehlo.uniform_dequantize"(%4) : (!row) -> tensor<16xf32>
  // A product with numbers that are not quantized; the integers; a comparison.
  %mixed = "stablehlo.dot_general"(%x, %qw) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x16xf32>, !w) -> tensor<8x4xf32>
  %bits = "stablehlo.bitcast_convert"(%qx) : (!x) -> tensor<8x16xi8>
  %greater = "stablehlo.compare"(%qx, %qy) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (!x, !y) -> tensor<8x16xi1>
  return %product, %sum, %tanh, %max, %mixed, %bits, %greater : tensor<8x4xf32>, tensor<8x16xf32>, tensor<16x8xf32>, tensor<16xf32>, tensor<8x4xf32>, tensor<8x16xi8>, tensor<8x16xi1>
}
