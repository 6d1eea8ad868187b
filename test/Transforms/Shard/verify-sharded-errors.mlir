// RUN: tessera-opt --tessera-verify-sharded --split-input-file --verify-diagnostics %s

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @missing(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected a sharding for every tensor, got none for result 0}}
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
  // expected-error @below {{expected operands without pending reduction, got a pending sum that it does not carry over}}
  %1 = math.tanh %0 {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>} : tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @another_kind(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=max{"x"}>}) {
  // expected-error @below {{expected operands without pending reduction, got a pending max that it does not carry over}}
  %0 = arith.negf %a {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=max{"x"}>} : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @changed_kind(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=max{"x"}>}) {
  // expected-error @below {{expected results that are unreduced over the axes of reduction factors and of unreduced operands}}
  %0 = tessera.reverse %a dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>} : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @two_kinds(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}], unreduced=max{"y"}>}) {
  // expected-error @below {{got a pending max that it does not carry over}}
  %0 = tessera.reduce sum %a dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x", "y"}>} : tensor<8xf32> -> tensor<f32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @one_is_not_unreduced() {
  // expected-error @below {{expected results that are unreduced over the axes of reduction factors and of unreduced operands}}
  %0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>} dense<1.0> : tensor<8xf32>
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

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @two_factors(%table: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                       %ids: tensor<6x1xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-error @below {{got tensors 1 and 0 (operands first) that split two factors over one axis}}
  %0 = tessera.gather %table at %ids offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 4]
      {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : (tensor<8x4xf32>, tensor<6x1xi32>) -> tensor<6x4xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @must_be_whole(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %i: tensor<i32> {tessera.sharding = #tessera.sharding<@mesh, []>}) {
  // expected-error @below {{got tensors 0 and 0 (operands first) that split a factor that must be whole}}
  %0 = tessera.dynamic_slice %a[%i] {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=4]>
func.func @no_factor(%a: tensor<3x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  // expected-error @below {{got tensors 1 and 1 (operands first) that split a dimension over axes that fit none of its factors}}
  %0 = tessera.reshape %a {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>} : tensor<3x4xf32> -> tensor<12xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @different_sums(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>},
                          %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"y"}>}) {
  // expected-error @below {{expected operands that are unreduced over the same axes}}
  %0 = arith.addf %a, %b {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"y"}>} : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @handed_over(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %c: i1) {
  %0 = scf.if %c -> tensor<8xf32> {
    // expected-error @below {{expected operand 0 in the sharding of what takes it}}
    scf.yield %a : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  } {tessera.sharding = #tessera.sharding<@mesh, [{}]>}
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
// expected-error @below {{expected a sharding for every tensor, got none for argument 0}}
func.func @argument(%a: tensor<8xf32>) {
  return
}

// -----

// What enters a manual region is split over its axes.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @handed_into_region(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y", "x"}]>}) {
  // expected-error @below {{expected a sharding for every tensor, got none for region argument 0}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x", ?}]>] out [#tessera.sharding<@mesh, [{"x", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>} : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%b: tensor<4xf32>):
    tessera.yield %b : tensor<4xf32>
  }
  return
}

// -----

// What leaves one has its sharding inside, behind the manual axes.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @handed_out_of_region(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x", ?}]>] out [#tessera.sharding<@mesh, [{"x", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>} : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%b: tensor<4xf32>):
    // expected-error @below {{expected operand 0 in the sharding of what takes it}}
    tessera.yield %b : tensor<4xf32>
  }
  return
}

// -----

// A collective by hand takes whole the dimension that it exchanges.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @exchanged(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x", ?}]>] out [#tessera.sharding<@mesh, [{?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%b: tensor<4xf32>):
    // expected-error @below {{got tensors 0 and 0 (operands first) that split a factor that must be whole}}
    %1 = spmd.all_gather %b dim = 0 over <@mesh, ["x"]> {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<4xf32> -> tensor<8xf32>
    tessera.yield %1 : tensor<8xf32>
  }
  return
}

// -----

// Behind manual axes, free ones split a dimension into equal parts.
tessera.mesh @mesh = <["x"=2, "y"=4]>
func.func @blocks_differ(%a: tensor<12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>}) {
  // expected-error @below {{not supported yet: expected dimension 0, which is split by hand, to divide into 4 equal parts inside, got size 6}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x", ?}]>] out [#tessera.sharding<@mesh, [{"x", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}]>} : (tensor<12xf32>) -> tensor<12xf32> {
  ^bb0(%b: tensor<6xf32>):
    tessera.yield %b : tensor<6xf32>
  }
  return
}

// -----

// An operation of several operands has its axes from all of them.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @disagreement_of_operands(%a: tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>}) {
  // expected-error @below {{expected operands and results to agree on the axes of every factor, got tensors 0 and 1 (operands first) that give one factor different axes}}
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"x"}>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

// Nor is half of a sum one of all.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @sums_of_parts(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x", "y"}>},
                         %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>}) {
  // expected-error @below {{expected operands that are unreduced over the same axes}}
  %0 = arith.addf %a, %b {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x", "y"}>} : tensor<8xf32>
  return
}

// -----

// A barrier has done its work.
tessera.mesh @mesh = <["x"=2]>
func.func @leftover_barrier(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{is left over after the phase 'shard'}}
  %0 = tessera.propagation_barrier %a allows none {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<8xf32>
  return
}

// -----

tessera.mesh @mesh = <["x"=2]>
func.func @returns_a_pending_sum(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, %b: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced={"x"}>})
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  // expected-error @below {{expected operand 1 in the sharding of the function's result}}
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// What leaves a region is put together of parts that are equal, too.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @blocks_differ_outside(%a: tensor<4x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>}) {
  // expected-error @below {{not supported yet: expected dimension 1, which is split by hand, to divide into 2 equal parts inside, got size 3}}
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{}, {?}]>] out [#tessera.sharding<@mesh, [{}, {"x", ?}]>]
      {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}]>} : (tensor<4x3xf32>) -> tensor<4x6xf32> {
  ^bb0(%b: tensor<4x3xf32>):
    tessera.yield %b : tensor<4x3xf32>
  }
  return
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @kinds(%a: tensor<8x4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}], unreduced=or{"y"}>}) {
  // expected-error @below {{expected operands without pending reduction, got a pending or that it does not carry over}}
  %0 = tessera.reduce xor %a dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=xor{"x", "y"}>} : tensor<8x4xi32> -> tensor<4xi32>
  return
}
