// Kernels become functions, equal kernels one function; the program becomes launches and collectives on places in memory.
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 | FileCheck %s

// CHECK: rt.communicators = [#tessera.axes<@mesh, ["x"]>]
tessera.mesh @mesh = <["x"=2]>

// CHECK: module @kernels_0 {
// CHECK: func.func @addf_0_body(
// CHECK-NOT: func.func @addf_1
// What the runtime calls stands apart, for LLVM need not take long for it.
// CHECK: module @entries {
// CHECK: func.func @addf_0(%[[BUFFERS:.*]]: !llvm.ptr, %[[FROM:.*]]: i64, %[[TO:.*]]: i64) {
// CHECK: call @addf_0_body(%{{.*}}, %{{.*}}, %[[FROM]], %[[TO]])
// CHECK: func.func private @addf_0_body(!llvm.ptr {llvm.noalias}, !llvm.ptr {llvm.noalias}, i64, i64)
// CHECK: module @program
// CHECK: func.func @tessera_main(%[[CONTEXT:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr, %[[RESULTS:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr) -> i32
func.func @main(%a: tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<1024xf32> {tessera.global_type = tensor<1024xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) attributes {spmd.arena_size = 8192 : i64} {
  // CHECK: %[[A:.*]] = rt.entry %[[ARGUMENTS]][0]
  // CHECK: %[[FIRST:.*]] = rt.offset %[[ARENA]] + 4096
  // CHECK: rt.launch %[[CONTEXT]] @entries::@addf_0(%[[A]], %[[FIRST]])
  %0 = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 4096>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%x: tensor<1024xf32>):
    %s = arith.addf %x, %x : tensor<1024xf32>
    spmd.yield %s : tensor<1024xf32>
  }
  // CHECK: rt.launch %[[CONTEXT]] @entries::@addf_0(
  %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<1024xf32>) -> tensor<1024xf32> {
  ^bb0(%x: tensor<1024xf32>):
    %s = arith.addf %x, %x : tensor<1024xf32>
    spmd.yield %s : tensor<1024xf32>
  }
  // CHECK: %[[FROM:.*]] = rt.offset %[[ARENA]] + 0
  // CHECK: %[[TO:.*]] = rt.entry %[[RESULTS]][0]
  // CHECK: rt.all_reduce %[[CONTEXT]] %[[FROM]] to %[[TO]] communicator = 0 count = 1024 of f32 by <sum>
  %2 = spmd.all_reduce sum %1 over <@mesh, ["x"]> {spmd.buffers = [#spmd.buffer<result, 0>]} : tensor<1024xf32>
  return %2 : tensor<1024xf32>
}
