// RUN: tessera-opt %s -split-input-file -tessera-verify-communication -verify-diagnostics

tessera.mesh @mesh = <["data"=2]>

func.func @alone(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected at least two collectives}}
  %0 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x0: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// The same within a branch.
func.func @alone_in_a_branch(%c: i1, %a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.if %c -> tensor<8xf32> {
    // expected-error @below {{expected at least two collectives}}
    %1 = spmd.combined(%a) : (tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%x0: tensor<8xf32>):
      %2 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
      spmd.yield %2 : tensor<8xf32>
    }
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

func.func @reductions(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
    // expected-error @below {{expected the reduction of the call's first collective}}
    %2 = spmd.all_reduce max %x1 over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

func.func @scatter_reductions(%a: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = spmd.combined(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
    %1 = spmd.reduce_scatter max %x0 dim = 0 over <@mesh, ["data"]> : tensor<8xf32> -> tensor<4xf32>
    // expected-error @below {{expected the reduction of the call's first collective}}
    %2 = spmd.reduce_scatter sum %x1 dim = 0 over <@mesh, ["data"]> : tensor<8xf32> -> tensor<4xf32>
    spmd.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

func.func @started(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected no collective to be started before the phase 'schedule'}}
  %0 = spmd.start : <tensor<8xf32>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : <tensor<8xf32>>
  return %1 : tensor<8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2]>

// Nor in a branch.
func.func @started_in_a_branch(%c: i1, %a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.if %c -> tensor<8xf32> {
    // expected-error @below {{expected no collective to be started before the phase 'schedule'}}
    %1 = spmd.start : <tensor<8xf32>> {
      %3 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
      spmd.yield %3 : tensor<8xf32>
    }
    %2 = spmd.wait %1 : <tensor<8xf32>>
    scf.yield %2 : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
