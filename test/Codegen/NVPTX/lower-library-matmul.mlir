// Where a tuning record says so, plain products are steps of a library: rows are where memory has them, nothing is copied.
// RUN: tessera-opt %s --split-input-file --tessera-lower-to-gpu="arch=90 modules=1 tuning=%S/Inputs/library.json" | FileCheck %s
// RUN: tessera-opt %s --split-input-file --tessera-lower-to-gpu="arch=80 modules=1 tf32=true tuning=%S/Inputs/library.json" | FileCheck %s --check-prefix=TF32

// The left operand's rows are its depth: it is transposed. The workspace is a temporary.
// CHECK: rt.grid_kernel @dot_general_0 [#rt.variant<90 steps = [#rt.library_step<batches = 1 m = 20 n = 30 k = 40
// CHECK-SAME: left = <0 of f32 offset = 0 row = 20 batch = 0 transposed = true> right = <1 of f32 offset = 0 row = 30 batch = 0>
// CHECK-SAME: result = <2 of f32 offset = 0 row = 30 batch = 0> workspace = 3 bytes = 33554432>]>]
// TF32: workspace = 3 bytes = 4194304 tf32 = true>]>]
func.func @main(%a: tensor<40x20xf32>, %b: tensor<40x30xf32>) -> tensor<20x30xf32> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<40x20xf32>, tensor<40x30xf32>) -> tensor<20x30xf32> {
  ^bb0(%x: tensor<40x20xf32>, %y: tensor<40x30xf32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<40x20xf32>, tensor<40x30xf32>) -> tensor<20x30xf32>
    spmd.yield %d : tensor<20x30xf32>
  }
  return %0 : tensor<20x30xf32>
}

// -----

// A result that is stored transposed is the product of the other operand with this one; its bias, one per row, becomes one per column.
// CHECK: #rt.library_step<batches = 4 m = 30 n = 20 k = 40
// CHECK-SAME: left = <1 of bf16 offset = 0 row = 30 batch = 1200 transposed = true> right = <0 of bf16 offset = 0 row = 40 batch = 800 transposed = true>
// CHECK-SAME: result = <3 of bf16 offset = 0 row = 20 batch = 600> bias = 2 workspace = 4
func.func @main(%a: tensor<4x20x40xbf16>, %b: tensor<4x40x30xbf16>, %c: tensor<20xbf16>) -> tensor<4x30x20xbf16> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b, %c) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4x20x40xbf16>, tensor<4x40x30xbf16>, tensor<20xbf16>) -> tensor<4x30x20xbf16> {
  ^bb0(%x: tensor<4x20x40xbf16>, %y: tensor<4x40x30xbf16>, %z: tensor<20xbf16>):
    %d = tessera.dot_general %x, %y batching = [0] x [0] contracting = [2] x [1] : (tensor<4x20x40xbf16>, tensor<4x40x30xbf16>) -> tensor<4x20x30xbf16>
    %e = tessera.broadcast %z dims = [1] : tensor<20xbf16> -> tensor<4x20x30xbf16>
    %f = arith.addf %d, %e : tensor<4x20x30xbf16>
    %g = tessera.transpose %f permutation = [0, 2, 1] : tensor<4x20x30xbf16> -> tensor<4x30x20xbf16>
    spmd.yield %g : tensor<4x30x20xbf16>
  }
  return %0 : tensor<4x30x20xbf16>
}

// -----

// Sums in f32 that are stored as bf16 are rounded by the library.
// CHECK: #rt.library_step<{{.*}}result = <2 of bf16 offset = 0 row = 30 batch = 0> workspace
func.func @main(%a: tensor<20x40xbf16>, %b: tensor<40x30xbf16>) -> tensor<20x30xbf16> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<20x40xbf16>, tensor<40x30xbf16>) -> tensor<20x30xbf16> {
  ^bb0(%x: tensor<20x40xbf16>, %y: tensor<40x30xbf16>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<20x40xbf16>, tensor<40x30xbf16>) -> tensor<20x30xf32>
    %e = arith.truncf %d : tensor<20x30xf32> to tensor<20x30xbf16>
    spmd.yield %e : tensor<20x30xbf16>
  }
  return %0 : tensor<20x30xbf16>
}

