// A gather of two devices in pieces is one permute: as many collectives as before. The last product hides it as one call.
tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2048x8192xbf16> {tessera.global_type = tensor<4096x8192xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<8192x4096xbf16> {tessera.global_type = tensor<8192x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %g: tensor<4096x8192xbf16> {tessera.global_type = tensor<4096x8192xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %h: tensor<8192x4096xbf16> {tessera.global_type = tensor<8192x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> (tensor<4096x4096xbf16> {tessera.global_type = tensor<4096x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, tensor<4096x4096xbf16> {tessera.global_type = tensor<4096x4096xbf16>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  %s = spmd.all_gather %x dim = 0 over <@mesh, ["x"]> : tensor<2048x8192xbf16> -> tensor<4096x8192xbf16>
  %q = tessera.dot_general %s, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x8192xbf16>, tensor<8192x4096xbf16>) -> tensor<4096x4096xbf16>
  %z = tessera.dot_general %g, %h batching = [] x [] contracting = [1] x [0] : (tensor<4096x8192xbf16>, tensor<8192x4096xbf16>) -> tensor<4096x4096xbf16>
  return %q, %z : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>
}
