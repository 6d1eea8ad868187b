// What is reversed along split dimensions stays split: devices exchange their reversed parts. Values stay.
// RUN: tesserac %s --check-phases --compile-to=partition -o - 2>/dev/null | FileCheck %s

tessera.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @main(
// CHECK-NOT: spmd.all_gather
// A dimension of 6 in parts of 2: two rows of padding, which must not come first, are shifted out before.
// CHECK: spmd.permute {{.*}} over <@mesh, ["y"]> : tensor<2x3xf32>
// Along both dimensions at once.
// CHECK: %[[BOTH:.*]] = tessera.reverse %{{.*}} dims = [0, 1] : tensor<4x2xf32>
// CHECK-NEXT: spmd.permute %[[BOTH]] to [7, 6, 5, 4, 3, 2, 1, 0] over <@mesh, ["x", "y"]> : tensor<4x2xf32>
// CHECK: %[[ROWS:.*]] = tessera.reverse %{{.*}} dims = [0] : tensor<2x3xf32>
// CHECK-NEXT: spmd.permute %[[ROWS]] to [3, 2, 1, 0] over <@mesh, ["y"]> : tensor<2x3xf32>
// Nothing moves where only dimensions that are whole are reversed.
// CHECK-NEXT: tessera.reverse %{{.*}} dims = [1] : tensor<2x3xf32>
// CHECK-NEXT: return
func.func @main(
    %a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<6x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<6x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>},
        tensor<6x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = tessera.reverse %a dims = [0, 1] : tensor<8x8xf32>
  %1 = tessera.reverse %b dims = [0] : tensor<6x3xf32>
  %2 = tessera.reverse %b dims = [1] : tensor<6x3xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<6x3xf32>, tensor<6x3xf32>
}
