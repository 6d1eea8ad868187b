// What the functions do is written down with sizes, for the simulator: `tessera-sim` reads it from the manifest.
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 -split-input-file | FileCheck %s

// 2 x 8 x 4 x 16 operations on 128 + 256 bytes make 512. The product is alive until the all-reduce is done; what the loop starts from and its result are one place of 512 bytes,
// and every round needs as many more.
// CHECK: rt.work = "[{\22name\22:\22main\22,\22rank\22:0,\22steps\22:[
// CHECK-SAME: {\22bytes\22:896,\22kernel\22:\22dot_general.0\22,\22live\22:512,\22operations\22:1024,\22products\22:{{\[\[}}1,8,16,4]]},
// CHECK-SAME: {\22axes\22:[{\22axis\22:\22x\22}],\22bytes\22:512,\22collective\22:\22all_reduce\22,\22live\22:1024},
// CHECK-SAME: {\22live\22:1024,\22loop\22:4,\22steps\22:[{\22bytes\22:1024,\22kernel\22:\22exp.0\22,\22live\22:512,\22operations\22:1024}]},
// CHECK-SAME: {\22bytes\22:1536,\22kernel\22:\22addf.0\22,\22live\22:512,\22operations\22:128}]}]"
tessera.mesh @mesh = <["x"=2]>

func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {spmd.arena_size = 1024 : i64} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %0 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x4xf32>, %y: tensor<4x16xf32>):
    %p = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    spmd.yield %p : tensor<8x16xf32>
  }
  %1 = spmd.all_reduce sum %0 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<arena, 512>]} : tensor<8x16xf32>
  %2 = scf.for %i = %zero to %four step %one iter_args(%v = %1) -> (tensor<8x16xf32>) {
    %e = spmd.kernel(%v) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<8x16xf32>) -> tensor<8x16xf32> {
    ^bb0(%x: tensor<8x16xf32>):
      %p = math.exp %x : tensor<8x16xf32>
      spmd.yield %p : tensor<8x16xf32>
    }
    scf.yield %e : tensor<8x16xf32>
  } {spmd.buffers = [#spmd.buffer<arena, 512>]}
  %3 = spmd.kernel(%2, %c) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32> {
  ^bb0(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>):
    %s = arith.addf %x, %y : tensor<8x16xf32>
    spmd.yield %s : tensor<8x16xf32>
  }
  return %3 : tensor<8x16xf32>
}

// -----

// A product and the sums of its columns are launched one after the other: traces show this kernel twice.
// CHECK: rt.work = "[{\22name\22:\22main\22,\22rank\22:0,\22steps\22:[
// CHECK-SAME: {\22bytes\22:960,\22kernel\22:\22dot_general.0\22,\22launches\22:2,
// CHECK: rt.launch {{.*}}name = "dot_general.0"
// CHECK: rt.launch {{.*}}name = "dot_general.0"
// CHECK-NOT: rt.launch
func.func @main(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) attributes {spmd.arena_size = 0 : i64} {
  %0:2 = spmd.kernel(%a, %b) {spmd.buffers = [#spmd.buffer<result, 0>, #spmd.buffer<result, 1>]}
      : (tensor<8x4xf32>, tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  ^bb0(%x: tensor<8x4xf32>, %y: tensor<4x16xf32>):
    %p = tessera.dot_general %x, %y batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
    %s = tessera.reduce sum %p dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
    spmd.yield %p, %s : tensor<8x16xf32>, tensor<16xf32>
  }
  return %0#0, %0#1 : tensor<8x16xf32>, tensor<16xf32>
}
