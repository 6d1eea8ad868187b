// Routines are called on CPUs only; the call is named.
// RUN: split-file %s %t.d && not tesserac %t.d/fft.mlir --target=cuda -o %t.tsx 2>&1 | FileCheck %s
// RUN: not tesserac %t.d/fft.mlir --target=cuda:sm_90a -o %t.tsx 2>&1 | FileCheck %s
// CHECK: fft.mlir:3:8: error: expected code for GPUs of routine 'tessera_fft_f32': it is called on the target cpu only
// RUN: not tesserac %t.d/norms.mlir --target=cuda -o %t.tsx 2>&1 | FileCheck %s --check-prefix=SOLVE
// SOLVE: norms.mlir:3:8: error: expected code for GPUs of routine 'lapack_strsm_ffi': it is called on the target cpu only

//--- fft.mlir
module {
  func.func @main(%x: tensor<3x8xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  %1 = "stablehlo.real"(%0) : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
  %2 = "stablehlo.imag"(%0) : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
  return %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>
  }
}
//--- norms.mlir
module {
  func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
  }
}
