// Sums are formed in several parts, so that no addition waits for the one before: those of a row in four, those of columns four rows at a time.
// RUN: tessera-opt %s --tessera-lower-to-rt="cpu=x86-64-v3 modules=1" | FileCheck %s

// CHECK-LABEL: func.func @reduce_0_body(
// CHECK: scf.for {{.*}} step %c32_i64 iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf32>
// CHECK: scf.yield

// CHECK-LABEL: func.func @reduce_1_body(
// CHECK: scf.for {{.*}} step %c4_i64
// CHECK: scf.for
// CHECK-COUNT-5: llvm.load {{.*}} -> vector<8xf32>
// CHECK: llvm.store
// CHECK-NOT: llvm.load
// CHECK: }

// A dimension in the middle, which has been transposed to the end, is reduced where it lies: by vectors along the last one.
// CHECK-LABEL: func.func @{{transpose|reduce}}_2_body(
// CHECK-NOT: gather
// CHECK: module @entries
func.func @main(%a: tensor<64x512xf32>, %b: tensor<8x40x64xf32>) -> (tensor<64xf32>, tensor<512xf32>, tensor<8x64xf32>) attributes {spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<64x512xf32>) -> tensor<64xf32> {
  ^bb0(%x: tensor<64x512xf32>):
    %s = tessera.reduce sum %x dims = [1] : tensor<64x512xf32> -> tensor<64xf32>
    spmd.yield %s : tensor<64xf32>
  }
  %1 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<64x512xf32>) -> tensor<512xf32> {
  ^bb0(%x: tensor<64x512xf32>):
    %s = tessera.reduce sum %x dims = [0] : tensor<64x512xf32> -> tensor<512xf32>
    spmd.yield %s : tensor<512xf32>
  }
  %2 = spmd.kernel(%b) {spmd.buffers = [#spmd.buffer<result, 2>]} : (tensor<8x40x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%x: tensor<8x40x64xf32>):
    %t = tessera.transpose %x permutation = [0, 2, 1] : tensor<8x40x64xf32> -> tensor<8x64x40xf32>
    %s = tessera.reduce sum %t dims = [2] : tensor<8x64x40xf32> -> tensor<8x64xf32>
    spmd.yield %s : tensor<8x64xf32>
  }
  return %0, %1, %2 : tensor<64xf32>, tensor<512xf32>, tensor<8x64xf32>
}
