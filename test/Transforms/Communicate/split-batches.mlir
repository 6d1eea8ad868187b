// RUN: tessera-opt --tessera-split-batches=always %s -split-input-file | FileCheck %s

// The second part computes while the first is summed. What is read whole behind is put together; the gradient is the sum of those of the parts.
// CHECK-LABEL: @layer
// CHECK-SAME: %[[X:.*]]: tensor<5x8xf32>, %[[W:.*]]: tensor<8x8xf32>
// CHECK: %[[X0:.*]] = tessera.slice %[[X]] [0, 0] to [2, 8]
// CHECK: %[[Y0:.*]] = tessera.dot_general %[[X0]], %[[W]]
// CHECK: %[[S0:.*]] = spmd.all_reduce sum %[[Y0]] {{.*}} : tensor<2x8xf32>
// CHECK: %[[X1:.*]] = tessera.slice %[[X]] [2, 0] to [5, 8]
// CHECK: %[[Y1:.*]] = tessera.dot_general %[[X1]], %[[W]]
// CHECK: %[[S1:.*]] = spmd.all_reduce sum %[[Y1]] {{.*}} : tensor<3x8xf32>
// CHECK: %[[S:.*]] = tessera.concatenate %[[S0]], %[[S1]] dim = 0
// CHECK: %[[G0:.*]] = tessera.dot_general %[[X0]], %[[S0]] {{.*}} contracting = [0] x [0]
// CHECK: %[[G1:.*]] = tessera.dot_general %[[X1]], %[[S1]] {{.*}} contracting = [0] x [0]
// CHECK: %[[G:.*]] = arith.addf %[[G0]], %[[G1]]
// CHECK: return %[[S]], %[[G]]
tessera.mesh @mesh = <["model"=2]>
func.func @layer(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>) -> (tensor<5x8xf32>, tensor<8x8xf32>) {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["model"]> : tensor<5x8xf32>
  %2 = tessera.dot_general %x, %1 batching = [] x [] contracting = [0] x [0] : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<8x8xf32>
  return %1, %2 : tensor<5x8xf32>, tensor<8x8xf32>
}

// -----

// Half of each device's rows is a row of every two of what is gathered: it is taken as such, and put together so.
// CHECK-LABEL: @gathered
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[X0:.*]] = tessera.slice %[[X]] [0, 0] to [2, 8]
// CHECK: %[[G0:.*]] = spmd.all_gather %[[X0]] dim = 0 {{.*}} -> tensor<4x8xf32>
// CHECK: %[[X1:.*]] = tessera.slice %[[X]] [2, 0] to [4, 8]
// CHECK: %[[G1:.*]] = spmd.all_gather %[[X1]] dim = 0 {{.*}} -> tensor<4x8xf32>
// CHECK: %[[E0:.*]] = math.exp %[[G0]]
// CHECK: %[[E1:.*]] = math.exp %[[G1]]
// CHECK: %[[B0:.*]] = tessera.reshape %[[E0]] : tensor<4x8xf32> -> tensor<2x2x8xf32>
// CHECK: %[[B1:.*]] = tessera.reshape %[[E1]] : tensor<4x8xf32> -> tensor<2x2x8xf32>
// CHECK: %[[B:.*]] = tessera.concatenate %[[B0]], %[[B1]] dim = 1
// CHECK: %[[E:.*]] = tessera.reshape %[[B]] : tensor<2x4x8xf32> -> tensor<8x8xf32>
// CHECK: return %[[E]]
tessera.mesh @mesh = <["model"=2]>
func.func @gathered(%x: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %0 = spmd.all_gather %x dim = 0 over <@mesh, ["model"]> : tensor<4x8xf32> -> tensor<8x8xf32>
  %1 = math.exp %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// A gradient of 16 bits is summed in 32; a transpose of it comes first, as kernels of products do that by themselves.
// CHECK-LABEL: @transposed_gradient
// CHECK: %[[G0:.*]] = tessera.dot_general
// CHECK: %[[G1:.*]] = tessera.dot_general
// CHECK: %[[T0:.*]] = tessera.transpose %[[G0]]
// CHECK: %[[T1:.*]] = tessera.transpose %[[G1]]
// CHECK: %[[W0:.*]] = arith.extf %[[T0]]
// CHECK: %[[W1:.*]] = arith.extf %[[T1]]
// CHECK: %[[SUM:.*]] = arith.addf %[[W0]], %[[W1]] : tensor<6x8xf32>
// CHECK: %[[T:.*]] = arith.truncf %[[SUM]]
// CHECK: return %[[T]]
tessera.mesh @mesh = <["model"=2]>
func.func @transposed_gradient(%x: tensor<4x6xbf16>, %y: tensor<4x8xbf16>) -> tensor<6x8xbf16> {
  %0 = spmd.all_reduce sum %y over <@mesh, ["model"]> : tensor<4x8xbf16>
  %1 = tessera.dot_general %0, %x batching = [] x [] contracting = [0] x [0] : (tensor<4x8xbf16>, tensor<4x6xbf16>) -> tensor<8x6xbf16>
  %2 = tessera.transpose %1 permutation = [1, 0] : tensor<8x6xbf16> -> tensor<6x8xbf16>
  return %2 : tensor<6x8xbf16>
}

// -----

// Rows that are normalized by what all of them sum up to are made in parts no further: the sum is, and its reader waits for both.
// CHECK-LABEL: @looked_through
// CHECK-COUNT-2: spmd.all_reduce max {{.*}} : tensor<2x8xf32>
// CHECK: %[[S0:.*]] = tessera.reduce sum {{.*}} dims = [0] : tensor<2x8xf32> -> tensor<8xf32>
// CHECK: %[[S1:.*]] = tessera.reduce sum {{.*}} dims = [0] : tensor<2x8xf32> -> tensor<8xf32>
// CHECK: %[[S:.*]] = arith.addf %[[S0]], %[[S1]]
// CHECK: %[[L:.*]] = tessera.broadcast %[[S]] dims = [1] : tensor<8xf32> -> tensor<2x8xf32>
// CHECK: arith.divf {{.*}}, %[[L]] : tensor<2x8xf32>
tessera.mesh @mesh = <["model"=2]>
func.func @looked_through(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = spmd.all_reduce max %x over <@mesh, ["model"]> : tensor<4x8xf32>
  %1 = tessera.reduce sum %0 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %2 = tessera.broadcast %1 dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %3 = arith.divf %0, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// What has one element is left as it is.
// CHECK-LABEL: @one_element
// CHECK: spmd.all_reduce sum {{.*}} : tensor<1x1xf32>
// CHECK-NOT: spmd.all_reduce
tessera.mesh @mesh = <["model"=2]>
func.func @one_element(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["model"]> : tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
