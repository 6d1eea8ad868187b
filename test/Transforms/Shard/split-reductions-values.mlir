// What split updates add to a table that is not zero is a pending sum, apart from the table: one reduction of the table's size, where updates and places would be gathered.
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK: %[[OWN:.*]] = tessera.scatter sum %[[ZEROS]], {{.*}} : (tensor<16xf32>, tensor<256x1xi32>, tensor<256xf32>) -> tensor<16xf32>
// CHECK: %[[ALL:.*]] = spmd.all_reduce sum %[[OWN]]
// CHECK: arith.addf {{.*}}%[[ALL]]
// CHECK-NOT: spmd.
func.func @main(%table: tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>},
                %updates: tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>})
    -> (tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %i = tessera.iota dim = 0 : tensor<1024x1xi32>
  %five = arith.constant dense<5> : tensor<1024x1xi32>
  %places = arith.shrui %i, %five : tensor<1024x1xi32>
  %0 = tessera.scatter sum %table, %updates at %places window = [] inserted = [0] batching = [] x [] map = [0] vector = 1
      : (tensor<16xf32>, tensor<1024x1xi32>, tensor<1024xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
