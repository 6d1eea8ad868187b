// RUN: tessera-opt --tessera-propagate-shardings --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=4, "z"=1]>
func.func @arguments(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
                     %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>},
                     %c: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "z"}]>},
                     %d: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{?}]>}) {
  // expected-note @below {{the first one is here}}
  tessera.sharding_group %a in 0 : tensor<8xf32>
  // expected-warning @below {{expected one sharding for the values of group 0, got #tessera.sharding<@mesh, [{"x"}]> and #tessera.sharding<@mesh, [{}]>, which is not in the group now}}
  tessera.sharding_group %b in 0 : tensor<8xf32>
  // An axis of one device, and what says nothing, contradict nobody.
  tessera.sharding_group %c in 0 : tensor<8xf32>
  tessera.sharding_group %d in 0 : tensor<8xf32>
  return
}

// -----

// What a constraint says, an operation of the same group denies.
tessera.mesh @mesh = <["x"=4, "y"=2]>
func.func @inside(%a: tensor<8xf32>) {
  %0 = tessera.constrain %a to <@mesh, [{"y"}]> : tensor<8xf32>
  %1 = math.exp %a {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<8xf32>
  // expected-note @below {{the first one is here}}
  tessera.sharding_group %0 in 1 : tensor<8xf32>
  // expected-warning @below {{expected one sharding for the values of group 1, got #tessera.sharding<@mesh, [{"y"}]> and #tessera.sharding<@mesh, [{"x"}]>, which is not in the group now}}
  tessera.sharding_group %1 in 1 : tensor<8xf32>
  return
}
