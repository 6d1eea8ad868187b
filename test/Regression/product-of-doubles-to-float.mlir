// A product of doubles whose result has fewer bits is rounded once, behind the sum: 1 + 2^-30 - 1 of doubles is 2^-30, of single precision 0.
// RUN: tesserac %s --compile-to=import -o %t.mlir
// RUN: tessera-interpret %t.mlir --outputs=%t.safetensors
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-run %t.tsx --expect=%t.safetensors --tolerance=0
// RUN: python3 -c "import struct; data = open('%t.safetensors', 'rb').read(); print(struct.unpack('<f', data[-4:])[0] == 2**-30)" | FileCheck %s
// CHECK: True
func.func @main() -> tensor<1x1xf32> {
  %row = "stablehlo.constant"() <{value = dense<[[1.0, 9.31322574615478515625e-10, -1.0]]> : tensor<1x3xf64>}> : () -> tensor<1x3xf64>
  %column = "stablehlo.constant"() <{value = dense<1.0> : tensor<3x1xf64>}> : () -> tensor<3x1xf64>
  %product = "stablehlo.dot_general"(%row, %column) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x3xf64>, tensor<3x1xf64>) -> tensor<1x1xf32>
  return %product : tensor<1x1xf32>
}
