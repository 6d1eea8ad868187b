// RUN: tessera-opt %s -split-input-file -verify-diagnostics

tessera.mesh @mesh = <["x"=2]>

func.func @something_else(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected collectives and nothing else}}
  %0 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x0: tensor<8xf32>):
    %1 = math.exp %x0 : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @something_beside(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected collectives and nothing else}}
  %0 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x0: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    %2 = math.exp %x0 : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @kinds(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  %0:2 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<16xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    // expected-error @below {{expected the kind and the group of the call's first collective}}
    %2 = spmd.all_gather %x1 dim = 0 over <@mesh, ["x"]> : tensor<8xf32> -> tensor<16xf32>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<16xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<16xf32>
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=2]>

func.func @groups(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    // expected-error @below {{expected the kind and the group of the call's first collective}}
    %2 = spmd.all_reduce sum %x1 over <@mesh, ["y"]> : tensor<8xf32>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @chain(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    // expected-error @below {{expected the region's argument number 1 as operand}}
    %2 = spmd.all_reduce sum %1 over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @gather_of_gather(%a: tensor<8xf32>, %b: tensor<16xf32>) -> (tensor<16xf32>, tensor<32xf32>) {
  %0:2 = spmd.combined(%a, %b) : (tensor<8xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<32xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<16xf32>):
    %1 = spmd.all_gather %x0 dim = 0 over <@mesh, ["x"]> : tensor<8xf32> -> tensor<16xf32>
    // expected-error @below {{expected the region's argument number 1 as operand}}
    %2 = spmd.all_gather %1 dim = 0 over <@mesh, ["x"]> : tensor<16xf32> -> tensor<32xf32>
    spmd.yield %1, %2 : tensor<16xf32>, tensor<32xf32>
  }
  return %0#0, %0#1 : tensor<16xf32>, tensor<32xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @types(%a: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected results of types 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %0 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<4xf32> {
  ^bb0(%x0: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @count(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error @below {{expected results of types 'tensor<8xf32>', got 'tensor<8xf32>', 'tensor<8xf32>'}}
  %0:2 = spmd.combined(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @region_arguments(%a: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected region arguments of the operands' types}}
  %0 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<4xf32> {
  ^bb0(%x0: tensor<4xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<4xf32>
    spmd.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @number_of_region_arguments(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected region arguments of the operands' types}}
  %0 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x0: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @too_many_operands(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected an operand for each of 1 collectives, got 2}}
  %0 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @too_few_operands(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error @below {{expected an operand for each of 2 collectives, got 1}}
  %0:2 = spmd.combined(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    %2 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @yielded_crosswise(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    %2 = spmd.all_reduce sum %x1 over <@mesh, ["x"]> : tensor<8xf32>
    // expected-error @below {{expected the collectives' results in their order}}
    spmd.yield %2, %1 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @yielded_once(%a: tensor<8xf32>) -> (tensor<8xf32>) {
  %0 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    %2 = spmd.all_reduce sum %x1 over <@mesh, ["x"]> : tensor<8xf32>
    // expected-error @below {{expected the collectives' results in their order}}
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @number_elsewhere(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected an integer for spmd.call, on 'spmd.start'}}
  %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> {spmd.call = 1 : i64} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @no_number(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected an integer for spmd.call, on 'spmd.start'}}
  %0 = spmd.start {spmd.call = "first"} : <tensor<8xf32>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : <tensor<8xf32>>
  return %1 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @waits_in_another_order(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.start {spmd.call = 1 : i64} : <tensor<8xf32>> {
    %4 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %4 : tensor<8xf32>
  }
  // expected-error @below {{expected the waits of a call in the order of its starts, with nothing between them}}
  %1 = spmd.start {spmd.call = 1 : i64} : <tensor<8xf32>> {
    %4 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %4 : tensor<8xf32>
  }
  %3 = spmd.wait %1 : <tensor<8xf32>>
  %2 = spmd.wait %0 : <tensor<8xf32>>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

func.func @waits_apart(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.start {spmd.call = 1 : i64} : <tensor<8xf32>> {
    %5 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %5 : tensor<8xf32>
  }
  // expected-error @below {{expected the waits of a call in the order of its starts, with nothing between them}}
  %1 = spmd.start {spmd.call = 1 : i64} : <tensor<8xf32>> {
    %5 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %5 : tensor<8xf32>
  }
  %2 = spmd.wait %0 : <tensor<8xf32>>
  %3 = math.exp %2 : tensor<8xf32>
  %4 = spmd.wait %1 : <tensor<8xf32>>
  return %2, %3, %4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Copies to the host and back are no collectives.
tessera.mesh @mesh = <["x"=2]>
func.func @offload_in_a_call(%x: tensor<16xf32>) -> tensor<16xf32> {
  %f = spmd.start {spmd.call = 0} : <tensor<16xf32>> {
    %1 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<16xf32>
    spmd.yield %1 : tensor<16xf32>
  }
  %g = spmd.start {spmd.call = 0} : <tensor<16xf32>> {
    // expected-error @+1 {{'spmd.offload' op expected collectives alone in a call}}
    %1 = spmd.offload %x : tensor<16xf32>
    spmd.yield %1 : tensor<16xf32>
  }
  %a = spmd.wait %f : <tensor<16xf32>>
  %b = spmd.wait %g : <tensor<16xf32>>
  return %a : tensor<16xf32>
}

// -----

func.func @reload_in_a_call(%x: tensor<16xf32>) -> tensor<16xf32> {
  %h = spmd.offload %x : tensor<16xf32>
  %f = spmd.start {spmd.call = 0} : <tensor<16xf32>> {
    // expected-error @+1 {{'spmd.reload' op expected collectives alone in a call}}
    %1 = spmd.reload %h : tensor<16xf32>
    spmd.yield %1 : tensor<16xf32>
  }
  %a = spmd.wait %f : <tensor<16xf32>>
  return %a : tensor<16xf32>
}
