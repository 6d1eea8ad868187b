// What stands in front of the loop over microbatches and is not needed in it runs once, behind it. Something cheap that
// is made of that (%spread) gets no copy in other fragments, where it would stand in front of what it is made of.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=1f1b --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: stage agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
func.func @main(%x: tensor<4x8xf32> {tessera.batch = 0 : i64}, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tessera.dot_general %x, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = math.tanh %0 : tensor<4x8xf32>
  %2 = tessera.dot_general %1, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %nan = arith.cmpf une, %x, %x : tensor<4x8xf32>
  %any = tessera.reduce or %nan dims = [0] : tensor<4x8xi1> -> tensor<8xi1>
  %spread = tessera.broadcast %any dims = [1] : tensor<8xi1> -> tensor<4x8xi1>
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %known = arith.select %spread, %zero, %x : tensor<4x8xi1>, tensor<4x8xf32>
  %sorted = tessera.sort %known dim = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %less = arith.cmpf olt, %l, %r : tensor<f32>
    tessera.yield %less : tensor<i1>
  }
  return %2, %sorted : tensor<4x8xf32>, tensor<4x8xf32>
}
