// With one stage nothing is cut.
// RUN: tessera-opt %s --tessera-cut-stages | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
