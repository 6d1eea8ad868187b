// What a rotated pending reduction is padded with has the shape of a scalar, not that of the result.
// RUN: tesserac %s --check-phases --compile-to=partition -o /dev/null

tessera.mesh @mesh = <["x"=4, "y"=2]>

func.func @main(%a: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x":(1)2}, {}]>}, %b: tensor<8xf32>, %c: tensor<8x6xf32>)
    -> (tensor<4xf32>, tensor<8x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced=min{"x", "y"}>}) {
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %1 = tessera.slice %0 [1] to [4] by [1] : tensor<4xf32> -> tensor<3xf32>
  %2 = tessera.slice %0 [0] to [1] by [1] : tensor<4xf32> -> tensor<1xf32>
  %3 = tessera.concatenate %1, %2 dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> tensor<4xf32>
  tessera.sharding_group %0 in 0 : tensor<4xf32>
  tessera.sharding_group %3 in 0 : tensor<4xf32>
  %4 = tessera.slice %c [1, 0] to [8, 6] by [1, 1] : tensor<8x6xf32> -> tensor<7x6xf32>
  %5 = tessera.slice %c [0, 0] to [1, 6] by [1, 1] : tensor<8x6xf32> -> tensor<1x6xf32>
  %6 = tessera.concatenate %4, %5 dim = 0 : (tensor<7x6xf32>, tensor<1x6xf32>) -> tensor<8x6xf32>
  return %3, %6 : tensor<4xf32>, tensor<8x6xf32>
}
