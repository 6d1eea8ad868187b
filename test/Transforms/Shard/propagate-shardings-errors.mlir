// RUN: tessera-opt --tessera-propagate-shardings --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=4]>
// expected-error @below {{not supported yet: expected 4 shards to divide dimension 0, got size 10}}
func.func @uneven(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  return
}

// -----

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
