// RUN: tessera-opt --tessera-verify-sharded --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @missing(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected a sharding for every tensor, got none for}}
  %0 = math.tanh %a : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @disagreement(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{expected operands and results to agree on the axes of every factor, got tensors 0 and 1 (operands first) that give one factor different axes}}
  %0 = math.tanh %a {tessera.sharding = #tessera.sharding<@mesh, [{"y"}]>} : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @forgotten_reduction(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{expected results that are unreduced over the axes of reduction factors and of unreduced operands}}
  %0 = tessera.reduce sum %a dims = [0] {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<8xf32> -> tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @not_linear(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %0 = tessera.reduce sum %a dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>} : tensor<8xf32> -> tensor<f32>
  // expected-error @below {{expected operands without pending reduction, got one that it is not linear in}}
  %1 = math.tanh %0 {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>} : tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @returns(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected operand 0 in the sharding of the function's result}}
  return %a : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @leftover(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{is left over after the phase 'shard'}}
  %0 = tessera.constrain %a to <@mesh, [{}]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  return
}
