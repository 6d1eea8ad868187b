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

// -----

// Where a slice begins is known when it is computed only.
tessera.mesh @mesh = <["x"=2]>
func.func @computed_slice(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %i: tensor<i32> {tessera.sharding = #tessera.sharding<@mesh, []>}) {
  // expected-error @below {{not supported yet: expected a whole dimension 0 of tensor 0 (operands first), got one in 2 parts}}
  %0 = tessera.dynamic_slice %a[%i] {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @constraint_in_a_loop(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, %n: index) {
  %0 = scf.for %i = %n to %n step %n iter_args(%b = %a) -> tensor<8xf32> {
    // expected-error @below {{expected no constraint; run the phase 'shard' first}}
    %1 = tessera.constrain %b to <@mesh, [{"x"}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } {tessera.sharding = #tessera.sharding<@mesh, [{}]>}
  return
}

// -----

// Branches between blocks have no shardings.
tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{not supported yet: expected regions of one block}}
func.func @two_blocks(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  cf.br ^next
^next:
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{not supported yet: expected regions of one block}}
func.func @two_blocks_in_a_region(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  scf.execute_region {
    cf.br ^next
  ^next:
    scf.yield
  }
  return
}

// -----

// The memory of an argument holds only what is split as it is.
tessera.mesh @mesh = <["x"=4]>
// expected-warning @below {{argument 0 is donated to result 0, which is sharded differently: its memory is not reused}}
func.func @donated(%a: tensor<8xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = tessera.reshard %a to <@mesh, [{}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
