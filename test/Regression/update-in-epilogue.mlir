// Both results of an epilogue overwrite operands that both of them read.
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-5
// RUN: tesserac %s --compile-to=schedule -o - | FileCheck %s
// CHECK: spmd.buffers = [#spmd.buffer<argument, 1>, #spmd.buffer<argument, 0>]
func.func @main(%p: tensor<40x72xf32> {tessera.donated = 0 : i32}, %m: tensor<40x72xf32> {tessera.donated = 1 : i32},
                %x: tensor<64x40xf32>, %dy: tensor<64x72xf32>) -> (tensor<40x72xf32>, tensor<40x72xf32>) {
  %g = tessera.dot_general %x, %dy batching = [] x [] contracting = [0] x [0]
       : (tensor<64x40xf32>, tensor<64x72xf32>) -> tensor<40x72xf32>
  %m1 = arith.addf %m, %g : tensor<40x72xf32>
  %t = arith.mulf %p, %m1 : tensor<40x72xf32>
  %p1 = arith.subf %p, %t : tensor<40x72xf32>
  return %p1, %m1 : tensor<40x72xf32>, tensor<40x72xf32>
}
