// Two collectives that become one call, the last of a loop's body.
tessera.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<64x64xf32> {tessera.global_type = tensor<64x64xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %b: tensor<64xf32> {tessera.global_type = tensor<64xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) -> (tensor<64x64xf32> {tessera.global_type = tensor<64x64xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, tensor<64xf32> {tessera.global_type = tensor<64xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %0:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<64x64xf32>, tensor<64xf32>) {
    %p = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %q = arith.mulf %y, %y : tensor<64xf32>
    %r = spmd.all_reduce sum %p over <@mesh, ["x"]> : tensor<64x64xf32>
    %s = spmd.all_reduce sum %q over <@mesh, ["x"]> : tensor<64xf32>
    scf.yield %r, %s : tensor<64x64xf32>, tensor<64xf32>
  }
  return %0#0, %0#1 : tensor<64x64xf32>, tensor<64xf32>
}
