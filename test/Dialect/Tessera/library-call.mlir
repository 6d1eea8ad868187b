// Calls of library routines are printed as they are read.
// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// CHECK-LABEL: func.func @matrices_by_columns(
func.func @matrices_by_columns(%a: tensor<4x8x8xf32>) -> tensor<4xi32> {
  // CHECK: tessera.library_call "lapack_spotrf_ffi"(%{{.*}}) with {uplo = 76 : ui8} buffers = [#tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>, #tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>, #tessera.routine_buffer<i32 [0]>] aliases = [0, -1] : (tensor<4x8x8xf32>) -> (tensor<4x8x8xf32>, tensor<4xi32>)
  %factor, %status = tessera.library_call "lapack_spotrf_ffi"(%a) with {uplo = 76 : ui8}
      buffers = [#tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>, #tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>, #tessera.routine_buffer<i32 [0]>] aliases = [0, -1]
      : (tensor<4x8x8xf32>) -> (tensor<4x8x8xf32>, tensor<4xi32>)
  return %status : tensor<4xi32>
}

// CHECK-LABEL: func.func @complex_and_unsigned_elements(
func.func @complex_and_unsigned_elements(%a: tensor<8x2xf64>, %b: tensor<i8>) -> tensor<i32> {
  // CHECK: tessera.library_call "norm"(%{{.*}}, %{{.*}}) with {eps = 1.000000e-01 : f32, more = {flag = true}, name = "x", order = array<i64: 1, 2>} buffers = [#tessera.routine_buffer<complex<f64> [3]>, #tessera.routine_buffer<ui8 []>, #tessera.routine_buffer<ui32 []>] summed = [3] :
  %0 = tessera.library_call "norm"(%a, %b) with {name = "x", eps = 0.1 : f32, order = array<i64: 1, 2>, more = {flag = true}}
      buffers = [#tessera.routine_buffer<complex<f64> [3]>, #tessera.routine_buffer<ui8 []>, #tessera.routine_buffer<ui32 []>] summed = [3]
      : (tensor<8x2xf64>, tensor<i8>) -> tensor<i32>
  return %0 : tensor<i32>
}

// CHECK-LABEL: func.func @rows_and_columns_of_a_factor(
func.func @rows_and_columns_of_a_factor(%a: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  // CHECK: tessera.library_call "factor"(%{{.*}}) with {} buffers = [#tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>] whole = [1, 2] :
  %0 = tessera.library_call "factor"(%a) with {} buffers = [#tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>] whole = [1, 2]
      : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  return %0 : tensor<4x8x8xf32>
}
