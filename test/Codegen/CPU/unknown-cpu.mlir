// RUN: not tessera-opt %s -tessera-lower-to-rt=cpu=i80387 2>&1 | FileCheck %s

// A processor that LLVM does not know is a diagnostic.
// CHECK: error: unknown processor 'i80387'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
