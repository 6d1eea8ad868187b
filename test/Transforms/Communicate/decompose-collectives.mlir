// Whatever the price says: what each collective becomes on a grid of its group.
// RUN: tessera-opt --tessera-decompose-collectives=always %s | FileCheck %s

tessera.mesh @mesh = <["node"=2, "device"=2]>

// A sum is scattered among the devices that are near each other, summed across, and gathered.
// CHECK-LABEL: @summed
// CHECK: %[[FLAT:.*]] = tessera.reshape %{{.*}} : tensor<2x4xf32> -> tensor<8xf32>
// CHECK: %[[PART:.*]] = spmd.reduce_scatter sum %[[FLAT]] dim = 0 over <@mesh, ["device"]> : tensor<8xf32> -> tensor<4xf32>
// CHECK: %[[SUM:.*]] = spmd.all_reduce sum %[[PART]] over <@mesh, ["node"]> : tensor<4xf32>
// CHECK: %[[ALL:.*]] = spmd.all_gather %[[SUM]] dim = 0 over <@mesh, ["device"]> : tensor<4xf32> -> tensor<8xf32>
// CHECK: tessera.reshape %[[ALL]] : tensor<8xf32> -> tensor<2x4xf32>
func.func @summed(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["node", "device"]> : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// The other form of a sum: nothing is scattered.
// CHECK-LABEL: @summed_twice
// CHECK: %[[NODE:.*]] = spmd.all_reduce max %{{.*}} over <@mesh, ["device"]> : tensor<i32>
// CHECK: spmd.all_reduce max %[[NODE]] over <@mesh, ["node"]> : tensor<i32>
func.func @summed_twice(%x: tensor<i32>) -> tensor<i32> {
  %0 = spmd.all_reduce max %x over <@mesh, ["node", "device"]> : tensor<i32>
  return %0 : tensor<i32>
}

// Each device gets all of the smallest, in the order of the group, and sums them itself.
// CHECK-LABEL: @summed_by_each
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["node"]> : tensor<1x1x1x3xf32> -> tensor<2x1x1x3xf32>
// CHECK: spmd.all_gather %{{.*}} dim = 1 over <@mesh, ["device"]> : tensor<2x1x1x3xf32> -> tensor<2x2x1x3xf32>
// CHECK: tessera.reduce sum %{{.*}} dims = [0] : tensor<4x3xf32> -> tensor<3xf32>
func.func @summed_by_each(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["node", "device"]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// What crosses nodes is gathered first, and scattered last; parts lie in the order of the whole group.
// CHECK-LABEL: @gathered
// CHECK: spmd.all_gather %{{.*}} dim = 1 over <@mesh, ["node"]> : tensor<3x1x1x2xf32> -> tensor<3x2x1x2xf32>
// CHECK: spmd.all_gather %{{.*}} dim = 2 over <@mesh, ["device"]> : tensor<3x2x1x2xf32> -> tensor<3x2x2x2xf32>
// CHECK: spmd.reduce_scatter sum %{{.*}} dim = 2 over <@mesh, ["device"]> : tensor<3x2x2x2xf32> -> tensor<3x2x1x2xf32>
// CHECK: spmd.reduce_scatter sum %{{.*}} dim = 1 over <@mesh, ["node"]> : tensor<3x2x1x2xf32> -> tensor<3x1x1x2xf32>
func.func @gathered(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = spmd.all_gather %x dim = 1 over <@mesh, ["node", "device"]> : tensor<3x2xf32> -> tensor<3x8xf32>
  %1 = spmd.reduce_scatter sum %0 dim = 1 over <@mesh, ["node", "device"]> : tensor<3x8xf32> -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// What is not divisible is filled up.
// CHECK-LABEL: @uneven
// CHECK: tessera.pad %{{.*}} with %{{.*}} low = [0] high = [1] interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: tessera.slice %{{.*}} [0] to [3] by [1] : tensor<4xf32> -> tensor<3xf32>
func.func @uneven(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["node", "device"]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Collectives of one call are one call on each side of the grid.
// CHECK-LABEL: @combined
// CHECK-COUNT-2: spmd.combined
// CHECK-NOT: spmd.combined
func.func @combined(%x: tensor<4xf32>, %y: tensor<5xbf16>) -> (tensor<4xf32>, tensor<5xbf16>) {
  %0:2 = spmd.combined(%x, %y) : (tensor<4xf32>, tensor<5xbf16>) -> (tensor<4xf32>, tensor<5xbf16>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<5xbf16>):
    %1 = spmd.all_reduce sum %a over <@mesh, ["node", "device"]> : tensor<4xf32>
    %2 = spmd.all_reduce sum %b over <@mesh, ["node", "device"]> : tensor<5xbf16>
    spmd.yield %1, %2 : tensor<4xf32>, tensor<5xbf16>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<5xbf16>
}

// A group of two has nothing between.
// CHECK-LABEL: @small_group
// CHECK-NEXT: spmd.all_reduce sum
// CHECK-NEXT: spmd.permute
func.func @small_group(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = spmd.all_reduce sum %x over <@mesh, ["node"]> : tensor<3xf32>
  %1 = spmd.permute %0 to [1, 2, 3, 0] over <@mesh, ["node", "device"]> : tensor<3xf32>
  return %1 : tensor<3xf32>
}