// -----

// An activation behind the product is ours, and so is the product.
// CHECK-NOT: library_step
// CHECK: rt.grid_kernel @dot_general_0 [#rt.variant<90 steps = [<"dot_general_0" grid
func.func @main(%a: tensor<20x40xf32>, %b: tensor<40x30xf32>) -> tensor<20x30xf32> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<20x40xf32>, tensor<40x30xf32>) -> tensor<20x30xf32> {
  ^bb0(%x: tensor<20x40xf32>, %y: tensor<40x30xf32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<20x40xf32>, tensor<40x30xf32>) -> tensor<20x30xf32>
    %e = math.tanh %d : tensor<20x30xf32>
    spmd.yield %e : tensor<20x30xf32>
  }
  return %0 : tensor<20x30xf32>
}

// -----

// An operand that has to be computed, a bias per row of the result, integers, and elements that are broadcast are ours as well.
// CHECK-NOT: library_step
// CHECK: rt.launch_grid
func.func @main(%a: tensor<20x40xf32>, %b: tensor<40x30xf32>, %c: tensor<20xf32>, %i: tensor<20x40xi32>, %j: tensor<40x30xi32>)
    -> (tensor<20x30xf32>, tensor<20x30xf32>, tensor<20x30xi32>, tensor<20x30xf32>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<20x40xf32>, tensor<40x30xf32>) -> tensor<20x30xf32> {
  ^bb0(%x: tensor<20x40xf32>, %y: tensor<40x30xf32>):
    %n = arith.negf %x : tensor<20x40xf32>
    %d = tessera.dot_general %n, %y batching = [] x [] contracting = [1] x [0] : (tensor<20x40xf32>, tensor<40x30xf32>) -> tensor<20x30xf32>
    spmd.yield %d : tensor<20x30xf32>
  }
  %1 = spmd.kernel(%a, %b, %c) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<20x40xf32>, tensor<40x30xf32>, tensor<20xf32>) -> tensor<20x30xf32> {
  ^bb0(%x: tensor<20x40xf32>, %y: tensor<40x30xf32>, %z: tensor<20xf32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<20x40xf32>, tensor<40x30xf32>) -> tensor<20x30xf32>
    %e = tessera.broadcast %z dims = [0] : tensor<20xf32> -> tensor<20x30xf32>
    %f = arith.addf %d, %e : tensor<20x30xf32>
    spmd.yield %f : tensor<20x30xf32>
  }
  %2 = spmd.kernel(%i, %j) {spmd.buffers = [#spmd.buffer<result, 2>]} : (tensor<20x40xi32>, tensor<40x30xi32>) -> tensor<20x30xi32> {
  ^bb0(%x: tensor<20x40xi32>, %y: tensor<40x30xi32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<20x40xi32>, tensor<40x30xi32>) -> tensor<20x30xi32>
    spmd.yield %d : tensor<20x30xi32>
  }
  %3 = spmd.kernel(%c, %b) {spmd.buffers = [#spmd.buffer<result, 3>]} : (tensor<20xf32>, tensor<40x30xf32>) -> tensor<20x30xf32> {
  ^bb0(%z: tensor<20xf32>, %y: tensor<40x30xf32>):
    %x = tessera.broadcast %z dims = [0] : tensor<20xf32> -> tensor<20x40xf32>
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<20x40xf32>, tensor<40x30xf32>) -> tensor<20x30xf32>
    spmd.yield %d : tensor<20x30xf32>
  }
  return %0, %1, %2, %3 : tensor<20x30xf32>, tensor<20x30xf32>, tensor<20x30xi32>, tensor<20x30xf32>
}
