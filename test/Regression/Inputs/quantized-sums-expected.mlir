func.func @main() -> (tensor<1x1xf16>, tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %0 = "stablehlo.constant"() <{value = dense<16.0> : tensor<1x1xf16>}> : () -> tensor<1x1xf16>
  %1 = "stablehlo.constant"() <{value = dense<2.0> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %2 = "stablehlo.constant"() <{value = dense<2.6e9> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %3 = "stablehlo.constant"() <{value = dense<2.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  return %0, %1, %2, %3 : tensor<1x1xf16>, tensor<2x2xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}
