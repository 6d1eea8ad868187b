// Calls of the project's own routines are compared with what these read and write.
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// Pivots are as many as the lesser of rows and columns.
func.func @few_pivots(%a: tensor<512x512xf32>) {
  // expected-error @below {{expected result 1 of routine 'lapack_sgetrf_ffi' to be tensor<512xi32>, got tensor<1xi32>}}
  %0:3 = tessera.library_call "lapack_sgetrf_ffi"(%a) with {} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] : (tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<1xi32>, tensor<i32>)
  return
}

// -----

// A number is no matrix.
func.func @number(%a: tensor<f32>) {
  // expected-error @below {{expected operand 0 of routine 'lapack_spotrf_ffi' to be tensor<...xnxnxf32>, got tensor<f32>}}
  %0:2 = tessera.library_call "lapack_spotrf_ffi"(%a) with {uplo = 76 : ui8} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>) -> (tensor<f32>, tensor<i32>)
  return
}

// -----

// A transform reads as many elements as its length.
func.func @short_lines(%a: tensor<64xf32>) {
  // expected-error @below {{expected operand 0 of routine 'tessera_fft_f32' to be tensor<4096xf32>, got tensor<64xf32>}}
  %0:2 = tessera.library_call "tessera_fft_f32"(%a) with {kind = "RFFT", length = array<i64: 4096>} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] : (tensor<64xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// All singular vectors are a square matrix; without them, the shape does not matter.
func.func @singular_vectors(%a: tensor<6x4xf64>) {
  %0:5 = tessera.library_call "lapack_dgesdd_ffi"(%a) with {mode = 78 : ui8} buffers = [#tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<f64 [*]>, #tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<i32 []>] : (tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<4xf64>, tensor<6x1xf64>, tensor<4x4xf64>, tensor<i32>)
  // expected-error @below {{expected result 2 of routine 'lapack_dgesdd_ffi' to be tensor<6x6xf64>, got tensor<6x1xf64>}}
  %1:5 = tessera.library_call "lapack_dgesdd_ffi"(%a) with {mode = 65 : ui8} buffers = [#tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<f64 [*]>, #tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<f64 [*, *]>, #tessera.routine_buffer<i32 []>] : (tensor<6x4xf64>) -> (tensor<6x4xf64>, tensor<4xf64>, tensor<6x1xf64>, tensor<4x4xf64>, tensor<i32>)
  return
}

// -----

// Of too few arrays nothing is computed, nor is the cost.
func.func @one_operand(%a: tensor<f32>) {
  // expected-error @below {{expected 4 operands and 5 results of routine 'lapack_sgtsv_ffi', got 1 and 1}}
  %0 = tessera.library_call "lapack_sgtsv_ffi"(%a) with {} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<f32 []>] : (tensor<f32>) -> tensor<f32>
  return
}

// -----

// Also a result that is not used is written.
func.func @no_status(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected 1 operands and 2 results of routine 'lapack_spotrf_ffi', got 1 and 1}}
  %0 = tessera.library_call "lapack_spotrf_ffi"(%a) with {uplo = 76 : ui8} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*, *]>] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

// A letter is one that the routine knows.
func.func @letter(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected parameter 'uplo' of routine 'lapack_spotrf_ffi' to be ui8 out of L U, got Z}}
  %0:2 = tessera.library_call "lapack_spotrf_ffi"(%a) with {uplo = 90 : ui8} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<i32 []>] : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<i32>)
  return
}

// -----

// No parameter has a value of its own accord.
func.func @missing(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected parameter 'low' of routine 'lapack_sgehrd_ffi' to be i32, got none}}
  %0:3 = tessera.library_call "lapack_sgehrd_ffi"(%a) with {high = 8 : i32} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<i32 []>] : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<7xf32>, tensor<i32>)
  return
}

// -----

// Rows are those of the matrix.
func.func @rows(%a: tensor<8x8xf32>) {
  // expected-error @below {{expected of a call of routine 'lapack_sgehrd_ffi' rows from low to high}}
  %0:3 = tessera.library_call "lapack_sgehrd_ffi"(%a) with {low = 1 : i32, high = 9000 : i32} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<i32 []>] : (tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<7xf32>, tensor<i32>)
  return
}

// -----

// A matrix has no more reflectors than columns.
func.func @reflectors(%a: tensor<4x4xf32>, %tau: tensor<9xf32>) {
  // expected-error @below {{expected of a call of routine 'lapack_sorgqr_ffi' at most as many reflectors as columns}}
  %0 = tessera.library_call "lapack_sorgqr_ffi"(%a, %tau) with {} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*, *]>] : (tensor<4x4xf32>, tensor<9xf32>) -> tensor<4x4xf32>
  return
}

// -----

// No more rows change places than there are.
func.func @many_pivots(%a: tensor<6x4xf32>, %pivots: tensor<5xi32>) {
  // expected-error @below {{expected of a call of routine 'lapack_slaswp_ffi' at most as many pivots as rows}}
  %0 = tessera.library_call "lapack_slaswp_ffi"(%a, %pivots) with {} buffers = [#tessera.routine_buffer<f32 [0, *] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<f32 [0, *] order [1, 0]>] : (tensor<6x4xf32>, tensor<5xi32>) -> tensor<6x4xf32>
  return
}
