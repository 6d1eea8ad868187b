// RUN: tessera-opt --tessera-partition --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=4]>
func.func @unsharded(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected a sharding for every tensor, got none for result 0}}
  %0 = math.tanh %a : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @constraint(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected no constraint; run the phase 'shard' first}}
  %0 = tessera.constrain %a to <@mesh, [{}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @strided(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{not supported yet: expected a whole dimension 0 of tensor 0 (operands first), got one in 4 parts}}
  %0 = tessera.slice %a [0] to [8] by [3] {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<8xf32> -> tensor<3xf32>
  return
}

// -----

// A hand-written change of uneven parts.
tessera.mesh @mesh = <["x"=4, "y"=2]>
func.func @uneven(%a: tensor<9xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{not supported yet}}
  %0 = tessera.reshard %a to <@mesh, [{"y"}]> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>} : tensor<9xf32>
  return
}
