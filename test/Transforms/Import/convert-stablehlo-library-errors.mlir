// What calls of libraries cannot be.
// RUN: tessera-opt --tessera-split-complex --tessera-convert-stablehlo %s -split-input-file -verify-diagnostics

// The kind is one.
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  // expected-error @below {{malformed attribute 'fft_type'}}
  %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<precision HIGH>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// The kind is of transforms.
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  // expected-error @below {{malformed attribute 'fft_type'}}
  %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// Real numbers have one kind.
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  // expected-error @below {{expected a transform FFT of complex numbers of f32 or f64, got 'tensor<3x8xf32>'}}
  %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// A transform has no more dimensions than what it transforms.
func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  // expected-error @below {{expected a transform RFFT of real numbers of f32 or f64, got 'tensor<8xf32>'}}
  %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 3, 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  %1 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Factors are of numbers with fractions.
func.func @main(%a: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @below {{expected matrices of f16, bf16, f32, f64 or complex numbers of the latter two, got 'tensor<4x4xi32>'}}
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----

// A vector is no matrix.
func.func @main(%a: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected matrices of f16, bf16, f32, f64 or complex numbers of the latter two, got 'tensor<4xf32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What is transposed is said in a word.
func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{malformed attribute 'transpose_a'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<fft_type FFT>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// In a word of its own.
func.func @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{malformed attribute 'transpose_a'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<precision HIGH>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Every array has a layout.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected a layout of each array in 'operand_layouts'}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi", operand_layouts = []}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// It names each dimension once.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected a layout of each array in 'result_layouts'}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi", result_layouts = [dense<[1, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// Calls may be moved, repeated and left out.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected a routine without side effects, got 'lapack_sgeqrf_ffi'}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi", has_side_effect = true}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// Whatever they compute.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected a routine without side effects, got 'lapack_spotrf_ffi'}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_spotrf_ffi", has_side_effect = true}> {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// A rule is about all arrays.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected a sharding rule with the dimensions of all arrays, got op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi"}> {mhlo.backend_config = {}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}, custom>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// And about all their dimensions.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected a sharding rule with the dimensions of all arrays, got op_sharding_rule<([i])->([i, j], [i]) {i=4, j=4}, custom>}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi"}> {mhlo.backend_config = {}, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j], [i]) {i=4, j=4}, custom>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

// What a routine gives has a size.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected arrays of static shape of 'stablehlo.custom_call', got 'tensor<?x4xf32>'}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<?x4xf32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}

// -----

// All of it.
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{expected arrays of static shape of 'stablehlo.custom_call', got 'tensor<?xf32>'}}
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi"}> {mhlo.backend_config = {}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<?xf32>)
  return %0#0 : tensor<4x4xf32>
}
