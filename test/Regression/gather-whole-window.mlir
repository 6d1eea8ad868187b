// An index into a dimension that every window covers whole is always 0, in each device's part as in the whole tensor.
// RUN: tessera-fuzz %s
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4xf32> {
  %0 = tessera.iota dim = 0 : tensor<2xi32>
  %1 = tessera.gather %a at %0 offset = [0] collapsed = [1] batching = [] x [] map = [0, 1] vector = 0 sizes = [4, 1]
    : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
