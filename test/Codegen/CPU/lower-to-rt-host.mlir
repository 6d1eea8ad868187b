// Copies to the host and back name bytes of the arena there; one that nothing runs beside has no future.
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 | FileCheck %s
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm | FileCheck %s --check-prefix=LLVM

// The record of work has them for the simulator.
// CHECK: rt.work = {{.*}}bytes\22:64,\22copy\22:\22offload\22,\22live\22:{{[0-9]+}},\22start\22:1}
// CHECK-SAME: \22wait\22:1
// CHECK-SAME: \22copy\22:\22reload\22
// CHECK: func.func @tessera_main
// CHECK: %[[A:.*]] = rt.offset %arg3 + 0
// CHECK: rt.offload %arg0 %{{.*}} to 64 bytes = 64 future = 0
// CHECK: rt.launch
// CHECK: rt.wait %arg0 future = 0
// CHECK: rt.reload %arg0 64 to %{{.*}} bytes = 64 : !llvm.ptr, !llvm.ptr
// CHECK-NOT: rt.wait
// LLVM-DAG: llvm.func @tessera_rt_offload(!llvm.ptr, !llvm.ptr, i64, i64, i32, !llvm.ptr) -> i32
// LLVM-DAG: llvm.func @tessera_rt_reload(!llvm.ptr, i64, !llvm.ptr, i64, i32, !llvm.ptr) -> i32
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> attributes {spmd.arena_size = 128 : i64, spmd.host_size = 128 : i64} {
  %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    %1 = arith.addf %0, %0 : tensor<16xf32>
    spmd.yield %1 : tensor<16xf32>
  }
  %f = spmd.start : !spmd.future<tensor<16xf32>> {
    %h = spmd.offload %a {spmd.buffers = [#spmd.buffer<host, 64>]} : tensor<16xf32>
    spmd.yield %h : tensor<16xf32>
  }
  %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 64>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>):
    %1 = arith.mulf %0, %0 : tensor<16xf32>
    spmd.yield %1 : tensor<16xf32>
  }
  %w = spmd.wait %f {spmd.buffers = [#spmd.buffer<host, 64>]} : !spmd.future<tensor<16xf32>>
  %g = spmd.start : !spmd.future<tensor<16xf32>> {
    %r = spmd.reload %w {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
    spmd.yield %r : tensor<16xf32>
  }
  %c = spmd.wait %g {spmd.buffers = [#spmd.buffer<arena, 0>]} : !spmd.future<tensor<16xf32>>
  %r = spmd.kernel(%b, %c) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%0: tensor<16xf32>, %1: tensor<16xf32>):
    %2 = arith.addf %0, %1 : tensor<16xf32>
    spmd.yield %2 : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
