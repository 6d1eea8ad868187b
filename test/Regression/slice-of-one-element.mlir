// One element of a split dimension, whose result is split along another one over the same axis.
// RUN: tessera-fuzz %s --count=5 --seed=1
module {
  tessera.mesh @mesh = <["x"=4]>
  tessera.mesh @other = <["u"=4]>
  func.func @main(%arg0: tensor<4x4xf32>) -> (tensor<1x2xf32> {tessera.sharding = #tessera.sharding<@other, [{}, {"u"}]>}) {
    %0 = tessera.constrain %arg0 to <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
    %1 = tessera.slice %0 [3, 0] to [4, 2] by [1, 1] : tensor<4x4xf32> -> tensor<1x2xf32>
    return %1 : tensor<1x2xf32>
  }
}
