// Systems with many right-hand sides, whose matrix the described memory would not hold whole: columns of it are gathered one after the other.
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s
// RUN: tesserac %s --compile-to=partition -o - | FileCheck %s --check-prefix=PARTS
// CHECK: shard agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
// PARTS-COUNT-8: "lapack_strsm_ffi"({{.*}} : (tensor<8x8xf32>, tensor<8x12xf32>)
// PARTS-NOT: "lapack_strsm_ffi"
tessera.mesh @mesh = <["x"=4]> on <links = [[1.0e-6, 1.0e10]], compute = 1.0e11, memory_bandwidth = 1.0e11, memory = 32000>

func.func @main(
    %a: tensor<64x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<64x48xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x48xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = tessera.library_call "lapack_strsm_ffi"(%a, %b) with {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8} buffers = [#tessera.routine_buffer<f32 [*, *] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>] aliases = [1] whole = [0] : (tensor<64x64xf32>, tensor<64x48xf32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}
