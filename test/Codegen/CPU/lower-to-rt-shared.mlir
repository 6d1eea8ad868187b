// What kernels of several modules call, the register block and the transposition of squares, stands once in a module of its own,
// for which loop strength reduction is not left out.
// RUN: tessera-opt %s --tessera-lower-to-rt="cpu=x86-64-v3 modules=2" | FileCheck %s

// CHECK: module @inner_loops {
// CHECK-DAG: func.func @tessera_transpose_square(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64) {
// CHECK-DAG: func.func @tessera_block_rows(
// CHECK: module @kernels_0 {
// CHECK-DAG: func.func private @tessera_transpose_square(!llvm.ptr, !llvm.ptr, i64){{$}}
// CHECK-DAG: func.func private @tessera_block_rows(
// CHECK: module @kernels_1 {
// CHECK-DAG: func.func private @tessera_transpose_square(!llvm.ptr, !llvm.ptr, i64){{$}}
// CHECK-DAG: func.func private @tessera_block_rows(
// CHECK: module @program
// CHECK-NOT: @tessera_transpose_square
func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {spmd.arena_size = 4096 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>):
    %p = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [1] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    spmd.yield %p : tensor<32x32xf32>
  }
  %1 = spmd.kernel(%0, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>):
    %p = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [1] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %e = math.exp %p : tensor<32x32xf32>
    spmd.yield %e : tensor<32x32xf32>
  }
  return %1 : tensor<32x32xf32>
}
