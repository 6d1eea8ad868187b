// State of integers of four bits, which each step adds to themselves and one.
func.func @main(%q: tensor<5xi4> {tf.aliasing_output = 0 : i32}) -> tensor<5xi4> {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<5xi4>}> : () -> tensor<5xi4>
  %twice = "stablehlo.add"(%q, %q) : (tensor<5xi4>, tensor<5xi4>) -> tensor<5xi4>
  %next = "stablehlo.add"(%twice, %one) : (tensor<5xi4>, tensor<5xi4>) -> tensor<5xi4>
  return %next : tensor<5xi4>
}
