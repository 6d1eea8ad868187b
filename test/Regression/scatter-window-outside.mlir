// A window that lies inside in part is skipped as a whole, in compiled code as in the interpreter.
// RUN: tessera-fuzz %s --execute --seed=60041
tessera.mesh @mesh = <["z"=1]>
func.func @main(%a: tensor<8x3x1xi32>, %places: tensor<1xi32>, %updates: tensor<7x1xi32>) -> tensor<8x1x3xi32> {
  %0 = tessera.scatter sum %a, %updates at %places window = [0, 1] inserted = [1] batching = [] x [] map = [0] vector = 0
    : (tensor<8x3x1xi32>, tensor<1xi32>, tensor<7x1xi32>) -> tensor<8x3x1xi32>
  %1 = tessera.transpose %0 permutation = [0, 2, 1] : tensor<8x3x1xi32> -> tensor<8x1x3xi32>
  return %1 : tensor<8x1x3xi32>
}
