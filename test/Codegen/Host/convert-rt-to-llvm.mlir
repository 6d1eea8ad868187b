// Launches and collectives become rows of a table, and one function that runs them; a status other than 0 ends the program at once.
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm | FileCheck %s

tessera.mesh @mesh = <["x"=2]>

// CHECK: llvm.func @tessera_main(
// CHECK: %[[STATUS:.*]] = llvm.call @tessera_run_steps(
// CHECK: %[[GOOD:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br %[[GOOD]], ^bb1, ^bb2(%[[STATUS]] : i32)

// A launch of symbol 0, extent 1, grain 1, at site 0, with two pointers: entry 0 of the arguments (16 * 0 + 8 + 1) and 0 bytes behind the arena
// (16 * 0 + 3). Then an all-reduce from there to entry 0 of the results (16 * 0 + 8 + 2) of 1024 elements, f32 (11), by sum (0), communicator 0, without a
// future, at site 1.
// CHECK: @step_words(dense<[0, 0, 1, 1, 0, 2, 9, 3, 1, 3, 10, 1024, 11, 0, 0, -1, 1]> : tensor<17xi64>)
// CHECK: @step_symbols()
// CHECK: llvm.mlir.addressof @addf_0
// CHECK: @step_texts("addf.0\00{{[^"]*}}convert-rt-to-llvm.mlir:[[#@LINE+12]]:8\00all_reduce.0\00
// CHECK: llvm.mlir.global_ctors ctors = [@tessera_place_sites]

// CHECK: llvm.func internal @tessera_run_steps(
// CHECK: llvm.switch
// CHECK: %[[LAUNCHED:.*]] = llvm.call @tessera_rt_launch(
// CHECK: llvm.icmp "eq" %[[LAUNCHED]]
// CHECK: llvm.cond_br %{{.*}}, ^[[NEXT:bb[0-9]+]]({{.*}}), ^[[END:bb[0-9]+]](%[[LAUNCHED]] : i32)
// CHECK: %[[REDUCED:.*]] = llvm.call @tessera_rt_all_reduce(
// CHECK: llvm.cond_br %{{.*}}, ^[[NEXT]]({{.*}}), ^[[END]](%[[REDUCED]] : i32)
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
