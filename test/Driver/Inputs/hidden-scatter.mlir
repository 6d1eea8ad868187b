// The reader of the sum stands right behind it, so that by the text it waits, and pieces would pay; but the last product
// needs none of that, and in the order of `schedule` it hides the sum as one call.
tessera.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<4096x8192xbf16> {tessera.global_type = tensor<4096x8192xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %w: tensor<8192x4096xbf16> {tessera.global_type = tensor<8192x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %v: tensor<4096x4096xbf16> {tessera.global_type = tensor<4096x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %g: tensor<4096x8192xbf16> {tessera.global_type = tensor<4096x8192xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %h: tensor<8192x4096xbf16> {tessera.global_type = tensor<8192x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> (tensor<512x4096xbf16> {tessera.global_type = tensor<4096x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, tensor<4096x4096xbf16> {tessera.global_type = tensor<4096x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %p = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x8192xbf16>, tensor<8192x4096xbf16>) -> tensor<4096x4096xbf16>
  %s = spmd.reduce_scatter sum %p dim = 0 over <@mesh, ["x"]> : tensor<4096x4096xbf16> -> tensor<512x4096xbf16>
  %q = tessera.dot_general %s, %v batching = [] x [] contracting = [1] x [0] : (tensor<512x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<512x4096xbf16>
  %z = tessera.dot_general %g, %h batching = [] x [] contracting = [1] x [0] : (tensor<4096x8192xbf16>, tensor<8192x4096xbf16>) -> tensor<4096x4096xbf16>
  return %q, %z : tensor<512x4096xbf16>, tensor<4096x4096xbf16>
}
