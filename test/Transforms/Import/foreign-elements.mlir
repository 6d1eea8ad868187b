// A model that only hands on its arguments has no operation of StableHLO: their element types say what it is.
// RUN: tessera-opt --tessera-import-phase %s | FileCheck %s
// RUN: tesserac %s -o %t.tsx
// RUN: tessera-run %t.tsx --random=1 --outputs=%t.safetensors

// CHECK: func.func @main(%{{.*}}: tensor<3xi64> {tessera.unsigned}, %{{.*}}: tensor<2x2xf32> {tessera.complex}, %{{.*}}: tensor<4xi8> {tessera.short_type
func.func @main(%a: tensor<3xui64>, %b: tensor<2xcomplex<f32>>, %c: tensor<4xf8E4M3FN>) -> (tensor<4xf8E4M3FN>, tensor<3xui64>, tensor<2xcomplex<f32>>) {
  return %c, %a, %b : tensor<4xf8E4M3FN>, tensor<3xui64>, tensor<2xcomplex<f32>>
}
