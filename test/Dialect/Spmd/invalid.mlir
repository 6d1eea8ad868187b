// Every check of the verifiers, with what it says.
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// A gathered dimension is a multiple of its parts.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 'tensor<20x16xf32>' to be a multiple of 'tensor<8x16xf32>' in dimension 0}}
  %0 = spmd.all_gather %a dim = 0 over <@mesh, ["model"]> : tensor<8x16xf32> -> tensor<20x16xf32>
  return
}

// -----

// A gather goes along a dimension that exists.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{dimension 2 is out of range: expected 0 to 1}}
  %0 = spmd.all_gather %a dim = 2 over <@mesh, ["model"]> : tensor<8x16xf32> -> tensor<8x16xf32>
  return
}

// -----

// A scattered dimension is a fraction of the whole.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected 'tensor<8x16xf32>' to be a multiple of 'tensor<8x5xf32>' in dimension 1}}
  %0 = spmd.reduce_scatter sum %a dim = 1 over <@mesh, ["model"]> : tensor<8x16xf32> -> tensor<8x5xf32>
  return
}

// -----

// What one dimension loses the other gains.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected dimension 0 to grow as dimension 1 shrinks, got 'tensor<8x16xf32>' and 'tensor<8x4xf32>'}}
  %0 = spmd.all_to_all %a split = 1 concat = 0 over <@mesh, ["model"]> : tensor<8x16xf32> -> tensor<8x4xf32>
  return
}

// -----

// No device receives twice.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{device 1 of the group receives twice}}
  %0 = spmd.permute %a to [1, 1] over <@mesh, ["data"]> : tensor<8x16xf32>
  return
}

// -----

// A permutation stays in the group.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{target 2 is out of range: expected -1 to 1}}
  %0 = spmd.permute %a to [2, 1] over <@mesh, ["data"]> : tensor<8x16xf32>
  return
}

// -----

// A kernel's region takes its operands.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected region arguments of the operands' types}}
  %0 = spmd.kernel(%a) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<4xf32>, %y: tensor<8xf32>):
    spmd.yield %y : tensor<8xf32>
  }
  return
}

// -----

// A kernel's results are what its region yields.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected yielded values of the results' types}}
  %0 = spmd.kernel(%a) : (tensor<8xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<8xf32>):
    spmd.yield %x : tensor<8xf32>
  }
  return
}

// -----

// Every result has a buffer.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 1 buffers in spmd.buffers, one per result}}
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> {spmd.buffers = []} : tensor<8xf32>
  return
}

// -----

// So has every value that a loop carries.
func.func @f(%a: tensor<8xf32>, %go: i1) {
  // expected-error @below {{expected 1 buffers in spmd.carried, one per initial value}}
  %0 = scf.while (%b = %a) : (tensor<8xf32>) -> tensor<8xf32> {
    scf.condition(%go) %b : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<8xf32>):
    scf.yield %b : tensor<8xf32>
  } attributes {spmd.carried = []}
  return
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected 'scf.while' for spmd.carried}}
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> {spmd.carried = []} : tensor<8xf32>
  return
}

// -----

// Attributes of the dialect are known by name.
// expected-error @below {{unknown attribute 'spmd.arena' of the dialect spmd}}
func.func @f() attributes {spmd.arena = 3} {
  return
}

// -----

// A collective goes over axes of a mesh.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{unknown mesh @mesh}}
  %0 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
  return
}

// -----

// A collective goes over axes that the mesh has.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{unknown axis "modle"}}
  %0 = spmd.all_reduce sum %a over <@mesh, ["modle"]> : tensor<8xf32>
  return
}

// -----

// A position is one along axes that the mesh has.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f() {
  // expected-error @below {{unknown axis "x"}}
  %0 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  return
}

// -----

// Per-device code communicates over axes that are its own.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}]>] out [#tessera.sharding<@mesh, [{?}]>] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    // expected-error @below {{expected axes that are manual here, got "data"}}
    %1 = spmd.all_reduce sum %x over <@mesh, ["model", "data"]> : tensor<8xf32>
    tessera.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// What a call reserves is a part of the arena.
