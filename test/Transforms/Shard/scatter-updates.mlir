// RUN: tessera-opt --tessera-split-constants --tessera-propagate-shardings --tessera-insert-reshards --tessera-place-reductions --tessera-scatter-updates --tessera-verify-sharded --split-input-file %s | FileCheck %s

tessera.mesh @mesh = <["data"=4]>

// A step of gradient descent under data parallelism: parameters stay whole, as the user says, and the same bytes are sent, but the update runs on a quarter.
// CHECK-LABEL: func.func @gradient_descent(
// CHECK-SAME: %[[P:.*]]: tensor<2048x1024xf32>
// CHECK: %[[PARTIAL:.*]] = tessera.dot_general {{.*}}unreduced={"data"}
// CHECK: %[[SUM:.*]] = tessera.reshard %[[PARTIAL]] to <@mesh, [{"data"}, {}]>
// CHECK: %[[G:.*]] = arith.mulf %[[SUM]], {{.*}}[{"data"}, {}]
// CHECK: %[[SHARD:.*]] = tessera.reshard %[[P]] to <@mesh, [{"data"}, {}]>
// CHECK: %[[NEW:.*]] = arith.subf %[[SHARD]], %[[G]] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
// CHECK: %[[WHOLE:.*]] = tessera.reshard %[[NEW]] to <@mesh, [{}, {}]>
// CHECK: return %[[WHOLE]]
func.func @gradient_descent(
    %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %x: tensor<64x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<2048x1024xf32> {
  %g = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %rate = arith.constant dense<0.1> : tensor<2048x1024xf32>
  %0 = arith.mulf %g, %rate : tensor<2048x1024xf32>
  %1 = arith.subf %p, %0 : tensor<2048x1024xf32>
  return %1 : tensor<2048x1024xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// A moment that nobody annotates stays in shards from step to step: no gather of it. The parameter, which the forward pass needs whole, is gathered once.
// CHECK-LABEL: func.func @momentum(
// CHECK-SAME: %[[P:[a-z0-9]*]]: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
// CHECK-SAME: %[[M:[a-z0-9]*]]: tensor<2048x1024xf32> {tessera.donated = 1 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
// CHECK-SAME: -> (tensor<2048x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, tensor<2048x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>})
// CHECK: %[[G:.*]] = tessera.reshard %{{.*}} to <@mesh, [{"data"}, {}]>
// CHECK: %[[MOMENT:.*]] = arith.addf {{.*}}[{"data"}, {}]
// CHECK: arith.subf
// CHECK-NEXT: %[[WHOLE:.*]] = tessera.reshard
// CHECK-NOT: tessera.reshard
// CHECK: return %[[WHOLE]], %[[MOMENT]]
func.func @momentum(
    %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32},
    %m: tensor<2048x1024xf32> {tessera.donated = 1 : i32},
    %x: tensor<64x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<2048x1024xf32>, tensor<2048x1024xf32>) {
  %z = tessera.dot_general %x, %p batching = [] x [] contracting = [1] x [0] : (tensor<64x2048xf32>, tensor<2048x1024xf32>) -> tensor<64x1024xf32>
  %d = arith.subf %z, %y : tensor<64x1024xf32>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %decay = arith.constant dense<0.9> : tensor<2048x1024xf32>
  %0 = arith.mulf %m, %decay : tensor<2048x1024xf32>
  %1 = arith.addf %0, %g : tensor<2048x1024xf32>
  %rate = arith.constant dense<0.1> : tensor<2048x1024xf32>
  %2 = arith.mulf %1, %rate : tensor<2048x1024xf32>
  %3 = arith.subf %p, %2 : tensor<2048x1024xf32>
  return %3, %1 : tensor<2048x1024xf32>, tensor<2048x1024xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// If the user wants the moment whole on every device, an update in shards would have to gather it as well: all is as it was.
// CHECK-LABEL: func.func @moment_wanted_whole(
// CHECK: tessera.reshard %{{.*}} to <@mesh, [{}, {}]>
// CHECK-NOT: tessera.reshard
// CHECK: return
func.func @moment_wanted_whole(
    %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %m: tensor<2048x1024xf32> {tessera.donated = 1 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %x: tensor<64x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<2048x1024xf32>, tensor<2048x1024xf32>) {
  %g = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %1 = arith.addf %m, %g : tensor<2048x1024xf32>
  %2 = arith.mulf %1, %g : tensor<2048x1024xf32>
  %3 = arith.subf %p, %2 : tensor<2048x1024xf32>
  return %3, %1 : tensor<2048x1024xf32>, tensor<2048x1024xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// A bias is too small for a second collective.
// CHECK-LABEL: func.func @small_parameter(
// CHECK: tessera.reshard %{{.*}} to <@mesh, [{}]>
// CHECK-NOT: tessera.reshard
// CHECK: return
func.func @small_parameter(
    %p: tensor<1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
    %y: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<1024xf32> {
  %g = tessera.reduce sum %y dims = [0] : tensor<64x1024xf32> -> tensor<1024xf32>
  %0 = arith.mulf %g, %g : tensor<1024xf32>
  %1 = arith.subf %p, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// Clipping by the norm of two gradients: squares are summed within the shards, and the two sums reduced together.
// CHECK-LABEL: func.func @clipped(
// CHECK-DAG: %[[A:.*]] = tessera.reduce sum {{.*}}unreduced={"data"}
// CHECK-DAG: %[[B:.*]] = tessera.reduce sum {{.*}}unreduced={"data"}
// CHECK: %[[SUM:.*]] = arith.addf {{.*}}unreduced={"data"}{{.*}} : tensor<f32>
// CHECK: tessera.reshard %[[SUM]] to <@mesh, []>
// CHECK: arith.subf {{.*}}[{"data"}, {}]
// CHECK: arith.subf {{.*}}[{"data"}, {}]
func.func @clipped(
    %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32},
    %q: tensor<2048x1024xf32> {tessera.donated = 1 : i32},
    %x: tensor<64x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<2048x1024xf32>, tensor<2048x1024xf32>) {
  %g = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %s = math.absf %x : tensor<64x2048xf32>
  %h = tessera.dot_general %s, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %gg = arith.mulf %g, %g : tensor<2048x1024xf32>
  %hh = arith.mulf %h, %h : tensor<2048x1024xf32>
  %a = tessera.reduce sum %gg dims = [0, 1] : tensor<2048x1024xf32> -> tensor<f32>
  %b = tessera.reduce sum %hh dims = [0, 1] : tensor<2048x1024xf32> -> tensor<f32>
  %sum = arith.addf %a, %b : tensor<f32>
  %norm = math.sqrt %sum : tensor<f32>
  %scale = tessera.broadcast %norm dims = [] : tensor<f32> -> tensor<2048x1024xf32>
  %u = arith.divf %g, %scale : tensor<2048x1024xf32>
  %v = arith.divf %h, %scale : tensor<2048x1024xf32>
  %0 = arith.subf %p, %u : tensor<2048x1024xf32>
  %1 = arith.subf %q, %v : tensor<2048x1024xf32>
  return %0, %1 : tensor<2048x1024xf32>, tensor<2048x1024xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// What goes on to another product is no update: it stays as the annotations say.
// CHECK-LABEL: func.func @activation(
// CHECK: tessera.reshard %{{.*}} to <@mesh, [{}, {}]>
// CHECK: math.tanh {{.*}}[{}, {}]
func.func @activation(
    %x: tensor<2048x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"data"}]>},
    %w: tensor<2048x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<2048x2048xf32> {
  %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %1 = math.tanh %0 : tensor<2048x2048xf32>
  %2 = tessera.dot_general %1, %1 batching = [] x [] contracting = [1] x [0] : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %2 : tensor<2048x2048xf32>
}

// -----

tessera.mesh @mesh = <["data"=4]>

// A parameter in f32 whose forward pass runs in bf16 is kept in shards: it is gathered in bf16, for half of what gathering the new parameter would send.
// CHECK-LABEL: func.func @mixed_precision(
// CHECK-SAME: %[[P:[a-z0-9]*]]: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
// CHECK: %[[SHORT:.*]] = arith.truncf %[[P]] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}
// CHECK: %[[W:.*]] = tessera.reshard %[[SHORT]] to <@mesh, [{}, {}]> {{.*}} : tensor<2048x1024xbf16>
// CHECK: tessera.dot_general %{{.*}}, %[[W]]
// CHECK: tessera.reshard %{{.*}} to <@mesh, [{"data"}, {}]>
// CHECK-NOT: tessera.reshard
// CHECK: return
func.func @mixed_precision(
    %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32},
    %x: tensor<64x2048xbf16> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
    %y: tensor<64x1024xbf16> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> tensor<2048x1024xf32> {
  %w = arith.truncf %p : tensor<2048x1024xf32> to tensor<2048x1024xbf16>
  %z = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x2048xbf16>, tensor<2048x1024xbf16>) -> tensor<64x1024xbf16>
  %d = arith.subf %z, %y : tensor<64x1024xbf16>
  %g = tessera.dot_general %x, %d batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xbf16>, tensor<64x1024xbf16>) -> tensor<2048x1024xbf16>
  %0 = arith.extf %g : tensor<2048x1024xbf16> to tensor<2048x1024xf32>
  %1 = arith.subf %p, %0 : tensor<2048x1024xf32>
  return %1 : tensor<2048x1024xf32>
}
