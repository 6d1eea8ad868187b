// Axes of different sizes change places: every device receives each piece of its new part that it lacks once. Values stay.
// RUN: tesserac %s --check-phases --compile-to=partition -o - 2>/dev/null | FileCheck %s

tessera.mesh @mesh = <["x"=2, "y"=4, "z"=3]>

// CHECK-LABEL: func.func @main(
// Beside an axis that stays, which decides for no piece.
// CHECK-COUNT-2: spmd.permute {{.*}} : tensor<1x1x2x5xf32>
// Halves of a part; which of them, the index of the device says.
// CHECK: %[[DEVICE:.*]] = spmd.axis_index <@mesh, ["x", "y"]>
// CHECK: %[[OWN:.*]] = tessera.reshape %{{.*}} : tensor<2x1x3x3xf32> -> tensor<2x3x3xf32>
// CHECK: %[[TABLE:.*]] = arith.constant dense<[{{[01, ]+}}]> : tensor<8xi32>
// CHECK: %[[ENTRY:.*]] = tessera.dynamic_slice %[[TABLE]][%[[DEVICE]]]
// CHECK: %[[NUMBER:.*]] = tessera.reshape %[[ENTRY]]
// CHECK: %[[PIECE:.*]] = tessera.dynamic_slice %[[OWN]][%[[NUMBER]], {{.*}} -> tensor<1x3x3xf32>
// CHECK: %[[FIRST:.*]] = spmd.permute %[[PIECE]] to [{{.*}}] over <@mesh, ["x", "y"]>
// CHECK: %[[SECOND:.*]] = spmd.permute %{{.*}} to [{{.*}}-1{{.*}}] over <@mesh, ["x", "y"]>
// CHECK: tessera.concatenate %[[OWN]], %[[FIRST]], %[[SECOND]] dim = 0
// CHECK-NOT: spmd.
func.func @main(
    %a: tensor<12x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<12x8x5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"z", "x"}, {"y"}, {}]>})
    -> (tensor<12x12xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<12x8x5xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"z", "y"}, {"x"}, {}]>}) {
  return %a, %b : tensor<12x12xf32>, tensor<12x8x5xf32>
}
