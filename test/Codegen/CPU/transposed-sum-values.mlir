// Sums of products of operands whose elements lie in other orders are those that the interpreter computes: with squares of all sizes, batches before,
// between and behind what is summed, a dimension more, and sizes that are no whole squares.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tesserac %s --cpu=x86-64-v3 --check-phases -o %t.v3.tsx
// RUN: tessera-run %t.v3.tsx --random=3 --expect=%t.safetensors --tolerance=2e-6,1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=2e-6,1e-5

func.func @main(
    %a0: tensor<48x64xf32>, %b0: tensor<64x48xf32>, %a1: tensor<64x96xbf16>, %b1: tensor<96x64xbf16>, %a2: tensor<16x24xf64>,
    %b2: tensor<24x16xf64>, %a3: tensor<128x192xi8>, %b3: tensor<192x128xi8>, %a4: tensor<3x32x48xf32>, %b4: tensor<48x3x32xf32>,
    %a5: tensor<32x5x48xf32>, %b5: tensor<48x5x32xf32>, %a6: tensor<32x4x48xf32>, %b6: tensor<4x48x32xf32>, %a7: tensor<32x48x4xf32>,
    %b7: tensor<48x32x4xf32>, %a8: tensor<40x50xf32>, %b8: tensor<50x40xf32>)
    -> (tensor<f32>, tensor<f32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %r0 = tessera.dot_general %a0, %b0 batching = [] x [] contracting = [0, 1] x [1, 0] : (tensor<48x64xf32>, tensor<64x48xf32>) -> tensor<f32>
  %r1 = tessera.dot_general %a1, %b1 batching = [] x [] contracting = [0, 1] x [1, 0] : (tensor<64x96xbf16>, tensor<96x64xbf16>) -> tensor<f32>
  %r2 = tessera.dot_general %a2, %b2 batching = [] x [] contracting = [1, 0] x [0, 1] : (tensor<16x24xf64>, tensor<24x16xf64>) -> tensor<f64>
  %r3 = tessera.dot_general %a3, %b3 batching = [] x [] contracting = [0, 1] x [1, 0] : (tensor<128x192xi8>, tensor<192x128xi8>) -> tensor<i32>
  %r4 = tessera.dot_general %a4, %b4 batching = [0] x [1] contracting = [1, 2] x [2, 0] : (tensor<3x32x48xf32>, tensor<48x3x32xf32>) -> tensor<3xf32>
  %r5 = tessera.dot_general %a5, %b5 batching = [] x [] contracting = [0, 1, 2] x [2, 1, 0] : (tensor<32x5x48xf32>, tensor<48x5x32xf32>) -> tensor<f32>
  %r6 = tessera.dot_general %a6, %b6 batching = [1] x [0] contracting = [0, 2] x [2, 1] : (tensor<32x4x48xf32>, tensor<4x48x32xf32>) -> tensor<4xf32>
  %r7 = tessera.dot_general %a7, %b7 batching = [2] x [2] contracting = [0, 1] x [1, 0] : (tensor<32x48x4xf32>, tensor<48x32x4xf32>) -> tensor<4xf32>
  %r8 = tessera.dot_general %a8, %b8 batching = [] x [] contracting = [0, 1] x [1, 0] : (tensor<40x50xf32>, tensor<50x40xf32>) -> tensor<f32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<f32>, tensor<f32>, tensor<f64>, tensor<i32>, tensor<3xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
}
