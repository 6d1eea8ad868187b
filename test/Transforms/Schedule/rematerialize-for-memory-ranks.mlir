// RUN: tessera-opt %s -tessera-rematerialize-for-memory="memory-limit=25000 reserved=0,4328" | FileCheck %s

// Of one limit the program of each pipeline rank leaves what that rank needs besides: the first has room for all, the second has to make %a again.
// CHECK-LABEL: func @first
// CHECK-NOT: spmd.rematerialized
// CHECK-LABEL: func @second
// CHECK: spmd.kernel(%arg0) {spmd.rematerialized}
func.func @first(%x: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {pipe.rank = 0 : i64} {
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
func.func @second(%x: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {pipe.rank = 1 : i64} {
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
