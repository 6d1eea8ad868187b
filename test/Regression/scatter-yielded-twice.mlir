// A scatter that is yielded as itself and under another shape fills both buffers.
// RUN: tessera-fuzz %s --execute --seed=60041
tessera.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<2x1xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<1xf32>, %arg2: tensor<1xi32>) -> (tensor<2x1xf32>, tensor<f32>) {
  %0 = tessera.scatter max %arg0, %arg1 at %arg2 window = [0] inserted = [0] batching = [] x [] map = [0] vector = 0 : (tensor<2x1xf32>, tensor<1xi32>, tensor<1xf32>) -> tensor<2x1xf32>
  %1 = tessera.reduce min %0 dims = [1] : tensor<2x1xf32> -> tensor<2xf32>
  %2 = tessera.reduce sum %1 dims = [0] : tensor<2xf32> -> tensor<f32>
  return %0, %2 : tensor<2x1xf32>, tensor<f32>
}
