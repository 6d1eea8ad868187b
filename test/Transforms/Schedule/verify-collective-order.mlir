// RUN: tessera-opt %s -split-input-file -tessera-verify-collective-order | FileCheck %s

// What is summed over the group is the same on all of its devices, also through a loop and a kernel.
// CHECK-LABEL: func.func @same_after_a_sum
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @same_after_a_sum(%mine: tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>}, %x: tensor<8xf32>) -> tensor<8xf32> {
  %sum = spmd.all_reduce sum %mine over <@mesh, ["x"]> : tensor<f32>
  %small = spmd.kernel(%sum) : (tensor<f32>) -> tensor<i1> {
  ^bb0(%0: tensor<f32>):
    %limit = arith.constant dense<1.0> : tensor<f32>
    %1 = arith.cmpf olt, %0, %limit : tensor<f32>
    spmd.yield %1 : tensor<i1>
  }
  %condition = tensor.extract %small[] : tensor<i1>
  %result = scf.if %condition -> tensor<8xf32> {
    %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %result : tensor<8xf32>
}

// -----

// Devices of one group are on one place of another axis.
// CHECK-LABEL: func.func @along_another_axis
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @along_another_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  %device = spmd.axis_index <@mesh, ["y"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %is_first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %is_first[] : tensor<i1>
  %result = scf.if %condition -> tensor<8xf32> {
    %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %result : tensor<8xf32>
}

// -----

// Whichever branch a device takes, it meets the others in the same call.
// CHECK-LABEL: func.func @branches_alike
tessera.mesh @mesh = <["x"=2]>
func.func @branches_alike(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %is_first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %is_first[] : tensor<i1>
  %result = scf.if %condition -> tensor<8xf32> {
    %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    %0 = spmd.all_reduce sum %y over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %result : tensor<8xf32>
}

// -----

// What a pipeline rank receives is the same on all of its devices if what is sent is.
// CHECK-LABEL: func.func @rank_1
tessera.mesh @mesh = <["x"=2]>
func.func private @main(tensor<i1>, tensor<8xf32>) -> tensor<8xf32>
func.func @rank_0(%flag: tensor<i1> {pipe.argument = 0 : i64}) attributes {pipe.rank = 0 : i64} {
  spmd.send %flag to 1 tag 0 : tensor<i1>
  return
}
func.func @rank_1(%x: tensor<8xf32> {pipe.argument = 1 : i64}) -> (tensor<8xf32> {pipe.result = 0 : i64}) attributes {pipe.rank = 1 : i64} {
  %flag = spmd.recv from 0 tag 0 : tensor<i1>
  %condition = tensor.extract %flag[] : tensor<i1>
  %result = scf.if %condition -> tensor<8xf32> {
    %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %result : tensor<8xf32>
}
