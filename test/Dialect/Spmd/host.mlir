// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// A machine may say what memory there is beside a device, and what the link to it does.
// CHECK: tessera.mesh @mesh = <["x"=2]> on <links = {{.*}}, memory = 80000000000, host = [1.000000e-05, 2.500000e+10, 512000000000]>
tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-06, 5.0e+10]], compute = 1.0e+12, memory_bandwidth = 1.0e+11, memory = 80000000000, host = [1.0e-05, 2.5e+10, 512000000000]>

// CHECK-LABEL: func @there_and_back
// CHECK-NEXT: %[[H:.*]] = spmd.offload %arg0 : tensor<8xf32>
// CHECK-NEXT: %[[A:.*]] = spmd.reload %[[H]] : tensor<8xf32>
// CHECK-NEXT: return %[[A]]
func.func @there_and_back(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.offload %a : tensor<8xf32>
  %1 = spmd.reload %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func @started
// CHECK-SAME: attributes {spmd.host_size = 128 : i64}
// CHECK-NEXT: %[[F:.*]] = spmd.start : <tensor<8xf32>> {
// CHECK-NEXT: %[[O:.*]] = spmd.offload %arg0 {spmd.buffers = [#spmd.buffer<host, 64>]} : tensor<8xf32>
// CHECK-NEXT: spmd.yield %[[O]]
// CHECK: %[[H:.*]] = spmd.wait %[[F]]
// CHECK: spmd.reload %[[H]] : tensor<8xf32>
func.func @started(%a: tensor<8xf32>) -> tensor<8xf32> attributes {spmd.host_size = 128 : i64} {
  %0 = spmd.start : <tensor<8xf32>> {
    %4 = spmd.offload %a {spmd.buffers = [#spmd.buffer<host, 64>]} : tensor<8xf32>
    spmd.yield %4 : tensor<8xf32>
  }
  %1 = spmd.wait %0 : <tensor<8xf32>>
  %2 = spmd.start : <tensor<8xf32>> {
    %4 = spmd.reload %1 : tensor<8xf32>
    spmd.yield %4 : tensor<8xf32>
  }
  %3 = spmd.wait %2 : <tensor<8xf32>>
  return %3 : tensor<8xf32>
}
