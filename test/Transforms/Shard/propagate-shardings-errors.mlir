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

// A value of two groups whose members want different things.
tessera.mesh @mesh = <["x"=4]>
func.func @members(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
                   // expected-error @below {{expected one sharding for the values of a sharding group, got #tessera.sharding<@mesh, [{}]> and #tessera.sharding<@mesh, [{"x"}]>}}
                   %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, %c: tensor<8xf32>) {
  tessera.sharding_group %a in 0 : tensor<8xf32>
  tessera.sharding_group %b in 1 : tensor<8xf32>
  tessera.sharding_group %c in 0 : tensor<8xf32>
  tessera.sharding_group %c in 1 : tensor<8xf32>
  return
}

// -----

// A function that calls itself is not inlined.
func.func @calls_itself(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %c0 step %c0 {
    // expected-error @below {{expected calls to be inlined before shardings are propagated, got 'func.call'}}
    func.call @calls_itself(%a) : (tensor<8xf32>) -> tensor<8xf32>
  }
  return %a : tensor<8xf32>
}

// -----

// Shapes of one rank may differ.
tessera.mesh @mesh = <["x"=4]>
func.func @sizes(%a: tensor<8xf32>, %b: tensor<8xf64>, %c: tensor<1xf32>) {
  // expected-note @below {{the first one is here}}
  tessera.sharding_group %a in 3 : tensor<8xf32>
  tessera.sharding_group %b in 3 : tensor<8xf64>
  // expected-error @below {{expected values of one shape in group 3, got 'tensor<1xf32>'}}
  tessera.sharding_group %c in 3 : tensor<1xf32>
  return
}

// -----

// The same of an operation and a constraint.
tessera.mesh @mesh = <["x"=4, "y"=2]>
func.func @members_inside(%a: tensor<8xf32>) {
  %0 = tessera.constrain %a to <@mesh, [{"y"}]> : tensor<8xf32>
  // expected-error @below {{expected one sharding for the values of a sharding group, got #tessera.sharding<@mesh, [{"x"}]> and #tessera.sharding<@mesh, [{"y"}]>}}
  %1 = math.exp %a {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<8xf32>
  tessera.sharding_group %0 in 1 : tensor<8xf32>
  tessera.sharding_group %1 in 2 : tensor<8xf32>
  tessera.sharding_group %a in 1 : tensor<8xf32>
  tessera.sharding_group %a in 2 : tensor<8xf32>
  return
}
