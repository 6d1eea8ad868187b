// The factors L and U by parts are what they are on one device, with the same pivots: of columns, rows and both, sizes that divide and such that do not,
// by batch; a matrix without an inverse has the same status. The described machine computes slowly.
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s
// RUN: tesserac %s --compile-to=shard -o %t.mlir && FileCheck %s --check-prefix=PARTS < %t.mlir
// CHECK: shard agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import

// Columns of eight rounds, and rows that change places in what is left and what is done.
// PARTS: "lapack_sgetrf_ffi"({{.*}} : (tensor<4x32xf32>) -> (tensor<4x32xf32>, tensor<4xi32>, tensor<i32>)
// PARTS: "lapack_slaswp_ffi"({{.*}} : (tensor<28x32xf32>, tensor<4xi32>) -> tensor<28x32xf32>
// PARTS: "lapack_strsm_ffi"({{.*}} : (tensor<4x4xf32>, tensor<28x4xf32>) -> tensor<28x4xf32>
// PARTS: "lapack_sgetrf_ffi"({{.*}} : (tensor<4x28xf32>) -> (tensor<4x28xf32>, tensor<4xi32>, tensor<i32>)
// PARTS: "lapack_slaswp_ffi"({{.*}} : (tensor<4x28xf32>, tensor<4xi32>) -> tensor<4x28xf32>
// PARTS-NOT: "lapack_sgetrf_ffi"({{.*}}tensor<32x32xf32>
// PARTS-NOT: "lapack_{{[sd]}}getrf_ffi"({{.*}}tensor<{{(2x)?}}{{21x21|18x18}}x
tessera.mesh @mesh = <["x"=2, "y"=2]> on <links = [[1.0e-6, 1.0e10], [1.0e-6, 1.0e10]], compute = 1.0e3, memory_bandwidth = 1.0e11, memory = 64000000000>

func.func @main(
    %columns: tensor<32x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<21x21xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}]>},
    %both: tensor<21x21xf64> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
    %batch: tensor<2x18x18xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<32x32xf32>, tensor<32xi32>, tensor<i32>, tensor<21x21xf32>, tensor<21xi32>, tensor<i32>, tensor<21x21xf64>, tensor<21xi32>, tensor<i32>, tensor<2x18x18xf32>, tensor<2x18xi32>, tensor<2xi32>, tensor<21xi32>, tensor<i32>, tensor<21xi1>, tensor<i1>) {
  %0:3 = tessera.library_call "lapack_sgetrf_ffi"(%columns) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32xi32>, tensor<i32>)
  %1:3 = tessera.library_call "lapack_sgetrf_ffi"(%rows) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<21x21xf32>) -> (tensor<21x21xf32>, tensor<21xi32>, tensor<i32>)
  %2:3 = tessera.library_call "lapack_dgetrf_ffi"(%both) with {} buffers = [#tessera.routine_buffer<f64 [0, 1] order [1, 0]>, #tessera.routine_buffer<f64 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<21x21xf64>) -> (tensor<21x21xf64>, tensor<21xi32>, tensor<i32>)
  %3:3 = tessera.library_call "lapack_sgetrf_ffi"(%batch) with {} buffers = [#tessera.routine_buffer<f32 [2, 0, 1] order [0, 2, 1]>, #tessera.routine_buffer<f32 [2, 0, 1] order [0, 2, 1]>, #tessera.routine_buffer<i32 [2, *]>, #tessera.routine_buffer<i32 [2]>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<2x18x18xf32>) -> (tensor<2x18x18xf32>, tensor<2x18xi32>, tensor<2xi32>)
  %row = tessera.iota dim = 0 : tensor<21x21xi32>
  %column = tessera.constrain %row to <@mesh, [{"x", "y"}, {}]> : tensor<21x21xi32>
  %thirteen = arith.constant dense<13> : tensor<21x21xi32>
  %is = arith.cmpi eq, %column, %thirteen : tensor<21x21xi32>
  %none = arith.constant dense<0.0> : tensor<21x21xf32>
  %4 = arith.select %is, %none, %rows : tensor<21x21xi1>, tensor<21x21xf32>
  %5 = tessera.constrain %4 to <@mesh, [{"x", "y"}, {}]> : tensor<21x21xf32>
  %6:3 = tessera.library_call "lapack_sgetrf_ffi"(%5) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<21x21xf32>) -> (tensor<21x21xf32>, tensor<21xi32>, tensor<i32>)
  // Pivots are rows of the matrix, whatever is not a number in it; which ones, is not said.
  %nan = arith.constant dense<0x7FC00000> : tensor<21x21xf32>
  %7 = arith.select %is, %nan, %rows : tensor<21x21xi1>, tensor<21x21xf32>
  %8 = tessera.constrain %7 to <@mesh, [{"x", "y"}, {}]> : tensor<21x21xf32>
  %9:3 = tessera.library_call "lapack_sgetrf_ffi"(%8) with {} buffers = [#tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<f32 [0, 1] order [1, 0]>, #tessera.routine_buffer<i32 [*]>, #tessera.routine_buffer<i32 []>] aliases = [0, -1, -1] whole = [0, 1] : (tensor<21x21xf32>) -> (tensor<21x21xf32>, tensor<21xi32>, tensor<i32>)
  %last = arith.constant dense<21> : tensor<21xi32>
  %areRows = arith.cmpi sle, %9#1, %last : tensor<21xi32>
  %lastStatus = arith.constant dense<21> : tensor<i32>
  %isColumn = arith.cmpi sle, %9#2, %lastStatus : tensor<i32>
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2, %2#0, %2#1, %2#2, %3#0, %3#1, %3#2, %6#1, %6#2, %areRows, %isColumn
      : tensor<32x32xf32>, tensor<32xi32>, tensor<i32>, tensor<21x21xf32>, tensor<21xi32>, tensor<i32>, tensor<21x21xf64>, tensor<21xi32>, tensor<i32>, tensor<2x18x18xf32>, tensor<2x18xi32>, tensor<2xi32>, tensor<21xi32>, tensor<i32>, tensor<21xi1>, tensor<i1>
}
