// Programs for GPUs call routines, too: on the device where a library of the GPU computes it, else on the host. Values are those of the CPU;
// a step that waits for the host is not recorded.
// RUN: split-file %s %t.d
// RUN: tesserac %t.d/spectrum.mlir -o %t.tsx && tessera-run %t.tsx --random=3 --outputs=%t.safetensors
// RUN: tesserac %t.d/spectrum.mlir --target=cuda -o %t.gpu.tsx
// RUN: tessera-run %t.gpu.tsx --backend=emulated --random=3 --steps=3 --expect=%t.safetensors --tolerance=1e-5 | FileCheck %s
// RUN: env TESSERA_EMULATED_ARCH=80 tessera-run %t.gpu.tsx --backend=emulated --random=3 --expect=%t.safetensors --tolerance=1e-5 | FileCheck %s
// RUN: tessera-run %t.gpu.tsx --backend=emulated --random=3 --trace=%t.json
// RUN: grep -o '"name":"library_call[^"]*"' %t.json | sort -u | FileCheck %s --check-prefix=DEVICE
// DEVICE-COUNT-4: library_call
// RUN: tesserac %t.d/factors.mlir -o %t.tsx && tessera-run %t.tsx --random=3 --outputs=%t.safetensors
// RUN: tesserac %t.d/factors.mlir --target=cuda -o %t.gpu.tsx
// RUN: tessera-run %t.gpu.tsx --backend=emulated --random=3 --steps=3 --expect=%t.safetensors --tolerance=1e-5 | FileCheck %s
// CHECK: largest error
// CHECK-NOT: differ

//--- spectrum.mlir
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x8xf32>, tensor<6x5xf32>) {
    %0 = "stablehlo.fft"(%x) <{fft_length = array<i64: 6, 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<6x8xf32>) -> tensor<6x5xcomplex<f32>>
    %1 = "stablehlo.abs"(%0) : (tensor<6x5xcomplex<f32>>) -> tensor<6x5xf32>
    %2 = "stablehlo.multiply"(%0, %0) : (tensor<6x5xcomplex<f32>>, tensor<6x5xcomplex<f32>>) -> tensor<6x5xcomplex<f32>>
    %3 = "stablehlo.fft"(%2) <{fft_length = array<i64: 6, 8>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<6x5xcomplex<f32>>) -> tensor<6x8xf32>
    %4 = "stablehlo.convert"(%3) : (tensor<6x8xf32>) -> tensor<6x8xcomplex<f32>>
    %5 = "stablehlo.fft"(%4) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>
    %6 = "stablehlo.fft"(%5) <{fft_length = array<i64: 6, 8>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>
    %7 = "stablehlo.imag"(%6) : (tensor<6x8xcomplex<f32>>) -> tensor<6x8xf32>
    %8 = "stablehlo.add"(%3, %7) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    "func.return"(%8, %1) : (tensor<6x8xf32>, tensor<6x5xf32>) -> ()
  }
}) : () -> ()

//--- factors.mlir
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%a: tensor<4x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<4x8x3xf32>) -> (tensor<4x8x8xf32>, tensor<4x8x3xf32>) {
    %0 = "stablehlo.dot_general"(%a, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x8x8xi32>
    %2 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<4x8x8xi32>
    %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4x8x8xi32>, tensor<4x8x8xi32>) -> tensor<4x8x8xi1>
    %4 = "stablehlo.convert"(%3) : (tensor<4x8x8xi1>) -> tensor<4x8x8xf32>
    %5 = "stablehlo.add"(%0, %4) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %6 = "stablehlo.cholesky"(%5) <{lower = true}> : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
    %7 = "stablehlo.triangular_solve"(%6, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x8x8xf32>, tensor<4x8x3xf32>) -> tensor<4x8x3xf32>
    "func.return"(%6, %7) : (tensor<4x8x8xf32>, tensor<4x8x3xf32>) -> ()
  }
}) : () -> ()
