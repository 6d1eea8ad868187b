// Launches and collectives become calls of the runtime; a status other than 0 ends the program at once.
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm | FileCheck %s

tessera.mesh @mesh = <["x"=2]>

// CHECK: llvm.func @tessera_main(
// CHECK: llvm.call @tessera_rt_launch(
// CHECK: llvm.icmp "{{eq|ne}}"
// CHECK: llvm.cond_br
// CHECK: llvm.call @tessera_rt_all_reduce(
// CHECK: llvm.return
func.func @main(%a: tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) attributes {spmd.arena_size = 4096 : i64} {
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%x: tensor<1024xf32>):
    %s = arith.addf %x, %x : tensor<1024xf32>
    spmd.yield %s : tensor<1024xf32>
  }
  %1 = spmd.all_reduce sum %0 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}
