// A gather whose batch of one element is split takes windows of one element from it.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors

tessera.mesh @mesh = <["x"=2]>
func.func @main(%places: tensor<1x2x8x2xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}, {}]>}, %whole: tensor<3x1x12x4xf32>) -> tensor<1x2x8xf32> {
  %0 = tessera.gather %whole at %places offset = [] collapsed = [0, 2, 3] batching = [1] x [0] map = [0, 2] vector = 3 sizes = [1, 1, 1, 1]
      : (tensor<3x1x12x4xf32>, tensor<1x2x8x2xi32>) -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}
