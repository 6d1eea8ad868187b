// Rows of an argument may be counted along any dimension: here each rank has some columns, and gives those of the result.
// RUN: tessera-opt %s --tessera-split-programs -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors
// RUN: tesserac %t.mlir --compile-from=partition -o %t.tsx
// RUN: tessera-run %t.tsx --random=1 --expect=%t.expected.safetensors
// RUN: tesserac --inspect %t.tsx | FileCheck %s --check-prefix=INSPECT
// INSPECT: f32[3x5] {{.*}} on pipeline ranks 0 (of dimension 1: 0-1), 1 (of dimension 1: 2-4)

// A donated result must come in the columns of its argument.
// RUN: sed 's/dim = 1 : (tensor<3x2xf32>, tensor<3x3xf32>)/dim = 1 : (tensor<3x3xf32>, tensor<3x2xf32>)/; s/%new = tessera.concatenate %new0, %new1/%new = tessera.concatenate %new1, %new0/' %s > %t.other.mlir
// RUN: not tessera-opt %t.other.mlir --tessera-split-programs 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'tessera.slice' op expected the result that argument 0 is donated to in the same rows
tessera.mesh @mesh = <["x"=1]>

// CHECK-LABEL: func.func @rank_0(
// CHECK-SAME: tensor<3x2xf32> {pipe.argument = 0 : i64, pipe.first_row = 0 : i64, tessera.donated = 0 : i32, tessera.global_type = tensor<3x2xf32>})
// CHECK-SAME: -> (tensor<3x2xf32> {pipe.first_row = 0 : i64, pipe.result = 0 : i64, tessera.global_type = tensor<3x2xf32>})
// CHECK-LABEL: func.func @rank_1(
// CHECK-SAME: tensor<3x3xf32> {pipe.argument = 0 : i64, pipe.first_row = 2 : i64, tessera.donated = 0 : i32, tessera.global_type = tensor<3x3xf32>})
// CHECK-SAME: -> (tensor<3x3xf32> {pipe.first_row = 2 : i64, pipe.result = 0 : i64, tessera.global_type = tensor<3x3xf32>})
func.func @main(%w: tensor<3x5xf32> {tessera.donated = 0 : i32, tessera.global_type = tensor<3x5xf32>}) -> (tensor<3x5xf32> {tessera.global_type = tensor<3x5xf32>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w0 = tessera.slice %w [0, 0] to [3, 2] by [1, 1] : tensor<3x5xf32> -> tensor<3x2xf32>
  %w1 = tessera.slice %w [0, 2] to [3, 5] by [1, 1] : tensor<3x5xf32> -> tensor<3x3xf32>
  %zero = pipe.fragment once stage 1 -> tensor<3x2xf32> {
    %0 = arith.constant dense<0.0> : tensor<3x2xf32>
    pipe.yield %0 : tensor<3x2xf32>
  }
  %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %zero) -> tensor<3x2xf32> {
    %a = pipe.fragment forward stage 0 -> tensor<3x2xf32> {
      %0 = arith.mulf %w0, %w0 : tensor<3x2xf32>
      pipe.yield %0 : tensor<3x2xf32>
    }
    %b = pipe.transfer %a from 0 to 1 : tensor<3x2xf32>
    %c = pipe.fragment forward stage 1 -> tensor<3x2xf32> {
      %0 = tessera.slice %w1 [0, 0] to [3, 2] by [1, 1] : tensor<3x3xf32> -> tensor<3x2xf32>
      %1 = arith.mulf %b, %0 : tensor<3x2xf32>
      %2 = arith.addf %s, %1 : tensor<3x2xf32>
      pipe.yield %2 : tensor<3x2xf32>
    }
    scf.yield %c : tensor<3x2xf32>
  } {pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1", "1F0 1F1"]>}
  %back = pipe.transfer %sum from 1 to 0 : tensor<3x2xf32>
  %new0 = pipe.fragment once stage 0 -> tensor<3x2xf32> {
    %0 = arith.subf %w0, %back : tensor<3x2xf32>
    pipe.yield %0 : tensor<3x2xf32>
  }
  %new1 = pipe.fragment once stage 1 -> tensor<3x3xf32> {
    %0 = arith.addf %w1, %w1 : tensor<3x3xf32>
    pipe.yield %0 : tensor<3x3xf32>
  }
  %new = tessera.concatenate %new0, %new1 dim = 1 : (tensor<3x2xf32>, tensor<3x3xf32>) -> tensor<3x5xf32>
  return %new : tensor<3x5xf32>
}
