// A loop over a row is cut where what it reads changes: its inside reads both neighbours at fixed distances, by one load each, without asking
// where they are. The vectors at both ends, in which rotations begin and end, are read with masks.
// RUN: tessera-opt %s --tessera-lower-to-rt="cpu=x86-64-v3 modules=1" | FileCheck %s

// A block of one dimension goes through the first vector, the inside and the last vector.
// CHECK-LABEL: func.func @slice_0_body(
// CHECK: scf.for %{{.*}} = %arg2 to %arg3
// CHECK: scf.for
// CHECK: llvm.intr.masked.load
// CHECK: scf.for
// CHECK-NOT: masked
// CHECK-NOT: arith.cmpi
// CHECK-NOT: arith.select
// CHECK-COUNT-3: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK: scf.for
// CHECK: llvm.intr.masked.load
// CHECK: return

// The rows above and below are chosen once for a row, by their index.
// CHECK-LABEL: func.func @slice_1_body(
// CHECK: scf.for %[[ROW:.*]] = %arg2 to %arg3
// CHECK: arith.cmpi sge, %[[ROW]]
// CHECK: arith.select %{{.*}} : i64
// CHECK: scf.for
// CHECK-NOT: arith.select
// CHECK-COUNT-3: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.store
// CHECK: return
// CHECK: module @entries
func.func @main(%a: tensor<4096xf32>, %b: tensor<64x64xf32>) -> (tensor<4096xf32>, tensor<64x64xf32>) attributes {spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4096xf32>) -> tensor<4096xf32> {
  ^bb0(%x: tensor<4096xf32>):
    %s0 = tessera.slice %x [4095] to [4096] by [1] : tensor<4096xf32> -> tensor<1xf32>
    %s1 = tessera.slice %x [0] to [4095] by [1] : tensor<4096xf32> -> tensor<4095xf32>
    %left = tessera.concatenate %s0, %s1 dim = 0 : (tensor<1xf32>, tensor<4095xf32>) -> tensor<4096xf32>
    %s2 = tessera.slice %x [1] to [4096] by [1] : tensor<4096xf32> -> tensor<4095xf32>
    %s3 = tessera.slice %x [0] to [1] by [1] : tensor<4096xf32> -> tensor<1xf32>
    %right = tessera.concatenate %s2, %s3 dim = 0 : (tensor<4095xf32>, tensor<1xf32>) -> tensor<4096xf32>
    %sum = arith.addf %left, %right : tensor<4096xf32>
    %r = arith.subf %sum, %x : tensor<4096xf32>
    spmd.yield %r : tensor<4096xf32>
  }
  %1 = spmd.kernel(%b) {spmd.buffers = [#spmd.buffer<result, 1>]} : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%x: tensor<64x64xf32>):
    %s0 = tessera.slice %x [63, 0] to [64, 64] by [1, 1] : tensor<64x64xf32> -> tensor<1x64xf32>
    %s1 = tessera.slice %x [0, 0] to [63, 64] by [1, 1] : tensor<64x64xf32> -> tensor<63x64xf32>
    %above = tessera.concatenate %s0, %s1 dim = 0 : (tensor<1x64xf32>, tensor<63x64xf32>) -> tensor<64x64xf32>
    %s2 = tessera.slice %x [1, 0] to [64, 64] by [1, 1] : tensor<64x64xf32> -> tensor<63x64xf32>
    %s3 = tessera.slice %x [0, 0] to [1, 64] by [1, 1] : tensor<64x64xf32> -> tensor<1x64xf32>
    %below = tessera.concatenate %s2, %s3 dim = 0 : (tensor<63x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
    %sum = arith.addf %above, %below : tensor<64x64xf32>
    %r = arith.subf %sum, %x : tensor<64x64xf32>
    spmd.yield %r : tensor<64x64xf32>
  }
  return %0, %1 : tensor<4096xf32>, tensor<64x64xf32>
}
