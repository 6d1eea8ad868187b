// Transforms of several dimensions of which some are split are what they are on one device, and nothing is gathered: of all kinds, with and without a batch that
// divides, of sizes that do not divide.
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s
// RUN: tesserac %s --compile-to=partition -o - | FileCheck %s --check-prefix=MOVED
// CHECK: shard agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
// MOVED-NOT: all_gather
tessera.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(
    %x: tensor<8x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
    %y: tensor<8x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
    %z: tensor<8x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %w: tensor<8x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<4x6x10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %d: tensor<4x6x10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %o: tensor<9x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %p: tensor<9x7xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (
    tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x7xf32>, tensor<8x7xf32>, tensor<8x12xf32>, tensor<4x6x10xf32>, tensor<4x6x10xf32>, tensor<4x6x10xf32>, tensor<4x6x10xf32>, tensor<9x7xf32>, tensor<9x7xf32>) {
  %blocks:2 = tessera.library_call "tessera_fft_f32"(%x, %y) with {kind = "FFT", length = array<i64: 8, 12>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] : (tensor<8x12xf32>, tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>)
  %columns:2 = tessera.library_call "tessera_fft_f32"(%x, %y) with {kind = "IFFT", length = array<i64: 8, 12>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] : (tensor<8x12xf32>, tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12xf32>)
  %half:2 = tessera.library_call "tessera_fft_f32"(%x) with {kind = "RFFT", length = array<i64: 8, 12>} buffers = [#tessera.routine_buffer<f32 [0, *]>, #tessera.routine_buffer<f32 [0, *]>, #tessera.routine_buffer<f32 [0, *]>] whole = [0] : (tensor<8x12xf32>) -> (tensor<8x7xf32>, tensor<8x7xf32>)
  %whole = tessera.library_call "tessera_fft_f32"(%z, %w) with {kind = "IRFFT", length = array<i64: 8, 12>} buffers = [#tessera.routine_buffer<f32 [0, *]>, #tessera.routine_buffer<f32 [0, *]>, #tessera.routine_buffer<f32 [0, *]>] whole = [0] : (tensor<8x7xf32>, tensor<8x7xf32>) -> tensor<8x12xf32>
  %batch:2 = tessera.library_call "tessera_fft_f32"(%c, %d) with {kind = "FFT", length = array<i64: 6, 10>} buffers = [#tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>] whole = [1, 2] : (tensor<4x6x10xf32>, tensor<4x6x10xf32>) -> (tensor<4x6x10xf32>, tensor<4x6x10xf32>)
  %cube:2 = tessera.library_call "tessera_fft_f32"(%c, %d) with {kind = "FFT", length = array<i64: 4, 6, 10>} buffers = [#tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>, #tessera.routine_buffer<f32 [0, 1, 2]>] whole = [0, 1, 2] : (tensor<4x6x10xf32>, tensor<4x6x10xf32>) -> (tensor<4x6x10xf32>, tensor<4x6x10xf32>)
  %odd:2 = tessera.library_call "tessera_fft_f32"(%o, %p) with {kind = "FFT", length = array<i64: 9, 7>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] : (tensor<9x7xf32>, tensor<9x7xf32>) -> (tensor<9x7xf32>, tensor<9x7xf32>)
  return %blocks#0, %blocks#1, %columns#0, %columns#1, %half#0, %half#1, %whole, %batch#0, %batch#1, %cube#0, %cube#1, %odd#0, %odd#1 : tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x7xf32>, tensor<8x7xf32>, tensor<8x12xf32>, tensor<4x6x10xf32>, tensor<4x6x10xf32>, tensor<4x6x10xf32>, tensor<4x6x10xf32>, tensor<9x7xf32>, tensor<9x7xf32>
}
