// Hand-written Tessera goes through the same inlining and folding; locations keep the place of the call.
// RUN: tessera-opt %s --tessera-import-phase --mlir-print-debuginfo | FileCheck %s

// CHECK: tessera.mesh @mesh = <["data"=2]>
tessera.mesh @mesh = <["data"=2]>

// CHECK: func.func @main(%[[X:.*]]: tensor<8x4xf32> {tessera.donated = 0 : i32, tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
// CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[C]] : tensor<8x4xf32> loc(#[[CALL1:.*]])
// CHECK: %[[Z:.*]] = arith.mulf %[[Y]], %[[C]] : tensor<8x4xf32> loc(#[[CALL2:.*]])
// CHECK: return %[[Z]]
// CHECK-NOT: func.func
// CHECK-DAG: #[[CALL1]] = loc(callsite(#[[PRODUCT:.*]] at #[[FIRST:.*]]))
// CHECK-DAG: #[[CALL2]] = loc(callsite(#[[PRODUCT]] at #[[SECOND:.*]]))
func.func @main(%x: tensor<8x4xf32> {tessera.name = "x", tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<8x4xf32> {
  %0 = call @twice(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = call @twice(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

func.func private @twice(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %0 = tessera.broadcast %two dims = [] : tensor<f32> -> tensor<8x4xf32>
  %1 = arith.mulf %x, %0 : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
