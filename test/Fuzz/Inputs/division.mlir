func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %0 = arith.divsi %a, %zero : tensor<2xi32>
  return %0 : tensor<2xi32>
}
