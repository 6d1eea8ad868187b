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

// Where a part would keep all its elements, nothing is gained.
// CHECK-LABEL: func.func @left(
// CHECK: tessera.sort
// CHECK-NOT: tessera.sort
// CHECK-NOT: tessera.reshape
func.func @left(%x: tensor<64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}]>}) -> tensor<16xf32> {
  %0 = tessera.sort %x dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : (tensor<64xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %1 : tensor<i1>
  }
  return %0 : tensor<16xf32>
}

// Parts of merged dimensions are found before these are merged. They are not in order, so equal elements are told apart by their places.
// CHECK-LABEL: func.func @of_all_beams(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3x64xf32>
// CHECK: %[[I:.*]] = tessera.iota dim = 0
// CHECK: %[[CUT:.*]] = tessera.reshape %[[X]] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"model"}, {}]>} : tensor<3x64xf32> -> tensor<1x3x4x16xf32>
// CHECK: %[[FIRST:.*]] = tessera.transpose %{{.*}} permutation = [0, 2, 1, 3] {{.*}} -> tensor<1x4x3x16xf32>
// CHECK: %[[PARTS:.*]] = tessera.reshape %[[FIRST]] {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>} : tensor<1x4x3x16xf32> -> tensor<4x48xf32>
// CHECK: %[[PLACES:.*]] = tessera.reshape {{.*}} -> tensor<4x48xi32>
// CHECK: %[[EACH:.*]]:2 = tessera.sort %[[PARTS]], %[[PLACES]] dim = 1 {{.*}} -> (tensor<4x2xf32>, tensor<4x2xi32>) {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[BEFORE:.*]] = arith.cmpf ogt
// CHECK-NEXT: yield %[[BEFORE]]
// CHECK: tessera.sort %{{.*}}, %{{.*}} dim = 0 {{.*}} (tensor<8xf32>, tensor<8xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[AT:.*]]: tensor<i32>, %[[BT:.*]]: tensor<i32>):
// CHECK-DAG: %[[AB:.*]] = arith.cmpf ogt, %[[A]], %[[B]]
// CHECK-DAG: %[[BA:.*]] = arith.cmpf ogt, %[[B]], %[[A]]
// CHECK-DAG: %[[LOWER:.*]] = arith.cmpi slt, %[[AT]], %[[BT]]
// CHECK: %[[TIE:.*]] = arith.select %[[BA]], %[[AB]], %[[LOWER]]
// CHECK: %[[FIRST:.*]] = arith.ori %[[AB]], %[[TIE]]
// CHECK: yield %[[FIRST]]
func.func @of_all_beams(%x: tensor<3x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = tessera.reshape %x {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<3x64xf32> -> tensor<192xf32>
  %1 = tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : tensor<192xi32>
  %2:2 = tessera.sort %0, %1 dim = 0 {tessera.sharding = [#tessera.sharding<@mesh, [{}]>, #tessera.sharding<@mesh, [{}]>]} : (tensor<192xf32>, tensor<192xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %3 = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %3 : tensor<i1>
  }
  return %2#0, %2#1 : tensor<2xf32>, tensor<2xi32>
}

// A last part that is not full is filled; places, which are added where no input counts, tell what is not there.
// CHECK-LABEL: func.func @uneven(
// CHECK-SAME: %[[X:[^:]*]]: tensor<62xf32>
// CHECK: %[[FULL:.*]] = tessera.pad %[[X]] {{.*}} low = [0] high = [2]
// CHECK: tessera.reshape %[[FULL]] {{.*}} -> tensor<4x16xf32>
// CHECK: %[[BEHIND:.*]] = arith.constant {{.*}}dense<62> : tensor<i32>
// CHECK: tessera.pad %{{.*}} with %[[BEHIND]] low = [0] high = [2]
// CHECK: tessera.sort %{{.*}}, %{{.*}} dim = 1 {{.*}} -> (tensor<4x3xf32>, tensor<4x3xi32>) {
// CHECK: arith.cmpi slt, %{{.*}}, %[[END:.*]] :
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: arith.select %[[BOTH]]
// CHECK: %[[TOP:.*]]:2 = tessera.sort %{{.*}}, %{{.*}} dim = 0 {{.*}} -> (tensor<3xf32>, tensor<3xi32>) {
// CHECK: return %[[TOP]]#0
func.func @uneven(%x: tensor<62xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}]>}) -> tensor<3xf32> {
  %0 = tessera.sort %x dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{}]>} : (tensor<62xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %1 : tensor<i1>
  }
  return %0 : tensor<3xf32>
}
