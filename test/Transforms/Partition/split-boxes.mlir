// Boxes at computed places of a split dimension: nothing is gathered, each device deals with what lies in its part.
// RUN: tesserac %s --check-phases=3 --compile-to=partition -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tesserac %s --check-phases=4 --compile-to=partition -o %t.mlir
// RUN: tesserac %s --check-phases=5 --compile-to=partition -o %t.mlir

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// CHECK-NOT: spmd.all_gather
// CHECK: spmd.all_reduce sum {{.*}} : tensor<1x5xf32>
// CHECK-NOT: spmd.all_
func.func @main(
    %cache: tensor<16x5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}, %row: tensor<1x5xf32>, %rows: tensor<6x3xf32>,
    %places: tensor<4xi64>)
    -> (tensor<16x5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<1x5xf32>) {
  %0 = tessera.slice %places [0] to [1] by [1] : tensor<4xi64> -> tensor<1xi64>
  %1 = tessera.reshape %0 : tensor<1xi64> -> tensor<i64>
  // Random integers are large: half of them lie before the tensor, the others behind it, unless they are brought near.
  %c = arith.constant dense<20> : tensor<i64>
  %i = arith.remsi %1, %c : tensor<i64>
  %2 = tessera.slice %places [1] to [2] by [1] : tensor<4xi64> -> tensor<1xi64>
  %3 = tessera.reshape %2 : tensor<1xi64> -> tensor<i64>
  %j = arith.remsi %3, %c : tensor<i64>
  %4 = tessera.slice %places [2] to [3] by [1] : tensor<4xi64> -> tensor<1xi64>
  %5 = tessera.reshape %4 : tensor<1xi64> -> tensor<i64>
  %k = arith.remsi %5, %c : tensor<i64>
  %zero = arith.constant dense<0> : tensor<i64>
  %one = arith.constant dense<1> : tensor<i64>
  %6 = tessera.dynamic_update_slice %cache, %row[%i, %zero] : (tensor<16x5xf32>, tensor<1x5xf32>, tensor<i64>, tensor<i64>) -> tensor<16x5xf32>
  %7 = tessera.dynamic_update_slice %6, %rows[%j, %one] : (tensor<16x5xf32>, tensor<6x3xf32>, tensor<i64>, tensor<i64>) -> tensor<16x5xf32>
  %8 = tessera.dynamic_slice %6[%k, %zero] : (tensor<16x5xf32>, tensor<i64>, tensor<i64>) -> tensor<1x5xf32>
  return %6, %7, %8 : tensor<16x5xf32>, tensor<16x5xf32>, tensor<1x5xf32>
}
