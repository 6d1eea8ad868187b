// What all shifts of a value drop of its whole dimensions is not sent. Values stay.
// RUN: tesserac %s --check-phases --compile-to=partition -o - 2>/dev/null | FileCheck %s

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// Columns 1 to 3, of which each of two shifts keeps some, and none of the others.
// CHECK: spmd.permute {{.*}} over <@mesh, ["x"]> : tensor<1x3xf32>
// CHECK: spmd.permute {{.*}} over <@mesh, ["x"]> : tensor<1x3xf32>
// By more than a part.
// CHECK: spmd.permute {{.*}} over <@mesh, ["x"]> : tensor<2x1xf32>
// CHECK-NOT: spmd.permute
func.func @main(
    %a: tensor<8x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<8x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x2xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x1xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %cst = arith.constant dense<7.0> : tensor<f32>
  %0 = tessera.pad %a with %cst low = [1, -2] high = [-1, -2] interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x2xf32>
  %1 = tessera.pad %a with %cst low = [-1, -1] high = [1, -3] interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x2xf32>
  %2 = tessera.pad %1 with %cst low = [0, 1] high = [0, 1] interior = [0, 0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x4xf32>
  %3 = tessera.pad %b with %cst low = [4, -5] high = [-4, 0] interior = [0, 0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x1xf32>
  return %0, %2, %3 : tensor<8x2xf32>, tensor<8x4xf32>, tensor<8x1xf32>
}
