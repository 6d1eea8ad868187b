// Routines of libraries, where dimensions that they need whole are split.
// RUN: tessera-opt --tessera-split-library-calls %s | FileCheck %s

tessera.mesh @mesh = <["x"=2, "y"=2]> on <links = [[1.0e-6, 1.0e10], [1.0e-6, 1.0e10]], compute = 1.0e11, memory_bandwidth = 1.0e11, memory = 2000>

// Rows are made whole first, then columns, as in the result: axes of the one split the other meanwhile.
// CHECK-LABEL: func.func @transform(
// CHECK: %[[ROWS:.*]]:2 = tessera.library_call "tessera_fft_f32"(%arg0, %arg1) with {kind = "FFT", length = array<i64: 16>}
// CHECK: %[[REAL:.*]] = tessera.constrain %[[ROWS]]#0 to <@mesh, [{"x", "y"}, {}]>
// CHECK: tessera.transpose %[[REAL]] permutation = [1, 0]
// CHECK: %[[COLUMNS:.*]]:2 = tessera.library_call "tessera_fft_f32"(%{{.*}}) with {kind = "FFT", length = array<i64: 8>}
// CHECK: %[[REAL:.*]] = tessera.constrain %[[COLUMNS]]#0 to <@mesh, [{"x", "y"}, {}]>
// CHECK: %[[BACK:.*]] = tessera.transpose %[[REAL]] permutation = [1, 0]
// CHECK: %[[RESULT:.*]] = tessera.constrain %[[BACK]] to <@mesh, [{}, {"x", "y"}]>
// CHECK: return %[[RESULT]]
func.func @transform(%x: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>}, %y: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x16xf32> {
  %0:2 = tessera.library_call "tessera_fft_f32"(%x, %y) with {kind = "FFT", length = array<i64: 8, 16>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] {tessera.sharding = [#tessera.sharding<@mesh, [{}, {"x", "y"}]>, #tessera.sharding<@mesh, [{}, {"x", "y"}]>]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  return %0#0 : tensor<8x16xf32>
}

// A spectrum stays split by columns, and so does what is computed of its elements, so that the way back starts there: one exchange each.
// CHECK-LABEL: func.func @there_and_back(
// CHECK: "tessera_fft_f32"{{.*}} length = array<i64: 16>
// CHECK: "tessera_fft_f32"{{.*}} length = array<i64: 8>
// CHECK: %[[FILTERED:.*]] = arith.negf {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}
// CHECK: tessera.transpose %[[FILTERED]] permutation = [1, 0] {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}
// CHECK: "tessera_fft_f32"{{.*}} length = array<i64: 8>
// CHECK: "tessera_fft_f32"{{.*}} length = array<i64: 16>
func.func @there_and_back(%x: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %y: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0:2 = tessera.library_call "tessera_fft_f32"(%x, %y) with {kind = "FFT", length = array<i64: 8, 16>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] {tessera.sharding = [#tessera.sharding<@mesh, [{"x"}, {}]>, #tessera.sharding<@mesh, [{"x"}, {}]>]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  %1 = arith.negf %0#0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>} : tensor<8x16xf32>
  %2:2 = tessera.library_call "tessera_fft_f32"(%1, %0#1) with {kind = "IFFT", length = array<i64: 8, 16>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] {tessera.sharding = [#tessera.sharding<@mesh, [{"x"}, {}]>, #tessera.sharding<@mesh, [{"x"}, {}]>]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  return %2#0, %2#1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A matrix with split rows, by eight rounds of four rows: the factor of each block, and what stands below it.
// CHECK-LABEL: func.func @factor(
// CHECK-COUNT-7: "lapack_strsm_ffi"({{.*}}) with {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8}{{.*}} : (tensor<4x4xf32>, tensor<{{[0-9]+}}x4xf32>)
// CHECK-NOT: "lapack_strsm_ffi"
// CHECK: "lapack_spotrf_ffi"{{.*}} : (tensor<4x4xf32>)
func.func @factor(%a: tensor<32x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> tensor<32x32xf32> {
  %0:2 = tessera.library_call "lapack_spotrf_ffi"(%a) with {uplo = 85 : ui8} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1] whole = [0, 1] {tessera.sharding = [#tessera.sharding<@mesh, [{"x"}, {}]>, #tessera.sharding<@mesh, []>]} : (tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<i32>)
  return %0#0 : tensor<32x32xf32>
}

// One long line, and what is split by batch, stay as they are.
// CHECK-LABEL: func.func @line_and_batch(
func.func @line_and_batch(%x: tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %a: tensor<2x32x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<9xf32>, tensor<2x32x32xf32>) {
  // CHECK-NEXT: tessera.library_call "tessera_fft_f32"(%arg0)
  %0:2 = tessera.library_call "tessera_fft_f32"(%x) with {kind = "RFFT", length = array<i64: 16>} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<f32 [*]>] {tessera.sharding = [#tessera.sharding<@mesh, [{}]>, #tessera.sharding<@mesh, [{}]>]} : (tensor<16xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  // CHECK-NEXT: tessera.library_call "lapack_spotrf_ffi"(%arg1)
  %1:2 = tessera.library_call "lapack_spotrf_ffi"(%a) with {uplo = 85 : ui8} buffers = [#tessera.routine_buffer<f32 [2, 0, 1]>, #tessera.routine_buffer<f32 [2, 0, 1]>, #tessera.routine_buffer<i32 [2]>] aliases = [0, -1] whole = [0, 1] {tessera.sharding = [#tessera.sharding<@mesh, [{"x"}, {}, {}]>, #tessera.sharding<@mesh, [{"x"}]>]} : (tensor<2x32x32xf32>) -> (tensor<2x32x32xf32>, tensor<2xi32>)
  return %0#0, %1#0 : tensor<9xf32>, tensor<2x32x32xf32>
}
