// Products with a thin side, with a short contracted dimension, and without free dimensions are those that the interpreter computes: every direction in
// which an operand may be contiguous, numbers of rows and columns that are no whole vectors or blocks, batches, several free dimensions, all types.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tesserac %s --cpu=x86-64-v3 -o %t.v3.tsx
// RUN: tessera-run %t.v3.tsx --random=3 --expect=%t.safetensors --tolerance=2e-6,1e-5
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=2e-6,1e-5

func.func @main(
    %a0: tensor<37x53xf32>, %b0: tensor<53xf32>, %a1: tensor<53xf32>, %b1: tensor<53x37xf32>, %a2: tensor<53x37xf32>,
    %b2: tensor<53xf32>, %a3: tensor<1x70xf32>, %b3: tensor<70x45xf32>, %a4: tensor<2x70xf32>, %b4: tensor<70x45xf32>,
    %a5: tensor<3x70xf32>, %b5: tensor<70x45xf32>, %a6: tensor<5x70xf32>, %b6: tensor<70x45xf32>, %a7: tensor<8x70xf32>,
    %b7: tensor<70x45xf32>, %a8: tensor<2x70xf32>, %b8: tensor<77x70xf32>, %a9: tensor<7x70xf32>, %b9: tensor<77x70xf32>,
    %a10: tensor<8x70xf32>, %b10: tensor<77x70xf32>, %a11: tensor<90x64xf32>, %b11: tensor<64x4xf32>, %a12: tensor<64x90xf32>,
    %b12: tensor<64x3xf32>, %a13: tensor<90x33xf32>, %b13: tensor<6x33xf32>, %a14: tensor<20xf32>, %b14: tensor<35xf32>,
    %a15: tensor<21x3xf32>, %b15: tensor<3x130xf32>, %a16: tensor<9x8xf32>, %b16: tensor<8x9xf32>, %a17: tensor<3x20x30xf32>,
    %b17: tensor<3x30xf32>, %a18: tensor<5x4x40xf32>, %b18: tensor<5x40x17xf32>, %a19: tensor<2x9xf32>, %b19: tensor<9x5x16xf32>,
    %a20: tensor<6x2x24xf32>, %b20: tensor<6x33x24xf32>, %a21: tensor<4x40xbf16>, %b21: tensor<40x50xbf16>, %a22: tensor<4x40xbf16>,
    %b22: tensor<50x40xbf16>, %a23: tensor<41x40xf16>, %b23: tensor<40xf16>, %a24: tensor<3x20xf64>, %b24: tensor<20x30xf64>,
    %a25: tensor<3x20xi32>, %b25: tensor<20x30xi32>, %a26: tensor<30x20xi8>, %b26: tensor<20xi8>, %a27: tensor<40x50xf32>,
    %b27: tensor<40x50xf32>, %a28: tensor<40x50xf32>, %b28: tensor<50x40xf32>, %a29: tensor<7x300xf32>, %b29: tensor<7x300xf32>,
    %a30: tensor<30x7xf32>, %b30: tensor<30x7xf32>, %a31: tensor<3x4x30xf32>, %b31: tensor<4x30x3xf32>, %a32: tensor<5x100xbf16>,
    %b32: tensor<5x100xbf16>, %a33: tensor<1000xi32>, %b33: tensor<1000xi32>, %a34: tensor<1x600xf32>, %b34: tensor<600x1xf32>,
    %a35: tensor<260x70xf32>, %b35: tensor<260x70xf32>, %a36: tensor<6x3xi32>, %b36: tensor<6x3xi32>, %a37: tensor<5x9xf32>,
    %b37: tensor<9x5xf32>, %a38: tensor<f32>, %b38: tensor<f32>, %w: tensor<70x45xf32>, %scale: tensor<70x45xf32>,
    %x: tensor<3x70xf32>, %y: tensor<2x45xf32>, %residual: tensor<3x45xf32> {tessera.donated = 39 : i32})
    -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<1x45xf32>, tensor<2x45xf32>, tensor<3x45xf32>, tensor<5x45xf32>,
        tensor<8x45xf32>, tensor<2x77xf32>, tensor<7x77xf32>, tensor<8x77xf32>, tensor<90x4xf32>, tensor<90x3xf32>, tensor<90x6xf32>,
        tensor<20x35xf32>, tensor<21x130xf32>, tensor<9x9xf32>, tensor<3x20xf32>, tensor<5x4x17xf32>, tensor<2x5x16xf32>,
        tensor<6x2x33xf32>, tensor<4x50xf32>, tensor<4x50xbf16>, tensor<41xf16>, tensor<3x30xf64>, tensor<3x30xi32>, tensor<30xi32>,
        tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<4x3xf32>, tensor<5xbf16>, tensor<i32>, tensor<1x1xf32>, tensor<f32>,
        tensor<6x3xi32>, tensor<9x5xf32>, tensor<f32>, tensor<3x45xf32>, tensor<2x70xf32>, tensor<3x45xf32>) {
  %r0 = tessera.dot_general %a0, %b0 batching = [] x [] contracting = [1] x [0] : (tensor<37x53xf32>, tensor<53xf32>) -> tensor<37xf32>
  %r1 = tessera.dot_general %a1, %b1 batching = [] x [] contracting = [0] x [0] : (tensor<53xf32>, tensor<53x37xf32>) -> tensor<37xf32>
  %r2 = tessera.dot_general %a2, %b2 batching = [] x [] contracting = [0] x [0] : (tensor<53x37xf32>, tensor<53xf32>) -> tensor<37xf32>
  %r3 = tessera.dot_general %a3, %b3 batching = [] x [] contracting = [1] x [0] : (tensor<1x70xf32>, tensor<70x45xf32>) -> tensor<1x45xf32>
  %r4 = tessera.dot_general %a4, %b4 batching = [] x [] contracting = [1] x [0] : (tensor<2x70xf32>, tensor<70x45xf32>) -> tensor<2x45xf32>
  %r5 = tessera.dot_general %a5, %b5 batching = [] x [] contracting = [1] x [0] : (tensor<3x70xf32>, tensor<70x45xf32>) -> tensor<3x45xf32>
  %r6 = tessera.dot_general %a6, %b6 batching = [] x [] contracting = [1] x [0] : (tensor<5x70xf32>, tensor<70x45xf32>) -> tensor<5x45xf32>
  %r7 = tessera.dot_general %a7, %b7 batching = [] x [] contracting = [1] x [0] : (tensor<8x70xf32>, tensor<70x45xf32>) -> tensor<8x45xf32>
  %r8 = tessera.dot_general %a8, %b8 batching = [] x [] contracting = [1] x [1] : (tensor<2x70xf32>, tensor<77x70xf32>) -> tensor<2x77xf32>
  %r9 = tessera.dot_general %a9, %b9 batching = [] x [] contracting = [1] x [1] : (tensor<7x70xf32>, tensor<77x70xf32>) -> tensor<7x77xf32>
  %r10 = tessera.dot_general %a10, %b10 batching = [] x [] contracting = [1] x [1] : (tensor<8x70xf32>, tensor<77x70xf32>) -> tensor<8x77xf32>
  %r11 = tessera.dot_general %a11, %b11 batching = [] x [] contracting = [1] x [0] : (tensor<90x64xf32>, tensor<64x4xf32>) -> tensor<90x4xf32>
  %r12 = tessera.dot_general %a12, %b12 batching = [] x [] contracting = [0] x [0] : (tensor<64x90xf32>, tensor<64x3xf32>) -> tensor<90x3xf32>
  %r13 = tessera.dot_general %a13, %b13 batching = [] x [] contracting = [1] x [1] : (tensor<90x33xf32>, tensor<6x33xf32>) -> tensor<90x6xf32>
  %r14 = tessera.dot_general %a14, %b14 batching = [] x [] contracting = [] x [] : (tensor<20xf32>, tensor<35xf32>) -> tensor<20x35xf32>
  %r15 = tessera.dot_general %a15, %b15 batching = [] x [] contracting = [1] x [0] : (tensor<21x3xf32>, tensor<3x130xf32>) -> tensor<21x130xf32>
  %r16 = tessera.dot_general %a16, %b16 batching = [] x [] contracting = [1] x [0] : (tensor<9x8xf32>, tensor<8x9xf32>) -> tensor<9x9xf32>
  %r17 = tessera.dot_general %a17, %b17 batching = [0] x [0] contracting = [2] x [1] : (tensor<3x20x30xf32>, tensor<3x30xf32>) -> tensor<3x20xf32>
  %r18 = tessera.dot_general %a18, %b18 batching = [0] x [0] contracting = [2] x [1] : (tensor<5x4x40xf32>, tensor<5x40x17xf32>) -> tensor<5x4x17xf32>
  %r19 = tessera.dot_general %a19, %b19 batching = [] x [] contracting = [1] x [0] : (tensor<2x9xf32>, tensor<9x5x16xf32>) -> tensor<2x5x16xf32>
  %r20 = tessera.dot_general %a20, %b20 batching = [0] x [0] contracting = [2] x [2] : (tensor<6x2x24xf32>, tensor<6x33x24xf32>) -> tensor<6x2x33xf32>
  %r21 = tessera.dot_general %a21, %b21 batching = [] x [] contracting = [1] x [0] : (tensor<4x40xbf16>, tensor<40x50xbf16>) -> tensor<4x50xf32>
  %r22 = tessera.dot_general %a22, %b22 batching = [] x [] contracting = [1] x [1] : (tensor<4x40xbf16>, tensor<50x40xbf16>) -> tensor<4x50xbf16>
  %r23 = tessera.dot_general %a23, %b23 batching = [] x [] contracting = [1] x [0] : (tensor<41x40xf16>, tensor<40xf16>) -> tensor<41xf16>
  %r24 = tessera.dot_general %a24, %b24 batching = [] x [] contracting = [1] x [0] : (tensor<3x20xf64>, tensor<20x30xf64>) -> tensor<3x30xf64>
  %r25 = tessera.dot_general %a25, %b25 batching = [] x [] contracting = [1] x [0] : (tensor<3x20xi32>, tensor<20x30xi32>) -> tensor<3x30xi32>
  %r26 = tessera.dot_general %a26, %b26 batching = [] x [] contracting = [1] x [0] : (tensor<30x20xi8>, tensor<20xi8>) -> tensor<30xi32>
  %r27 = tessera.dot_general %a27, %b27 batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<40x50xf32>, tensor<40x50xf32>) -> tensor<f32>
  %r28 = tessera.dot_general %a28, %b28 batching = [] x [] contracting = [0, 1] x [1, 0] : (tensor<40x50xf32>, tensor<50x40xf32>) -> tensor<f32>
  %r29 = tessera.dot_general %a29, %b29 batching = [0] x [0] contracting = [1] x [1] : (tensor<7x300xf32>, tensor<7x300xf32>) -> tensor<7xf32>
  %r30 = tessera.dot_general %a30, %b30 batching = [1] x [1] contracting = [0] x [0] : (tensor<30x7xf32>, tensor<30x7xf32>) -> tensor<7xf32>
  %r31 = tessera.dot_general %a31, %b31 batching = [1, 0] x [0, 2] contracting = [2] x [1] : (tensor<3x4x30xf32>, tensor<4x30x3xf32>) -> tensor<4x3xf32>
  %r32 = tessera.dot_general %a32, %b32 batching = [0] x [0] contracting = [1] x [1] : (tensor<5x100xbf16>, tensor<5x100xbf16>) -> tensor<5xbf16>
  %r33 = tessera.dot_general %a33, %b33 batching = [] x [] contracting = [0] x [0] : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<i32>
  %r34 = tessera.dot_general %a34, %b34 batching = [] x [] contracting = [1] x [0] : (tensor<1x600xf32>, tensor<600x1xf32>) -> tensor<1x1xf32>
  %r35 = tessera.dot_general %a35, %b35 batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<260x70xf32>, tensor<260x70xf32>) -> tensor<f32>
  %r36 = tessera.dot_general %a36, %b36 batching = [0, 1] x [0, 1] contracting = [] x [] : (tensor<6x3xi32>, tensor<6x3xi32>) -> tensor<6x3xi32>
  %r37 = tessera.dot_general %a37, %b37 batching = [1, 0] x [0, 1] contracting = [] x [] : (tensor<5x9xf32>, tensor<9x5xf32>) -> tensor<9x5xf32>
  %r38 = tessera.dot_general %a38, %b38 batching = [] x [] contracting = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>

  // What is cheap is computed while the product reads its operand, what follows where it is stored; the result may take over an operand's memory.
  %scaled = arith.mulf %w, %scale : tensor<70x45xf32>
  %p0 = tessera.dot_general %x, %scaled batching = [] x [] contracting = [1] x [0] : (tensor<3x70xf32>, tensor<70x45xf32>) -> tensor<3x45xf32>
  %p1 = math.tanh %p0 : tensor<3x45xf32>
  %p2 = arith.addf %p1, %residual : tensor<3x45xf32>
  %wide = arith.addf %w, %scale : tensor<70x45xf32>
  %q0 = tessera.dot_general %wide, %y batching = [] x [] contracting = [1] x [1] : (tensor<70x45xf32>, tensor<2x45xf32>) -> tensor<70x2xf32>
  %q1 = math.exp %q0 : tensor<70x2xf32>
  %q2 = tessera.transpose %q1 permutation = [1, 0] : tensor<70x2xf32> -> tensor<2x70xf32>
  %u = arith.mulf %x, %x : tensor<3x70xf32>
  %q3 = tessera.dot_general %u, %wide batching = [] x [] contracting = [1] x [0] : (tensor<3x70xf32>, tensor<70x45xf32>) -> tensor<3x45xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22,
    %r23, %r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37, %r38, %p2, %q2, %q3
    : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<1x45xf32>, tensor<2x45xf32>, tensor<3x45xf32>, tensor<5x45xf32>,
      tensor<8x45xf32>, tensor<2x77xf32>, tensor<7x77xf32>, tensor<8x77xf32>, tensor<90x4xf32>, tensor<90x3xf32>, tensor<90x6xf32>,
      tensor<20x35xf32>, tensor<21x130xf32>, tensor<9x9xf32>, tensor<3x20xf32>, tensor<5x4x17xf32>, tensor<2x5x16xf32>,
      tensor<6x2x33xf32>, tensor<4x50xf32>, tensor<4x50xbf16>, tensor<41xf16>, tensor<3x30xf64>, tensor<3x30xi32>, tensor<30xi32>,
      tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<4x3xf32>, tensor<5xbf16>, tensor<i32>, tensor<1x1xf32>, tensor<f32>,
      tensor<6x3xi32>, tensor<9x5xf32>, tensor<f32>, tensor<3x45xf32>, tensor<2x70xf32>, tensor<3x45xf32>
}
