// RUN: tessera-opt %s -tessera-group-kernels | FileCheck %s

// Two updates whose results only the caller gets become one kernel, where the
// second stood; the operand that both read is one operand.
// CHECK-LABEL: func @updates
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<4x4xf32>, %[[RATE:.*]]: tensor<f32>)
// CHECK: %[[SUM:.*]] = spmd.kernel(%[[B]])
// CHECK: %[[BOTH:.*]]:2 = spmd.kernel(%[[A]], %[[RATE]], %[[SUM]]) : (tensor<8xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>, %[[R:.*]]: tensor<f32>, %[[Y:.*]]: tensor<4xf32>):
// CHECK: %[[NEW_X:.*]] = arith.mulf %[[X]]
// CHECK: %[[NEW_Y:.*]] = arith.mulf %[[Y]]
// CHECK: spmd.yield %[[NEW_X]], %[[NEW_Y]]
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @updates(%a: tensor<8xf32>, %b: tensor<4x4xf32>, %rate: tensor<f32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = spmd.kernel(%a, %rate) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>, %r: tensor<f32>):
    %all = tessera.broadcast %r dims = [] : tensor<f32> -> tensor<8xf32>
    %y = arith.mulf %x, %all : tensor<8xf32>
    spmd.yield %y : tensor<8xf32>
  }
  %1 = spmd.kernel(%b) : (tensor<4x4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<4x4xf32>):
    %y = tessera.reduce sum %x dims = [0] : tensor<4x4xf32> -> tensor<4xf32>
    spmd.yield %y : tensor<4xf32>
  }
  %2 = spmd.kernel(%1, %rate) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<4xf32>, %r: tensor<f32>):
    %all = tessera.broadcast %r dims = [] : tensor<f32> -> tensor<4xf32>
    %y = arith.mulf %x, %all : tensor<4xf32>
    spmd.yield %y : tensor<4xf32>
  }
  return %0, %2 : tensor<8xf32>, tensor<4xf32>
}

// A kernel does not move behind what reads its result, here a reduction.
// CHECK-LABEL: func @read_between
// CHECK: %[[DOUBLE:.*]] = spmd.kernel(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: %[[SUM:.*]] = spmd.kernel(%[[DOUBLE]]) : (tensor<8xf32>) -> tensor<f32>
// CHECK: spmd.kernel(%{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
func.func @read_between(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %0 = spmd.kernel(%a) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    %y = arith.addf %x, %x : tensor<8xf32>
    spmd.yield %y : tensor<8xf32>
  }
  %1 = spmd.kernel(%0) : (tensor<8xf32>) -> tensor<f32> {
  ^bb0(%x: tensor<8xf32>):
    %y = tessera.reduce sum %x dims = [0] : tensor<8xf32> -> tensor<f32>
    spmd.yield %y : tensor<f32>
  }
  %2 = spmd.kernel(%b) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    %y = arith.addf %x, %x : tensor<8xf32>
    spmd.yield %y : tensor<8xf32>
  }
  return %1, %2 : tensor<f32>, tensor<8xf32>
}

// One that reads the result of another stays a kernel of its own, and so does
// one of much data.
// CHECK-LABEL: func @apart
// CHECK-COUNT-3: spmd.kernel({{.*}} -> tensor
func.func @apart(%a: tensor<8xf32>, %b: tensor<2048x1024xf32>) -> (tensor<8xf32>, tensor<2048x1024xf32>) {
  %0 = spmd.kernel(%a) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    %y = arith.addf %x, %x : tensor<8xf32>
    spmd.yield %y : tensor<8xf32>
  }
  %1 = spmd.kernel(%0) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>):
    %y = arith.addf %x, %x : tensor<8xf32>
    spmd.yield %y : tensor<8xf32>
  }
  %2 = spmd.kernel(%b) : (tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  ^bb0(%x: tensor<2048x1024xf32>):
    %y = arith.addf %x, %x : tensor<2048x1024xf32>
    spmd.yield %y : tensor<2048x1024xf32>
  }
  return %1, %2 : tensor<8xf32>, tensor<2048x1024xf32>
}
