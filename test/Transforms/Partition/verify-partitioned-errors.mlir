// RUN: tessera-opt --tessera-verify-partitioned --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected a global type and a sharding for argument 0}}
func.func @boundary(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected type 'tensor<2xf32>' for argument 0, got 'tensor<8xf32>'}}
func.func @local(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{expected type 'tensor<2xf32>' for result 0, got 'tensor<8xf32>'}}
func.func @local_result(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  return %a : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @reshard(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{is left over after the phase 'partition'}}
  %0 = tessera.reshard %a to <@mesh, [{}]> : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @sharding(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected no sharding after the phase 'partition'}}
  %0 = math.tanh %a {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  return
}