func.func private @called()
func.func @f() {
  // expected-error @below {{expected a buffer in the arena for spmd.workspace}}
  func.call @called() {spmd.workspace = #spmd.buffer<result, 0>} : () -> ()
  return
}

// -----

// Only a collective can be started.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected one collective or copy to the host or back, and its result yielded}}
  %0 = spmd.start : !spmd.future<tensor<8xf32>> {
    %2 = arith.addf %a, %a : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  return
}

// -----

// What is started is what the collective gives.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected one collective or copy to the host or back, and its result yielded}}
  %0 = spmd.start : !spmd.future<tensor<8xf32>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %a : tensor<8xf32>
  }
  %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  return
}

// -----

// The future is of the collective's result.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected a future of 'tensor<16xf32>', got '!spmd.future<tensor<8xf32>>'}}
  %0 = spmd.start : !spmd.future<tensor<8xf32>> {
    %2 = spmd.all_gather %a dim = 0 over <@mesh, ["data"]> : tensor<8xf32> -> tensor<16xf32>
    spmd.yield %2 : tensor<16xf32>
  }
  %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  return
}

// -----

// Somebody has to wait.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected one 'spmd.wait' of the future, in the block that starts it}}
  %0 = spmd.start : !spmd.future<tensor<8xf32>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  return
}

// -----

// Nobody waits twice.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected one 'spmd.wait' of the future, in the block that starts it}}
  %0 = spmd.start : !spmd.future<tensor<8xf32>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  %3 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  return
}

// -----

// A branch or a loop may not wait, or not once.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>, %c: i1) {
  // expected-error @below {{expected one 'spmd.wait' of the future, in the block that starts it}}
  %0 = spmd.start : !spmd.future<tensor<8xf32>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  scf.if %c {
    %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  }
  return
}

// -----

// The result of a wait is the future's tensor.
func.func @f(%a: !spmd.future<tensor<8xf32>>) -> tensor<4xf32> {
  // expected-error @below {{failed to verify that the result has the type of the future's tensor}}
  %1 = "spmd.wait"(%a) : (!spmd.future<tensor<8xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Futures do not leave the place where they are made.
func.func @f(%a: !spmd.future<tensor<8xf32>>) {
  // expected-error @below {{expected the future of a 'spmd.start'}}
  %1 = spmd.wait %a : !spmd.future<tensor<8xf32>>
  return
}

// -----

// That an operation runs again is all there is to say.
func.func @f() {
  // expected-error @below {{expected no value for spmd.rematerialized, got 1 : i64}}
  %0 = arith.constant {spmd.rematerialized = 1} 0 : index
  return
}

// -----

// Also of a kernel.
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected no value for spmd.rematerialized, got "yes"}}
  %0 = spmd.kernel(%a) {spmd.rematerialized = "yes"} : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    spmd.yield %x : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// The arena has a size in bytes.
// expected-error @below {{expected an i64 of at least 0 for spmd.arena_size, got "large"}}
func.func @f() attributes {spmd.arena_size = "large"} {
  return
}

// -----

