// The factors of matrices that are not square, split by parts, are what they are on one device: more rows than columns and more columns than rows, by rows,
// columns and both, in sizes that divide and such that do not. The described machine computes slowly.
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s
// RUN: tesserac %s --compile-to=shard -o - | FileCheck %s --check-prefix=PARTS
// CHECK: shard agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import

// Of more rows than columns, rows of L are left behind the last columns.
// PARTS: "lapack_sgetrf_ffi"({{.*}} : (tensor<2x32xf32>) -> (tensor<2x32xf32>, tensor<2xi32>, tensor<i32>)
// PARTS: "lapack_sgetrf_ffi"({{.*}} : (tensor<2x30xf32>) -> (tensor<2x30xf32>, tensor<2xi32>, tensor<i32>)
// PARTS: "lapack_sgetrf_ffi"({{.*}} : (tensor<2x18xf32>) -> (tensor<2x18xf32>, tensor<2xi32>, tensor<i32>)
// PARTS-NOT: "lapack_{{[sd]}}getrf_ffi"({{.*}} : (tensor<{{(2x)?(16x32|37x13|13x37|40x24)}}x
tessera.mesh @mesh = <["x"=2, "y"=2]> on <links = [[1.0e-6, 1.0e10], [1.0e-6, 1.0e10]], compute = 1.0e3, memory_bandwidth = 1.0e11, memory = 64000000000>

func.func @main(
    %tall: tensor<16x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %tallRows: tensor<13x37xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}]>},
    %tallBoth: tensor<13x37xf64> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
    %wide: tensor<37x13xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    %wideRows: tensor<37x13xf64> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}]>},
    %wideBatch: tensor<2x40x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<16x32xf32>, tensor<16xi32>, tensor<i32>, tensor<13x37xf32>, tensor<13xi32>, tensor<i32>, tensor<13x37xf64>, tensor<13xi32>, tensor<i32>, tensor<37x13xf32>, tensor<13xi32>, tensor<i32>, tensor<37x13xf64>, tensor<13xi32>, tensor<i32>, tensor<2x40x24xf32>, tensor<2x24xi32>, tensor<2xi32>) {
  %0:3 = tessera.library_call "lapack_sgetrf_ffi"(%tall) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16xi32>, tensor<i32>)
  %1:3 = tessera.library_call "lapack_sgetrf_ffi"(%tallRows) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<13x37xf32>) -> (tensor<13x37xf32>, tensor<13xi32>, tensor<i32>)
  %2:3 = tessera.library_call "lapack_dgetrf_ffi"(%tallBoth) with {} buffers = [#tessera.routine_buffer<f64 [0, 1] order [1, 0]>, #tessera.routine_buffer<f64 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<13x37xf64>) -> (tensor<13x37xf64>, tensor<13xi32>, tensor<i32>)
  %3:3 = tessera.library_call "lapack_sgetrf_ffi"(%wide) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<37x13xf32>) -> (tensor<37x13xf32>, tensor<13xi32>, tensor<i32>)
  %4:3 = tessera.library_call "lapack_dgetrf_ffi"(%wideRows) with {} buffers = [#tessera.routine_buffer<f64 [0, 1] order [1, 0]>, #tessera.routine_buffer<f64 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<37x13xf64>) -> (tensor<37x13xf64>, tensor<13xi32>, tensor<i32>)
  %5:3 = tessera.library_call "lapack_sgetrf_ffi"(%wideBatch) with {} buffers = [#tessera.routine_buffer<f32 [2, 0, 1] order [0, 2, 1]>, #tessera.routine_buffer<f32 [2, 0, 1] order [0, 2, 1]>, #tessera.routine_buffer<i32 [2, *]>, #tessera.routine_buffer<i32 [2]>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<2x40x24xf32>) -> (tensor<2x40x24xf32>, tensor<2x24xi32>, tensor<2xi32>)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2, %2#0, %2#1, %2#2, %3#0, %3#1, %3#2, %4#0, %4#1, %4#2, %5#0, %5#1, %5#2
      : tensor<16x32xf32>, tensor<16xi32>, tensor<i32>, tensor<13x37xf32>, tensor<13xi32>, tensor<i32>, tensor<13x37xf64>, tensor<13xi32>, tensor<i32>, tensor<37x13xf32>, tensor<13xi32>, tensor<i32>, tensor<37x13xf64>, tensor<13xi32>, tensor<i32>, tensor<2x40x24xf32>, tensor<2x24xi32>, tensor<2xi32>
}
