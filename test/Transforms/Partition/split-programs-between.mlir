// What stands between fragments and computes from their results goes into the fragments that use it.
// RUN: tessera-opt %s --tessera-split-programs | FileCheck %s
tessera.mesh @mesh = <["x"=1]>

// CHECK-LABEL: func.func @rank_0(
// CHECK-NOT: arith.addf
// CHECK-LABEL: func.func private @forward_0(
// CHECK-SAME: %[[PREPARED:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
// CHECK: %[[TWICE:.*]] = arith.addf %[[PREPARED]], %[[PREPARED]]
// CHECK: %[[FOUR_TIMES:.*]] = arith.addf %[[TWICE]], %[[TWICE]]
// CHECK: arith.mulf %[[FOUR_TIMES]], %{{.*}}
// CHECK-LABEL: func.func private @forward_1(
// CHECK-SAME: %[[RECEIVED:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>
// CHECK: arith.addf %[[RECEIVED]], %[[RECEIVED]]
func.func @main(%x: tensor<4xf32> {tessera.global_type = tensor<4xf32>}) -> (tensor<4xf32> {tessera.global_type = tensor<4xf32>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %prepared = pipe.fragment once stage 0 -> tensor<4xf32> {
    %0 = math.exp %x : tensor<4xf32>
    pipe.yield %0 : tensor<4xf32>
  }
  %sent = pipe.transfer %prepared from 0 to 1 : tensor<4xf32>
  %twice = arith.addf %prepared, %prepared : tensor<4xf32>
  %four_times = arith.addf %twice, %twice : tensor<4xf32>
  %twice_there = arith.addf %sent, %sent : tensor<4xf32>
  %zero = pipe.fragment once stage 1 -> tensor<4xf32> {
    %0 = arith.constant dense<0.0> : tensor<4xf32>
    pipe.yield %0 : tensor<4xf32>
  }
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %zero) -> tensor<4xf32> {
    %a = pipe.fragment forward stage 0 -> tensor<4xf32> {
      %0 = arith.mulf %four_times, %x : tensor<4xf32>
      pipe.yield %0 : tensor<4xf32>
    }
    %b = pipe.transfer %a from 0 to 1 : tensor<4xf32>
    %c = pipe.fragment forward stage 1 -> tensor<4xf32> {
      %0 = arith.mulf %b, %twice_there : tensor<4xf32>
      %1 = arith.addf %s, %0 : tensor<4xf32>
      pipe.yield %1 : tensor<4xf32>
    }
    scf.yield %c : tensor<4xf32>
  } {pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1", "1F0 1F1"]>}
  return %sum : tensor<4xf32>
}
