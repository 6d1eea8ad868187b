// RUN: tessera-opt %s | tessera-opt | FileCheck %s

tessera.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func @combined
// CHECK-NEXT: %[[C:.*]]:2 = spmd.combined(%arg0, %arg1) : (tensor<8xf32>, tensor<4xbf16>) -> (tensor<8xf32>, tensor<4xbf16>) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<4xbf16>):
// CHECK-NEXT: %[[A:.*]] = spmd.all_reduce sum %[[X]] over <@mesh, ["x"]> : tensor<8xf32>
// CHECK-NEXT: %[[B:.*]] = spmd.all_reduce sum %[[Y]] over <@mesh, ["x"]> : tensor<4xbf16>
// CHECK-NEXT: spmd.yield %[[A]], %[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[C]]#0, %[[C]]#1
func.func @combined(%a: tensor<8xf32>, %b: tensor<4xbf16>) -> (tensor<8xf32>, tensor<4xbf16>) {
  %0:2 = spmd.combined(%a, %b) : (tensor<8xf32>, tensor<4xbf16>) -> (tensor<8xf32>, tensor<4xbf16>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<4xbf16>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<8xf32>
    %2 = spmd.all_reduce sum %x1 over <@mesh, ["x"]> : tensor<4xbf16>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<4xbf16>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xbf16>
}

// CHECK-LABEL: func @started
// CHECK-COUNT-2: spmd.start {spmd.call = 3 : i64}
func.func @started(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.start {spmd.call = 3 : i64} : <tensor<8xf32>> {
    %4 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %4 : tensor<8xf32>
  }
  %1 = spmd.start {spmd.call = 3 : i64} : <tensor<8xf32>> {
    %4 = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<8xf32>
    spmd.yield %4 : tensor<8xf32>
  }
  %2 = spmd.wait %0 : <tensor<8xf32>>
  %3 = spmd.wait %1 : <tensor<8xf32>>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
