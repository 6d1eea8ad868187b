// Plans that experts make by hand come out of the annotations of arguments and results alone.
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["data"=2, "model"=4]>

// Megatron's sequence parallelism: the residual stream is split over its sequence, so each block gathers its input and scatters its sum. The
// weights stay where they are.
// CHECK-LABEL: func.func @sequence_parallelism(
// CHECK-NEXT: %[[X:.*]] = spmd.all_gather %arg0 dim = 1 over <@mesh, ["model"]> : tensor<8x16x1024xf32> -> tensor<8x64x1024xf32>
// CHECK-NEXT: tessera.dot_general %[[X]], %arg1
// CHECK-NOT: spmd.
// CHECK: %[[PARTIAL:.*]] = tessera.dot_general
// CHECK-NEXT: spmd.reduce_scatter sum %[[PARTIAL]] dim = 1 over <@mesh, ["model"]> : tensor<8x64x1024xf32> -> tensor<8x16x1024xf32>
// CHECK-NOT: spmd.
func.func @sequence_parallelism(
    %x: tensor<16x64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {}]>},
    %w1: tensor<1024x4096xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<4096x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>})
    -> (tensor<16x64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {}]>}) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [2] x [0] : (tensor<16x64x1024xf32>, tensor<1024x4096xf32>) -> tensor<16x64x4096xf32>
  %t = math.tanh %h : tensor<16x64x4096xf32>
  %y = tessera.dot_general %t, %w2 batching = [] x [] contracting = [2] x [0] : (tensor<16x64x4096xf32>, tensor<4096x1024xf32>) -> tensor<16x64x1024xf32>
  %r = arith.addf %y, %x : tensor<16x64x1024xf32>
  return %r : tensor<16x64x1024xf32>
}

// -----

tessera.mesh @mesh = <["fsdp"=4]>

// Fully sharded data parallelism: the weight is gathered before its use, its gradient reduced and scattered at once.
// CHECK-LABEL: func.func @fully_sharded(
// CHECK-NEXT: %[[W:.*]] = spmd.all_gather %arg1 dim = 0 over <@mesh, ["fsdp"]> : tensor<32x512xf32> -> tensor<128x512xf32>
// CHECK-NEXT: tessera.dot_general %arg0, %[[W]]
// CHECK-NOT: spmd.
// CHECK: %[[GRADIENT:.*]] = tessera.dot_general
// CHECK-NEXT: spmd.reduce_scatter sum %[[GRADIENT]] dim = 0 over <@mesh, ["fsdp"]> : tensor<128x512xf32> -> tensor<32x512xf32>
// CHECK-NOT: spmd.
func.func @fully_sharded(
    %x: tensor<1024x128xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"fsdp"}, {}]>},
    %w: tensor<128x512xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"fsdp"}, {}]>},
    %dy: tensor<1024x512xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"fsdp"}, {}]>})
    -> (tensor<1024x512xf32>, tensor<128x512xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"fsdp"}, {}]>}) {
  %h = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<1024x128xf32>, tensor<128x512xf32>) -> tensor<1024x512xf32>
  %t = math.tanh %h : tensor<1024x512xf32>
  %dw = tessera.dot_general %x, %dy batching = [] x [] contracting = [0] x [0] : (tensor<1024x128xf32>, tensor<1024x512xf32>) -> tensor<128x512xf32>
  %n = arith.subf %w, %dw : tensor<128x512xf32>
  return %t, %n : tensor<1024x512xf32>, tensor<128x512xf32>
}

// -----

tessera.mesh @mesh = <["x"=2, "y"=4]>

// jax-ml/jax#21562: two axes change places in one exchange among all devices, nothing is gathered.
// CHECK-LABEL: func.func @no_full_rematerialization(
// CHECK-NOT: spmd.all_gather
// CHECK: spmd.all_to_all {{.*}} over <@mesh, ["x", "y"]>
// CHECK-NOT: spmd.
func.func @no_full_rematerialization(
    %a: tensor<8x16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}, {"x"}]>})
    -> (tensor<8x16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>}) {
  return %a : tensor<8x16x8xf32>
}

// -----

tessera.mesh @mesh = <["data"=2, "model"=4]>

// A narrow product is gathered before the wide one behind it, not the wide one reduced, although all agree on how to split that.
// CHECK-LABEL: func.func @gather_before_growth(
// CHECK: %[[NARROW:.*]] = tessera.dot_general %arg0, %arg1
// CHECK-NEXT: spmd.all_gather %[[NARROW]] dim = 1 over <@mesh, ["model"]> : tensor<256x4xf32> -> tensor<256x16xf32>
// CHECK-NOT: spmd.
// CHECK: return
func.func @gather_before_growth(
    %x: tensor<512x256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %a: tensor<256x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
    %b: tensor<16x256xf32>) -> (tensor<512x256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = tessera.dot_general %x, %a batching = [] x [] contracting = [1] x [0] : (tensor<512x256xf32>, tensor<256x16xf32>) -> tensor<512x16xf32>
  %1 = tessera.dot_general %0, %b batching = [] x [] contracting = [1] x [0] : (tensor<512x16xf32>, tensor<16x256xf32>) -> tensor<512x256xf32>
  return %1 : tensor<512x256xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// Gradient accumulation with optimizer states that are split: what the microbatches add up is reduced and scattered once, behind the loop.
// CHECK-LABEL: func.func @gradient_accumulation(
// CHECK: scf.for
// CHECK-NOT: spmd.
// CHECK: scf.yield
// CHECK: spmd.reduce_scatter sum %{{.*}} dim = 0 over <@mesh, ["data"]> : tensor<16x16xf32> -> tensor<4x16xf32>
// CHECK-NOT: spmd.
func.func @gradient_accumulation(
    %x: tensor<8x32x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"data"}, {}]>},
    %dy: tensor<8x32x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"data"}, {}]>},
    %m: tensor<16x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<16x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %origin = arith.constant dense<0> : tensor<i32>
  %first = arith.constant 0 : i32
  %last = arith.constant 8 : i32
  %step = arith.constant 1 : i32
  %sum = scf.for %n = %first to %last step %step iter_args(%acc = %zero) -> tensor<16x16xf32> : i32 {
    %i = tensor.from_elements %n : tensor<i32>
    %0 = tessera.dynamic_slice %x[%i, %origin, %origin] : (tensor<8x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %1 = tessera.dynamic_slice %dy[%i, %origin, %origin] : (tensor<8x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %2 = tessera.dot_general %0, %1 batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<1x32x16xf32>, tensor<1x32x16xf32>) -> tensor<16x16xf32>
    %3 = arith.addf %acc, %2 : tensor<16x16xf32>
    scf.yield %3 : tensor<16x16xf32>
  }
  %next = arith.addf %m, %sum : tensor<16x16xf32>
  return %next : tensor<16x16xf32>
}
