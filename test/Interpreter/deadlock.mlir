// Devices that do not meet: each error names the two places.
// RUN: split-file --leading-lines %s %t
// RUN: not tessera-interpret %t/kind.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tessera-interpret %t/axes.mlir 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not tessera-interpret %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tessera-interpret %t/trip-counts.mlir 2>&1 | FileCheck %s --check-prefix=TRIPS
// RUN: not tessera-interpret %t/cycle.mlir 2>&1 | FileCheck %s --check-prefix=CYCLE
// RUN: not tessera-interpret %t/failed.mlir 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: tessera-interpret %t/same.mlir | FileCheck %s --check-prefix=SAME

//--- kind.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %first[] : tensor<i1>
  scf.if %condition {
    // KIND: kind.mlir:[[#@LINE+1]]:10: error: device 0 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 1, which never comes
    %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
  } else {
    // KIND: kind.mlir:[[#@LINE+1]]:10: note: device 1 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 0
    %1 = spmd.all_reduce max %a over <@mesh, ["x"]> : tensor<f32>
  }
  return
}

//--- axes.mlir
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<f32>) {
  %device = spmd.axis_index <@mesh, ["x", "y"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %first[] : tensor<i1>
  scf.if %condition {
    // AXES: axes.mlir:[[#@LINE+1]]:10: error: device 0 waits in 'spmd.all_reduce' over {"x", "y"} of tensor<f32> for device 1, which never comes
    %0 = spmd.all_reduce sum %a over <@mesh, ["x", "y"]> : tensor<f32>
  } else {
    // Device 1 waits for 3, which waits in the same collective and for 2, which waits for 0.
    // AXES: axes.mlir:[[#@LINE+1]]:10: note: device 1 waits in 'spmd.all_reduce' over {"y"} of tensor<f32> for device 0
    %1 = spmd.all_reduce sum %a over <@mesh, ["y"]> : tensor<f32>
  }
  return
}

//--- missing.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %first[] : tensor<i1>
  scf.if %condition {
    // MISSING: missing.mlir:[[#@LINE+1]]:10: error: device 0 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 1, which never comes
    %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
  }
  // MISSING: missing.mlir:[[#@LINE+1]]:3: note: device 1 has returned here
  return
}

//--- trip-counts.mlir
// Device i goes round i + 1 times.
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %index = arith.index_cast %device : tensor<i32> to tensor<index>
  %last = tensor.extract %index[] : tensor<index>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.addi %last, %one : index
  %sum = scf.for %i = %zero to %count step %one iter_args(%x = %a) -> tensor<f32> {
    // TRIPS: trip-counts.mlir:[[#@LINE+1]]:10: error: device 1 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 0, which never comes
    %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<f32>
    scf.yield %0 : tensor<f32>
  }
  // TRIPS: trip-counts.mlir:[[#@LINE+1]]:3: note: device 0 has returned here
  return %sum : tensor<f32>
}

//--- cycle.mlir
// 0 waits for 1 along y, 1 for 3 along x, 3 for 2 along y, 2 for 0 along x.
tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<f32>) {
  %x = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %y = spmd.axis_index <@mesh, ["y"]> : tensor<i32>
  %same = arith.cmpi eq, %x, %y : tensor<i32>
  %condition = tensor.extract %same[] : tensor<i1>
  scf.if %condition {
    // CYCLE: cycle.mlir:[[#@LINE+3]]:10: error: device 0 waits in 'spmd.all_reduce' over {"y"} of tensor<f32> for device 1, which never comes
    // CYCLE: cycle.mlir:[[#@LINE+6]]:10: note: device 1 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 3
    // CYCLE: cycle.mlir:[[#@LINE+1]]:10: note: device 3 waits in 'spmd.all_reduce' over {"y"} of tensor<f32> for device 2
    %0 = spmd.all_reduce sum %a over <@mesh, ["y"]> : tensor<f32>
    %1 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
  } else {
    // CYCLE: cycle.mlir:[[#@LINE+1]]:10: note: device 2 waits in 'spmd.all_reduce' over {"x"} of tensor<f32> for device 0
    %2 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<f32>
    %3 = spmd.all_reduce sum %a over <@mesh, ["y"]> : tensor<f32>
  }
  return
}

//--- failed.mlir
// The error of a device that fails comes before the wait of those that miss it.
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<i32> {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %rest = arith.subi %one, %device : tensor<i32>
  // FAILED: failed.mlir:[[#@LINE+1]]:8: error: 'arith.divsi' op divides by zero at element 0
  %0 = arith.divsi %one, %rest : tensor<i32>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["x"]> : tensor<i32>
  return %1 : tensor<i32>
}

//--- same.mlir
// Two places with the same collective do meet.
// SAME: result0: i32[] = 1
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> tensor<i32> {
  %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %first = arith.cmpi eq, %device, %zero : tensor<i32>
  %condition = tensor.extract %first[] : tensor<i1>
  %result = scf.if %condition -> tensor<i32> {
    %0 = spmd.all_reduce sum %device over <@mesh, ["x"]> : tensor<i32>
    scf.yield %0 : tensor<i32>
  } else {
    %1 = spmd.all_reduce sum %device over <@mesh, ["x"]> : tensor<i32>
    scf.yield %1 : tensor<i32>
  }
  return %result : tensor<i32>
}
