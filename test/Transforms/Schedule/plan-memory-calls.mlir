// RUN: tessera-opt %s -split-input-file -tessera-plan-memory -tessera-verify-memory-plan | FileCheck %s

// The sum goes from call to call in the memory of the program's argument; each call has the same part of the arena for what the
// function keeps in its own, which is planned first although it stands behind.
// CHECK-LABEL: func.func @accumulates(
// CHECK-SAME: spmd.arena_size = 64
func.func @accumulates(%sum: tensor<16xf32> {tessera.donated = 0 : i32}, %x: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: %[[FIRST:.*]] = call @add(%{{.*}}) {spmd.buffers = [#spmd.buffer<argument, 0>], spmd.workspace = #spmd.buffer<arena, 0>}
  %0 = func.call @add(%sum, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  // CHECK-NEXT: call @add(%[[FIRST]], %{{.*}}) {spmd.buffers = [#spmd.buffer<argument, 0>], spmd.workspace = #spmd.buffer<arena, 0>}
  %1 = func.call @add(%0, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
// CHECK-LABEL: func.func private @add(
// CHECK-SAME: spmd.arena_size = 64
func.func private @add(%sum: tensor<16xf32> {tessera.donated = 0 : i32}, %x: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: spmd.kernel({{.*}}) {spmd.buffers = [#spmd.buffer<arena, 0>]}
  %0 = spmd.kernel(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %b = arith.mulf %a, %a : tensor<16xf32>
    spmd.yield %b : tensor<16xf32>
  }
  // CHECK: spmd.kernel({{.*}}) {spmd.buffers = [#spmd.buffer<argument, 0>]}
  %1 = spmd.kernel(%sum, %0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>):
    %c = arith.addf %a, %b : tensor<16xf32>
    spmd.yield %c : tensor<16xf32>
  }
  return %1 : tensor<16xf32>
}

// -----

func.func private @add(%sum: tensor<16xf32> {tessera.donated = 0 : i32}, %x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = spmd.kernel(%sum, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>):
    %c = arith.addf %a, %b : tensor<16xf32>
    spmd.yield %c : tensor<16xf32>
  }
  return %0 : tensor<16xf32>
}

// An argument that is not the program's to overwrite is copied to where the sum will be: here to the result.
// CHECK-LABEL: func.func @copies_foreign_arguments(
func.func @copies_foreign_arguments(%sum: tensor<16xf32>, %x: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: %[[COPY:.*]] = spmd.kernel(%{{.*}}) {spmd.buffers = [#spmd.buffer<result, 0>]}
  // CHECK: call @add(%[[COPY]], %{{.*}}) {spmd.buffers = [#spmd.buffer<result, 0>]
  %0 = func.call @add(%sum, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A value that is read later is copied; one that dies is overwritten.
// CHECK-LABEL: func.func @copies_what_is_read_later(
func.func @copies_what_is_read_later(%x: tensor<16xf32>) -> tensor<16xf32> {
  // CHECK: %[[VALUE:.*]] = spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<result, 0>]}
  %v = spmd.kernel(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %b = arith.mulf %a, %a : tensor<16xf32>
    spmd.yield %b : tensor<16xf32>
  }
  // CHECK: %[[COPY:.*]] = spmd.kernel(%[[VALUE]]) {spmd.buffers = [#spmd.buffer<arena, 0>]}
  // CHECK: %[[FIRST:.*]] = call @add(%[[COPY]], %arg0) {spmd.buffers = [#spmd.buffer<arena, 0>]
  %0 = func.call @add(%v, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  // CHECK-NEXT: call @add(%[[VALUE]], %[[FIRST]]) {spmd.buffers = [#spmd.buffer<result, 0>]
  %1 = func.call @add(%v, %0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// The same value twice: what is overwritten must not be read through the other operand.
// CHECK-LABEL: func.func @copies_what_is_passed_twice(
func.func @copies_what_is_passed_twice(%v: tensor<16xf32> {tessera.donated = 0 : i32}) -> tensor<16xf32> {
  // CHECK: %[[COPY:.*]] = spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<arena, 0>]}
  // CHECK: call @add(%[[COPY]], %arg0)
  %0 = func.call @add(%v, %v) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// The arena of a function that calls is large enough for what it calls, at every depth; what is alive around a call stays.
func.func private @inner(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = spmd.kernel(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    spmd.yield %a : tensor<16xf32>
  }
  %1 = spmd.kernel(%0) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    spmd.yield %a : tensor<16xf32>
  }
  return %1 : tensor<16xf32>
}
// CHECK-LABEL: func.func private @outer(
// CHECK-SAME: spmd.arena_size = 128
func.func private @outer(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = func.call @inner(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = func.call @inner(%0) : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: spmd.arena_size = 192
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = spmd.kernel(%x) : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    spmd.yield %a : tensor<16xf32>
  }
  // CHECK: call @outer({{.*}}) {spmd.buffers = [#spmd.buffer<result, 0>], spmd.workspace
  %1 = func.call @outer(%0) : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
