// Two layers by hand: the batch is split on `data`, the hidden width on `model`. docs/architecture.md follows it through the compiler.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @main(
    %x: tensor<8x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<16x32xf32> {tessera.name = "w1", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<32x16xf32> {tessera.name = "w2"})
    -> (tensor<8x16xf32> {tessera.name = "y"}) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %a = arith.maximumf %h, %zero : tensor<8x32xf32>
  %y = tessera.dot_general %a, %w2 batching = [] x [] contracting = [1] x [0]
      : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
