// Padding before rows, which all lanes of a vector share, and before columns, which they do not: each is asked for apart.
// RUN: tessera-fuzz %s --execute
// RUN: tessera-fuzz %s --execute --seed=1
func.func @main(%a: tensor<3x6xf64>, %b: tensor<3x17xf32>, %padding: tensor<f64>, %other: tensor<f32>) -> (tensor<5x12xf64>, tensor<6x29xf32>, tensor<5x19xf64>) {
  %0 = tessera.pad %a with %padding low = [2, 4] high = [0, 2] interior = [0, 0] : (tensor<3x6xf64>, tensor<f64>) -> tensor<5x12xf64>
  %1 = tessera.pad %b with %other low = [1, 5] high = [2, 7] interior = [0, 0] : (tensor<3x17xf32>, tensor<f32>) -> tensor<6x29xf32>
  %2 = tessera.pad %a with %padding low = [2, 4] high = [0, 4] interior = [0, 1] : (tensor<3x6xf64>, tensor<f64>) -> tensor<5x19xf64>
  return %0, %1, %2 : tensor<5x12xf64>, tensor<6x29xf32>, tensor<5x19xf64>
}
