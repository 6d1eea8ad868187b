// RUN: tessera-opt %s -split-input-file -tessera-recompute-values -tessera-verify-kernels | FileCheck %s

// Both results follow from the exponential: it is stored once, and the readers compute what they need.
// CHECK-LABEL: func @meeting_point
// CHECK: %[[E:.*]] = spmd.kernel(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK: %[[EXP:.*]] = math.exp
// CHECK: spmd.yield %[[EXP]]
// CHECK: spmd.kernel(%[[E]]) : (tensor<8x16xf32>) -> tensor<16xf32>
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<8x16xf32>):
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: tessera.reduce sum %[[N]]
// CHECK: spmd.kernel(%[[E]]) : (tensor<8x16xf32>) -> tensor<16xf32>
// CHECK-NEXT: ^bb0(%[[B:.*]]: tensor<8x16xf32>):
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[B]], %[[B]]
// CHECK-NEXT: tessera.reduce sum %[[M]]
func.func @meeting_point(%x: tensor<8x16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0:2 = spmd.kernel(%x) : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  ^bb0(%a: tensor<8x16xf32>):
    %e = math.exp %a : tensor<8x16xf32>
    %n = arith.negf %e : tensor<8x16xf32>
    %m = arith.mulf %e, %e : tensor<8x16xf32>
    spmd.yield %n, %m : tensor<8x16xf32>, tensor<8x16xf32>
  }
  %1 = spmd.kernel(%0#0) : (tensor<8x16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<8x16xf32>):
    %s = tessera.reduce sum %a dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
    spmd.yield %s : tensor<16xf32>
  }
  %2 = spmd.kernel(%0#1) : (tensor<8x16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<8x16xf32>):
    %s = tessera.reduce sum %a dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
    spmd.yield %s : tensor<16xf32>
  }
  return %1, %2 : tensor<16xf32>, tensor<16xf32>
}

// -----

// The exponential is stored anyway, and the row sums with it, so that the scaled value needs no memory.
// CHECK-LABEL: func @along_a_row
// CHECK: %[[K:.*]]:2 = spmd.kernel(%arg0) : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>)
// CHECK: spmd.kernel(%[[K]]#0, %[[K]]#1) : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<16xf32>
// CHECK: return %[[K]]#0
func.func @along_a_row(%x: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %0:2 = spmd.kernel(%x) : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  ^bb0(%a: tensor<8x16xf32>):
    %e = math.exp %a : tensor<8x16xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
    %b = tessera.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
    %m = arith.mulf %e, %b : tensor<8x16xf32>
    spmd.yield %e, %m : tensor<8x16xf32>, tensor<8x16xf32>
  }
  %1 = spmd.kernel(%0#1) : (tensor<8x16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<8x16xf32>):
    %s = tessera.reduce sum %a dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
    spmd.yield %s : tensor<16xf32>
  }
  return %0#0, %1 : tensor<8x16xf32>, tensor<16xf32>
}

// -----

// Neither expensive operations nor sums of two tensors nor operands of matmuls are computed again.
// CHECK-LABEL: func @stored
// CHECK: spmd.kernel(%arg0, %arg1) : {{.*}} -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
func.func @stored(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
  %0:4 = spmd.kernel(%x, %y) : (tensor<8x8xf32>, tensor<8x8xf32>)
      -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>):
    %e = math.exp %a : tensor<8x8xf32>
    %t = math.tanh %e : tensor<8x8xf32>
    %s = arith.addf %e, %b : tensor<8x8xf32>
    %n = arith.negf %e : tensor<8x8xf32>
    spmd.yield %e, %t, %s, %n : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
  %1 = spmd.kernel(%0#1, %0#2) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>):
    %m = arith.mulf %a, %b : tensor<8x8xf32>
    %s = tessera.reduce sum %m dims = [0] : tensor<8x8xf32> -> tensor<8xf32>
    spmd.yield %s : tensor<8xf32>
  }
  %2 = spmd.kernel(%0#3) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%a: tensor<8x8xf32>):
    %d = tessera.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    spmd.yield %d : tensor<8x8xf32>
  }
  return %0#0, %1, %2 : tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>
}

// -----

// The scale has no element for each of the kernel's rows, of which there is one, so that it cannot be stored with the sum: the scaled value is.
// CHECK-LABEL: func @small_beside_another_sum
// CHECK: %[[K:.*]]:3 = spmd.kernel(%arg0, %arg1) : (tensor<8x10x16xf32>, tensor<16xf32>) -> (tensor<8x10x16xf32>, tensor<8x10x16xf32>, tensor<f32>)
// CHECK: spmd.kernel(%[[K]]#1) : (tensor<8x10x16xf32>) -> tensor<16xf32>
func.func @small_beside_another_sum(%x: tensor<8x10x16xf32>, %y: tensor<16xf32>) -> (tensor<8x10x16xf32>, tensor<f32>, tensor<16xf32>) {
  %0:3 = spmd.kernel(%x, %y) : (tensor<8x10x16xf32>, tensor<16xf32>) -> (tensor<8x10x16xf32>, tensor<8x10x16xf32>, tensor<f32>) {
  ^bb0(%a: tensor<8x10x16xf32>, %b: tensor<16xf32>):
    %e = math.exp %a : tensor<8x10x16xf32>
    %n = arith.negf %b : tensor<16xf32>
    %scale = tessera.broadcast %n dims = [2] : tensor<16xf32> -> tensor<8x10x16xf32>
    %m = arith.mulf %e, %scale : tensor<8x10x16xf32>
    %s = tessera.reduce sum %m dims = [0, 1, 2] : tensor<8x10x16xf32> -> tensor<f32>
    spmd.yield %e, %m, %s : tensor<8x10x16xf32>, tensor<8x10x16xf32>, tensor<f32>
  }
  %1 = spmd.kernel(%0#1) : (tensor<8x10x16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<8x10x16xf32>):
    %s = tessera.reduce sum %a dims = [0, 1] : tensor<8x10x16xf32> -> tensor<16xf32>
    spmd.yield %s : tensor<16xf32>
  }
  return %0#0, %0#2, %1 : tensor<8x10x16xf32>, tensor<f32>, tensor<16xf32>
}
