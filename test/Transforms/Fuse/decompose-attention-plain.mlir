// Without mask and bias: two matmuls with a softmax between them, the scores divided by their sum.
// RUN: tessera-opt %s --tessera-decompose-attention | FileCheck %s

// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %[[Q:.*]]: tensor<1x1x4x8xf32>, %[[K:.*]]: tensor<1x1x6x8xf32>, %[[V:.*]]: tensor<1x1x6x8xf32>)
// CHECK: %[[P:.*]] = tessera.dot_general {{.*}} contracting = [4] x [3] : (tensor<1x1x1x4x8xf32>, tensor<1x1x6x8xf32>) -> tensor<1x1x1x4x6xf32>
// CHECK: tessera.reduce max {{.*}} dims = [3]
// CHECK: %[[E:.*]] = math.exp
// CHECK: %[[S:.*]] = tessera.reduce sum %[[E]] dims = [3]
// CHECK: tessera.dot_general {{.*}}, %[[V]] batching = [0, 1] x [0, 1] contracting = [4] x [2]
// CHECK-NOT: tessera.attention
func.func @plain(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x6x8xf32>, %v: tensor<1x1x6x8xf32>) -> tensor<1x1x4x8xf32> {
  %output, %maximum, %sum = tessera.attention %q, %k, %v scale = 0.5
      : (tensor<1x1x4x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>) -> (tensor<1x1x4x8xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
  return %output : tensor<1x1x4x8xf32>
}
