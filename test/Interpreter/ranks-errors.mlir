// Messages that do not arrive, or are not what was expected: each error names the two places.
// RUN: split-file --leading-lines %s %t
// RUN: not tessera-interpret %t/never-sent.mlir 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not tessera-interpret %t/crossed.mlir 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: not tessera-interpret %t/mixed.mlir 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not tessera-interpret %t/unreceived.mlir 2>&1 | FileCheck %s --check-prefix=UNRECEIVED
// RUN: not tessera-interpret %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tessera-interpret %t/self.mlir 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: not tessera-interpret %t/alone.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not tessera-interpret %t/differ.mlir 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: not tessera-interpret %t/boundary.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDARY
// RUN: not tessera-interpret %t/alone-send.mlir 2>&1 | FileCheck %s --check-prefix=ALONE-SEND
// RUN: not tessera-interpret %t/differ-third.mlir 2>&1 | FileCheck %s --check-prefix=DIFFER-THIRD
// RUN: not tessera-interpret %t/type-integer.mlir 2>&1 | FileCheck %s --check-prefix=TYPE-INTEGER

//--- never-sent.mlir
// Of rank 0 devices 0 and 1 wait, for 2 and 3 of rank 1; the lowest device is named.
tessera.mesh @mesh = <["x"=2]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %place = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  // NEVER: never-sent.mlir:[[#@LINE+1]]:8: error: device 0 waits in 'spmd.recv' with tag 1 of tensor<f32> for device 2, which never sends it
  %0 = spmd.recv from 1 tag 1 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = arith.constant dense<1.0> : tensor<f32>
  spmd.send %0 to 0 tag 0 : tensor<f32>
  // NEVER: never-sent.mlir:[[#@LINE+1]]:3: note: device 2 has returned here
  return
}

//--- crossed.mlir
// Each receives before it sends.
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  // CROSSED: crossed.mlir:[[#@LINE+1]]:8: error: device 0 waits in 'spmd.recv' with tag 0 of tensor<i32> for device 1, which never sends it
  %0 = spmd.recv from 1 tag 0 : tensor<i32>
  spmd.send %0 to 1 tag 0 : tensor<i32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  // CROSSED: crossed.mlir:[[#@LINE+1]]:8: note: device 1 waits in 'spmd.recv' with tag 0 of tensor<i32> for device 0
  %0 = spmd.recv from 0 tag 0 : tensor<i32>
  spmd.send %0 to 0 tag 0 : tensor<i32>
  return
}

//--- mixed.mlir
// A message and a collective wait for each other: only one device of the rank receives.
tessera.mesh @mesh = <["x"=2]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %index = arith.index_cast %0 : tensor<i32> to tensor<index>
  %place = tensor.extract %index[] : tensor<index>
  scf.index_switch %place
  case 0 {
    // MIXED: mixed.mlir:[[#@LINE+1]]:10: error: device 0 waits in 'spmd.recv' with tag 0 of tensor<i32> for device 2, which never sends it
    %1 = spmd.recv from 1 tag 0 : tensor<i32>
    scf.yield
  }
  default {
  }
  %2 = spmd.all_reduce sum %0 over <@mesh, ["x"]> : tensor<i32>
  spmd.send %2 to 1 tag 0 : tensor<i32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  // MIXED: mixed.mlir:[[#@LINE+1]]:8: note: device 2 waits in 'spmd.recv' with tag 0 of tensor<i32> for device 0
  %0 = spmd.recv from 0 tag 0 : tensor<i32>
  spmd.send %0 to 0 tag 0 : tensor<i32>
  return
}

//--- unreceived.mlir
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<1.0> : tensor<f32>
  spmd.send %0 to 1 tag 5 : tensor<f32>
  // UNRECEIVED: unreceived.mlir:[[#@LINE+1]]:3: error: device 0 sends what device 1 never receives, with tag 5
  spmd.send %0 to 1 tag 5 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = spmd.recv from 0 tag 5 : tensor<f32>
  // UNRECEIVED: unreceived.mlir:[[#@LINE+1]]:3: note: device 1 has returned here
  return
}

//--- type.mlir
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<1.0> : tensor<f32>
  // TYPE: type.mlir:[[#@LINE+6]]:8: error: 'spmd.recv' op expected to receive tensor<2xf32>, got tensor<f32>
  // TYPE: type.mlir:[[#@LINE+1]]:3: note: it was sent here
  spmd.send %0 to 1 tag 0 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = spmd.recv from 0 tag 0 : tensor<2xf32>
  return
}

//--- self.mlir
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<1.0> : tensor<f32>
  // SELF: self.mlir:[[#@LINE+1]]:3: error: 'spmd.send' op expected another pipeline rank from 0 to 1, got 0
  spmd.send %0 to 0 tag 0 : tensor<f32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  return
}

//--- alone.mlir
func.func @main() -> tensor<f32> {
  // ALONE: alone.mlir:[[#@LINE+1]]:8: error: 'spmd.recv' op expected a program of several pipeline ranks around it
  %0 = spmd.recv from 1 tag 0 : tensor<f32>
  return %0 : tensor<f32>
}

//--- differ.mlir
// DIFFER: differ.mlir:[[#@LINE+1]]:1: error: result 'r': pipeline ranks 0 and 1 should give the same and differ
func.func private @main() -> (tensor<f32> {tessera.name = "r"})
func.func @rank_0() -> (tensor<f32> {pipe.result = 0 : i64}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @rank_1() -> (tensor<f32> {pipe.result = 0 : i64}) attributes {pipe.rank = 1 : i64} {
  %0 = arith.constant dense<2.0> : tensor<f32>
  return %0 : tensor<f32>
}

//--- boundary.mlir
// BOUNDARY: boundary.mlir:[[#@LINE+1]]:1: error: expected result 0 on a pipeline rank, got it on none
func.func private @main() -> tensor<f32>
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  return
}

//--- alone-send.mlir
func.func @main(%a: tensor<2xf32>) {
  // ALONE-SEND: alone-send.mlir:[[#@LINE+1]]:3: error: 'spmd.send' op expected a program of several pipeline ranks around it
  spmd.send %a to 1 tag 0 : tensor<2xf32>
  return
}

//--- differ-third.mlir
// DIFFER-THIRD: differ-third.mlir:[[#@LINE+1]]:1: error: result 'r': pipeline ranks 0 and 2 should give the same and differ
func.func private @main() -> (tensor<2xi32> {tessera.name = "r"})
func.func @rank_0() -> (tensor<2xi32> {pipe.result = 0 : i64}) attributes {pipe.rank = 0 : i64} {
  %0 = arith.constant dense<1> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  return
}
func.func @rank_2() -> (tensor<2xi32> {pipe.result = 0 : i64}) attributes {pipe.rank = 2 : i64} {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

//--- type-integer.mlir
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  // TYPE-INTEGER: type-integer.mlir:[[#@LINE+6]]:3: note: it was sent here
  %0 = spmd.recv from 1 tag 4 : tensor<i32>
  return
}
func.func @rank_1() attributes {pipe.rank = 1 : i64} {
  %0 = arith.constant dense<1> : tensor<i64>
  spmd.send %0 to 0 tag 4 : tensor<i64>
  return
}
