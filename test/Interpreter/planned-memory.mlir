// A program that is planned runs in the planned memory: what lies elsewhere, or is not there any more, shows.
// RUN: split-file --leading-lines %s %t
// RUN: tessera-interpret %t/right.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: not tessera-interpret %t/overlap.mlir 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not tessera-interpret %t/too-small.mlir 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not tessera-interpret %t/workspace.mlir 2>&1 | FileCheck %s --check-prefix=WORKSPACE
// RUN: not tessera-interpret %t/returned.mlir 2>&1 | FileCheck %s --check-prefix=RETURNED
// RUN: not tessera-interpret %t/started.mlir 2>&1 | FileCheck %s --check-prefix=STARTED
// RUN: not tessera-interpret %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING

//--- right.mlir
// The loop carries a larger value than it gives; the callee works in the caller's arena and in place.
func.func private @twice(%x: tensor<2xi32> {tessera.donated = 0 : i32}) -> tensor<2xi32> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<2xi32>) -> tensor<2xi32> {
  ^bb0(%a: tensor<2xi32>):
    %b = arith.addi %a, %a : tensor<2xi32>
    spmd.yield %b : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> attributes {spmd.arena_size = 256 : i64} {
  %start = spmd.kernel() {spmd.buffers = [#spmd.buffer<arena, 0>]} : () -> tensor<4xi32> {
    %0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    spmd.yield %0 : tensor<4xi32>
  }
  %r = scf.while (%x = %start) : (tensor<4xi32>) -> tensor<2xi32> {
    %front, %go = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 64>, #spmd.buffer<arena, 128>]} : (tensor<4xi32>) -> (tensor<2xi32>, tensor<i1>) {
    ^bb0(%a: tensor<4xi32>):
      %f = tessera.slice %a [0] to [2] by [1] : tensor<4xi32> -> tensor<2xi32>
      %last = tessera.slice %a [3] to [4] by [1] : tensor<4xi32> -> tensor<1xi32>
      %scalar = tessera.reshape %last : tensor<1xi32> -> tensor<i32>
      %limit = arith.constant dense<30> : tensor<i32>
      %less = arith.cmpi slt, %scalar, %limit : tensor<i32>
      spmd.yield %f, %less : tensor<2xi32>, tensor<i1>
    }
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %front : tensor<2xi32>
  } do {
  ^bb0(%x: tensor<2xi32>):
    %twice = func.call @twice(%x) {spmd.buffers = [#spmd.buffer<result, 0>], spmd.workspace = #spmd.buffer<arena, 64>} : (tensor<2xi32>) -> tensor<2xi32>
    %both = spmd.kernel(%twice) {spmd.buffers = [#spmd.buffer<arena, 128>]} : (tensor<2xi32>) -> tensor<4xi32> {
    ^bb0(%a: tensor<2xi32>):
      %0 = tessera.concatenate %a, %a dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
      spmd.yield %0 : tensor<4xi32>
    }
    scf.yield %both : tensor<4xi32>
  } attributes {spmd.buffers = [#spmd.buffer<result, 0>], spmd.carried = [#spmd.buffer<arena, 0>]}
  // RIGHT: result0: i32[2] = [16, 32]
  return %r : tensor<2xi32>
}

//--- overlap.mlir
func.func @main() -> tensor<32xi32> attributes {spmd.arena_size = 192 : i64} {
  // OVERLAP: overlap.mlir:[[#@LINE+12]]:{{.*}}error: 'spmd.kernel' op reads a value whose memory was overwritten from byte 64 on
  // OVERLAP: overlap.mlir:[[#@LINE+1]]:{{.*}}note: the value is made here
  %a = spmd.kernel() {spmd.buffers = [#spmd.buffer<arena, 0>]} : () -> tensor<32xi32> {
    %0 = tessera.iota dim = 0 : tensor<32xi32>
    spmd.yield %0 : tensor<32xi32>
  }
  // OVERLAP: overlap.mlir:[[#@LINE+1]]:{{.*}}note: and overwritten here
  %b = spmd.kernel() {spmd.buffers = [#spmd.buffer<arena, 64>]} : () -> tensor<32xi32> {
    %0 = tessera.iota dim = 0 : tensor<32xi32>
    spmd.yield %0 : tensor<32xi32>
  }

  %c = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi32> {
  ^bb0(%0: tensor<32xi32>, %1: tensor<32xi32>):
    %2 = arith.addi %0, %1 : tensor<32xi32>
    spmd.yield %2 : tensor<32xi32>
  }
  return %c : tensor<32xi32>
}

//--- too-small.mlir
func.func @main() -> tensor<2xi32> attributes {spmd.arena_size = 64 : i64} {
  // SMALL: too-small.mlir:[[#@LINE+1]]:{{.*}}error: 'spmd.kernel' op expected 16 bytes of memory at #spmd.buffer<result, 0>, got 8
  %a = spmd.kernel() {spmd.buffers = [#spmd.buffer<result, 0>]} : () -> tensor<4xi32> {
    %0 = tessera.iota dim = 0 : tensor<4xi32>
    spmd.yield %0 : tensor<4xi32>
  }
  %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<4xi32>) -> tensor<2xi32> {
  ^bb0(%0: tensor<4xi32>):
    %1 = tessera.slice %0 [0] to [2] by [1] : tensor<4xi32> -> tensor<2xi32>
    spmd.yield %1 : tensor<2xi32>
  }
  return %b : tensor<2xi32>
}

//--- workspace.mlir
// The callee's arena is a part of the caller's, and lies over %a.
func.func private @callee(%x: tensor<2xi32>) -> tensor<2xi32> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<2xi32>) -> tensor<2xi32> {
  ^bb0(%a: tensor<2xi32>):
    spmd.yield %a : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}
func.func @main() -> tensor<2xi32> attributes {spmd.arena_size = 64 : i64} {
  %a = spmd.kernel() {spmd.buffers = [#spmd.buffer<arena, 0>]} : () -> tensor<2xi32> {
    %0 = tessera.iota dim = 0 : tensor<2xi32>
    spmd.yield %0 : tensor<2xi32>
  }
  // WORKSPACE: workspace.mlir:[[#@LINE+1]]:{{.*}}error: 'func.call' op reads a value whose memory was overwritten from byte 0 on
  %b = func.call @callee(%a) {spmd.buffers = [#spmd.buffer<result, 0>], spmd.workspace = #spmd.buffer<arena, 0>} : (tensor<2xi32>) -> tensor<2xi32>
  return %b : tensor<2xi32>
}

//--- returned.mlir
// The first result is copied over the second, which lies there.
func.func @main() -> (tensor<2xi32>, tensor<2xi32>) attributes {spmd.arena_size = 64 : i64} {
  %a = spmd.kernel() {spmd.buffers = [#spmd.buffer<arena, 0>]} : () -> tensor<2xi32> {
    %0 = tessera.iota dim = 0 : tensor<2xi32>
    spmd.yield %0 : tensor<2xi32>
  }
  %b = spmd.kernel() {spmd.buffers = [#spmd.buffer<result, 0>]} : () -> tensor<2xi32> {
    %0 = arith.constant dense<7> : tensor<2xi32>
    spmd.yield %0 : tensor<2xi32>
  }
  // RETURNED: returned.mlir:[[#@LINE+1]]:{{.*}}error: 'func.return' op reads a value whose memory was overwritten from byte 0 on
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}

//--- started.mlir
// The collective's result is written from its start on.
tessera.mesh @mesh = <["x"=2]>
func.func @main() -> (tensor<2xi32> {tessera.global_type = tensor<2xi32>}) attributes {spmd.arena_size = 64 : i64} {
  %a = spmd.kernel() {spmd.buffers = [#spmd.buffer<arena, 0>]} : () -> tensor<2xi32> {
    %0 = tessera.iota dim = 0 : tensor<2xi32>
    spmd.yield %0 : tensor<2xi32>
  }
  %f = spmd.start : !spmd.future<tensor<2xi32>> {
    // STARTED: started.mlir:[[#@LINE+5]]:{{.*}}error: 'spmd.kernel' op reads a value whose memory was overwritten from byte 0 on
    // STARTED: started.mlir:[[#@LINE+1]]:{{.*}}note: and overwritten here
    %r = spmd.all_reduce sum %a over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<2xi32>
    spmd.yield %r : tensor<2xi32>
  }
  %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<2xi32>) -> tensor<2xi32> {
  ^bb0(%0: tensor<2xi32>):
    spmd.yield %0 : tensor<2xi32>
  }
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<arena, 0>]} : !spmd.future<tensor<2xi32>>
  return %b : tensor<2xi32>
}

//--- missing.mlir
func.func @main() -> tensor<2xi32> attributes {spmd.arena_size = 64 : i64} {
  // MISSING: missing.mlir:[[#@LINE+1]]:{{.*}}error: expected 'spmd.buffers' on 'spmd.kernel', as the phase schedule writes them
  %a = spmd.kernel() : () -> tensor<2xi32> {
    %0 = tessera.iota dim = 0 : tensor<2xi32>
    spmd.yield %0 : tensor<2xi32>
  }
  return %a : tensor<2xi32>
}
