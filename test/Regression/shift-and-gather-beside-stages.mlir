// What a device takes off its own part of an argument for its neighbour is no row of the argument, which a gather reads as a whole.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=1f1b --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
tessera.mesh @mesh = <["x"=2]>
func.func @main(%table: tensor<3xf32>, %place: tensor<1xi32>, %x: tensor<4x8xf32> {tessera.batch = 0 : i64}, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>)
    -> (tensor<4x8xf32>, tensor<f32>, tensor<3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %0 = tessera.dot_general %x, %a batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = math.tanh %0 : tensor<4x8xf32>
  %2 = tessera.dot_general %1, %b batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = tessera.slice %table [2] to [3] by [1] : tensor<3xf32> -> tensor<1xf32>
  %4 = tessera.slice %table [0] to [2] by [1] : tensor<3xf32> -> tensor<2xf32>
  %5 = tessera.concatenate %3, %4 dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
  %6 = tessera.gather %table at %place offset = [] collapsed = [0] batching = [] x [] map = [0] vector = 0 sizes = [1] : (tensor<3xf32>, tensor<1xi32>) -> tensor<f32>
  return %2, %6, %5 : tensor<4x8xf32>, tensor<f32>, tensor<3xf32>
}
