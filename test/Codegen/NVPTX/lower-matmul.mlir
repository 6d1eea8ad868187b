// Matrix products stream tiles through shared memory: copies ahead, fragments, tensor cores; what follows is computed from shared memory.
// RUN: tessera-opt %s --split-input-file --tessera-lower-to-gpu="arch=80 modules=1 tuning=%S/Inputs/tile.json" | FileCheck %s

// Both operands are contiguous in the contracted dimension. A step of 32 is two instructions deep, of which a warp does 4 x 8 for its 64 x 64 results.
// Three buffers of 16 KiB are less than the block of results takes on its way out.
// CHECK-LABEL: llvm.func @dot_general_0(
// The first two steps, 8 copies of 16 bytes each.
// CHECK-COUNT-8: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-8: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.barrier
// CHECK-COUNT-8: nvvm.cp.async.shared.global
// CHECK-COUNT-8: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>
// CHECK-COUNT-63: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: nvvm.barrier
// CHECK-COUNT-64: llvm.store {{.*}}: vector<2xf32>, !llvm.ptr<3>
// CHECK: nvvm.barrier
// Eight elements of the narrow result at a time.
// CHECK: llvm.load {{.*}}: !llvm.ptr<3> -> vector<8xf32>
// CHECK: llvm.store {{.*}}: vector<8xi16>, !llvm.ptr
// CHECK: rt.grid_kernel @dot_general_0 [#rt.variant<80 steps = [<"dot_general_0" grid = [4, 1, 1] block = 128 shared = 69632 buffers = [0, 1, 2]>]>]
func.func @main(%a: tensor<256x512xbf16>, %b: tensor<256x512xbf16>)
    -> (tensor<256x256xbf16>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x256xbf16> {
  ^bb0(%x: tensor<256x512xbf16>, %y: tensor<256x512xbf16>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [1] : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x256xbf16>
    spmd.yield %d : tensor<256x256xbf16>
  }
  return %0 : tensor<256x256xbf16>
}

// -----

// Operands that are contiguous in their own dimensions are not transposed in memory, but by the loads of fragments. Copies of 8 bytes are what 100 elements
// allow; the end of every dimension is filled with zeros.
// CHECK-LABEL: llvm.func @dot_general_0(
// CHECK: nvvm.cp.async.shared.global {{.*}}, 8, cache = ca, %{{.*}} :
// CHECK-COUNT-8: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>
// CHECK: nvvm.mma.sync {{.*}}(vector<2xf16>, vector<2xf16>, f32)
// CHECK: scf.if
// CHECK: llvm.load {{.*}}: !llvm.ptr<3> -> vector<4xf32>
func.func @main(%a: tensor<3x100x100xf16>, %b: tensor<3x100x100xf16>)
    -> (tensor<3x100x100xf32>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<3x100x100xf16>, tensor<3x100x100xf16>) -> tensor<3x100x100xf32> {
  ^bb0(%x: tensor<3x100x100xf16>, %y: tensor<3x100x100xf16>):
    %d = tessera.dot_general %x, %y batching = [0] x [0] contracting = [1] x [1] : (tensor<3x100x100xf16>, tensor<3x100x100xf16>) -> tensor<3x100x100xf32>
    spmd.yield %d : tensor<3x100x100xf32>
  }
  return %0 : tensor<3x100x100xf32>
}

// -----

// An operand that has to be converted passes through registers: loads before the products, stores to shared memory behind them. The other one is copied.
// CHECK-LABEL: llvm.func @dot_general_0(
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK-COUNT-4: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: llvm.load {{.*}}vector<8xf32>
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// CHECK: nvvm.mma.sync
// CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xi16>, !llvm.ptr<3>
// CHECK: scf.yield
func.func @main(%a: tensor<128x64xf32>, %b: tensor<64x128xbf16>)
    -> (tensor<128x128xf32>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<128x64xf32>, tensor<64x128xbf16>) -> tensor<128x128xf32> {
  ^bb0(%x: tensor<128x64xf32>, %y: tensor<64x128xbf16>):
    %c = arith.truncf %x : tensor<128x64xf32> to tensor<128x64xbf16>
    %d = tessera.dot_general %c, %y batching = [] x [] contracting = [1] x [0] : (tensor<128x64xbf16>, tensor<64x128xbf16>) -> tensor<128x128xf32>
    spmd.yield %d : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// -----

// Products of f32 are exact: multiply-adds on 16 bytes of each operand at a time.
// CHECK-LABEL: llvm.func @dot_general_0(
// CHECK-NOT: nvvm.mma.sync
// CHECK: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: llvm.intr.fma
// CHECK-NOT: nvvm.mma.sync
// CHECK: rt.grid_kernel
func.func @main(%a: tensor<256x64xf32>, %b: tensor<64x256xf32>)
    -> (tensor<256x256xf32>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<256x64xf32>, tensor<64x256xf32>) -> tensor<256x256xf32> {
  ^bb0(%x: tensor<256x64xf32>, %y: tensor<64x256xf32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<256x64xf32>, tensor<64x256xf32>) -> tensor<256x256xf32>
    spmd.yield %d : tensor<256x256xf32>
  }
  return %0 : tensor<256x256xf32>
}
