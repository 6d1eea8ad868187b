// The gradient of a convolution's kernel, batch split over devices: its parts are one pending sum each, joined before they are summed.
// RUN: tesserac %s --compile-to=partition --check-phases -o - 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-COUNT-3: tessera.dot_general
// CHECK: tessera.concatenate
// CHECK: %[[SUM:.*]] = spmd.all_reduce sum %{{.*}} over <@mesh, ["data"]>
// CHECK-NOT: spmd.
// CHECK: return
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["data"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<2x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %g: tensor<2x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> tensor<3x3x4xf32> {
    %0 = "stablehlo.convolution"(%x, %g) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, b]x[i, 0, o]->[0, b, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<1x2xi64>}> : (tensor<2x8x3xf32>, tensor<2x8x4xf32>) -> tensor<3x3x4xf32>
    "func.return"(%0) : (tensor<3x3x4xf32>) -> ()
  }
}) : () -> ()
