// RUN: tessera-opt --tessera-split-sorts %s | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// What is largest is among what is largest in some part; the parts have the axes of the split dimension.
// CHECK-LABEL: func.func @largest(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x64xf32>
// CHECK: %[[PARTS:.*]] = tessera.reshape %[[X]] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {}]>} : tensor<8x64xf32> -> tensor<8x4x16xf32>
// CHECK: %[[EACH:.*]] = tessera.sort %[[PARTS]] dim = 2 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {}]>} : (tensor<8x4x16xf32>) -> tensor<8x4x3xf32> {
// CHECK: arith.cmpf ogt
// CHECK: %[[ALL:.*]] = tessera.reshape %[[EACH]] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>} : tensor<8x4x3xf32> -> tensor<8x12xf32>
// CHECK: %[[TOP:.*]] = tessera.sort %[[ALL]] dim = 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<8x12xf32>) -> tensor<8x3xf32> {
// CHECK: arith.cmpf ogt
// CHECK: return %[[TOP]]
func.func @largest(%x: tensor<8x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = tessera.sort %x dim = 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<8x64xf32>) -> tensor<8x3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %1 : tensor<i1>
  }
  return %0 : tensor<8x3xf32>
}

// Where a part would keep all its elements, or parts are not equal, nothing is gained.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-2: tessera.sort
// CHECK-NOT: tessera.sort
// CHECK-NOT: tessera.reshape
func.func @left(%x: tensor<64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}]>}, %y: tensor<62xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}]>}) -> (tensor<16xf32>, tensor<3xf32>) {
  %0 = tessera.sort %x dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : (tensor<64xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %1 : tensor<i1>
  }
  %2 = tessera.sort %y dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : (tensor<62xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %1 : tensor<i1>
  }
  return %0, %2 : tensor<16xf32>, tensor<3xf32>
}
