// Several dimensions give axes to others in one exchange among all devices concerned: values stay.
// RUN: tesserac %s --check-phases --compile-to=partition -o - 2>/dev/null | FileCheck %s

tessera.mesh @mesh = <["x"=2, "y"=3, "z"=2]>

// CHECK-LABEL: func.func @main(
// CHECK: spmd.all_to_all {{.*}} over <@mesh, ["y", "z"]> : tensor<6x
// CHECK: spmd.all_to_all {{.*}} over <@mesh, ["x", "y"]> : tensor<6x
// CHECK: spmd.all_to_all {{.*}} over <@mesh, ["x", "y"]> : tensor<6x
// CHECK-NOT: spmd.
func.func @main(
    %a: tensor<6x24x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}, {"x"}]>},
    %b: tensor<6x24x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {"z"}, {"x"}]>},
    %c: tensor<6x12x6x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {"z"}, {}, {}]>})
    -> (tensor<6x24x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>},
        tensor<6x24x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"z", "x", "y"}, {}]>},
        tensor<6x12x6x4xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"y"}, {"z"}]>}) {
  return %a, %b, %c : tensor<6x24x4xf32>, tensor<6x24x4xf32>, tensor<6x12x6x4xf32>
}
