// Products by cuBLASLt give what the CPU does: operands as they are and transposed, sizes that no tile divides, batches, f16, bf16 and f32, results that
// are stored transposed, biases, parts of larger tensors. The library is emulated, from its manual, in column-major terms. From the second step on it is a graph.
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac %s --target=cuda --tuning=%S/Inputs/library.json -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.tsx --backend=emulated --random=1 --steps=3 --expect=%t.safetensors --tolerance=1e-2
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=1e-2
// All of them are the library's.
// RUN: tesserac --inspect %t.tsx | FileCheck %s --implicit-check-not=dot_general
// CHECK-COUNT-20: cublasLt sm_{{80|90a}}
func.func @main(%a: tensor<17x24xf32> {tessera.name = "a"}, %b: tensor<24x35xf32> {tessera.name = "b"}, %c: tensor<17x24xf32> {tessera.name = "c"},
                %at: tensor<24x17xf32> {tessera.name = "at"}, %bt: tensor<35x24xf32> {tessera.name = "bt"}, %ct: tensor<24x17xf32> {tessera.name = "ct"},
                %p: tensor<3x2x9x16xbf16> {tessera.name = "p"}, %q: tensor<3x2x21x16xbf16> {tessera.name = "q"},
                %h: tensor<64x48xf16> {tessera.name = "h"}, %g: tensor<48x24xf16> {tessera.name = "g"}, %i: tensor<48x24xf16> {tessera.name = "i"},
                %row: tensor<35xf32> {tessera.name = "row"})
    -> (tensor<17x35xf32> {tessera.name = "plain"}, tensor<17x35xf32> {tessera.name = "left"}, tensor<17x35xf32> {tessera.name = "right"},
        tensor<17x35xf32> {tessera.name = "both"}, tensor<3x2x9x21xbf16> {tessera.name = "batched"}, tensor<64x24xf16> {tessera.name = "half"},
        tensor<64x24xf32> {tessera.name = "wide"}, tensor<35x17xf32> {tessera.name = "transposed"}, tensor<17x35xf32> {tessera.name = "bias"},
        tensor<16x12xf16> {tessera.name = "part"}) {
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<17x24xf32>, tensor<24x35xf32>) -> tensor<17x35xf32>
  %1 = tessera.dot_general %at, %b batching = [] x [] contracting = [0] x [0] : (tensor<24x17xf32>, tensor<24x35xf32>) -> tensor<17x35xf32>
  %2 = tessera.dot_general %a, %bt batching = [] x [] contracting = [1] x [1] : (tensor<17x24xf32>, tensor<35x24xf32>) -> tensor<17x35xf32>
  %3 = tessera.dot_general %at, %bt batching = [] x [] contracting = [0] x [1] : (tensor<24x17xf32>, tensor<35x24xf32>) -> tensor<17x35xf32>
  %4 = tessera.dot_general %p, %q batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<3x2x9x16xbf16>, tensor<3x2x21x16xbf16>) -> tensor<3x2x9x21xbf16>
  %5 = tessera.dot_general %h, %g batching = [] x [] contracting = [1] x [0] : (tensor<64x48xf16>, tensor<48x24xf16>) -> tensor<64x24xf16>
  %6 = tessera.dot_general %h, %i batching = [] x [] contracting = [1] x [0] : (tensor<64x48xf16>, tensor<48x24xf16>) -> tensor<64x24xf32>
  %7 = tessera.dot_general %c, %bt batching = [] x [] contracting = [1] x [1] : (tensor<17x24xf32>, tensor<35x24xf32>) -> tensor<17x35xf32>
  %8 = tessera.transpose %7 permutation = [1, 0] : tensor<17x35xf32> -> tensor<35x17xf32>
  %9 = tessera.dot_general %ct, %b batching = [] x [] contracting = [0] x [0] : (tensor<24x17xf32>, tensor<24x35xf32>) -> tensor<17x35xf32>
  %10 = tessera.broadcast %row dims = [1] : tensor<35xf32> -> tensor<17x35xf32>
  %11 = arith.addf %9, %10 : tensor<17x35xf32>
  %12 = tessera.slice %h [32, 8] to [48, 32] by [1, 1] : tensor<64x48xf16> -> tensor<16x24xf16>
  %13 = tessera.slice %g [8, 12] to [32, 24] by [1, 1] : tensor<48x24xf16> -> tensor<24x12xf16>
  %14 = tessera.dot_general %12, %13 batching = [] x [] contracting = [1] x [0] : (tensor<16x24xf16>, tensor<24x12xf16>) -> tensor<16x12xf16>
  return %0, %1, %2, %3, %4, %5, %6, %8, %11, %14 : tensor<17x35xf32>, tensor<17x35xf32>, tensor<17x35xf32>, tensor<17x35xf32>, tensor<3x2x9x21xbf16>,
    tensor<64x24xf16>, tensor<64x24xf32>, tensor<35x17xf32>, tensor<17x35xf32>, tensor<16x12xf16>
}
