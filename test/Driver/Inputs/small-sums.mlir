// Sums, and a maximum, of few bytes, of any element type, over six devices.
tessera.mesh @mesh = <["x"=6]>
func.func @main(
    %b: tensor<5xf32> {tessera.name = "b", tessera.global_type = tensor<30xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %c: tensor<17x33xf32> {tessera.name = "c", tessera.global_type = tensor<102x33xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %d: tensor<7xbf16> {tessera.name = "d", tessera.global_type = tensor<42xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
   -> (tensor<5xf32> {tessera.name = "rb", tessera.global_type = tensor<5xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<17x33xf32> {tessera.name = "rc", tessera.global_type = tensor<17x33xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<7xbf16> {tessera.name = "rd", tessera.global_type = tensor<7xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<f32> {tessera.name = "rs", tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}, tensor<5xf32> {tessera.name = "rm", tessera.global_type = tensor<5xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<5xf32>
  %r0 = arith.mulf %0, %0 : tensor<5xf32>
  %1 = spmd.all_reduce sum %c over <@mesh, ["x"]> : tensor<17x33xf32>
  %r1 = arith.mulf %1, %1 : tensor<17x33xf32>
  %2 = spmd.all_reduce sum %d over <@mesh, ["x"]> : tensor<7xbf16>
  %r2 = arith.negf %2 : tensor<7xbf16>
  %s = tessera.reduce sum %c dims = [0, 1] : tensor<17x33xf32> -> tensor<f32>
  %3 = spmd.all_reduce sum %s over <@mesh, ["x"]> : tensor<f32>
  %r3 = arith.negf %3 : tensor<f32>
  %4 = spmd.all_reduce max %b over <@mesh, ["x"]> : tensor<5xf32>
  %r4 = arith.negf %4 : tensor<5xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<5xf32>, tensor<17x33xf32>, tensor<7xbf16>, tensor<f32>, tensor<5xf32>
}
