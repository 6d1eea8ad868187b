// Transforms, factors and calls of routines become calls of a library.
// RUN: tessera-opt --tessera-split-complex --tessera-convert-stablehlo %s | FileCheck %s

// Both parts of complex numbers are operands and results of their own; all but the last dimensions may be split.
// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  // CHECK: %[[F:.*]]:2 = tessera.library_call "tessera_fft_f32"(%{{.*}}) with {kind = "RFFT", length = array<i64: 8>} buffers = [#tessera.routine_buffer<f32 [0, *]>, #tessera.routine_buffer<f32 [0, *]>, #tessera.routine_buffer<f32 [0, *]>] : (tensor<3x8xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>)
  %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  // CHECK: tessera.library_call "tessera_fft_f32"(%[[F]]#0, %[[F]]#1) with {kind = "IRFFT", length = array<i64: 8>}
  %1 = "stablehlo.fft"(%0) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}

// The factor of a matrix by rows is, by columns, that of the other triangle; it is NaN where there is none.
// CHECK-LABEL: func.func private @cholesky(
func.func private @cholesky(%a: tensor<3x4x4xf64>) -> tensor<3x4x4xf64> {
  // CHECK: tessera.library_call "lapack_dpotrf_ffi"(%{{.*}}) with {uplo = 85 : ui8} buffers = [#tessera.routine_buffer<f64 [0, 1, 2]>, #tessera.routine_buffer<f64 [0, 1, 2]>, #tessera.routine_buffer<i32 [0]>] aliases = [0, -1] whole = [1, 2]
  // CHECK: arith.cmpi ne
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x4x4xf64>) -> tensor<3x4x4xf64>
  return %0 : tensor<3x4x4xf64>
}

// Transposed, unknowns stand on the right.
// CHECK-LABEL: func.func private @solve(
func.func private @solve(%a: tensor<4x4xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // CHECK: tessera.library_call "lapack_strsm_ffi"(%{{.*}}, %{{.*}}) with {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8} buffers = [#tessera.routine_buffer<f32 [*, *]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>] aliases = [1] whole = [0]
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Layouts, aliases, parameters and the rule are the call's. Complex numbers are pairs in memory.
// CHECK-LABEL: func.func private @call(
func.func private @call(%a: tensor<3x4x4xcomplex<f32>>) -> tensor<3x4xi32> {
  // CHECK: %[[T:.*]] = tessera.transpose %{{.*}} permutation = [0, 2, 1, 3] : tensor<3x4x4x2xf32>
  // CHECK: tessera.library_call "lapack_cgetrf_ffi"(%[[T]]) with {} buffers = [#tessera.routine_buffer<complex<f32> [0, 2, 1] order [0, 2, 1]>, #tessera.routine_buffer<complex<f32> [0, 2, 1] order [0, 2, 1]>, #tessera.routine_buffer<i32 [0, *]>, #tessera.routine_buffer<i32 [0]>] aliases = [0, -1, -1] whole = [1, 2] : (tensor<3x4x4x2xf32>) -> (tensor<3x4x4x2xf32>, tensor<3x4xi32>, tensor<3xi32>)
  %0:3 = "stablehlo.custom_call"(%a) <{backend_config = "", call_target_name = "lapack_cgetrf_ffi", operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}>
      {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=3, j=4, k=4, l=4, m=4, n=4}, custom>}
      : (tensor<3x4x4xcomplex<f32>>) -> (tensor<3x4x4xcomplex<f32>>, tensor<3x4xi32>, tensor<3xi32>)
  return %0#1 : tensor<3x4xi32>
}

// Without a rule, as many dimensions as JAX counts are a batch.
// CHECK-LABEL: func.func private @batch(
func.func private @batch(%a: tensor<3x4x4xf32>) -> tensor<3x4x4xf32> {
  // CHECK: "lapack_sgeqrf_ffi"{{.*}} buffers = [#tessera.routine_buffer<f32 [0, *, *]>, #tessera.routine_buffer<f32 [0, *, *]>, #tessera.routine_buffer<f32 [0, *]>]
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi"}> {mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>)
  return %0#0 : tensor<3x4x4xf32>
}
