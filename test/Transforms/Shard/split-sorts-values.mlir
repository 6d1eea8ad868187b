// What comes first of merged dimensions, and of one that does not divide, is what it is on one device: in the same order where elements are equal, which
// they often are here (numbers rounded to halves), and with none of the padding.
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s
// RUN: tesserac %s --report=%t.json -o %t.tsx && python3 -c "import json; c = json.load(open('%t.json'))['communication']; print([r['type'] for r in c['collectives']])" | FileCheck %s --check-prefix=MOVED
// CHECK: shard agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import

// Three of four parts, of values and places: nothing as long as what is sorted.
// MOVED-NOT: 44
// MOVED-NOT: 13x
tessera.mesh @mesh = <["data"=2, "model"=4]>

func.func @main(
    %x: tensor<2x4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"data"}, {"model"}]>},
    %y: tensor<13x2xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>},
    %z: tensor<4x11xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<3x2xf32>, tensor<2xi32>) {
  %two = arith.constant dense<2.0> : tensor<2x4x8xf32>
  %0 = arith.mulf %x, %two : tensor<2x4x8xf32>
  %1 = math.round %0 : tensor<2x4x8xf32>
  %2 = tessera.reshape %1 : tensor<2x4x8xf32> -> tensor<2x32xf32>
  %3 = tessera.iota dim = 1 : tensor<2x32xi32>
  %4:2 = tessera.sort %2, %3 dim = 1 : (tensor<2x32xf32>, tensor<2x32xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %larger = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %larger : tensor<i1>
  }
  // Zeros would come before what is negative.
  %one = arith.constant dense<-1.0> : tensor<13x2xf32>
  %5 = math.absf %y : tensor<13x2xf32>
  %6 = arith.subf %one, %5 : tensor<13x2xf32>
  %7 = tessera.sort %6 dim = 0 : (tensor<13x2xf32>) -> tensor<3x2xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %larger = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %larger : tensor<i1>
  }
  // No input counts, and the last part lacks an element of each row.
  %round = math.round %z : tensor<4x11xf32>
  %8 = tessera.reshape %round : tensor<4x11xf32> -> tensor<44xf32>
  %place = tessera.iota dim = 0 : tensor<44xi32>
  %odd = arith.constant dense<7> : tensor<44xi32>
  %mixed = arith.muli %place, %odd : tensor<44xi32>
  %9:2 = tessera.sort %8, %mixed dim = 0 : (tensor<44xf32>, tensor<44xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %larger = arith.cmpf ogt, %a, %b : tensor<f32>
    tessera.yield %larger : tensor<i1>
  }
  return %4#0, %4#1, %7, %9#1 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<3x2xf32>, tensor<2xi32>
}
