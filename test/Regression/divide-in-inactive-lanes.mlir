// Divisors are loaded by vectors that are longer than the tensor: the rest of a vector divides nothing.
// RUN: tessera-fuzz %s --execute --seed=1
tessera.mesh @mesh = <["z"=1]>
func.func @main(%a: tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
  %0 = arith.constant dense<[3, 1, 7, 2, 5]> : tensor<5xi32>
  %divisors = tessera.sort %0 dim = 0 : (tensor<5xi32>) -> tensor<5xi32> {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %less = arith.cmpi slt, %x, %y : tensor<i32>
    tessera.yield %less : tensor<i1>
  }
  %1 = arith.remsi %a, %divisors : tensor<5xi32>
  %2 = arith.divui %a, %divisors : tensor<5xi32>
  return %1, %2 : tensor<5xi32>, tensor<5xi32>
}
