// The number that chooses among branches is made of its tensor again in every fragment that needs it.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=gpipe --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: partition agrees with import
func.func @main(%x: tensor<4x8xf32> {tessera.batch = 0 : i64}, %a: tensor<8x8xf32>, %which: tensor<i32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %number = tensor.extract %which[] : tensor<i32>
  %index = arith.index_cast %number : i32 to index
  %0 = tessera.dot_general %x, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = math.tanh %0 : tensor<4x8xf32>
  %2 = tessera.dot_general %1, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = scf.index_switch %index -> tensor<4x8xf32>
  case 0 {
    scf.yield %2 : tensor<4x8xf32>
  }
  default {
    %4 = math.tanh %2 : tensor<4x8xf32>
    scf.yield %4 : tensor<4x8xf32>
  }
  return %3, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}
