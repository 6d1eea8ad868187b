// Every operation is printed as it is read.
// RUN: tessera-opt %s | tessera-opt | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// CHECK-LABEL: func.func @collectives(
func.func @collectives(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<32x16xf32>, tensor<8x8xf32>, tensor<16x8xf32>) attributes {spmd.arena_size = 1024 : i64} {
  // CHECK: spmd.all_reduce sum %{{.*}} over <@mesh, ["model"]> : tensor<8x16xf32>
  %0 = spmd.all_reduce sum %a over <@mesh, ["model"]> : tensor<8x16xf32>
  // CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["model"]> {spmd.buffers = [#spmd.buffer<result, 1>]} : tensor<8x16xf32> -> tensor<32x16xf32>
  %1 = spmd.all_gather %a dim = 0 over <@mesh, ["model"]> {spmd.buffers = [#spmd.buffer<result, 1>]} : tensor<8x16xf32> -> tensor<32x16xf32>
  // CHECK: spmd.reduce_scatter max %{{.*}} dim = 1 over <@mesh, ["model":(1)2]> : tensor<8x16xf32> -> tensor<8x8xf32>
  %2 = spmd.reduce_scatter max %a dim = 1 over <@mesh, ["model":(1)2]> : tensor<8x16xf32> -> tensor<8x8xf32>
  // CHECK: spmd.all_to_all %{{.*}} split = 1 concat = 0 over <@mesh, ["data"]> : tensor<8x16xf32> -> tensor<16x8xf32>
  %3 = spmd.all_to_all %a split = 1 concat = 0 over <@mesh, ["data"]> : tensor<8x16xf32> -> tensor<16x8xf32>
  // CHECK: spmd.permute %{{.*}} to [1, 2, 3, -1] over <@mesh, ["model"]> : tensor<8x16xf32>
  %4 = spmd.permute %0 to [1, 2, 3, -1] over <@mesh, ["model"]> : tensor<8x16xf32>
  // CHECK: spmd.broadcast %{{.*}} from 0 over <@mesh, ["data", "model"]> : tensor<8x16xf32>
  %5 = spmd.broadcast %4 from 0 over <@mesh, ["data", "model"]> : tensor<8x16xf32>
  // CHECK: spmd.axis_index <@mesh, ["data"]> : tensor<i32>
  %6 = spmd.axis_index <@mesh, ["data"]> : tensor<i32>
  return %5, %1, %2, %3 : tensor<8x16xf32>, tensor<32x16xf32>, tensor<8x8xf32>, tensor<16x8xf32>
}

// CHECK-LABEL: func.func @overlapping(
func.func @overlapping(%a: tensor<8xf32>) -> tensor<32xf32> {
  // CHECK: %[[FUTURE:.*]] = spmd.start : <tensor<32xf32>> {
  // CHECK-NEXT: %[[WHOLE:.*]] = spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["model"]> : tensor<8xf32> -> tensor<32xf32>
  // CHECK-NEXT: spmd.yield %[[WHOLE]] : tensor<32xf32>
  %0 = spmd.start : !spmd.future<tensor<32xf32>> {
    %2 = spmd.all_gather %a dim = 0 over <@mesh, ["model"]> : tensor<8xf32> -> tensor<32xf32>
    spmd.yield %2 : tensor<32xf32>
  }
  // CHECK: spmd.wait %[[FUTURE]] : <tensor<32xf32>>
  %1 = spmd.wait %0 : !spmd.future<tensor<32xf32>>
  return %1 : tensor<32xf32>
}

// CHECK-LABEL: func.func @kernels(
func.func @kernels(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: spmd.kernel(%{{.*}}, %{{.*}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
  // CHECK-NEXT: spmd.yield %[[SUM]] : tensor<8xf32>
  %0 = spmd.kernel(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    %1 = arith.addf %x, %y : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @between_ranks(
func.func @between_ranks(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: spmd.send %{{.*}} to 1 tag 3 : tensor<8xf32>
  spmd.send %a to 1 tag 3 : tensor<8xf32>
  // CHECK: spmd.recv from 0 tag 4 : tensor<8xf32>
  %0 = spmd.recv from 0 tag 4 : tensor<8xf32>
  return %0 : tensor<8xf32>
}
