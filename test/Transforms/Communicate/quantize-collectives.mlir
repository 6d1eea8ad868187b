// What the user names is quantized, whatever the price says; what is neither a parameter nor a gradient is not.
// RUN: tessera-opt "--tessera-quantize-collectives=collectives=gather:int8@data,sum:int8@data" -split-input-file %s | FileCheck %s

// A parameter: its blocks and their scales are gathered, with nothing added to the step.
// CHECK: module attributes {tessera.mathematics = ["1 gather of parameters sent as int8
// CHECK-SAME: "1 sum of gradients sent as int8{{.*}}what is lost is added in the next step
// CHECK-LABEL: @main
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<2x256xf32>
// CHECK-SAME: tessera.name = "__error[p]"
// CHECK: %[[NUMBERS:.*]] = arith.fptosi %{{.*}} : tensor<2x256xf32> to tensor<2x256xi8>
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["data"]> : tensor<2x256xi8> -> tensor<4x256xi8>
// CHECK: spmd.all_gather %{{.*}} dim = 0 over <@mesh, ["data"]> : tensor<2xf32> -> tensor<4xf32>
// CHECK-NOT: spmd.all_gather
// Activations are summed as they were.
// CHECK: spmd.all_reduce sum %{{.*}} over <@mesh, ["model"]>
// A gradient: every device gets the blocks of its chunk, and sums them in f32.
// CHECK: spmd.all_to_all %{{.*}} split = 0 concat = 0 over <@mesh, ["data"]> : tensor<2x2x256xi8> -> tensor<2x2x256xi8>
// CHECK: spmd.all_to_all %{{.*}} split = 0 concat = 0 over <@mesh, ["data"]> : tensor<2x2xf32> -> tensor<2x2xf32>
// CHECK: tessera.reduce sum %{{.*}} dims = [0] : tensor<2x2x256xf32> -> tensor<2x256xf32>
// A loss is summed as it was.
// CHECK: spmd.all_reduce sum %{{.*}} over <@mesh, ["data"]> : tensor<f32>
module {
tessera.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%p: tensor<2x256xf32> {tessera.donated = 0 : i32, tessera.name = "p", tessera.global_type = tensor<4x256xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
                %x: tensor<8x4xf32> {tessera.name = "x", tessera.global_type = tensor<16x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}]>})
    -> (tensor<2x256xf32> {tessera.global_type = tensor<4x256xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}, tensor<f32>) {
  %w = spmd.all_gather %p dim = 0 over <@mesh, ["data"]> : tensor<2x256xf32> -> tensor<4x256xf32>
  %part = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x256xf32>) -> tensor<8x256xf32>
  %y = spmd.all_reduce sum %part over <@mesh, ["model"]> : tensor<8x256xf32>
  %g = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x256xf32>) -> tensor<4x256xf32>
  %sum = spmd.reduce_scatter sum %g dim = 0 over <@mesh, ["data"]> : tensor<4x256xf32> -> tensor<2x256xf32>
  %new = arith.subf %p, %sum : tensor<2x256xf32>
  %part_loss = tessera.reduce sum %y dims = [0, 1] : tensor<8x256xf32> -> tensor<f32>
  %loss = spmd.all_reduce sum %part_loss over <@mesh, ["data"]> : tensor<f32>
  return %new, %loss : tensor<2x256xf32>, tensor<f32>
}
}

// -----

// Every device keeps the whole parameter and updates a part: what the update adds is gathered, with feedback, and added to the old one. A sum goes in both directions quantized.
// CHECK-LABEL: @main
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<1024xf32>
// CHECK-SAME: tessera.donated = 2 : i32, tessera.global_type = tensor<2x512xf32>, tessera.initially_zero, tessera.name = "__gathered_error[p]"
// CHECK: tessera.dynamic_slice %[[P]]
// CHECK: %[[PART:.*]] = arith.subf
// CHECK: %[[OLD:.*]] = tessera.dynamic_slice %[[P]]
// CHECK: arith.subf %[[PART]], %[[OLD]] : tensor<512xf32>
// CHECK: spmd.all_gather %{{.*}} : tensor<2x256xi8> -> tensor<4x256xi8>
// CHECK: %[[CHANGES:.*]] = tessera.reshape %{{.*}} -> tensor<1024xf32>
// CHECK: %[[NEW:.*]] = arith.addf %[[P]], %[[CHANGES]] : tensor<1024xf32>
// CHECK: return %[[NEW]]
module {
tessera.mesh @mesh = <["data"=2]>
func.func @main(%p: tensor<1024xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %g: tensor<1024xf32> {tessera.name = "g", tessera.global_type = tensor<2048xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>}) -> tensor<1024xf32> {
  %sum = spmd.reduce_scatter sum %g dim = 0 over <@mesh, ["data"]> : tensor<1024xf32> -> tensor<512xf32>
  %index = spmd.axis_index <@mesh, ["data"]> : tensor<i32>
  %size = arith.constant dense<512> : tensor<i32>
  %start = arith.muli %index, %size : tensor<i32>
  %old = tessera.dynamic_slice %p[%start] : (tensor<1024xf32>, tensor<i32>) -> tensor<512xf32>
  %part = arith.subf %old, %sum : tensor<512xf32>
  %new = spmd.all_gather %part dim = 0 over <@mesh, ["data"]> : tensor<512xf32> -> tensor<1024xf32>
  return %new : tensor<1024xf32>
}
}
