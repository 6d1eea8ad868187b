// RUN: tessera-opt %s -split-input-file -tessera-plan-memory -tessera-verify-memory-plan | FileCheck %s

// A chain of element-wise kernels works in place; the last one writes the result.
// CHECK-LABEL: func @chain
// CHECK-SAME: spmd.arena_size = 256
// CHECK: spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<arena, 0>]}
// CHECK: spmd.kernel(%{{.*}}) {spmd.buffers = [#spmd.buffer<arena, 0>]}
// CHECK: spmd.kernel(%{{.*}}) {spmd.buffers = [#spmd.buffer<result, 0>]}
func.func @chain(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %b = spmd.kernel(%a) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %c = spmd.kernel(%b) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %c : tensor<64xf32>
}

// -----

// A transposing kernel cannot work in place.
// CHECK-LABEL: func @transpose
// CHECK-SAME: spmd.arena_size = 128
// CHECK: spmd.buffers = [#spmd.buffer<arena, [[A:[0-9]+]]>]
// CHECK-NOT: spmd.buffers = [#spmd.buffer<arena, [[A]]>]
// CHECK: return
func.func @transpose(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %a = spmd.kernel(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%0: tensor<4x4xf32>):
    %1 = math.exp %0 : tensor<4x4xf32>
    spmd.yield %1 : tensor<4x4xf32>
  }
  %b = spmd.kernel(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%0: tensor<4x4xf32>):
    %1 = tessera.transpose %0 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
    spmd.yield %1 : tensor<4x4xf32>
  }
  %c = spmd.kernel(%b) : (tensor<4x4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4x4xf32>):
    %1 = tessera.reduce sum %0 dims = [1] : tensor<4x4xf32> -> tensor<4xf32>
    spmd.yield %1 : tensor<4xf32>
  }
  return %c : tensor<4xf32>
}

// -----

// A donated argument is updated in place, a softmax of it as well; one that is read later is not.
// CHECK-LABEL: func @donated
// CHECK: spmd.buffers = [#spmd.buffer<argument, 0>]
// CHECK: spmd.buffers = [#spmd.buffer<arena, 0>]
// CHECK: spmd.buffers = [#spmd.buffer<result, 2>]
func.func @donated(%p: tensor<8x8xf32> {tessera.donated = 0 : i32}, %q: tensor<8x8xf32> {tessera.donated = 1 : i32})
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %a = spmd.kernel(%p) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%0: tensor<8x8xf32>):
    %1 = tessera.reduce max %0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
    %2 = tessera.broadcast %1 dims = [0] : tensor<8xf32> -> tensor<8x8xf32>
    %3 = arith.subf %0, %2 : tensor<8x8xf32>
    spmd.yield %3 : tensor<8x8xf32>
  }
  %b = spmd.kernel(%q) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%0: tensor<8x8xf32>):
    %1 = math.exp %0 : tensor<8x8xf32>
    spmd.yield %1 : tensor<8x8xf32>
  }
  %c = spmd.kernel(%q, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%0: tensor<8x8xf32>, %1: tensor<8x8xf32>):
    %2 = arith.addf %0, %1 : tensor<8x8xf32>
    spmd.yield %2 : tensor<8x8xf32>
  }
  return %a, %b, %c : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A product's operand is read by many elements, so its memory cannot take the result; the epilogue's can.
// CHECK-LABEL: func @product
// CHECK: spmd.buffers = [#spmd.buffer<argument, 1>]
func.func @product(%w: tensor<8x8xf32> {tessera.donated = 1 : i32}, %x: tensor<8x8xf32> {tessera.donated = 0 : i32})
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %a = spmd.kernel(%w, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%0: tensor<8x8xf32>, %1: tensor<8x8xf32>):
    %2 = tessera.dot_general %0, %0 batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = arith.addf %1, %2 : tensor<8x8xf32>
    spmd.yield %3 : tensor<8x8xf32>
  }
  return %a, %w : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Two donated arguments that exchange their places go through a copy.
// CHECK-LABEL: func @exchanged
// CHECK: %[[C:.*]] = spmd.kernel(%arg1) {spmd.buffers = [#spmd.buffer<arena, {{.*}}>]}
// CHECK: %[[D:.*]] = spmd.kernel(%arg0)
// CHECK: return %[[C]], %[[D]]
func.func @exchanged(%a: tensor<8xf32> {tessera.donated = 0 : i32}, %b: tensor<8xf32> {tessera.donated = 1 : i32})
    -> (tensor<8xf32>, tensor<8xf32>) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

// A loop works in the memory of its result, from the initial value on.
// CHECK-LABEL: func @loop
// CHECK: spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<result, 0>]}
// CHECK: scf.for
// CHECK: spmd.kernel(%{{.*}}) {spmd.buffers = [#spmd.buffer<result, 0>]}
// CHECK: } {spmd.buffers = [#spmd.buffer<result, 0>]}
func.func @loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = spmd.kernel(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%0: tensor<8xf32>):
    %1 = math.exp %0 : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %a) -> (tensor<8xf32>) {
    %b = spmd.kernel(%s) : (tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%0: tensor<8xf32>):
      %1 = math.exp %0 : tensor<8xf32>
      spmd.yield %1 : tensor<8xf32>
    }
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Fibonacci: the values exchange their places in every iteration, so one of them is copied.
// CHECK-LABEL: func @exchanging_loop
// CHECK: scf.for
// CHECK: %[[S:.*]] = spmd.kernel
// CHECK: arith.addf
// CHECK: %[[C:.*]] = spmd.kernel
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<8xf32>):
// CHECK-NEXT: spmd.yield %[[A]]
// CHECK: scf.yield %[[C]], %[[S]]
func.func @exchanging_loop(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %s = spmd.kernel(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%0: tensor<8xf32>, %1: tensor<8xf32>):
      %2 = arith.addf %0, %1 : tensor<8xf32>
      spmd.yield %2 : tensor<8xf32>
    }
    scf.yield %b, %s : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
