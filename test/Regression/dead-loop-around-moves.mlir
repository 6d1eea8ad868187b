// A loop that nobody reads goes after what stands in it.
// RUN: tesserac %s --check-phases --compile-to=partition -o /dev/null

tessera.mesh @mesh = <["x"=4]>

func.func @main(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %0 = scf.for %i = %zero to %two step %one iter_args(%x = %a) -> (tensor<8xf32>) {
    %1 = tessera.slice %x [4] to [8] by [1] : tensor<8xf32> -> tensor<4xf32>
    %2 = tessera.slice %x [0] to [4] by [1] : tensor<8xf32> -> tensor<4xf32>
    %3 = tessera.concatenate %1, %2 dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  %4 = math.tanh %a : tensor<8xf32>
  return %4 : tensor<8xf32>
}
