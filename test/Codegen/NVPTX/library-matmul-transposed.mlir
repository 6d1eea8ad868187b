// A batch of products that is stored transposed, with a bias per row of the product: the library computes the transposed one, with a bias per column.
// RUN: tesserac %s --compile-from=schedule -o %t.cpu.tsx
// RUN: tessera-run %t.cpu.tsx --random=1 --outputs=%t.safetensors
// RUN: tesserac %s --compile-from=schedule --target=cuda:sm_80 --tuning=%S/Inputs/library.json -o %t.tsx
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.tsx --backend=emulated --random=1 --steps=3 --expect=%t.safetensors --tolerance=1e-5
// RUN: tesserac --inspect %t.tsx | FileCheck %s
// CHECK: cublasLt sm_80 4 x 30 x 20 x 40
func.func @main(%a: tensor<4x20x40xf32>, %b: tensor<4x40x30xf32>, %c: tensor<20xf32>) -> tensor<4x30x20xf32> attributes {spmd.arena_size = 0 : i64} {
  %0 = spmd.kernel(%a, %b, %c) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<4x20x40xf32>, tensor<4x40x30xf32>, tensor<20xf32>) -> tensor<4x30x20xf32> {
  ^bb0(%x: tensor<4x20x40xf32>, %y: tensor<4x40x30xf32>, %z: tensor<20xf32>):
    %d = tessera.dot_general %x, %y batching = [0] x [0] contracting = [2] x [1] : (tensor<4x20x40xf32>, tensor<4x40x30xf32>) -> tensor<4x20x30xf32>
    %e = tessera.broadcast %z dims = [1] : tensor<20xf32> -> tensor<4x20x30xf32>
    %f = arith.addf %d, %e : tensor<4x20x30xf32>
    %g = tessera.transpose %f permutation = [0, 2, 1] : tensor<4x20x30xf32> -> tensor<4x30x20xf32>
    spmd.yield %g : tensor<4x30x20xf32>
  }
  return %0 : tensor<4x30x20xf32>
}
