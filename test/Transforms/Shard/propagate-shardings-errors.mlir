// RUN: tessera-opt --tessera-propagate-shardings --split-input-file --verify-diagnostics %s

// expected-error @below {{not supported yet: expected one mesh, got 2}}
module {
  // expected-note @below {{a mesh is here}}
  tessera.mesh @a = <["x"=4]>
  // expected-note @below {{a mesh is here}}
  tessera.mesh @b = <["y"=4]>
}

// -----

func.func private @callee(%a: tensor<8xf32>) -> tensor<8xf32>
func.func @calls(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected calls to be inlined before shardings are propagated, got 'func.call'}}
  %0 = func.call @callee(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @shapes(%a: tensor<8xf32>, %b: tensor<8x4xf32>) {
  // expected-note @below {{the first one is here}}
  tessera.sharding_group %a in 0 : tensor<8xf32>
  // expected-error @below {{expected values of one shape in group 0, got 'tensor<8x4xf32>'}}
  tessera.sharding_group %b in 0 : tensor<8x4xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @members(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
                   // expected-error @below {{expected one sharding for the values of a sharding group, got #tessera.sharding<@mesh, [{}]> and #tessera.sharding<@mesh, [{"x"}]>}}
                   %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  tessera.sharding_group %a in 0 : tensor<8xf32>
  tessera.sharding_group %b in 0 : tensor<8xf32>
  return
}
