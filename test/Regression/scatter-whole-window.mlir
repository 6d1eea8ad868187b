// An update of a whole dimension is skipped unless its place is 0, on every device that holds a part of it.
// RUN: tessera-fuzz %s
// RUN: tessera-fuzz %s --seed=1
tessera.mesh @mesh = <["y"=2]>
func.func @main(%a: tensor<8xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>}, %places: tensor<8x1xi32>) -> tensor<8xi32> {
  %update = arith.constant dense<-2> : tensor<8x8xi32>
  %0 = tessera.scatter max %a, %update at %places window = [1] inserted = [] batching = [] x [] map = [0] vector = 1
    : (tensor<8xi32>, tensor<8x1xi32>, tensor<8x8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
