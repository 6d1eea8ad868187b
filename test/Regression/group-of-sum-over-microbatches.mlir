// A sharding group has no result to defer.
// RUN: tesserac %s --microbatches=2 --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: shard agrees with import
// CHECK: schedule agrees with import
module {
  tessera.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<8xf32> {tessera.batch = 0 : i64, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}, %arg1: tensor<8x1xf32> {tessera.donated = 2 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> (tensor<1xf32>, tensor<4x8xi1>, tensor<8x1xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}], replicated={"x"}>}) {
    %cst = arith.constant dense<true> : tensor<8xi1>
    %0 = arith.select %cst, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %1 = tessera.dot_general %0, %arg1 batching = [] x [] contracting = [0] x [0] : (tensor<8xf32>, tensor<8x1xf32>) -> tensor<1xf32>
    %2 = arith.cmpf une, %1, %1 : tensor<1xf32>
    %3 = arith.select %2, %1, %1 : tensor<1xi1>, tensor<1xf32>
    %4 = arith.maximumf %3, %3 : tensor<1xf32>
    %5 = tessera.constrain %arg1 to <@mesh, [{"y"}, {}], unreduced={"x"}> : tensor<8x1xf32>
    tessera.sharding_group %2 in 0 : tensor<1xi1>
    tessera.sharding_group %4 in 0 : tensor<1xf32>
    %6 = tessera.broadcast %cst dims = [1] : tensor<8xi1> -> tensor<4x8xi1>
    %cst_0 = arith.constant dense<4.000000e+00> : tensor<1xf32>
    %7 = arith.remf %4, %cst_0 : tensor<1xf32>
    %8 = tessera.dot_general %7, %4 batching = [0] x [0] contracting = [] x [] : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    return %8, %6, %5 : tensor<1xf32>, tensor<4x8xi1>, tensor<8x1xf32>
  }
}
