// RUN: tessera-opt --tessera-rematerialize-values --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=4]>
func.func @nothing_propagated(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected a sharding for every tensor, got none for result 0}}
  %0 = math.tanh %a : tensor<8xf32>
  return
}

// -----

// expected-error @below {{not supported yet: expected one mesh, got 0}}
module {
}
