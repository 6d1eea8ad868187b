// By the described machine: links of 2 us and 100 GB/s, 100 TFLOP/s, 1 TB/s.
// RUN: tessera-opt --tessera-split-batches %s -split-input-file | FileCheck %s
// RUN: tessera-opt --tessera-split-batches %s -split-input-file --remark-policy=all --remarks-filter=tessera-communicate 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// Two layers in a chain of products and sums: no other work hides these, but half of the tokens hides the other half. So does half of the queues of experts.
// REMARK: remark: [Passed] batch-splitting {{.*}} Remark="all_reduce, 2 of them, for which readers wait [[#]].[[#]] us with what is around them in [[#]] parts along dimension 0: saves [[#]].[[#]] us"
// CHECK-LABEL: @layers
// CHECK-COUNT-4: spmd.all_reduce
tessera.mesh @mesh = <["model"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @layers(%x: tensor<4096x2048xbf16>, %w: tensor<2048x2048xbf16>, %v: tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16> {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["model"]> : tensor<4096x2048xbf16>
  %2 = tessera.dot_general %1, %v batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16>
  %3 = spmd.all_reduce sum %2 over <@mesh, ["model"]> : tensor<4096x2048xbf16>
  %4 = tessera.dot_general %3, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16>
  return %4 : tensor<4096x2048xbf16>
}

// -----

// REMARK: remark: [Passed] batch-splitting {{.*}} Remark="all_to_all, 1 of them, for which readers wait [[#]].[[#]] us with what is around them in [[#]] parts along dimension 1: saves [[#]].[[#]] us"
// CHECK-LABEL: @experts
// CHECK-COUNT-2: spmd.all_to_all
tessera.mesh @mesh = <["expert"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @experts(%x: tensor<4x2048x1024xbf16>, %w: tensor<1024x4096xbf16>) -> tensor<1024x4096xbf16> {
  %0 = spmd.all_to_all %x split = 0 concat = 1 over <@mesh, ["expert"]> : tensor<4x2048x1024xbf16> -> tensor<1x8192x1024xbf16>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [2] x [0] : (tensor<1x8192x1024xbf16>, tensor<1024x4096xbf16>) -> tensor<1x8192x4096xbf16>
  %2 = tessera.dot_general %0, %1 batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<1x8192x1024xbf16>, tensor<1x8192x4096xbf16>) -> tensor<1024x4096xbf16>
  return %2 : tensor<1024x4096xbf16>
}

// -----

// Products of less than a call hide nothing.
// REMARK: remark: [Missed] batch-splitting {{.*}} Remark="all_reduce, 1 of them, for which readers wait [[#]].[[#]] us: no dimension passes through what makes or reads them, or kernels of a part would be shorter than a call"
// CHECK-LABEL: @small
// CHECK-COUNT-1: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
tessera.mesh @mesh = <["model"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @small(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["model"]> : tensor<64x64xbf16>
  %2 = tessera.dot_general %1, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %2 : tensor<64x64xbf16>
}

// -----

// What other work hides stays whole, and nobody is told of what readers do not wait for.
// CHECK-LABEL: @hidden
// CHECK-COUNT-1: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
tessera.mesh @mesh = <["model"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @hidden(%x: tensor<1024x2048xbf16>, %v: tensor<8192x4096xbf16>, %w: tensor<4096x8192xbf16>) -> (tensor<1024x2048xbf16>, tensor<8192x8192xbf16>) {
  %0 = spmd.all_reduce sum %x over <@mesh, ["model"]> : tensor<1024x2048xbf16>
  %1 = tessera.dot_general %v, %w batching = [] x [] contracting = [1] x [0] : (tensor<8192x4096xbf16>, tensor<4096x8192xbf16>) -> tensor<8192x8192xbf16>
  %2 = math.exp %0 : tensor<1024x2048xbf16>
  return %2, %1 : tensor<1024x2048xbf16>, tensor<8192x8192xbf16>
}

// -----

// Where no machine is described seconds mean nothing.
// CHECK-LABEL: @no_machine
// CHECK-COUNT-1: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
tessera.mesh @mesh = <["model"=4]>
func.func @no_machine(%x: tensor<4096x2048xbf16>, %w: tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16> {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["model"]> : tensor<4096x2048xbf16>
  %2 = tessera.dot_general %1, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<4096x2048xbf16>
  return %2 : tensor<4096x2048xbf16>
}
