// A loop over the positions of one-dimensional results once read operands of other shapes at these positions, too.
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-6
func.func @main(%x: tensor<3x5xf32>, %i: tensor<i32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %c = arith.constant dense<0> : tensor<i32>
  %0 = tessera.dynamic_slice %x[%i, %c] : (tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
  %1 = tessera.reshape %0 : tensor<1x5xf32> -> tensor<5xf32>
  %2 = arith.addf %y, %1 : tensor<5xf32>
  return %2 : tensor<5xf32>
}
