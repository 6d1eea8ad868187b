// A divisor made whole and then split unevenly: its padding is anything, a zero for example, on which processors trap.
// RUN: tessera-fuzz %s --count=20 --seed=500
// RUN: tessera-fuzz %s --count=20 --seed=500 --execute
module {
  tessera.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main(%arg0: tensor<14xi32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %arg1: tensor<14xi32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{}]>})
      -> (tensor<14xi32> {tessera.name = "quotient"}, tensor<14xi32> {tessera.name = "remainder"}, tensor<14xi32> {tessera.name = "divisor", tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
    %zero = arith.constant dense<0> : tensor<14xi32>
    %one = arith.constant dense<1> : tensor<14xi32>
    %isZero = arith.cmpi eq, %arg1, %zero : tensor<14xi32>
    %divisor = arith.select %isZero, %one, %arg1 : tensor<14xi1>, tensor<14xi32>
    %fixed = tessera.constrain %divisor to <@mesh, [{}]> : tensor<14xi32>
    %quotient = arith.divsi %arg0, %fixed : tensor<14xi32>
    %remainder = arith.remui %arg0, %fixed : tensor<14xi32>
    return %quotient, %remainder, %fixed : tensor<14xi32>, tensor<14xi32>, tensor<14xi32>
  }
}
