// The block of a product that is kept in registers is f32: it is not written straight into a narrower result.
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-2
func.func @main(%a: tensor<128x32xbf16>, %b: tensor<128x128xbf16>, %c: tensor<128x32xf16>, %d: tensor<128x128xf16>) -> (tensor<32x128xbf16>, tensor<32x128xf16>) {
  %0 = tessera.dot_general %a, %b batching = [] x [] contracting = [0] x [1] : (tensor<128x32xbf16>, tensor<128x128xbf16>) -> tensor<32x128xbf16>
  %1 = tessera.dot_general %c, %d batching = [] x [] contracting = [0] x [1] : (tensor<128x32xf16>, tensor<128x128xf16>) -> tensor<32x128xf16>
  return %0, %1 : tensor<32x128xbf16>, tensor<32x128xf16>
}
