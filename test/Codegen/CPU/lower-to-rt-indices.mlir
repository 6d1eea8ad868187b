// A row's number, taken apart into indices of the rows, is put together again for memory of the same shape: its address follows from
// the number. Transposed memory needs the quotient and the rest.
// RUN: tessera-opt %s --tessera-lower-to-rt="cpu=x86-64-v3 modules=1" | FileCheck %s

// CHECK: func.func @reduce_0_body(
// CHECK: scf.for %[[ROW:.*]] = %
// CHECK: arith.muli %[[ROW]], %c64_i64
// CHECK: func.func @reduce_1_body(
// CHECK: scf.for %[[ROW:.*]] = %
// CHECK-DAG: %[[OUTER:.*]] = arith.divui %[[ROW]], %c10_i64
// CHECK-DAG: %[[INNER:.*]] = arith.remui %[[ROW]], %c10_i64
// CHECK-NOT: arith.muli %[[ROW]], %c64_i64
// CHECK-DAG: arith.muli %[[OUTER]], %c64_i64
// CHECK-DAG: arith.muli %[[INNER]], %c384_i64
// CHECK: module @entries
func.func @main(%a: tensor<6x10x64xf32>, %b: tensor<10x6x64xf32>) -> (tensor<6x10xf32>, tensor<6x10xf32>) attributes {spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<6x10x64xf32>) -> tensor<6x10xf32> {
  ^bb0(%x: tensor<6x10x64xf32>):
    %s = tessera.reduce sum %x dims = [2] : tensor<6x10x64xf32> -> tensor<6x10xf32>
    spmd.yield %s : tensor<6x10xf32>
  }
  %1 = spmd.kernel(%b) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<10x6x64xf32>) -> tensor<6x10xf32> {
  ^bb0(%x: tensor<10x6x64xf32>):
    %t = tessera.transpose %x permutation = [1, 0, 2] : tensor<10x6x64xf32> -> tensor<6x10x64xf32>
    %s = tessera.reduce sum %t dims = [2] : tensor<6x10x64xf32> -> tensor<6x10xf32>
    spmd.yield %s : tensor<6x10xf32>
  }
  return %0, %1 : tensor<6x10xf32>, tensor<6x10xf32>
}
