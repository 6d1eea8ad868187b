// A dropped dimension without an index is always at place 0, which only one device has.
// RUN: tessera-fuzz %s
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}, %rows: tensor<3x1xi32>)
    -> (tensor<3xf32>, tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = tessera.gather %a at %rows offset = [] collapsed = [0, 1] batching = [] x [] map = [0] vector = 1 sizes = [1, 1]
    : (tensor<4x8xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  %1 = tessera.scatter sum %a, %0 at %rows window = [] inserted = [0, 1] batching = [] x [] map = [0] vector = 1
    : (tensor<4x8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<3xf32>, tensor<4x8xf32>
}
