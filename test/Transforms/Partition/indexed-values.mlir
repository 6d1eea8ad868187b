// Lookup in a table whose rows are split over one axis and whose indices over another, and the scatter of updates back.
// RUN: tessera-interpret %s --random=3 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-interpret %t.mlir --random=3 --count | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// The table is never gathered: what crosses the devices are the rows looked up, and the sum of the updates.
// CHECK-NOT: all_gather
// CHECK-DAG: all_reduce {"model"} tensor<4x6xf32>
// CHECK-DAG: all_reduce {"data"} tensor<4x6xf32>
// CHECK: 2 in all
func.func @main(%table: tensor<16x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>},
                %noise: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>})
    -> (tensor<8x6xf32>, tensor<16x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>}) {
  // Places from -10 to 30: some lie outside the table.
  %scale = arith.constant dense<20.0> : tensor<8xf32>
  %offset = arith.constant dense<10.0> : tensor<8xf32>
  %scaled = arith.mulf %noise, %scale : tensor<8xf32>
  %shifted = arith.addf %scaled, %offset : tensor<8xf32>
  %flat = arith.fptosi %shifted : tensor<8xf32> to tensor<8xi32>
  %ids = tessera.reshape %flat : tensor<8xi32> -> tensor<8x1xi32>
  %rows = tessera.gather %table at %ids offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 6]
      : (tensor<16x6xf32>, tensor<8x1xi32>) -> tensor<8x6xf32>
  %zero = arith.constant dense<0.0> : tensor<16x6xf32>
  %updated = tessera.scatter sum %zero, %rows at %ids window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1
      : (tensor<16x6xf32>, tensor<8x1xi32>, tensor<8x6xf32>) -> tensor<16x6xf32>
  return %rows, %updated : tensor<8x6xf32>, tensor<16x6xf32>
}
