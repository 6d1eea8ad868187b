// What cannot be run is one diagnostic at its place, and status 1.
// RUN: split-file --leading-lines %s %t
// RUN: not tessera-interpret %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tessera-interpret %t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tessera-interpret %t/ranks-meshes.mlir 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not tessera-interpret %t/local.mlir 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not tessera-interpret %t/main.mlir 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not tessera-interpret %t/boundary.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDARY
// RUN: not tessera-interpret %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tessera-interpret %t/recursion.mlir 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not tessera-interpret %t/bitwise.mlir 2>&1 | FileCheck %s --check-prefix=BITWISE
// RUN: not tessera-interpret %t/all-reduce.mlir 2>&1 | FileCheck %s --check-prefix=REDUCE
// RUN: not tessera-interpret %t/overflow.mlir 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not tessera-interpret %t/extract.mlir 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not tessera-interpret %t/gather.mlir 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not tessera-interpret %t/scatter.mlir 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not tessera-interpret %t/permute.mlir 2>&1 | FileCheck %s --check-prefix=PERMUTE
// RUN: not tessera-interpret %t/meshes.mlir 2>&1 | FileCheck %s --check-prefix=MESHES
// RUN: not tessera-interpret %t/step.mlir 2>&1 | FileCheck %s --check-prefix=STEP

//--- unknown.mlir
func.func @main(%a: i32) {
  // UNKNOWN: unknown.mlir:[[#@LINE-1]]:17: error: expected a tensor of static shape whose elements are i1 to i64, f16, bf16, f32 or f64 at the boundary of @main, got 'i32'
  return
}

//--- main.mlir
// MAIN: main.mlir:{{.*}}: error: expected a function @main with a body
func.func private @main()

//--- boundary.mlir
// BOUNDARY: boundary.mlir:[[#@LINE+1]]:17: error: expected a tensor of static shape {{.*}}, got 'tensor<?xf32>'
func.func @main(%a: tensor<?xf32>) {
  return
}

//--- type.mlir
func.func @main() {
  // TYPE: type.mlir:[[#@LINE+1]]:8: error: 'arith.constant' op expected results whose elements are i1 to i64, f16, bf16, f32 or f64, got tensor<2xi4>
  %0 = arith.constant dense<1> : tensor<2xi4>
  return
}

//--- recursion.mlir
// RECURSION: recursion.mlir:[[#@LINE+1]]:1: error: 'func.func' op recurses more than 256 calls deep
func.func @main() {
  func.call @main() : () -> ()
  return
}

//--- bitwise.mlir
func.func @main(%a: tensor<2xf32>, %ids: tensor<1x1xi32>, %b: tensor<1xf32>) {
  // BITWISE: bitwise.mlir:[[#@LINE+1]]:8: error: 'tessera.scatter' op expected integers under 'xor', got f32[2]
  %0 = tessera.scatter xor %a, %b at %ids window = [] inserted = [0] batching = [] x [] map = [0] vector = 1
    : (tensor<2xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<2xf32>
  return
}

//--- all-reduce.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2xf32>) {
  // REDUCE: all-reduce.mlir:[[#@LINE+1]]:8: error: 'spmd.all_reduce' op expected integers under 'and', got f32[2]
  %0 = spmd.all_reduce and %a over <@mesh, ["x"]> : tensor<2xf32>
  return
}

//--- overflow.mlir
func.func @main() -> tensor<1xi8> {
  %a = arith.constant dense<-128> : tensor<1xi8>
  %b = arith.constant dense<-1> : tensor<1xi8>
  // OVERFLOW: overflow.mlir:[[#@LINE+1]]:8: error: 'arith.divsi' op overflows: divides -128 by -1 at element 0
  %0 = arith.divsi %a, %b : tensor<1xi8>
  return %0 : tensor<1xi8>
}

//--- extract.mlir
func.func @main(%a: tensor<2xf32>) {
  %two = arith.constant 2 : index
  // EXTRACT: extract.mlir:[[#@LINE+1]]:8: error: 'tensor.extract' op expected index 0 from 0 to 1, got 2
  %0 = tensor.extract %a[%two] : tensor<2xf32>
  return
}

//--- gather.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2xf32>) {
  // GATHER: gather.mlir:[[#@LINE+1]]:8: error: 'spmd.all_gather' op expected size 4 in dimension 0, 2 times that of the part, got 8
  %0 = spmd.all_gather %a dim = 0 over <@mesh, ["x"]> : tensor<2xf32> -> tensor<8xf32>
  return
}

//--- scatter.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) {
  // SCATTER: scatter.mlir:[[#@LINE+1]]:8: error: 'spmd.reduce_scatter' op expected size 4 in dimension 0, 2 times that of the part, got 8
  %0 = spmd.reduce_scatter sum %a dim = 0 over <@mesh, ["x"]> : tensor<8xf32> -> tensor<2xf32>
  return
}

//--- permute.mlir
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32>) {
  // PERMUTE: permute.mlir:[[#@LINE+1]]:8: error: 'spmd.permute' op expected one target for each of the 2 devices of the group, got 3
  %0 = spmd.permute %a to [1, 2, 0] over <@mesh, ["x"]> : tensor<8xf32>
  return
}

//--- meshes.mlir
// MESHES: meshes.mlir:[[#@LINE+3]]:1: error: expected one mesh for all devices, got a second
// MESHES: meshes.mlir:[[#@LINE+1]]:1: note: the first is here
tessera.mesh @mesh = <["x"=2]>
tessera.mesh @other = <["x"=2]>
func.func @main(%a: tensor<8xf32>) {
  %0 = spmd.broadcast %a from 0 over <@mesh, ["x"]> : tensor<8xf32>
  %1 = spmd.broadcast %a from 0 over <@other, ["x"]> : tensor<8xf32>
  return
}

//--- step.mlir
func.func @main() {
  %zero = arith.constant 0 : index
  // STEP: step.mlir:[[#@LINE+1]]:3: error: 'scf.for' op expected a positive step, got 0
  scf.for %i = %zero to %zero step %zero {
  }
  return
}

//--- dynamic.mlir
// DYNAMIC: dynamic.mlir:[[#@LINE+1]]:17: error: expected a tensor of static shape whose elements are i1 to i64, f16, bf16, f32 or f64 at the boundary of @main, got 'tensor<?xf32>'
func.func @main(%a: tensor<?xf32>) {
  return
}

//--- ranks-meshes.mlir
// RANKS: ranks-meshes.mlir:[[#@LINE+2]]:1: error: expected one mesh for all devices, got a second
tessera.mesh @a = <["x"=2]>
tessera.mesh @b = <["y"=2]>
func.func private @main()
func.func @rank_0() attributes {pipe.rank = 0 : i64} {
  %0 = spmd.axis_index <@a, ["x"]> : tensor<i32>
  %1 = spmd.axis_index <@b, ["y"]> : tensor<i32>
  return
}

//--- local.mlir
// LOCAL: local.mlir:[[#@LINE+2]]:1: error: expected shape f32[5] for result 0, the part of f32[5] that a device holds, got 'tensor<3xf32>'
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> (tensor<3xf32> {tessera.global_type = tensor<5xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = arith.constant dense<0.0> : tensor<3xf32>
  %1 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  return %0 : tensor<3xf32>
}
