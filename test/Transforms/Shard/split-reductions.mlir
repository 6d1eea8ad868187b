// The place of the largest element of a split row: a pair per part is gathered, not the row.
// RUN: tesserac %s --check-phases --compile-to=partition -o - 2>/dev/null | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// CHECK: tessera.variadic_reduce {{.*}} dims = [2] {{.*}} -> (tensor<8x1xf32>, tensor<8x1xi32>)
// CHECK-DAG: spmd.all_gather {{.*}} dim = 1 {{.*}} tensor<8x1xf32> -> tensor<8x4xf32>
// CHECK-DAG: spmd.all_gather {{.*}} dim = 1 {{.*}} tensor<8x1xi32> -> tensor<8x4xi32>
// CHECK: tessera.variadic_reduce {{.*}} dims = [1] {{.*}} -> (tensor<8xf32>, tensor<8xi32>)
// CHECK-NOT: spmd.
func.func @main(%a: tensor<8x8192xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) 
    -> (tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}, tensor<8xi32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %i = tessera.iota dim = 1 : tensor<8x8192xi32>
  %least = arith.constant dense<0xFF800000> : tensor<f32>
  %zero = arith.constant dense<0> : tensor<i32>
  %0:2 = tessera.variadic_reduce %a, %i inits %least, %zero dims = [1]
      : (tensor<8x8192xf32>, tensor<8x8192xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%x: tensor<f32>, %p: tensor<i32>, %y: tensor<f32>, %q: tensor<i32>):
    %larger = arith.cmpf ogt, %x, %y : tensor<f32>
    %same = arith.cmpf oeq, %x, %y : tensor<f32>
    %before = arith.cmpi slt, %p, %q : tensor<i32>
    %tie = arith.andi %same, %before : tensor<i1>
    %first = arith.ori %larger, %tie : tensor<i1>
    %value = arith.select %first, %x, %y : tensor<i1>, tensor<f32>
    %place = arith.select %first, %p, %q : tensor<i1>, tensor<i32>
    tessera.yield %value, %place : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}
