// RUN: tessera-opt %s -split-input-file -verify-diagnostics -tessera-verify-collective-order

// One device of two sums, and waits for the other one.
tessera.mesh @mesh = <["x"=2]>
func.func @on_one_device(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{what decides follows from what differs here}}
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %is_first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %is_first[] : tensor<i1>
  // expected-note @+1 {{'scf.if' runs it}}
  %sum = scf.if %condition -> tensor<8xf32> {
    %future = spmd.start : !spmd.future<tensor<8xf32>> {
      // expected-error @+1 {{expected a condition around it that is the same on all devices of its group, got one that may differ along "x"}}
      %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
      spmd.yield %0 : tensor<8xf32>
    }
    %1 = spmd.wait %future : !spmd.future<tensor<8xf32>>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %sum : tensor<8xf32>
}

// -----

// Each device goes round as often as its part of the argument says: the sum over "y" may be, that over "x" is not.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @as_often_as_it_has(
    // expected-note @+1 {{what decides follows from what differs here; a sum, a maximum or a gather of it over the group is the same on all devices}}
    %counts: tensor<1xindex> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = tensor.extract %counts[%zero] : tensor<1xindex>
  // expected-note @+1 {{'scf.for' runs it}}
  %sum = scf.for %i = %zero to %count step %one iter_args(%carried = %x) -> tensor<8xf32> {
    %future = spmd.start : !spmd.future<tensor<8xf32>> {
      %0 = spmd.all_reduce sum %carried over <@mesh, ["y"]> : tensor<8xf32>
      spmd.yield %0 : tensor<8xf32>
    }
    %1 = spmd.wait %future : !spmd.future<tensor<8xf32>>
    %next = spmd.start : !spmd.future<tensor<8xf32>> {
      // expected-error @+1 {{got one that may differ along "x"}}
      %0 = spmd.all_reduce sum %1 over <@mesh, ["y", "x"]> : tensor<8xf32>
      spmd.yield %0 : tensor<8xf32>
    }
    %2 = spmd.wait %next : !spmd.future<tensor<8xf32>>
    scf.yield %2 : tensor<8xf32>
  }
  return %sum : tensor<8xf32>
}

// -----

// What is summed along one part of an axis still differs along the other one.
tessera.mesh @mesh = <["x"=4]>
func.func @along_a_part(%x: tensor<f32>) -> tensor<f32> {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %0 = spmd.all_reduce max %device over <@mesh, ["x":(2)2]> : tensor<i32>
  %limit = arith.constant dense<2> : tensor<i32>
  // expected-note @+2 {{'scf.while' runs it}}
  // expected-note @+1 {{what decides follows from what differs here; a sum, a maximum or a gather of it over the group is the same on all devices}}
  %result:2 = scf.while (%number = %0, %carried = %x) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %is_less = arith.cmpi slt, %number, %limit : tensor<i32>
    %condition = tensor.extract %is_less[] : tensor<i1>
    scf.condition(%condition) %number, %carried : tensor<i32>, tensor<f32>
  } do {
  ^bb0(%number: tensor<i32>, %carried: tensor<f32>):
    %1 = spmd.all_reduce sum %carried over <@mesh, ["x":(2)2]> : tensor<f32>
    // expected-error @+1 {{got one that may differ along "x":(1)2}}
    %2 = spmd.all_reduce sum %1 over <@mesh, ["x":(1)2]> : tensor<f32>
    %3 = arith.addi %number, %limit : tensor<i32>
    scf.yield %3, %2 : tensor<i32>, tensor<f32>
  }
  return %result#1 : tensor<f32>
}

// -----

// A function that is called stands where it is called.
tessera.mesh @mesh = <["x"=2]>
func.func private @sum(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{got one that may differ along "x"}}
  %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>,
    // expected-note @+1 {{what decides follows from what differs here}}
    %mine: tensor<1xi1> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %condition = tensor.extract %mine[%zero] : tensor<1xi1>
  // expected-note @+1 {{'scf.if' runs it}}
  %sum = scf.if %condition -> tensor<8xf32> {
    %0 = func.call @sum(%x) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %sum : tensor<8xf32>
}

// -----

// What is one call meets one group.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @two_groups(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = spmd.start {spmd.call = 0 : i64} : !spmd.future<tensor<8xf32>> {
    %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %0 : tensor<8xf32>
  }
  %b = spmd.start {spmd.call = 0 : i64} : !spmd.future<tensor<8xf32>> {
    // expected-error @+1 {{expected the group of the first collective of call 0}}
    %0 = spmd.all_reduce sum %x over <@mesh, ["y"]> : tensor<8xf32>
    spmd.yield %0 : tensor<8xf32>
  }
  %1 = spmd.wait %a : !spmd.future<tensor<8xf32>>
  %2 = spmd.wait %b : !spmd.future<tensor<8xf32>>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The messages of pipeline ranks arrive, one behind the other.
tessera.mesh @mesh = <["x"=1]>
func.func private @main(tensor<8xf32>) -> tensor<8xf32>
func.func @rank_0(%x: tensor<8xf32> {pipe.argument = 0 : i64}) -> (tensor<8xf32> {pipe.result = 0 : i64}) attributes {pipe.rank = 0 : i64} {
  // expected-error @+1 {{waits for a message with tag 1 that pipeline rank 1 never sends}}
  %0 = spmd.recv from 1 tag 1 : tensor<8xf32>
  spmd.send %x to 1 tag 0 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  // expected-note @+1 {{pipeline rank 1 waits here}}
  %0 = spmd.recv from 0 tag 0 : tensor<8xf32>
  spmd.send %0 to 0 tag 1 : tensor<8xf32>
  return
}

// -----

// A message that a loop may send is none that one run of the ranks could count.
tessera.mesh @mesh = <["x"=1]>
func.func private @main(tensor<8xf32>) -> tensor<8xf32>
func.func @rank_0(%x: tensor<8xf32> {pipe.argument = 0 : i64}) -> (tensor<8xf32> {pipe.result = 0 : i64}) attributes {pipe.rank = 0 : i64} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %one step %one {
    // expected-error @+1 {{may be waited for without end: expected messages outside of regions}}
    spmd.send %x to 1 tag 0 : tensor<8xf32>
  }
  return %x : tensor<8xf32>
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = spmd.recv from 0 tag 0 : tensor<8xf32>
  return
}
