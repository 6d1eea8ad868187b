// Products on Hopper: tensor maps for both operands, one warp group that copies, others that multiply.
// RUN: tessera-opt %s --split-input-file --tessera-lower-to-gpu="arch=90 modules=1 tf32=true tuning=%S/Inputs/warpgroup.json" | FileCheck %s

// Rows of the left operand are contiguous in depth: one box of 64 x 128 elements. Those of the right one are not: two of 64 x 64.
// CHECK-LABEL: rt.gpu =
// CHECK: llvm.func @dot_general_0(
// Maps are parameters themselves, as the copy engine has to see them.
// CHECK-SAME: {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}
// CHECK-SAME: nvvm.reqntid = array<i32: 384, 1, 1>
// CHECK: "mbarrier.init.shared::cta.b64 [$0], 1;"
// CHECK: "mbarrier.init.shared::cta.b64 [$0], 8;"
// CHECK: "fence.mbarrier_init.release.cluster;"
// CHECK: nvvm.barrier
// CHECK: "setmaxnreg.dec.sync.aligned.u32 40;"
// CHECK: scf.for
// CHECK: mbarrier.try_wait.parity
// CHECK: "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 32768;"
// CHECK-COUNT-3: "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];"
// CHECK-NOT: cp.async.bulk
// CHECK: "setmaxnreg.inc.sync.aligned.u32 232;"
// The first step, and a loop over the others that leaves one group pending.
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {$0, {{.*}}, $63}, a, b, 0, 1, 1, 0, 1;
// CHECK: scf.for
// CHECK: wgmma.fence.sync.aligned;
// CHECK-SAME: wgmma.mma_async.{{.*}}wgmma.mma_async.{{.*}}wgmma.mma_async.{{.*}}wgmma.mma_async.{{.*}}, 1, 1, 1, 0, 1;
// CHECK-SAME: wgmma.commit_group.sync.aligned;
// CHECK-SAME: wgmma.wait_group.sync.aligned 1;
// CHECK: mbarrier.arrive.shared::cta.b64 _, [$0];
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// Before the results leave, the ring belongs to the next tile.
// CHECK: mbarrier.arrive.shared::cta.b64 _, [$0];
// CHECK: scf.for
// CHECK-COUNT-4: arith.cmpi eq
// CHECK: nvvm.bar.warp.sync
// CHECK: scf.for
// CHECK: nvvm.bar.warp.sync
// CHECK: #rt.variant<90 steps = [<"dot_general_0" grid = [6, 1, 1] block = 384 shared = {{[0-9]+}} buffers = [2]
// CHECK-SAME: maps = [<0 of bf16 sizes = [320, 256] strides = [640] box = [64, 128] swizzle = 128>, <1 of bf16 sizes = [384, 320] strides = [768] box = [64, 64] swizzle = 128>]
func.func @main(%a: tensor<256x320xbf16>, %b: tensor<320x384xbf16>) -> tensor<256x384xbf16> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<256x320xbf16>, tensor<320x384xbf16>) -> tensor<256x384xbf16> {
  ^bb0(%x: tensor<256x320xbf16>, %y: tensor<320x384xbf16>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<256x320xbf16>, tensor<320x384xbf16>) -> tensor<256x384xbf16>
    spmd.yield %d : tensor<256x384xbf16>
  }
  return %0 : tensor<256x384xbf16>
}

// -----

// Batches that are not the leading dimension are dimensions of the map.
// CHECK-LABEL: rt.gpu =
// CHECK: wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
// CHECK: maps = [<0 of f16 sizes = [64, 128, 2, 4] strides = [512, 65536, 128] box = [64, 128, 1, 1] swizzle = 128>, <1 of f16 sizes = [64, 128, 2, 4] strides = [512, 65536, 128] box = [64, 256, 1, 1] swizzle = 128>]
func.func @main(%a: tensor<2x128x4x64xf16>, %b: tensor<2x128x4x64xf16>) -> tensor<2x4x128x128xf16> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<2x128x4x64xf16>, tensor<2x128x4x64xf16>) -> tensor<2x4x128x128xf16> {
  ^bb0(%x: tensor<2x128x4x64xf16>, %y: tensor<2x128x4x64xf16>):
    %d = tessera.dot_general %x, %y batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x128x4x64xf16>, tensor<2x128x4x64xf16>) -> tensor<2x4x128x128xf16>
    spmd.yield %d : tensor<2x4x128x128xf16>
  }
  return %0 : tensor<2x4x128x128xf16>
}

// -----

// f32 as tf32, if both operands are contiguous in depth. One multiplying warp group needs no more registers than it has.
// CHECK-LABEL: rt.gpu =
// CHECK-NOT: setmaxnreg
// CHECK: wgmma.mma_async.sync.aligned.m64n96k8.f32.tf32.tf32 {{.*}}, 1, 1, 1;
// CHECK: block = 256
// Copies round; the products would cut.
// CHECK-SAME: maps = [<0 of tf32 sizes = [128, 64] {{.*}}>, <1 of tf32 sizes = [128, 96]
func.func @main(%a: tensor<64x128xf32>, %b: tensor<96x128xf32>) -> tensor<64x96xf32> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<64x128xf32>, tensor<96x128xf32>) -> tensor<64x96xf32> {
  ^bb0(%x: tensor<64x128xf32>, %y: tensor<96x128xf32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [1] : (tensor<64x128xf32>, tensor<96x128xf32>) -> tensor<64x96xf32>
    spmd.yield %d : tensor<64x96xf32>
  }
  return %0 : tensor<64x96xf32>
}

// -----

// Rows of 100 bytes are none that bulk copies take.
// CHECK-LABEL: rt.gpu =
// CHECK-NOT: wgmma
// CHECK: rt.grid_kernel
func.func @main(%a: tensor<64x50xbf16>, %b: tensor<128x50xbf16>) -> tensor<64x128xbf16> attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<64x50xbf16>, tensor<128x50xbf16>) -> tensor<64x128xbf16> {
  ^bb0(%x: tensor<64x50xbf16>, %y: tensor<128x50xbf16>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [1] : (tensor<64x50xbf16>, tensor<128x50xbf16>) -> tensor<64x128xbf16>
    spmd.yield %d : tensor<64x128xbf16>
  }
  return %0 : tensor<64x128xbf16>
}
