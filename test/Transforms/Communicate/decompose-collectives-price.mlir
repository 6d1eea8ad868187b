// By the described machine: nodes of eight devices with 3 us and 360 GB/s inside, 10 us and 45 GB/s for each device across.
// RUN: tessera-opt --tessera-decompose-collectives %s -split-input-file | FileCheck %s
// RUN: tessera-opt --tessera-decompose-collectives %s -split-input-file --remark-policy=all --remarks-filter=tessera-communicate 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// Of four bytes, rounds decide, and nothing is worth scattering; of a megabyte, rounds and bytes; of 32, bytes: they leave every node by all links at once in one ring. Few bytes that each device gets of all others, and sums itself, take half of the rounds.
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_reduce in one call takes 115.0 us, for which its reader waits 115.0 us; as all_reduce of 8, all_reduce of 4 52.0 us"
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_reduce in one call takes 26.0 us, for which its reader waits 115.0 us; as all_gather of 8, reduced by each device 17.0 us"
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_reduce in one call takes 55.0 us, for which its reader waits 115.0 us; as all_gather of 4, reduced by each device 35.0 us"
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_reduce in one call takes 120.6 us, for which its reader waits 120.6 us; as reduce_scatter of 8, all_reduce of 4, all_gather of 8 83.1 us"
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_reduce in one call takes 59.4 us, for which its reader waits 120.6 us; as all_gather of 4, reduced by each device 44.0 us"
// REMARK: remark: [Missed] hierarchy {{.*}} Remark="all_reduce in one call takes 295.6 us, for which its reader waits 295.6 us; as reduce_scatter of 8, all_reduce of 4, all_gather of 8 391.9 us"
// CHECK-LABEL: @sums
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["data":(4)8]> : tensor<1xf32> -> tensor<8xf32>
// CHECK-NEXT: %[[INSIDE:.*]] = tessera.reduce sum %{{.*}} dims = [0] : tensor<8xf32> -> tensor<f32>
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["data":(1)4]> : tensor<1xf32> -> tensor<4xf32>
// CHECK-NEXT: tessera.reduce sum %{{.*}} dims = [0] : tensor<4xf32> -> tensor<f32>
// CHECK-LABEL: @large_sums
// CHECK: spmd.reduce_scatter
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["data":(1)4]> : tensor<1x32768xf32> -> tensor<4x32768xf32>
// CHECK-NEXT: tessera.reduce sum %{{.*}} dims = [0] : tensor<4x32768xf32> -> tensor<32768xf32>
// CHECK: spmd.all_gather
// CHECK-LABEL: @larger_sums
// CHECK: spmd.all_reduce sum %{{.*}} over <@mesh, ["data"]>
module attributes {pipe.levels = [[8, 3.0e-6, 3.6e+11], [0, 1.0e-5, 4.5e+10]]} {
tessera.mesh @mesh = <["data"=32]> on <links = [[1.0e-5, 4.5e+10]], compute = 4.0e+14, memory_bandwidth = 2.7e+12, memory = 80000000000>
func.func @sums(%x: tensor<f32>) -> tensor<f32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["data"]> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @large_sums(%x: tensor<262144xf32>) -> tensor<262144xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["data"]> : tensor<262144xf32>
  return %0 : tensor<262144xf32>
}
func.func @larger_sums(%x: tensor<8388608xf32>) -> tensor<8388608xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["data"]> : tensor<8388608xf32>
  return %0 : tensor<8388608xf32>
}
}

// -----

// Each network card takes what leaves the node, of an exchange as well: in two calls it is no less, so bytes gain nothing, and few of them do.
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_to_all in one call takes 65.1 us, for which its reader waits 65.1 us; as all_to_all of 8, all_to_all of 4 52.1 us"
// REMARK: remark: [Missed] hierarchy {{.*}} Remark="all_to_all in one call takes 624.2 us, for which its reader waits 624.2 us; as all_to_all of 8, all_to_all of 4 692.8 us"
// CHECK-LABEL: @exchanges
// CHECK: spmd.all_to_all %{{.*}} split = 1 concat = 1 over <@mesh, ["model"]>
// CHECK: spmd.all_to_all %{{.*}} split = 0 concat = 0 over <@mesh, ["data"]>
// CHECK-LABEL: @large_exchanges
// CHECK: spmd.all_to_all %{{.*}} over <@mesh, ["data", "model"]>
module attributes {pipe.levels = [[8, 3.0e-6, 3.6e+11], [0, 1.0e-5, 4.5e+10]]} {
tessera.mesh @mesh = <["data"=4, "model"=8]> on <links = [[1.0e-5, 4.5e+10], [3.0e-6, 3.6e+11]], compute = 4.0e+14, memory_bandwidth = 2.7e+12, memory = 80000000000>
func.func @exchanges(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = spmd.all_to_all %x split = 0 concat = 0 over <@mesh, ["data", "model"]> : tensor<1024xf32> -> tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
func.func @large_exchanges(%x: tensor<8388608xf32>) -> tensor<8388608xf32> {
  %0 = spmd.all_to_all %x split = 0 concat = 0 over <@mesh, ["data", "model"]> : tensor<8388608xf32> -> tensor<8388608xf32>
  return %0 : tensor<8388608xf32>
}
}

// -----

// A gather that a product hides stays one call.
// REMARK: remark: [Missed] hierarchy {{.*}} Remark="all_gather in one call takes 65.2 us, for which its reader waits 0.0 us; as all_gather of 4, all_gather of 8 52.3 us"
// CHECK-LABEL: @hidden
// CHECK: spmd.all_gather %{{.*}} over <@mesh, ["b", "a"]>
// Of what is waited for, one across and one inside; but not where near devices are minor and major by turns in the order of the group, as the parts would have to be put in order.
// REMARK: remark: [Passed] hierarchy {{.*}} Remark="all_gather in one call takes 65.2 us, for which its reader waits 65.2 us; as all_gather of 4, all_gather of 8 52.3 us"
// CHECK-LABEL: @awaited
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["b":(1)4]>
// CHECK: spmd.all_gather %{{.*}} dim = 1 over <@mesh, ["b":(4)4, "a"]>
// CHECK-LABEL: @by_turns
// CHECK: spmd.all_gather %{{.*}} over <@mesh, ["a", "b"]>
module attributes {pipe.levels = [[8, 3.0e-6, 3.6e+11], [0, 1.0e-5, 4.5e+10]]} {
tessera.mesh @mesh = <["b"=16, "a"=2]> on <links = [[1.0e-5, 4.5e+10], [3.0e-6, 3.6e+11]], compute = 4.0e+14, memory_bandwidth = 2.7e+12, memory = 80000000000>
func.func @hidden(%x: tensor<1024xbf16>, %v: tensor<8192x8192xbf16>) -> (tensor<32768xbf16>, tensor<8192x8192xbf16>) {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["b", "a"]> : tensor<1024xbf16> -> tensor<32768xbf16>
  %1 = tessera.dot_general %v, %v batching = [] x [] contracting = [1] x [0] : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  return %0, %1 : tensor<32768xbf16>, tensor<8192x8192xbf16>
}
func.func @awaited(%x: tensor<1024xbf16>) -> tensor<32768xbf16> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["b", "a"]> : tensor<1024xbf16> -> tensor<32768xbf16>
  return %0 : tensor<32768xbf16>
}
func.func @by_turns(%x: tensor<1024xbf16>) -> tensor<32768xbf16> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["a", "b"]> : tensor<1024xbf16> -> tensor<32768xbf16>
  return %0 : tensor<32768xbf16>
}
}
