// Matrix products of all types, layouts and sizes on emulated GPUs give what the CPU target computes.
// RUN: tesserac %s -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac --target=cuda %s -o %t.gpu.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.gpu.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=1e-2,1e-5
// RUN: env TESSERA_EMULATED_ARCH=90 tessera-run %t.gpu.tsx --backend=emulated --random=1 --expect=%t.safetensors --tolerance=1e-2,1e-5
func.func @main(%a: tensor<65x40xbf16>, %b: tensor<50x40xbf16>, %bias: tensor<50xbf16>, %c: tensor<40x65xf16>, %d: tensor<40x50xf16>,
    %e: tensor<20x33xbf16>, %f: tensor<33x64xf32>, %g: tensor<2x16x3x8xbf16>, %h: tensor<2x16x3x8xbf16>, %deep: tensor<16x8192xbf16>,
    %deeper: tensor<8192x24xbf16>, %vector: tensor<100xf32>, %matrix: tensor<100x36xf32>, %p: tensor<17x9xf64>, %q: tensor<9x10xf64>,
    %i: tensor<30x12xi32>, %j: tensor<12x7xi32>, %s: tensor<8x24xi8>, %t: tensor<24x16xi8>)
    -> (tensor<65x50xbf16>, tensor<65x50xf32>, tensor<20x64xf32>, tensor<2x16x3x16xbf16>, tensor<16x24xf32>, tensor<16x24xf32>, tensor<36xf32>,
        tensor<17x10xf64>, tensor<30x7xi32>, tensor<8x16xi32>) {
  // Contiguous in depth, nothing divides; bias and activation.
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [1] : (tensor<65x40xbf16>, tensor<50x40xbf16>) -> tensor<65x50xbf16>
  %1 = tessera.broadcast %bias dims = [1] : tensor<50xbf16> -> tensor<65x50xbf16>
  %2 = arith.addf %0, %1 : tensor<65x50xbf16>
  %zero = arith.constant dense<0.0> : tensor<65x50xbf16>
  %3 = arith.maximumf %2, %zero : tensor<65x50xbf16>
  // Both transposed.
  %4 = tessera.dot_general %c, %d batching = [] x [] contracting = [0] x [0] : (tensor<40x65xf16>, tensor<40x50xf16>) -> tensor<65x50xf32>
  // Rows of an odd number of bf16, and a weight that is converted on its way.
  %5 = arith.truncf %f : tensor<33x64xf32> to tensor<33x64xbf16>
  %6 = tessera.dot_general %e, %5 batching = [] x [] contracting = [1] x [0] : (tensor<20x33xbf16>, tensor<33x64xbf16>) -> tensor<20x64xf32>
  // Batch dimensions that are not leading, and a transposed result.
  %7 = tessera.dot_general %g, %h batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x3x8xbf16>, tensor<2x16x3x8xbf16>) -> tensor<2x3x16x16xbf16>
  %8 = tessera.transpose %7 permutation = [0, 2, 1, 3] : tensor<2x3x16x16xbf16> -> tensor<2x16x3x16xbf16>
  // A depth that is split; two results.
  %9 = tessera.dot_general %deep, %deeper batching = [] x [] contracting = [1] x [0] : (tensor<16x8192xbf16>, tensor<8192x24xbf16>) -> tensor<16x24xf32>
  %10 = arith.negf %9 : tensor<16x24xf32>
  // A vector, and the types of the scalar units.
  %11 = tessera.dot_general %vector, %matrix batching = [] x [] contracting = [0] x [0] : (tensor<100xf32>, tensor<100x36xf32>) -> tensor<36xf32>
  %12 = tessera.dot_general %p, %q batching = [] x [] contracting = [1] x [0] : (tensor<17x9xf64>, tensor<9x10xf64>) -> tensor<17x10xf64>
  %13 = tessera.dot_general %i, %j batching = [] x [] contracting = [1] x [0] : (tensor<30x12xi32>, tensor<12x7xi32>) -> tensor<30x7xi32>
  %14 = tessera.dot_general %s, %t batching = [] x [] contracting = [1] x [0] : (tensor<8x24xi8>, tensor<24x16xi8>) -> tensor<8x16xi32>
  return %3, %4, %6, %8, %9, %10, %11, %12, %13, %14 : tensor<65x50xbf16>, tensor<65x50xf32>, tensor<20x64xf32>, tensor<2x16x3x16xbf16>,
      tensor<16x24xf32>, tensor<16x24xf32>, tensor<36xf32>, tensor<17x10xf64>, tensor<30x7xi32>, tensor<8x16xi32>
}