// The bytes of an arena are a number, not an address.
// expected-error @below {{expected an i64 of at least 0 for spmd.arena_size, got #spmd.buffer<arena, 64>}}
func.func private @called() attributes {spmd.arena_size = #spmd.buffer<arena, 64>}

// -----

// What a call reserves lies somewhere.
func.func private @called()
func.func @f() {
  // expected-error @below {{expected a buffer in the arena for spmd.workspace}}
  func.call @called() {spmd.workspace = 64 : i64} : () -> ()
  return
}

// -----

// Only 'scf.while' has initial values beside its results.
func.func @f(%a: tensor<8xf32>, %n: index) {
  // expected-error @below {{expected 'scf.while' for spmd.carried}}
  %0 = scf.for %i = %n to %n step %n iter_args(%b = %a) -> tensor<8xf32> {
    scf.yield %b : tensor<8xf32>
  } {spmd.carried = [#spmd.buffer<arena, 0>]}
  return
}

// -----

// Names are read to their end.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{unknown attribute 'spmd.buffer' of the dialect spmd}}
  %0 = math.exp %a {spmd.buffer = #spmd.buffer<arena, 0>} : tensor<8xf32>
  return
}

// -----

// A position among devices is one along axes that are the region's own.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}]>] out [#tessera.sharding<@mesh, [{?}]>] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    // expected-error @below {{expected axes that are manual here, got "data"}}
    %1 = spmd.axis_index <@mesh, ["data"]> : tensor<i32>
    tessera.yield %x : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// What is split along one dimension is joined along the other, in a tensor of the same rank.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected dimension 0 to grow as dimension 1 shrinks, got 'tensor<8x16xf32>' and 'tensor<128xf32>'}}
  %0 = spmd.all_to_all %a split = 1 concat = 0 over <@mesh, ["model"]> : tensor<8x16xf32> -> tensor<128xf32>
  return
}

// -----

// Devices that exchange parts of one dimension have parts of one size.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x6xf32>) {
  // expected-error @below {{expected dimension 1 to be split into 4 equal parts, got size 6}}
  %0 = spmd.all_to_all %a split = 1 concat = 1 over <@mesh, ["model"]> : tensor<8x6xf32> -> tensor<8x6xf32>
  return
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error @below {{expected dimension 0 to be split into 8 equal parts, got size 2}}
  %0 = spmd.all_to_all %a split = 0 concat = 0 over <@mesh, ["data", "model"]> : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

// -1 sends nothing; what lies before it is no device.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{target -2 is out of range: expected -1 to 1}}
  %0 = spmd.permute %a to [0, -2] over <@mesh, ["data"]> : tensor<8x16xf32>
  return
}

// -----

// Devices that send nothing may be many, those that receive once are not.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{device 3 of the group receives twice}}
  %0 = spmd.permute %a to [-1, 3, -1, 3] over <@mesh, ["model"]> : tensor<8x16xf32>
  return
}

// -----

// A permutation has a target for each device of its group, no fewer and no more.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected one target for each of the 8 devices of the group, got 2}}
  %0 = spmd.permute %a to [1, 0] over <@mesh, ["data", "model"]> : tensor<8x16xf32>
  return
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{expected one target for each of the 2 devices of the group, got 3}}
  %0 = spmd.permute %a to [1, 0, -1] over <@mesh, ["data"]> : tensor<8x16xf32>
  return
}

// -----

// A tensor is broadcast from a device of the group.
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{root 4 is out of range: expected 0 to 3}}
  %0 = spmd.broadcast %a from 4 over <@mesh, ["model"]> : tensor<8x16xf32>
  return
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @f(%a: tensor<8x16xf32>) {
  // expected-error @below {{root -1 is out of range: expected 0 to 1}}
  %0 = spmd.broadcast %a from -1 over <@mesh, ["data"]> : tensor<8x16xf32>
  return
}

// -----

// A future is not made of anything else.
func.func @f(%a: tensor<8xf32>) {
  %0 = builtin.unrealized_conversion_cast %a : tensor<8xf32> to !spmd.future<tensor<8xf32>>
  // expected-error @below {{expected the future of a 'spmd.start'}}
  %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
  return
}

// -----

// The future is of a tensor of the same elements.
tessera.mesh @mesh = <["data"=2]>

func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected a future of 'tensor<8xf32>', got '!spmd.future<tensor<8xf64>>'}}
  %0 = spmd.start : !spmd.future<tensor<8xf64>> {
    %2 = spmd.all_reduce sum %a over <@mesh, ["data"]> : tensor<8xf32>
    spmd.yield %2 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : !spmd.future<tensor<8xf64>>
  return
}

// -----

// A kernel's region has an argument for each operand.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected region arguments of the operands' types}}
  %0 = spmd.kernel(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    spmd.yield %x : tensor<8xf32>
  }
  return
}

// -----

// A kernel yields as many values as it has results.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{expected yielded values of the results' types}}
  %0:2 = spmd.kernel(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: tensor<8xf32>):
    spmd.yield %x : tensor<8xf32>
  }
  return
}
