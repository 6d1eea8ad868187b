// Dropout in bf16 divides a mask of ones and zeros by 0.8, which is 0.80078125: the quotient, which the program rounds, is 1.25 again.
// RUN: tessera-opt %s --tessera-form-attention | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: tessera.attention {{.*}} keep_scale = 1.250000e+00
// CHECK-NOT: math.exp
func.func @main(%q: tensor<2x4x16x16xbf16>, %k: tensor<2x4x24x16xbf16>, %v: tensor<2x4x24x16xbf16>, %keep: tensor<2x4x16x24xi1>) -> tensor<2x4x16x16xbf16> {
  %rate = arith.constant dense<8.007812e-01> : tensor<2x4x16x24xbf16>
  %0 = tessera.dot_general %q, %k batching = [0, 1] x [0, 1] contracting = [3] x [3] : (tensor<2x4x16x16xbf16>, tensor<2x4x24x16xbf16>) -> tensor<2x4x16x24xbf16>
  %1 = tessera.reduce max %0 dims = [3] : tensor<2x4x16x24xbf16> -> tensor<2x4x16xbf16>
  %2 = tessera.broadcast %1 dims = [0, 1, 2] : tensor<2x4x16xbf16> -> tensor<2x4x16x24xbf16>
  %3 = arith.subf %0, %2 : tensor<2x4x16x24xbf16>
  %4 = math.exp %3 : tensor<2x4x16x24xbf16>
  %5 = tessera.reduce sum %4 dims = [3] : tensor<2x4x16x24xbf16> -> tensor<2x4x16xbf16>
  %6 = tessera.broadcast %5 dims = [0, 1, 2] : tensor<2x4x16xbf16> -> tensor<2x4x16x24xbf16>
  %7 = arith.divf %4, %6 : tensor<2x4x16x24xbf16>
  %8 = arith.uitofp %keep : tensor<2x4x16x24xi1> to tensor<2x4x16x24xbf16>
  %9 = arith.divf %8, %rate : tensor<2x4x16x24xbf16>
  %10 = arith.mulf %7, %9 : tensor<2x4x16x24xbf16>
  %11 = tessera.dot_general %10, %v batching = [0, 1] x [0, 1] contracting = [3] x [2] : (tensor<2x4x16x24xbf16>, tensor<2x4x24x16xbf16>) -> tensor<2x4x16x16xbf16>
  return %11 : tensor<2x4x16x16xbf16>
}
