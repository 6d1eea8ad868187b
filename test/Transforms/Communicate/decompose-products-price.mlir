// By the described machine: links of 2 us and 100 GB/s, 100 TFLOP/s, 1 TB/s.
// RUN: tessera-opt --tessera-decompose-products %s -split-input-file | FileCheck %s
// RUN: tessera-opt --tessera-decompose-products %s -split-input-file --remark-policy=all --remarks-filter=tessera-communicate 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// The product takes 172 us, and the gather that it waits for 137 us: most of that is hidden.
// REMARK: remark: [Passed] collective-matmul {{.*}} Remark="all_gather, for which its reader waits [[#]].[[#]] us, in 3 permutes beside 4 partial products: saves [[#]].[[#]] us"
// And so is that of the sum.
// REMARK: remark: [Passed] collective-matmul {{.*}} Remark="reduce_scatter, for which its reader waits [[#]].[[#]] us, in 3 permutes beside 4 partial products: saves [[#]].[[#]] us"
// REMARK: remark: [Passed] collective-matmul {{.*}} Remark="all_reduce, for which its reader waits [[#]].[[#]] us, in [[#]] pieces beside as many partial products: saves [[#]].[[#]] us"
// CHECK-LABEL: @large
// CHECK-NOT: spmd.all_gather
// CHECK-NOT: spmd.reduce_scatter
// CHECK-COUNT-6: spmd.permute
tessera.mesh @mesh = <["model"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @large(%x: tensor<1024x2048xbf16>, %w: tensor<2048x1024xbf16>, %v: tensor<1024x2048xbf16>, %u: tensor<2048x2048xbf16>)
    -> (tensor<1024x2048xbf16>, tensor<1024x2048xbf16>) {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<1024x2048xbf16> -> tensor<4096x2048xbf16>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x1024xbf16>) -> tensor<4096x1024xbf16>
  %2 = math.exp %1 : tensor<4096x1024xbf16>
  %3 = tessera.dot_general %2, %v batching = [] x [] contracting = [1] x [0] : (tensor<4096x1024xbf16>, tensor<1024x2048xbf16>) -> tensor<4096x2048xbf16>
  %4 = spmd.reduce_scatter sum %3 dim = 0 over <@mesh, ["model"]> : tensor<4096x2048xbf16> -> tensor<1024x2048xbf16>
  %5 = tessera.dot_general %4, %u batching = [] x [] contracting = [1] x [0] : (tensor<1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1024x2048xbf16>
  %6 = spmd.all_reduce sum %5 over <@mesh, ["model"]> : tensor<1024x2048xbf16>
  return %4, %6 : tensor<1024x2048xbf16>, tensor<1024x2048xbf16>
}

// -----

// Partial products of less than a microsecond hide nothing: a call takes longer to begin.
// REMARK: remark: [Missed] collective-matmul {{.*}} Remark="all_gather in one call: its reader waits [[#]].[[#]] us for it, and pieces, of 0.[[#]] us at the shortest, would save 0.0 us"
// REMARK: remark: [Missed] collective-matmul {{.*}} Remark="all_gather in one call: no product keeps the gathered dimension"
// REMARK: remark: [Missed] collective-matmul {{.*}} Remark="all_reduce in one call: its operand is no product"
// CHECK-LABEL: @small
// CHECK-NOT: spmd.permute
tessera.mesh @mesh = <["model"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @small(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> (tensor<256x64xbf16>, tensor<256x64xbf16>) {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<64x64xbf16> -> tensor<256x64xbf16>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<256x64xbf16>, tensor<64x64xbf16>) -> tensor<256x64xbf16>
  %2 = spmd.all_gather %w dim = 0 over <@mesh, ["model"]> : tensor<64x64xbf16> -> tensor<256x64xbf16>
  %3 = arith.addf %1, %2 : tensor<256x64xbf16>
  %4 = spmd.all_reduce sum %3 over <@mesh, ["model"]> : tensor<256x64xbf16>
  return %3, %4 : tensor<256x64xbf16>, tensor<256x64xbf16>
}

// -----

// What other work hides already stays one call.
// REMARK: remark: [Missed] collective-matmul {{.*}} Remark="all_gather in one call: its reader waits 0.0 us for it,
// CHECK-LABEL: @hidden
// CHECK-NOT: spmd.permute
tessera.mesh @mesh = <["model"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @hidden(%x: tensor<1024x2048xbf16>, %w: tensor<2048x4096xbf16>, %v: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<1024x2048xbf16> -> tensor<4096x2048xbf16>
  %1 = tessera.dot_general %v, %v batching = [] x [] contracting = [1] x [0] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  %2 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x4096xbf16>) -> tensor<4096x4096xbf16>
  %3 = arith.addf %1, %2 : tensor<4096x4096xbf16>
  return %3 : tensor<4096x4096xbf16>
}

// -----

// Where no machine is described, nothing is decided by its price.
// CHECK-LABEL: @no_machine
// CHECK: spmd.all_gather
tessera.mesh @mesh = <["model"=4]>
func.func @no_machine(%x: tensor<1024x2048xbf16>, %w: tensor<2048x1024xbf16>) -> tensor<4096x1024xbf16> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<1024x2048xbf16> -> tensor<4096x2048xbf16>
  %1 = tessera.dot_general %0, %w batching = [] x [] contracting = [1] x [0] : (tensor<4096x2048xbf16>, tensor<2048x1024xbf16>) -> tensor<4096x1024xbf16>
  return %1 : tensor<4096x1024xbf16>
}
