// What is prepared for the loop over microbatches (random bits, made in loops) alternates with what is cheap enough to be copied: once every stage has made
// its own, nothing of the original is left.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=1f1b --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: stage agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
func.func @main(%key: tensor<4xf32>, %x: tensor<4x4xf32> {tessera.batch = 0 : i64}, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %key) -> tensor<4xf32> {
    %4 = math.tanh %state : tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  }
  %rows = tessera.broadcast %first dims = [1] : tensor<4xf32> -> tensor<4x4xf32>
  %second = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %rows) -> tensor<4x4xf32> {
    %4 = math.exp %state : tensor<4x4xf32>
    %5 = math.tanh %4 : tensor<4x4xf32>
    scf.yield %5 : tensor<4x4xf32>
  }
  %weights = arith.mulf %a, %second : tensor<4x4xf32>
  %0 = tessera.dot_general %x, %weights batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = math.tanh %0 : tensor<4x4xf32>
  %2 = arith.mulf %b, %second : tensor<4x4xf32>
  %3 = tessera.dot_general %1, %2 batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
