// Per-device code takes its own place: its body is already what a device does along the manual axes.
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: sed 's/"data"=2/"data"=4/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t4.mlir
// RUN: tessera-interpret %t4.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

tessera.mesh @mesh = <["data"=2, "model"=2, "expert"=2]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32> {{.*}}, %[[W:.*]]: tensor<4x4xf32>
// CHECK-NOT: manual_computation
func.func @main(%x: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {?}]>}, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %0:2 = tessera.manual_computation(%x, %w) over <@mesh, ["model"]>
      in [#tessera.sharding<@mesh, [{?}, {"model", ?}]>, #tessera.sharding<@mesh, [{"model", ?}, {?}]>]
      out [#tessera.sharding<@mesh, [{?}, {?}]>, #tessera.sharding<@mesh, [{"model"}]>]
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>):
    // The inner region's axis is free here; so only half of the product's columns are computed.
    // CHECK: %[[PRODUCT:.*]] = tessera.dot_general %[[X]], %[[W]]
    %1 = tessera.dot_general %a, %b batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    // CHECK: spmd.all_reduce sum %[[PRODUCT]] over <@mesh, ["model"]> : tensor<4x4xf32>
    %2 = spmd.all_reduce sum %1 over <@mesh, ["model"]> : tensor<8x8xf32>
    // The batch's sum is the compiler's, over the free axis alone.
    // CHECK: %[[PARTIAL:.*]] = tessera.reduce sum %[[X]] dims = [0] : tensor<4x4xf32> -> tensor<4xf32>
    // CHECK: spmd.all_reduce sum %[[PARTIAL]] over <@mesh, ["data"]> : tensor<4xf32>
    %3 = tessera.reduce sum %a dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
    // CHECK: spmd.axis_index <@mesh, ["model"]>
    %4 = spmd.axis_index <@mesh, ["model"]> : tensor<i32>
    %5 = arith.sitofp %4 : tensor<i32> to tensor<f32>
    %6 = tessera.broadcast %5 dims = [] : tensor<f32> -> tensor<4xf32>
    %7 = arith.addf %3, %6 : tensor<4xf32>
    %8 = tessera.manual_computation(%2) over <@mesh, ["expert"]>
        in [#tessera.sharding<@mesh, [{?}, {"expert"}]>] out [#tessera.sharding<@mesh, [{?}, {"expert"}]>] : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    ^bb0(%c: tensor<8x4xf32>):
      // CHECK: spmd.permute %{{.*}} to [1, 0] over <@mesh, ["expert"]> : tensor<4x4xf32>
      %9 = spmd.permute %c to [1, 0] over <@mesh, ["expert"]> : tensor<8x4xf32>
      tessera.yield %9 : tensor<8x4xf32>
    }
    tessera.yield %8, %7 : tensor<8x8xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8xf32>
}
