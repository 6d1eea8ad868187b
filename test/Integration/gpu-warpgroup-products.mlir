// Products by bulk copies and wgmma, on an emulated GPU, give what the CPU target computes. Records force the tiles, so that small products have
// several blocks, more steps than buffers, and ragged ends.
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac --target=cuda:sm_90a %s --compile-to=schedule -o %t.schedule.mlir
// RUN: tessera-opt %t.schedule.mlir --tessera-lower-to-gpu="arch=90 modules=1 tf32=true tuning=%S/Inputs/warpgroup.json" --tessera-convert-to-nvvm --tessera-split-program --tessera-convert-rt-to-llvm -o %t.codegen.mlir
// RUN: tesserac %t.codegen.mlir --compile-from=codegen --target=cuda:sm_90a --emit=ptx -o - | FileCheck %s
// RUN: tesserac %t.codegen.mlir --compile-from=codegen --target=cuda:sm_90a -o %t.gpu.tsx
// RUN: tessera-run %t.gpu.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=2e-2,1e-5

// Every layout and type.
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {{.*}}, 1, 1, 1, 0, 0;
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{.*}}, 1, 1, 1, 0, 1;
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {{.*}}, 1, 1, 1, 1, 0;
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{.*}}, 1, 1, 1, 1, 1;
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, 1, 1, 1, 0, 0;
// CHECK-DAG: wgmma.mma_async.sync.aligned.m64n96k8.f32.tf32.tf32 {{.*}}, 1, 1, 1;
func.func @main(%a: tensor<136x200xbf16>, %b: tensor<264x200xbf16>, %bias: tensor<264xf32>, %c: tensor<200x72xbf16>, %d: tensor<456x136xbf16>, %e: tensor<264x456xbf16>,
    %f: tensor<3x136x200xf16>, %g: tensor<3x136x136xf16>, %h: tensor<2x64x4x64xf16>, %i: tensor<2x24x4x64xf16>, %j: tensor<130x132xf32>, %k: tensor<100x132xf32>,
    %l: tensor<1928x80xbf16>, %m: tensor<80x80xbf16>, %n: tensor<70x776xbf16>, %o: tensor<90x776xbf16>)
    -> (tensor<136x264xf32>, tensor<136x72xbf16>, tensor<136x264xbf16>, tensor<3x200x136xf16>, tensor<2x4x64x24xf32>, tensor<130x100xf32>, tensor<1928x80xbf16>, tensor<70x90xf32>) {
  // Both contiguous in depth; bias and activation.
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [1] : (tensor<136x200xbf16>, tensor<264x200xbf16>) -> tensor<136x264xf32>
  %1 = tessera.broadcast %bias dims = [1] : tensor<264xf32> -> tensor<136x264xf32>
  %2 = arith.addf %0, %1 : tensor<136x264xf32>
  %zero = arith.constant dense<0.0> : tensor<136x264xf32>
  %3 = arith.maximumf %2, %zero : tensor<136x264xf32>
  // One multiplying warp group.
  %4 = tessera.dot_general %a, %c batching = [] x [] contracting = [1] x [0] : (tensor<136x200xbf16>, tensor<200x72xbf16>) -> tensor<136x72xbf16>
  // The left operand is contiguous in rows; four rounds of three buffers.
  %5 = tessera.dot_general %d, %e batching = [] x [] contracting = [0] x [1] : (tensor<456x136xbf16>, tensor<264x456xbf16>) -> tensor<136x264xbf16>
  // Neither is contiguous in depth; batched.
  %6 = tessera.dot_general %f, %g batching = [0] x [0] contracting = [1] x [1] : (tensor<3x136x200xf16>, tensor<3x136x136xf16>) -> tensor<3x200x136xf16>
  // Batch dimensions that are not leading; one step.
  %7 = tessera.dot_general %h, %i batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x64x4x64xf16>, tensor<2x24x4x64xf16>) -> tensor<2x4x64x24xf32>
  // f32 as tf32.
  %8 = tessera.dot_general %j, %k batching = [] x [] contracting = [1] x [1] : (tensor<130x132xf32>, tensor<100x132xf32>) -> tensor<130x100xf32>
  // More tiles than there are multiprocessors: some blocks have two.
  %9 = tessera.dot_general %l, %m batching = [] x [] contracting = [1] x [1] : (tensor<1928x80xbf16>, tensor<80x80xbf16>) -> tensor<1928x80xbf16>
  // Five tiles share the depth of one; parts of sums are stored two at a time.
  %10 = tessera.dot_general %n, %o batching = [] x [] contracting = [1] x [1] : (tensor<70x776xbf16>, tensor<90x776xbf16>) -> tensor<70x90xf32>
  return %3, %4, %5, %6, %7, %8, %9, %10 : tensor<136x264xf32>, tensor<136x72xbf16>, tensor<136x264xbf16>, tensor<3x200x136xf16>, tensor<2x4x64x24xf32>, tensor<130x100xf32>,
    tensor<1928x80xbf16>, tensor<70x90xf32>
}
