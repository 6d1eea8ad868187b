// Programs of pipeline ranks become entries; what they call becomes functions that get tables of addresses, a part of the
// caller's arena and the memory for temporaries. Equal kernels are one function, wherever they stand.
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 | FileCheck %s
// RUN: tessera-opt %s --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK: rt.fragments = [{arena = 64 : i64, flops = 96 : i64, kind = "forward", name = "double", stage = 0 : i64}]
// CHECK-SAME: rt.transfers = [{bytes = 128 : i64, location = "step.py:3:4", source = 0 : i64, target = 1 : i64, times = 2 : i64, type = tensor<16xf32>}]
// CHECK: func.func private @main(tensor<16xf32>) -> tensor<16xf32>
// CHECK: func.func private @rank_0(tensor<16xf32> {pipe.argument = 0 : i64}) attributes {pipe.rank = 0 : i64, spmd.arena_size = 192 : i64}
// CHECK-NOT: func.func private @double
// CHECK: func.func @addf_0(
// CHECK-NOT: func.func @addf_1(
// CHECK: module @program
// CHECK: func.func @tessera_main_0(%[[CONTEXT:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr) -> i32
// CHECK: %[[X:.*]] = rt.entry %[[ARGUMENTS]][0]
// CHECK: %[[Y:.*]] = rt.offset %[[ARENA]] + 64
// CHECK: %[[WORK:.*]] = rt.offset %[[ARENA]] + 128
// CHECK: %[[TEMPORARIES:.*]] = rt.offset %[[ARENA]] + 192
// CHECK: rt.call @tessera_function_double(%[[CONTEXT]], %[[WORK]], %[[TEMPORARIES]]) arguments(%[[X]]) results(%[[Y]]) task "0F0"
// CHECK: %[[SENT:.*]] = rt.offset %[[ARENA]] + 64
// CHECK: rt.send %[[CONTEXT]] %[[SENT]] to 1 tag 5 bytes = 64
// CHECK: func.func private @tessera_function_double(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: rt.offset %[[ARENA]] + 0
// CHECK: func.func @tessera_main_1(
// CHECK: rt.recv %{{.*}} to %{{.*}} from 0 tag 5 bytes = 64

// LLVM: llvm.func @tessera_main_0(
// LLVM: llvm.call @tessera_rt_begin_task(
// LLVM: llvm.call @tessera_function_double(%{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// LLVM: llvm.call @tessera_rt_end_task(
// LLVM: llvm.call @tessera_run_steps(
// LLVM: llvm.func internal @tessera_function_double(
// LLVM: llvm.call @tessera_run_steps(
// Sent: 64 bytes that begin 64 bytes behind the arena (16 * 64 + 3), to rank 1, tag 5.
// LLVM: @step_words(dense<[0, 1027, 64, 1, 5, 0,
// LLVM: llvm.func internal @tessera_run_steps(
// LLVM: llvm.call @tessera_rt_send(
// LLVM: llvm.call @tessera_rt_recv(
func.func private @main(%x: tensor<16xf32>) -> tensor<16xf32>
func.func @rank_0(%x: tensor<16xf32> {pipe.argument = 0 : i64}) attributes {pipe.rank = 0 : i64, spmd.arena_size = 192 : i64} {
  %0 = func.call @double(%x) {pipe.task = "0F0", spmd.buffers = [#spmd.buffer<arena, 64>], spmd.workspace = #spmd.buffer<arena, 128>} : (tensor<16xf32>) -> tensor<16xf32>
  spmd.send %0 to 1 tag 5 : tensor<16xf32> loc("step.py":3:4)
  %1 = func.call @double(%x) {pipe.task = "0F1", spmd.buffers = [#spmd.buffer<arena, 0>], spmd.workspace = #spmd.buffer<arena, 128>} : (tensor<16xf32>) -> tensor<16xf32>
  spmd.send %1 to 1 tag 5 : tensor<16xf32> loc("step.py":3:4)
  return
}
func.func @rank_1() -> (tensor<16xf32> {pipe.result = 0 : i64}) attributes {pipe.rank = 1 : i64, spmd.arena_size = 128 : i64} {
  %0 = spmd.recv from 0 tag 5 {spmd.buffers = [#spmd.buffer<arena, 0>]} : tensor<16xf32>
  %1 = spmd.recv from 0 tag 5 {spmd.buffers = [#spmd.buffer<arena, 64>]} : tensor<16xf32>
  %2 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %b = arith.addf %a, %a : tensor<16xf32>
    spmd.yield %b : tensor<16xf32>
  }
  return %2 : tensor<16xf32>
}
func.func private @double(%x: tensor<16xf32>) -> tensor<16xf32> attributes {pipe.stage = 0 : i64, pipe.kind = #pipe<kind forward>, pipe.flops = 96 : i64, spmd.arena_size = 64 : i64} {
  %0 = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %b = arith.addf %a, %a : tensor<16xf32>
    spmd.yield %b : tensor<16xf32>
  }
  %1 = spmd.kernel(%0) {spmd.buffers = [#spmd.buffer<result, 0>]} : (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %b = arith.addf %a, %a : tensor<16xf32>
    spmd.yield %b : tensor<16xf32>
  }
  return %1 : tensor<16xf32>
}
