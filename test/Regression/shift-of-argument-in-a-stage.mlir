// Neighbours were sent the edges of an argument outside of the fragment that needs them, for no stage, which also made a row of the argument of what is sent.
// RUN: tessera-fuzz %s --count=20 --seed=440220
// RUN: tessera-fuzz %s --seed=440231
module {
  tessera.mesh @mesh = <["x"=3]>
  func.func @main(%arg0: tensor<3x8x4xf32> {tessera.batch = 0 : i64}, %arg1: tensor<6x6xf32>, %arg2: tensor<3x8x4xf32>) -> (tensor<3x8x4xf32>, tensor<8x4xf32>, tensor<6x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, tensor<3x3xf32>) {
    %0 = arith.addf %arg0, %arg2 : tensor<3x8x4xf32>
    %1 = tessera.reduce sum %arg0 dims = [0] : tensor<3x8x4xf32> -> tensor<8x4xf32>
    %cst = arith.constant dense<3.000000e+00> : tensor<f32>
    %2 = tessera.pad %arg1 with %cst low = [1, 2] high = [0, 0] interior = [0, 0] : (tensor<6x6xf32>, tensor<f32>) -> tensor<7x8xf32>
    %3 = tessera.slice %2 [0, 1] to [6, 7] by [2, 2] : tensor<7x8xf32> -> tensor<3x3xf32>
    %4 = tessera.slice %2 [1, 1] to [7, 7] by [1, 1] : tensor<7x8xf32> -> tensor<6x6xf32>
    return %0, %1, %4, %3 : tensor<3x8x4xf32>, tensor<8x4xf32>, tensor<6x6xf32>, tensor<3x3xf32>
  }
}
