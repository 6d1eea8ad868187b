// Every operation is printed as it is read.
// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// CHECK-LABEL: func.func @fragments(
func.func @fragments(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[SUM:.*]] = pipe.fragment {{ ?}}forward stage 0 -> tensor<8xf32> {
  // CHECK-NEXT: %[[INNER:.*]] = arith.addf
  // CHECK-NEXT: pipe.yield %[[INNER]] : tensor<8xf32>
  %0 = pipe.fragment forward stage 0 -> tensor<8xf32> {
    %4 = arith.addf %a, %a : tensor<8xf32>
    pipe.yield %4 : tensor<8xf32>
  }
  // CHECK: %[[SENT:.*]] = pipe.transfer %[[SUM]] from 0 to 1 : tensor<8xf32>
  %1 = pipe.transfer %0 from 0 to 1 : tensor<8xf32>
  // CHECK: pipe.fragment {{ ?}}weight_gradient stage 1 -> tensor<8xf32> {
  // CHECK-NEXT: arith.mulf %[[SENT]], %[[SENT]]
  %2 = pipe.fragment weight_gradient stage 1 -> tensor<8xf32> {
    %4 = arith.mulf %1, %1 : tensor<8xf32>
    pipe.yield %4 : tensor<8xf32>
  }
  // CHECK: pipe.fragment {{ ?}}weight_gradient stage 1 part 1 {
  pipe.fragment weight_gradient stage 1 part 1 {
    pipe.yield
  }
  return %2 : tensor<8xf32>
}

// CHECK-LABEL: func.func @schedule(
// CHECK-SAME: pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"]>
func.func @schedule() attributes {pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"]>} {
  return
}

// The output layer on both ranks, which meet once.
// CHECK-LABEL: func.func @meetings(
// CHECK-SAME: pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 1, meetings = 1, ["0F0 0S0 0T0 0B0", "1F0 1S0 1B0 1T0"]>
func.func @meetings() attributes {pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 1, meetings = 1, ["0F0 0S0 0T0 0B0", "1F0 1S0 1B0 1T0"]>} {
  return
}
