// RUN: tessera-opt --tessera-reduce-slices --split-input-file %s | FileCheck %s
// RUN: tesserac %s --check-phases -o %t.tsx 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: tesserac %s --report=%t.json -o %t.tsx && python3 -c "import json; c = json.load(open('%t.json'))['communication']; print([r['kind'] for r in c['collectives']])" | FileCheck %s --check-prefix=MOVED
// VALUES: partition agrees with import
// VALUES: schedule agrees with import
// MOVED-NOT: all_gather

tessera.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x64x32xf32>
// CHECK-SAME: %[[U:[^:]*]]: tensor<8x30xi32>
func.func @main(
    %x: tensor<4x64x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>},
    %u: tensor<8x30xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>}) -> (
    tensor<4x1x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {}]>},
    tensor<2x1x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {}]>},
    tensor<1x1xi32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) {
  // The last position of all.
  // CHECK: %[[ZERO:.*]] = arith.constant {{.*}}dense<0> : tensor<i32>
  // CHECK: %[[LAST:.*]] = arith.constant {{.*}}dense<63> : tensor<i32>
  // CHECK: tessera.dynamic_slice %[[X]][%[[ZERO]], %[[LAST]], %{{.*}}] {{.*}} -> tensor<4x1x32xf32>
  %0 = tessera.slice %x [0, 63, 0] to [4, 64, 32] by [1, 1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {}]>} : tensor<4x64x32xf32> -> tensor<4x1x32xf32>
  // What is taken of other dimensions is taken first, with strides.
  // CHECK: %[[ROWS:.*]] = tessera.slice %[[X]] [1, 0, 0] to [4, 64, 32] by [2, 1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>} : tensor<4x64x32xf32> -> tensor<2x64x32xf32>
  // CHECK: %[[PLACE:.*]] = arith.constant {{.*}}dense<10> : tensor<i32>
  // CHECK: tessera.dynamic_slice %[[ROWS]][%{{.*}}, %[[PLACE]], %{{.*}}] {{.*}} -> tensor<2x1x32xf32>
  %1 = tessera.slice %x [1, 10, 0] to [4, 11, 32] by [2, 1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {}]>} : tensor<4x64x32xf32> -> tensor<2x1x32xf32>
  // One of two dimensions' parts, the second of which are not equal.
  // CHECK: tessera.dynamic_slice %[[U]][{{.*}} -> tensor<1x1xi32>
  %2 = tessera.slice %u [5, 29] to [6, 30] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>} : tensor<8x30xi32> -> tensor<1x1xi32>
  return %0, %1, %2 : tensor<4x1x32xf32>, tensor<2x1x32xf32>, tensor<1x1xi32>
}

// What is whole stays a slice.
// CHECK-LABEL: func.func private @whole(
// CHECK-NOT: dynamic_slice
func.func private @whole(%x: tensor<4x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>}) -> tensor<1x64xf32> {
  %0 = tessera.slice %x [3, 0] to [4, 64] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>} : tensor<4x64xf32> -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}

// What is taken of other dimensions gives up the axes of this one.
// CHECK-LABEL: func.func private @contested(
// CHECK: tessera.slice %{{.*}} [0, 0] to [4, 16] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>} : tensor<4x64xf32> -> tensor<4x16xf32>
// CHECK: tessera.dynamic_slice {{.*}}[{}, {"y"}]>} : {{.*}} -> tensor<1x16xf32>
func.func private @contested(%x: tensor<4x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>}) -> tensor<1x16xf32> {
  %0 = tessera.slice %x [3, 0] to [4, 16] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>} : tensor<4x64xf32> -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
