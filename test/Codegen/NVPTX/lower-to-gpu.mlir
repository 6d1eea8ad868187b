// Kernels become functions for each architecture, equal kernels one; the program launches them on places in memory.
// RUN: tessera-opt %s -split-input-file --tessera-lower-to-gpu="arch=80,90 modules=1" | FileCheck %s

// CHECK-LABEL: rt.gpu = ["sm_80", "sm_90a"]
// CHECK: module @kernels_0 {
// CHECK: module @sm_80 {
// CHECK: llvm.func @addf_0(%[[X:[a-z0-9]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias, llvm.readonly}, %[[Y:[a-z0-9]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}) attributes {nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: [[THREADS:.*]], 1, 1>}
// CHECK-NOT: @addf_1
// CHECK: module @sm_90a {
// CHECK: llvm.func @addf_0(
// CHECK: rt.grid_kernel @addf_0 [#rt.variant<80 steps = [<"addf_0" grid = [{{.*}}, 1, 1] block = [[THREADS]] shared = 0 buffers = [0, 1]>]>, #rt.variant<90 steps = [<"addf_0"
// CHECK: func.func @tessera_main(%[[CONTEXT:[a-z0-9]*]]: !llvm.ptr, %[[ARGUMENTS:[a-z0-9]*]]: !llvm.ptr, %[[RESULTS:[a-z0-9]*]]: !llvm.ptr, %[[ARENA:[a-z0-9]*]]: !llvm.ptr) -> i32
func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> attributes {spmd.arena_size = 4096 : i64} {
  // CHECK: %[[A:.*]] = rt.entry %[[ARGUMENTS]][0]
  // CHECK: %[[FIRST:.*]] = rt.offset %[[ARENA]] + 0
  // CHECK: rt.launch_grid %[[CONTEXT]] @kernels_0::@addf_0(%[[A]], %[[FIRST]]) name = "addf.0"
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%x: tensor<1024xf32>):
    %s = arith.addf %x, %x : tensor<1024xf32>
    spmd.yield %s : tensor<1024xf32>
  }
  // CHECK: rt.launch_grid %[[CONTEXT]] @kernels_0::@addf_0(%{{.*}}, %{{.*}}) name = "addf.1"
  %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%x: tensor<1024xf32>):
    %s = arith.addf %x, %x : tensor<1024xf32>
    spmd.yield %s : tensor<1024xf32>
  }
  return %1 : tensor<1024xf32>
}

// -----

// CHECK-LABEL: rt.gpu =
// A scatter is two steps where its result lies elsewhere than its operand: a copy, then the updates.
// CHECK: rt.grid_kernel @scatter_0 [#rt.variant<80 steps = [<"scatter_0" {{[^>]*}} buffers = [0, 3]>, <"scatter_0_1" {{[^>]*}} buffers = [1, 2, 3]>]>
func.func @main(%table: tensor<16x8xf32>, %rows: tensor<4x1xi32>, %sums: tensor<4x8xf32>) -> tensor<16x8xf32> {
  %0 = spmd.kernel(%table, %rows, %sums) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32> {
  ^bb0(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>, %c: tensor<4x8xf32>):
    %s = tessera.scatter sum %a, %c at %b window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1
      : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    spmd.yield %s : tensor<16x8xf32>
  }
  return %0 : tensor<16x8xf32>
}

// -----

// A kernel without elements is not launched.
// CHECK-LABEL: rt.gpu =
// CHECK: func.func @tessera_main
// CHECK-NOT: rt.launch_grid
func.func @main(%a: tensor<0xf32>) -> tensor<0xf32> {
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<0xf32>) -> tensor<0xf32> {
  ^bb0(%x: tensor<0xf32>):
    %s = arith.addf %x, %x : tensor<0xf32>
    spmd.yield %s : tensor<0xf32>
  }
  return %0 : tensor<0xf32>
}
