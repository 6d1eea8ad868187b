// A large sum whose result keeps dimensions of size 1, where a part of the dimensions is reduced first.
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-interpret %s --random=1 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=1 --expect=%t.safetensors --tolerance=1e-4,1e-3
func.func @main(%a: tensor<70000x1xf32>, %b: tensor<1x40x1x30x20xf32>) -> (tensor<1xf32>, tensor<1x1xf32>) {
  %0 = tessera.reduce sum %a dims = [0] : tensor<70000x1xf32> -> tensor<1xf32>
  %1 = tessera.reduce sum %b dims = [1, 3, 4] : tensor<1x40x1x30x20xf32> -> tensor<1x1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1x1xf32>
}
