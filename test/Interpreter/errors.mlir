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
// RUN: not tessera-interpret %t/step-back.mlir 2>&1 | FileCheck %s --check-prefix=STEP-BACK
// RUN: not tessera-interpret %t/round-down.mlir 2>&1 | FileCheck %s --check-prefix=ROUND-DOWN
// RUN: not tessera-interpret %t/round-zero.mlir 2>&1 | FileCheck %s --check-prefix=ROUND-ZERO
// RUN: not tessera-interpret %t/extract-before.mlir 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not tessera-interpret %t/external.mlir 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// RUN: not tessera-interpret %t/external-value.mlir 2>&1 | FileCheck %s --check-prefix=EXTERNAL-VALUE
// RUN: not tessera-interpret %t/mutual.mlir 2>&1 | FileCheck %s --check-prefix=MUTUAL
// RUN: not tessera-interpret %t/blocks.mlir 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not tessera-interpret %t/blocks-called.mlir 2>&1 | FileCheck %s --check-prefix=BLOCKS-CALLED
// RUN: not tessera-interpret %t/complex.mlir 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not tessera-interpret %t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tessera-interpret %t/cast.mlir 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not tessera-interpret %t/overflow-rem.mlir 2>&1 | FileCheck %s --check-prefix=OVERFLOW-32

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

//--- step-back.mlir
func.func @main() {
  %zero = arith.constant 0 : index
  %back = arith.constant -1 : index
  // STEP-BACK: step-back.mlir:[[#@LINE+1]]:3: error: 'scf.for' op expected a positive step, got -1
  scf.for %i = %zero to %zero step %back {
  }
  return
}

//--- round-down.mlir
func.func @main(%a: tensor<2xf64>) {
  // ROUND-DOWN: round-down.mlir:[[#@LINE+1]]:8: error: 'arith.truncf' op expected rounding mode to_nearest_even, got downward
  %0 = arith.truncf %a downward : tensor<2xf64> to tensor<2xf32>
  return
}

//--- round-zero.mlir
func.func @main(%a: tensor<2xf32>) {
  // ROUND-ZERO: round-zero.mlir:[[#@LINE+1]]:8: error: 'arith.truncf' op expected rounding mode to_nearest_even, got toward_zero
  %0 = arith.truncf %a toward_zero : tensor<2xf32> to tensor<2xbf16>
  return
}

//--- extract-before.mlir
func.func @main(%a: tensor<3x2xf32>) {
  %one = arith.constant 1 : index
  %before = arith.constant -1 : index
  // BEFORE: extract-before.mlir:[[#@LINE+1]]:8: error: 'tensor.extract' op expected index 1 from 0 to 1, got -1
  %0 = tensor.extract %a[%one, %before] : tensor<3x2xf32>
  return
}

//--- external.mlir
// EXTERNAL: external.mlir:[[#@LINE+1]]:1: error: 'func.func' op has no body
func.func private @elsewhere()
func.func @main() {
  func.call @elsewhere() : () -> ()
  return
}

//--- external-value.mlir
// EXTERNAL-VALUE: external-value.mlir:[[#@LINE+1]]:1: error: 'func.func' op has no body
func.func private @elsewhere(tensor<2xf32>) -> tensor<2xf32>
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @elsewhere(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- mutual.mlir
func.func @main() {
  func.call @other() : () -> ()
  return
}
// MUTUAL: mutual.mlir:{{.*}}: error: 'func.func' op recurses more than 256 calls deep
func.func private @other() {
  func.call @main() : () -> ()
  return
}

//--- blocks.mlir
// BLOCKS: blocks.mlir:[[#@LINE+1]]:1: error: 'func.func' op expected a region of one block
func.func @main() {
  return
^unreached:
  return
}

//--- blocks-called.mlir
func.func @main() {
  func.call @two() : () -> ()
  return
}
// BLOCKS-CALLED: blocks-called.mlir:[[#@LINE+1]]:1: error: 'func.func' op expected a region of one block
func.func private @two() {
  return
^unreached:
  return
}

//--- complex.mlir
func.func @main() {
  // COMPLEX: complex.mlir:[[#@LINE+1]]:8: error: 'arith.constant' op expected results whose elements are i1 to i64, f16, bf16, f32 or f64, got tensor<1xi128>
  %0 = arith.constant dense<1> : tensor<1xi128>
  return
}

//--- empty.mlir
func.func @main() {
  // EMPTY: empty.mlir:[[#@LINE+1]]:8: error: 'tensor.empty' op is not an operation that the interpreter knows
  %0 = tensor.empty() : tensor<2xf32>
  return
}

//--- cast.mlir
func.func @main(%a: tensor<2xf32>) {
  // CAST: cast.mlir:[[#@LINE+1]]:8: error: 'tensor.cast' op is not an operation that the interpreter knows
  %0 = tensor.cast %a : tensor<2xf32> to tensor<2xf32>
  return
}

//--- overflow-rem.mlir
func.func @main() {
  %a = arith.constant dense<[1, -2147483648]> : tensor<2xi32>
  %b = arith.constant dense<-1> : tensor<2xi32>
  // OVERFLOW-32: overflow-rem.mlir:[[#@LINE+1]]:8: error: 'arith.divsi' op overflows: divides -2147483648 by -1 at element 1
  %0 = arith.divsi %a, %b : tensor<2xi32>
  return
}
