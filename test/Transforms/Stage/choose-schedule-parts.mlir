// Where a schedule takes weight gradients apart, the fragments are.
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=%S/Inputs/parts.csv --tessera-verify-stages | FileCheck %s
// Where one task each is as fast, they stay whole.
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=auto --tessera-verify-stages | FileCheck %s --check-prefix=WHOLE
// Where it wants more parts than there are operations, the last are empty.
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=%S/Inputs/many-parts.csv --tessera-verify-stages | FileCheck %s --check-prefix=MANY

// WHOLE-COUNT-2: pipe.fragment {{ ?}}weight_gradient
// WHOLE-NOT: weight_gradient
// MANY-COUNT-4: pipe.fragment {{ ?}}weight_gradient stage 1
// MANY-NOT: weight_gradient stage 1
// MANY: pipe.schedule = #pipe.schedule<"{{.*}}many-parts.csv"{{.*}}1W0.3 1W0.4"]>
tessera.mesh @mesh = <["data"=1]> on <links = [[0.000000e+00, 1.000000e+09]], compute = 1.000000e+09, memory_bandwidth = 1.000000e+12, memory = 1000000000>

// CHECK-LABEL: func.func @two_stages(
// CHECK-SAME: %[[X:.*]]: tensor<100x100xf32>, %[[WA:.*]]: tensor<100x100xf32>, %[[WB:.*]]: tensor<100x100xf32>
func.func @two_stages(%x: tensor<100x100xf32>, %wa: tensor<100x100xf32>, %wb: tensor<100x100xf32>) -> (tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero0:2 = pipe.fragment once stage 0 -> tensor<100x100xf32>, tensor<100x100xf32> {
    %0 = arith.constant dense<0.0> : tensor<100x100xf32>
    pipe.yield %0, %0 : tensor<100x100xf32>, tensor<100x100xf32>
  }
  %zero1:2 = pipe.fragment once stage 1 -> tensor<100x100xf32>, tensor<100x100xf32> {
    %0 = arith.constant dense<0.0> : tensor<100x100xf32>
    pipe.yield %0, %0 : tensor<100x100xf32>, tensor<100x100xf32>
  }
  // CHECK: scf.for {{.*}} iter_args(%[[A0:.*]] = %{{.*}}, %[[B0:.*]] = %{{.*}}, %[[A1:.*]] = %{{.*}}, %[[B1:.*]] = %{{.*}})
  %sums:4 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a0 = %zero0#0, %b0 = %zero0#1, %a1 = %zero1#0, %b1 = %zero1#1) -> (tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>) {
    // CHECK: %[[H:.*]]:2 = pipe.fragment {{ ?}}forward stage 0
    %h:2 = pipe.fragment forward stage 0 -> tensor<100x100xf32>, tensor<100x100xf32> {
      %0 = tessera.dot_general %x, %wa batching = [] x [] contracting = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %1 = tessera.dot_general %0, %wb batching = [] x [] contracting = [1] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0, %1 : tensor<100x100xf32>, tensor<100x100xf32>
    }
    // CHECK: %[[IN:.*]] = pipe.transfer
    %input = pipe.transfer %h#1 from 0 to 1 : tensor<100x100xf32>
    // CHECK: %[[Y:.*]] = pipe.fragment {{ ?}}forward stage 1
    %y = pipe.fragment forward stage 1 -> tensor<100x100xf32> {
      %0 = math.exp %input : tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    // CHECK: %[[DX:.*]] = pipe.fragment {{ ?}}input_gradient stage 1
    %dx = pipe.fragment input_gradient stage 1 -> tensor<100x100xf32> {
      %0 = tessera.dot_general %y, %input batching = [] x [] contracting = [1] x [1] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    // Two products that know nothing of each other come apart, wherever they stood.
    // CHECK: %[[P0:.*]] = pipe.fragment {{ ?}}weight_gradient stage 1 -> tensor<100x100xf32>
    // CHECK-SAME: pipe.seconds = {{0.002[0-9]*|2.0[0-9]*e-03}}
    // CHECK-NEXT: %[[A:.*]] = tessera.dot_general %[[IN]], %[[Y]]
    // CHECK-NEXT: %[[A_SUM:.*]] = arith.addf %[[A1]], %[[A]]
    // CHECK-NEXT: pipe.yield %[[A_SUM]]
    // CHECK: %[[P1:.*]] = pipe.fragment {{ ?}}weight_gradient stage 1 part 1 -> tensor<100x100xf32>
    // CHECK-NEXT: %[[B:.*]] = tessera.dot_general %[[Y]], %[[IN]]
    // CHECK-NEXT: %[[B_SUM:.*]] = arith.addf %[[B1]], %[[B]]
    // CHECK-NEXT: pipe.yield %[[B_SUM]]
    %next1:2 = pipe.fragment weight_gradient stage 1 -> tensor<100x100xf32>, tensor<100x100xf32> {
      %0 = tessera.dot_general %input, %y batching = [] x [] contracting = [0] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %1 = tessera.dot_general %y, %input batching = [] x [] contracting = [0] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %2 = arith.addf %b1, %1 : tensor<100x100xf32>
      %3 = arith.addf %a1, %0 : tensor<100x100xf32>
      pipe.yield %3, %2 : tensor<100x100xf32>, tensor<100x100xf32>
    }
    // CHECK: %[[DH:.*]] = pipe.transfer %[[DX]]
    %cotangent = pipe.transfer %dx from 1 to 0 : tensor<100x100xf32>
    // The whole backward pass of the first stage is a chain: a cotangent crosses. What both parts need for nothing, each makes.
    // CHECK: %[[Q0:.*]]:2 = pipe.fragment {{ ?}}weight_gradient stage 0 -> tensor<100x100xf32>, tensor<100x100xf32>
    // CHECK-NEXT: %[[TWO:.*]] = arith.constant dense<2.0
    // CHECK-NEXT: %[[D:.*]] = arith.mulf %[[DH]], %[[TWO]]
    // CHECK-NEXT: %[[B:.*]] = tessera.dot_general %[[H]]#0, %[[D]]
    // CHECK-NEXT: %[[B_SUM:.*]] = arith.addf %[[B0]], %[[B]]
    // CHECK-NEXT: pipe.yield %[[B_SUM]], %[[D]]
    // CHECK: %[[Q1:.*]] = pipe.fragment {{ ?}}weight_gradient stage 0 part 1 -> tensor<100x100xf32>
    // CHECK-NEXT: %[[TWO:.*]] = arith.constant dense<2.0
    // CHECK-NEXT: %[[DA:.*]] = tessera.dot_general %[[Q0]]#1, %[[WB]]
    // CHECK-NEXT: %[[E:.*]] = arith.mulf %[[DA]], %[[TWO]]
    // CHECK-NEXT: %[[A:.*]] = tessera.dot_general %[[X]], %[[E]]
    // CHECK-NEXT: %[[A_SUM:.*]] = arith.addf %[[A0]], %[[A]]
    // CHECK-NEXT: pipe.yield %[[A_SUM]]
    %next0:2 = pipe.fragment weight_gradient stage 0 -> tensor<100x100xf32>, tensor<100x100xf32> {
      %two = arith.constant dense<2.0> : tensor<100x100xf32>
      %d = arith.mulf %cotangent, %two : tensor<100x100xf32>
      %b = tessera.dot_general %h#0, %d batching = [] x [] contracting = [0] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %b_sum = arith.addf %b0, %b : tensor<100x100xf32>
      %da = tessera.dot_general %d, %wb batching = [] x [] contracting = [1] x [1] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %e = arith.mulf %da, %two : tensor<100x100xf32>
      %a = tessera.dot_general %x, %e batching = [] x [] contracting = [0] x [0] : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %a_sum = arith.addf %a0, %a : tensor<100x100xf32>
      pipe.yield %a_sum, %b_sum : tensor<100x100xf32>, tensor<100x100xf32>
    }
    // CHECK: scf.yield %[[Q1]], %[[Q0]]#0, %[[P0]], %[[P1]]
    // CHECK: pipe.schedule = #pipe.schedule<"{{.*}}parts.csv", stages = 2, microbatches = 1, ["0F0 0I0 0W0.0 0W0.1", "1F0 1I0 1W0.0 1W0.1"]>
    scf.yield %next0#0, %next0#1, %next1#0, %next1#1 : tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>
  } {pipe.microbatches}
  return %sums#0, %sums#1, %sums#2, %sums#3 : tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>, tensor<100x100xf32>
}
