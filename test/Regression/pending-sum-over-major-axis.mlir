// A pending sum does not pass a reshape whose dimension would lose the major of its axes and keep a minor one.
// RUN: tesserac %s --microbatches=2 --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: shard agrees with import
// CHECK: schedule agrees with import
module {
  tessera.mesh @mesh = <["x"=4, "y"=4]>
  func.func @main(%arg0: tensor<8x8xf32> {tessera.batch = 1 : i64}, %arg1: tensor<8x8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"y":(1)2}]>}) -> (tensor<8x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}) {
    %0 = tessera.dot_general %arg0, %arg1 batching = [1] x [0] contracting = [0] x [2] : (tensor<8x8xf32>, tensor<8x8x8xf32>) -> tensor<8x8xf32>
    %1:2 = tessera.optimization_barrier %arg1, %0 : (tensor<8x8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>)
    %cst = arith.constant dense<3> : tensor<i32>
    %cst_0 = arith.constant dense<-2> : tensor<i32>
    %2 = tessera.dynamic_slice %1#1[%cst, %cst_0] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
    return %2 : tensor<8x6xf32>
  }
}
