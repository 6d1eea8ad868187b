// Rows of an argument, and of the result that it is donated to, are where the tasks that need and make them are.
// RUN: tessera-opt %s --tessera-split-programs | FileCheck %s
tessera.mesh @mesh = <["x"=1]>

// CHECK-LABEL: func.func private @main(tensor<3x4xf32> {{.*}}) -> (tensor<3x4xf32>
// CHECK-LABEL: func.func @rank_0(
// CHECK-SAME: %[[W0:.*]]: tensor<1x4xf32> {pipe.argument = 0 : i64, pipe.first_row = 0 : i64, tessera.donated = 0 : i32, tessera.global_type = tensor<1x4xf32>})
// CHECK-SAME: -> (tensor<1x4xf32> {pipe.first_row = 0 : i64, pipe.result = 0 : i64, tessera.global_type = tensor<1x4xf32>})
// CHECK: call @forward_0(%[[W0]])
// CHECK: %[[N0:.*]] = call @once_0(%[[W0]]
// CHECK: return %[[N0]]
// CHECK-LABEL: func.func @rank_1(
// CHECK-SAME: %[[W1:.*]]: tensor<2x4xf32> {pipe.argument = 0 : i64, pipe.first_row = 1 : i64, tessera.donated = 0 : i32, tessera.global_type = tensor<2x4xf32>})
// CHECK-SAME: -> (tensor<2x4xf32> {pipe.first_row = 1 : i64, pipe.result = 0 : i64, tessera.global_type = tensor<2x4xf32>})
// CHECK: %[[N1:.*]] = call @once_1_1(%[[W1]]
// CHECK: return %[[N1]]
func.func @main(%w: tensor<3x4xf32> {tessera.donated = 0 : i32, tessera.global_type = tensor<3x4xf32>}) -> (tensor<3x4xf32> {tessera.global_type = tensor<3x4xf32>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w0 = tessera.slice %w [0, 0] to [1, 4] by [1, 1] : tensor<3x4xf32> -> tensor<1x4xf32>
  %w1 = tessera.slice %w [1, 0] to [3, 4] by [1, 1] : tensor<3x4xf32> -> tensor<2x4xf32>
  %zero = pipe.fragment once stage 1 -> tensor<1x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<1x4xf32>
    pipe.yield %0 : tensor<1x4xf32>
  }
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %zero) -> tensor<1x4xf32> {
    %a = pipe.fragment forward stage 0 -> tensor<1x4xf32> {
      %0 = arith.mulf %w0, %w0 : tensor<1x4xf32>
      pipe.yield %0 : tensor<1x4xf32>
    }
    %b = pipe.transfer %a from 0 to 1 : tensor<1x4xf32>
    %c = pipe.fragment forward stage 1 -> tensor<1x4xf32> {
      %0 = tessera.slice %w1 [0, 0] to [1, 4] by [1, 1] : tensor<2x4xf32> -> tensor<1x4xf32>
      %1 = arith.mulf %b, %0 : tensor<1x4xf32>
      %2 = arith.addf %s, %1 : tensor<1x4xf32>
      pipe.yield %2 : tensor<1x4xf32>
    }
    scf.yield %c : tensor<1x4xf32>
  } {pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1", "1F0 1F1"]>}
  %back = pipe.transfer %sum from 1 to 0 : tensor<1x4xf32>
  %new0 = pipe.fragment once stage 0 -> tensor<1x4xf32> {
    %0 = arith.subf %w0, %back : tensor<1x4xf32>
    pipe.yield %0 : tensor<1x4xf32>
  }
  %new1 = pipe.fragment once stage 1 -> tensor<2x4xf32> {
    %0 = arith.addf %w1, %w1 : tensor<2x4xf32>
    pipe.yield %0 : tensor<2x4xf32>
  }
  %new = tessera.concatenate %new0, %new1 dim = 0 : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return %new : tensor<3x4xf32>
}
