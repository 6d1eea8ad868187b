// A slice of a dimension split over one part of an axis, wanted split over a part that has no grid together with it: what is taken of the other dimension gives that up.
// RUN: tessera-opt %s --tessera-unify-meshes --tessera-propagate-shardings --tessera-reduce-slices | FileCheck %s
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-fuzz %s --count=5 --seed=1
module {
  tessera.mesh @rows = <["x"=2, "y"=3]>
  tessera.mesh @columns = <["u"=3, "v"=2]>
  // CHECK: %[[X:.*]] = tessera.constrain %{{.*}} to <@devices, [{"devices":(3)2}, {}]>
  // CHECK: tessera.slice %[[X]] [0, 0] to [4, 4] by [1, 1] {tessera.sharding = #tessera.sharding<@devices, [{"devices":(3)2}, {}]>}
  func.func @main(%arg0: tensor<4x8xf32>) -> (tensor<1x4xf32> {tessera.sharding = #tessera.sharding<@rows, [{}, {"x"}]>}) {
    %0 = tessera.constrain %arg0 to <@columns, [{"v"}, {}]> : tensor<4x8xf32>
    %1 = tessera.slice %0 [3, 0] to [4, 4] by [1, 1] : tensor<4x8xf32> -> tensor<1x4xf32>
    return %1 : tensor<1x4xf32>
  }
}
