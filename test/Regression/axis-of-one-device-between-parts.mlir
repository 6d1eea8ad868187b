// Parts of an axis with an axis of one device between them are one axis.
// RUN: tesserac %s --check-phases --compile-to=partition -o /dev/null

tessera.mesh @mesh = <["x"=1, "y"=4]>

func.func @main(%a: tensor<12xf32>, %b: tensor<12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y":(1)2, "x", "y":(2)2}]>},
    %c: tensor<12xi1> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>}) -> tensor<12xf32> {
  %0 = arith.select %c, %a, %b : tensor<12xi1>, tensor<12xf32>
  return %0 : tensor<12xf32>
}
