// Tuning records decide about tiles and splits; the first that matches counts, one that the machine cannot run is passed over.
// RUN: tessera-opt %s --split-input-file --tessera-lower-to-gpu="arch=80 modules=1 tuning=%S/Inputs/records.json" | FileCheck %s
// RUN: tessera-opt %s --split-input-file --tessera-lower-to-gpu="arch=80 modules=1 tf32=true" | FileCheck %s --check-prefix=TF32

// Four blocks of results, each split four times: partial sums go to the temporary, and a second grid adds them.
// CHECK: rt.grid_kernel @dot_general_0 [#rt.variant<80 steps = [<"dot_general_0" grid = [16, 1, 1] block = 128 shared = 24576 buffers = [0, 1, 3]>, <"dot_general_0_1" grid = [32, 1, 1] block = 128 shared = 0 buffers = [2, 3]>]>]
// TF32: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// TF32: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>
func.func @main(%a: tensor<128x512xf32>, %b: tensor<512x128xf32>)
    -> (tensor<128x128xf32>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<128x512xf32>, tensor<512x128xf32>) -> tensor<128x128xf32> {
  ^bb0(%x: tensor<128x512xf32>, %y: tensor<512x128xf32>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<128x512xf32>, tensor<512x128xf32>) -> tensor<128x128xf32>
    spmd.yield %d : tensor<128x128xf32>
  }
  return %0 : tensor<128x128xf32>
}

// -----

// Eight buffers do not fit into shared memory: the model chooses.
// CHECK: rt.grid_kernel @dot_general_0 [#rt.variant<80 steps = [<"dot_general_0" grid = [{{[0-9]+}}, 1, 1] block = {{[0-9]+}} shared = {{[0-9][0-9][0-9][0-9][0-9]}} buffers
// TF32: multiplicandAPtxType = #nvvm.mma_type<bf16>
func.func @main(%a: tensor<256x512xbf16>, %b: tensor<512x256xbf16>)
    -> (tensor<256x256xbf16>) attributes {spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<256x512xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16> {
  ^bb0(%x: tensor<256x512xbf16>, %y: tensor<512x256xbf16>):
    %d = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<256x512xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16>
    spmd.yield %d : tensor<256x256xbf16>
  }
  return %0 : tensor<256x256xbf16>
}
