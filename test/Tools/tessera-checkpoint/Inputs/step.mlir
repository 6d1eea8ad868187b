// A step that adds a batch to a weight, on two devices, the first of which has three rows of five.
tessera.mesh @mesh = <["x"=2]>

func.func @main(
    %w: tensor<5x4xf32> {tessera.name = "w", tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %n: tensor<3xi8> {tessera.name = "n", tessera.donated = 1 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
    %x: tensor<5x4xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> (
    tensor<5x4xf32> {tessera.name = "next", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    tensor<3xi8> {tessera.name = "same", tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = arith.addf %w, %x : tensor<5x4xf32>
  return %0, %n : tensor<5x4xf32>, tensor<3xi8>
}
