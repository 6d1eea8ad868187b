// Per-device code in programs of whole tensors: every device has its part, devices meet, what leaves is put together again.
// RUN: split-file --leading-lines %s %t
// RUN: tessera-interpret %t/values.mlir | FileCheck %s --check-prefix=VALUES
// RUN: tessera-interpret %t/nested.mlir | FileCheck %s --check-prefix=NESTED
// RUN: not tessera-interpret %t/differ.mlir 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: not tessera-interpret %t/deadlock.mlir 2>&1 | FileCheck %s --check-prefix=DEADLOCK
// RUN: not tessera-interpret %t/end.mlir 2>&1 | FileCheck %s --check-prefix=END

//--- values.mlir
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main() -> (tensor<4x2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>) {
  %count = tessera.iota dim = 0 : tensor<4x2xi32>
  %ones = arith.constant dense<1> : tensor<2xi32>
  %0:4 = tessera.manual_computation(%count, %ones) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x"}, {}]>, #tessera.sharding<@mesh, [{}], unreduced={"x"}>]
      out [#tessera.sharding<@mesh, [{"x"}, {}]>, #tessera.sharding<@mesh, [{"x"}]>, #tessera.sharding<@mesh, [{}]>, #tessera.sharding<@mesh, [{}], unreduced={"x"}>]
      : (tensor<4x2xi32>, tensor<2xi32>) -> (tensor<4x2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>) {
  ^bb0(%rows: tensor<2x2xi32>, %summand: tensor<2xi32>):
    %swapped = spmd.permute %rows to [1, 0] over <@mesh, ["x"]> : tensor<2x2xi32>
    %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
    %numbers = tessera.broadcast %device dims = [] : tensor<i32> -> tensor<2xi32>
    %sum = spmd.all_reduce sum %summand over <@mesh, ["x"]> : tensor<2xi32>
    tessera.yield %swapped, %numbers, %sum, %numbers : tensor<2x2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  // VALUES: result0: i32[4x2] = {{\[\[}}2, 2], [3, 3], [0, 0], [1, 1]]
  // VALUES: result1: i32[4] = [0, 0, 1, 1]
  // The summands of 1 on all devices are 1 in sum.
  // VALUES: result2: i32[2] = [1, 1]
  // A pending sum that leaves is summed up: 0 + 1.
  // VALUES: result3: i32[2] = [1, 1]
  return %0#0, %0#1, %0#2, %0#3 : tensor<4x2xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>
}

//--- nested.mlir
tessera.mesh @mesh = <["x"=2, "y"=2, "z"=3]>
func.func @main() -> (tensor<4xi32>, tensor<2xi32>) {
  %count = tessera.iota dim = 0 : tensor<4xi32>
  %0:2 = tessera.manual_computation(%count) over <@mesh, ["x"]>
      in [#tessera.sharding<@mesh, [{"x"}]>] out [#tessera.sharding<@mesh, [{"x"}]>, #tessera.sharding<@mesh, [{"x"}]>]
      : (tensor<4xi32>) -> (tensor<4xi32>, tensor<2xi32>) {
  ^bb0(%half: tensor<2xi32>):
    %1 = tessera.manual_computation(%half) over <@mesh, ["y"]>
        in [#tessera.sharding<@mesh, [{"y"}]>] out [#tessera.sharding<@mesh, [{"y"}]>] : (tensor<2xi32>) -> tensor<2xi32> {
    ^bb0(%quarter: tensor<1xi32>):
      // Over the axis of the region outside: what devices with the same y have.
      %2 = spmd.all_reduce sum %quarter over <@mesh, ["x"]> : tensor<1xi32>
      tessera.yield %2 : tensor<1xi32>
    }
    %first = tessera.slice %half [0] to [1] by [1] : tensor<2xi32> -> tensor<1xi32>
    %3 = spmd.all_reduce max %first over <@mesh, ["x"]> : tensor<1xi32>
    tessera.yield %1, %3 : tensor<2xi32>, tensor<1xi32>
  }
  // NESTED: result0: i32[4] = [2, 4, 2, 4]
  // NESTED: result1: i32[2] = [2, 2]
  return %0#0, %0#1 : tensor<4xi32>, tensor<2xi32>
}

//--- differ.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<i32> {
  // DIFFER: differ.mlir:[[#@LINE+1]]:8: error: 'tessera.manual_computation' op result 0: device 0 (x=0) and device 1 (x=1) should hold the same and differ at element 0
  %0 = tessera.manual_computation() over <@mesh, ["x"]> in [] out [#tessera.sharding<@mesh, []>] : () -> tensor<i32> {
    %1 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
    tessera.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

//--- deadlock.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]> in [#tessera.sharding<@mesh, []>] out [#tessera.sharding<@mesh, []>] : (tensor<f32>) -> tensor<f32> {
  ^bb0(%b: tensor<f32>):
    %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %first = arith.cmpi eq, %device, %zero : tensor<i32>
    %condition = tensor.extract %first[] : tensor<i1>
    %r = scf.if %condition -> tensor<f32> {
      // DEADLOCK: deadlock.mlir:[[#@LINE+1]]:12: error: device 0 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 1, which never comes
      %1 = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<f32>
      scf.yield %1 : tensor<f32>
    } else {
      // DEADLOCK: deadlock.mlir:[[#@LINE+1]]:12: note: device 1 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 0
      %1 = spmd.all_reduce max %b over <@mesh, ["x"]> : tensor<f32>
      scf.yield %1 : tensor<f32>
    }
    tessera.yield %r : tensor<f32>
  }
  return %0 : tensor<f32>
}

//--- end.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  // END-DAG: end.mlir:[[#@LINE+1]]:8: note: device 1 waits in 'tessera.manual_computation' over {"x"} of tensor<f32> for device 0
  %0 = tessera.manual_computation(%a) over <@mesh, ["x"]> in [#tessera.sharding<@mesh, []>] out [#tessera.sharding<@mesh, []>] : (tensor<f32>) -> tensor<f32> {
  ^bb0(%b: tensor<f32>):
    %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
    %zero = arith.constant dense<0> : tensor<i32>
    %first = arith.cmpi eq, %device, %zero : tensor<i32>
    %condition = tensor.extract %first[] : tensor<i1>
    %r = scf.if %condition -> tensor<f32> {
      // END-DAG: end.mlir:[[#@LINE+1]]:12: error: device 0 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 1, which never comes
      %1 = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<f32>
      scf.yield %1 : tensor<f32>
    } else {
      scf.yield %b : tensor<f32>
    }
    tessera.yield %r : tensor<f32>
  }
  return %0 : tensor<f32>
}
