func.func @main(%x: tensor<?x4xf32> loc("x")) -> tensor<?xf32> {
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
  %1 = "stablehlo.multiply"(%0, %four) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %2 = "stablehlo.reshape"(%1) : (tensor<i32>) -> tensor<1xi32>
  %3 = "stablehlo.tanh"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %4 = "stablehlo.dynamic_reshape"(%3, %2) : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}
