// Loops over rows are cut where what is read changes, and all elements are those that the interpreter computes: of rotations by little, by half
// and by nearly all of a dimension, of parts of several tensors, inside paddings (also negative and between elements) and of one another; on
// rows that are shorter than a vector, and not made of whole vectors; in sums, in transposed and in booleans.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tesserac %s --cpu=x86-64-v3 -o %t.v3.tsx
// RUN: tessera-run %t.v3.tsx --random=3 --expect=%t.safetensors --tolerance=1e-6
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-6

func.func @main(%a: tensor<333xf32>, %b: tensor<17x41xf32>, %c: tensor<5x6x7xf32>, %d: tensor<40x64xf32>, %i: tensor<19xi32>, %e: tensor<4x100xbf16>)
    -> (tensor<333xf32>, tensor<333xf32>, tensor<17x41xf32>, tensor<17x41xf32>, tensor<17xf32>, tensor<41xf32>, tensor<5x6x7xf32>, tensor<40x64xf32>,
        tensor<64x40xf32>, tensor<19xi32>, tensor<4x100xbf16>, tensor<345xf32>, tensor<679xf32>, tensor<43x70xf32>, tensor<19xi1>, tensor<330xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>

  // One dimension: both neighbours.
  %a0 = tessera.slice %a [332] to [333] by [1] : tensor<333xf32> -> tensor<1xf32>
  %a1 = tessera.slice %a [0] to [332] by [1] : tensor<333xf32> -> tensor<332xf32>
  %left = tessera.concatenate %a0, %a1 dim = 0 : (tensor<1xf32>, tensor<332xf32>) -> tensor<333xf32>
  %a2 = tessera.slice %a [0] to [1] by [1] : tensor<333xf32> -> tensor<1xf32>
  %a3 = tessera.slice %a [1] to [333] by [1] : tensor<333xf32> -> tensor<332xf32>
  %right = tessera.concatenate %a3, %a2 dim = 0 : (tensor<332xf32>, tensor<1xf32>) -> tensor<333xf32>
  %neighbours = arith.addf %left, %right : tensor<333xf32>
  %r0 = arith.subf %neighbours, %a : tensor<333xf32>
  // A rotation of a rotation, by 167 in all.
  %h0 = tessera.slice %left [166] to [333] by [1] : tensor<333xf32> -> tensor<167xf32>
  %h1 = tessera.slice %left [0] to [166] by [1] : tensor<333xf32> -> tensor<166xf32>
  %half = tessera.concatenate %h0, %h1 dim = 0 : (tensor<167xf32>, tensor<166xf32>) -> tensor<333xf32>
  %r1 = arith.mulf %half, %a : tensor<333xf32>

  // Two dimensions: rotated along both, and summed up along either.
  %b0 = tessera.slice %b [15, 0] to [17, 41] by [1, 1] : tensor<17x41xf32> -> tensor<2x41xf32>
  %b1 = tessera.slice %b [0, 0] to [15, 41] by [1, 1] : tensor<17x41xf32> -> tensor<15x41xf32>
  %up = tessera.concatenate %b0, %b1 dim = 0 : (tensor<2x41xf32>, tensor<15x41xf32>) -> tensor<17x41xf32>
  %b2 = tessera.slice %up [0, 3] to [17, 41] by [1, 1] : tensor<17x41xf32> -> tensor<17x38xf32>
  %b3 = tessera.slice %up [0, 0] to [17, 3] by [1, 1] : tensor<17x41xf32> -> tensor<17x3xf32>
  %corner = tessera.concatenate %b2, %b3 dim = 1 : (tensor<17x38xf32>, tensor<17x3xf32>) -> tensor<17x41xf32>
  %r2 = arith.addf %b, %corner : tensor<17x41xf32>
  // Pieces of two tensors.
  %b4 = tessera.slice %b [0, 20] to [17, 41] by [1, 1] : tensor<17x41xf32> -> tensor<17x21xf32>
  %b5 = tessera.slice %up [0, 1] to [17, 40] by [1, 2] : tensor<17x41xf32> -> tensor<17x20xf32>
  %mixed = tessera.concatenate %b4, %b5 dim = 1 : (tensor<17x21xf32>, tensor<17x20xf32>) -> tensor<17x41xf32>
  %r3 = arith.mulf %mixed, %b : tensor<17x41xf32>
  %products = arith.mulf %corner, %b : tensor<17x41xf32>
  %r4 = tessera.reduce sum %products dims = [1] : tensor<17x41xf32> -> tensor<17xf32>
  %shifted = arith.subf %corner, %b : tensor<17x41xf32>
  %r5 = tessera.reduce max %shifted dims = [0] : tensor<17x41xf32> -> tensor<41xf32>

  // Three dimensions, rows shorter than a vector.
  %c0 = tessera.slice %c [4, 0, 0] to [5, 6, 7] by [1, 1, 1] : tensor<5x6x7xf32> -> tensor<1x6x7xf32>
  %c1 = tessera.slice %c [0, 0, 0] to [4, 6, 7] by [1, 1, 1] : tensor<5x6x7xf32> -> tensor<4x6x7xf32>
  %front = tessera.concatenate %c0, %c1 dim = 0 : (tensor<1x6x7xf32>, tensor<4x6x7xf32>) -> tensor<5x6x7xf32>
  %c2 = tessera.slice %c [0, 1, 0] to [5, 6, 7] by [1, 1, 1] : tensor<5x6x7xf32> -> tensor<5x5x7xf32>
  %c3 = tessera.slice %c [0, 0, 0] to [5, 1, 7] by [1, 1, 1] : tensor<5x6x7xf32> -> tensor<5x1x7xf32>
  %middle = tessera.concatenate %c2, %c3 dim = 1 : (tensor<5x5x7xf32>, tensor<5x1x7xf32>) -> tensor<5x6x7xf32>
  %c4 = tessera.slice %c [0, 0, 6] to [5, 6, 7] by [1, 1, 1] : tensor<5x6x7xf32> -> tensor<5x6x1xf32>
  %c5 = tessera.slice %c [0, 0, 0] to [5, 6, 6] by [1, 1, 1] : tensor<5x6x7xf32> -> tensor<5x6x6xf32>
  %back = tessera.concatenate %c4, %c5 dim = 2 : (tensor<5x6x1xf32>, tensor<5x6x6xf32>) -> tensor<5x6x7xf32>
  %c6 = arith.addf %front, %middle : tensor<5x6x7xf32>
  %r6 = arith.addf %c6, %back : tensor<5x6x7xf32>

  // Whole vectors: a second difference, its edges padded, and transposed.
  %d0 = tessera.slice %d [0, 0] to [40, 63] by [1, 1] : tensor<40x64xf32> -> tensor<40x63xf32>
  %before = tessera.pad %d0 with %zero low = [0, 1] high = [0, 0] interior = [0, 0] : (tensor<40x63xf32>, tensor<f32>) -> tensor<40x64xf32>
  %d1 = tessera.slice %d [1, 0] to [40, 64] by [1, 1] : tensor<40x64xf32> -> tensor<39x64xf32>
  %below = tessera.pad %d1 with %one low = [0, 0] high = [1, 0] interior = [0, 0] : (tensor<39x64xf32>, tensor<f32>) -> tensor<40x64xf32>
  %d2 = arith.addf %before, %below : tensor<40x64xf32>
  %r7 = arith.subf %d2, %d : tensor<40x64xf32>
  %d3 = arith.mulf %before, %d : tensor<40x64xf32>
  %r8 = tessera.transpose %d3 permutation = [1, 0] : tensor<40x64xf32> -> tensor<64x40xf32>

  // Other types; a reversed piece.
  %i0 = tessera.slice %i [0] to [9] by [1] : tensor<19xi32> -> tensor<9xi32>
  %i1 = tessera.reverse %i0 dims = [0] : tensor<9xi32>
  %i2 = tessera.slice %i [9] to [19] by [1] : tensor<19xi32> -> tensor<10xi32>
  %turned = tessera.concatenate %i2, %i1 dim = 0 : (tensor<10xi32>, tensor<9xi32>) -> tensor<19xi32>
  %r9 = arith.addi %turned, %i : tensor<19xi32>
  %e0 = tessera.slice %e [0, 0] to [4, 1] by [1, 1] : tensor<4x100xbf16> -> tensor<4x1xbf16>
  %e1 = tessera.slice %e [0, 1] to [4, 100] by [1, 1] : tensor<4x100xbf16> -> tensor<4x99xbf16>
  %e2 = tessera.concatenate %e1, %e0 dim = 1 : (tensor<4x99xbf16>, tensor<4x1xbf16>) -> tensor<4x100xbf16>
  %r10 = arith.addf %e, %e2 : tensor<4x100xbf16>

  // Paddings: of a rotation, between elements, negative.
  %r11 = tessera.pad %left with %one low = [5] high = [7] interior = [0] : (tensor<333xf32>, tensor<f32>) -> tensor<345xf32>
  %r12 = tessera.pad %right with %zero low = [3] high = [11] interior = [1] : (tensor<333xf32>, tensor<f32>) -> tensor<679xf32>
  %r13 = tessera.pad %d with %one low = [-3, 9] high = [6, -3] interior = [0, 0] : (tensor<40x64xf32>, tensor<f32>) -> tensor<43x70xf32>
  %r14 = arith.cmpi slt, %turned, %i : tensor<19xi32>
  %outer = tessera.pad %a with %one low = [-2] high = [-1] interior = [0] : (tensor<333xf32>, tensor<f32>) -> tensor<330xf32>
  %r15 = arith.addf %outer, %outer : tensor<330xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15
    : tensor<333xf32>, tensor<333xf32>, tensor<17x41xf32>, tensor<17x41xf32>, tensor<17xf32>, tensor<41xf32>, tensor<5x6x7xf32>, tensor<40x64xf32>,
      tensor<64x40xf32>, tensor<19xi32>, tensor<4x100xbf16>, tensor<345xf32>, tensor<679xf32>, tensor<43x70xf32>, tensor<19xi1>, tensor<330xf32>
}
