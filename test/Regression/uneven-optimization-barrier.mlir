// What an optimization barrier hands over is padded on both sides of it alike.
// RUN: tesserac %s --check-phases=1 --compile-to=schedule -o %t.mlir

tessera.mesh @mesh = <["x"=4, "y"=3]>
func.func @main(%a: tensor<3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y", "x"}]>}, %b: tensor<8xf32>)
    -> (tensor<3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>}) {
  %0 = tessera.slice %a [2] to [3] by [1] : tensor<3xf32> -> tensor<1xf32>
  %1 = tessera.slice %a [0] to [2] by [1] : tensor<3xf32> -> tensor<2xf32>
  %2 = tessera.concatenate %0, %1 dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
  %3:2 = tessera.optimization_barrier %2, %b : (tensor<3xf32>, tensor<8xf32>) -> (tensor<3xf32>, tensor<8xf32>)
  return %3#0 : tensor<3xf32>
}
