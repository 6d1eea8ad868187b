// RUN: tessera-opt %s -split-input-file "-tessera-rematerialize-for-memory=memory-limit=20672 host-memory=1000000" | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tessera-rematerialize-for-memory=memory-limit=20672 | FileCheck %s --check-prefix=AGAIN
// RUN: tessera-opt %s -split-input-file "-tessera-rematerialize-for-memory=memory-limit=20672 host-memory=4095" | FileCheck %s --check-prefix=AGAIN
// RUN: tessera-opt %s -split-input-file "-tessera-rematerialize-for-memory=memory-limit=20672 host-memory=1000000" -tessera-start-collectives=memory-limit=20672 -tessera-plan-memory -tessera-verify-memory-plan | FileCheck %s --check-prefix=PLAN

// What is held over the peak and not read there goes to the host, where copies take less than what makes it, and comes back right behind the peak: its copy there runs beside the kernel that
// reads it last. Where the host gives nothing, or less than it takes, it is made again.
// CHECK-LABEL: func @main
// CHECK: %[[A:.*]] = spmd.kernel(%arg0)
// CHECK: %[[W:.*]] = spmd.kernel(%[[A]]) : (tensor<32x32xf32>) -> tensor<64x32xf32>
// CHECK: %[[H:.*]] = spmd.offload %[[A]] : tensor<32x32xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.kernel(%[[W]])
// CHECK: %[[BACK:.*]] = spmd.reload %[[H]] : tensor<32x32xf32>
// CHECK: spmd.kernel(%[[S]], %[[BACK]])
// AGAIN-LABEL: func @main
// AGAIN-NOT: spmd.offload
// AGAIN: spmd.rematerialized
// AGAIN-NOT: spmd.offload
// PLAN-LABEL: func @main
// PLAN-SAME: spmd.arena_size = 12288 : i64, spmd.host_size = 4096 : i64
// PLAN: %[[A:.*]] = spmd.kernel(%arg0)
// PLAN: %[[THERE:.*]] = spmd.start : <tensor<32x32xf32>> {
// PLAN-NEXT: spmd.offload %[[A]] {spmd.buffers = [#spmd.buffer<host, 0>]}
// PLAN: %[[W:.*]] = spmd.kernel(%[[A]])
// PLAN: %[[H:.*]] = spmd.wait %[[THERE]] {spmd.buffers = [#spmd.buffer<host, 0>]}
// PLAN-NEXT: %[[S:.*]] = spmd.kernel(%[[W]])
// PLAN: %[[COMING:.*]] = spmd.start : <tensor<32x32xf32>> {
// PLAN-NEXT: spmd.reload %[[H]] {spmd.buffers = [#spmd.buffer<arena, {{[0-9]+}}>]}
// PLAN: %[[BACK:.*]] = spmd.wait %[[COMING]]
// PLAN-NEXT: spmd.kernel(%[[S]], %[[BACK]])
tessera.mesh @mesh = <["x"=1]> on <links = [[1.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+9, memory = 80000000000, host = [1.0e-07, 1.0e+9, 1000000]>
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}

// -----

// A link that takes longer than making it again is left alone.
// CHECK-LABEL: func @main
// CHECK-NOT: spmd.offload
// CHECK: spmd.rematerialized
// CHECK-NOT: spmd.offload
// AGAIN-LABEL: func @main
// AGAIN: spmd.rematerialized
// PLAN-LABEL: func @main
// PLAN-NOT: spmd.offload
tessera.mesh @mesh = <["x"=1]> on <links = [[1.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+9, memory = 80000000000, host = [1.0e-04, 1.0e+9, 1000000]>
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}
