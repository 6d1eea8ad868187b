// A condition that several stages ask for is no tensor: each stage reads it from its tensor.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=1f1b --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: stage agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
func.func @main(%flag: tensor<i1>, %x: tensor<4x8xf32> {tessera.batch = 0 : i64}, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %condition = tensor.extract %flag[] : tensor<i1>
  %0 = tessera.dot_general %x, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = scf.if %condition -> tensor<4x8xf32> {
    %4 = math.tanh %0 : tensor<4x8xf32>
    scf.yield %4 : tensor<4x8xf32>
  } else {
    scf.yield %0 : tensor<4x8xf32>
  }
  %2 = tessera.dot_general %1, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = scf.if %condition -> tensor<4x8xf32> {
    %4 = math.exp %2 : tensor<4x8xf32>
    scf.yield %4 : tensor<4x8xf32>
  } else {
    scf.yield %2 : tensor<4x8xf32>
  }
  return %3 : tensor<4x8xf32>
}
