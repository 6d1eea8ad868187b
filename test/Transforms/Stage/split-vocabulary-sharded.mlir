// A table that embeds and, transposed, scores; its rows are split over the devices of each rank, labels are one-hot rows, and the loss is summed over everything at once. Three ranks have one, one and two rows of each device's four.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt %t.mlir --tessera-split-vocabulary="stages=3 schedule=vocabulary-1" -o %t.two.mlir
// RUN: FileCheck %s < %t.two.mlir
// RUN: tessera-interpret %t.two.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-opt %t.mlir --tessera-split-vocabulary="stages=3 schedule=vocabulary-2" -o %t.one.mlir
// RUN: tessera-interpret %t.one.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// One device of each rank computes it, too.
// RUN: tessera-opt %t.two.mlir --tessera-partition -o %t.local.mlir
// RUN: tessera-interpret %t.local.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// A rank has a piece of what each device holds.
// CHECK: %[[B:.*]] = tessera.reshape %{{.*}} -> tensor<2x4x8xf32>
// CHECK: tessera.slice %[[B]] [0, 0, 0] to [2, 1, 8]
// CHECK: tessera.slice %{{.*}} [0, 1, 0] to [2, 2, 8]
// CHECK: tessera.slice %{{.*}} [0, 2, 0] to [2, 4, 8]
// The gradient of the lookups stays one sum, that of the scores becomes three.
// CHECK: scf.for
// CHECK-SAME: -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>)
// CHECK: tessera.concatenate %{{.*}}, %{{.*}}, %{{.*}} dim = 1 {{.*}} -> tensor<2x4x8xf32>
// CHECK: arith.addf %{{.*}} : tensor<8x8xf32>
tessera.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%table: tensor<8x8xf32> {tessera.donated = 0 : i32, tessera.name = "table", tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>},
    %w: tensor<8x8xf32> {tessera.donated = 1 : i32, tessera.name = "w"},
    %tokens: tensor<8x1xi32> {tessera.name = "tokens", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}, %labels: tensor<8xi32> {tessera.name = "labels"})
    -> (tensor<8x8xf32> {tessera.name = "new"}, tensor<8x8xf32> {tessera.name = "neww"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %columns = tessera.iota dim = 0 : tensor<8xi32>
  %alltokens = tessera.reshape %tokens : tensor<8x1xi32> -> tensor<2x4x1xi32>
  %alllabels = tessera.reshape %labels : tensor<8xi32> -> tensor<2x4xi32>
  %r:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a1 = %zeros, %a2 = %zeros, %l = %zero) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %ts = tessera.dynamic_slice %alltokens[%n, %zi, %zi] : (tensor<2x4x1xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x1xi32>
    %tb = tessera.reshape %ts : tensor<1x4x1xi32> -> tensor<4x1xi32>
    %ls = tessera.dynamic_slice %alllabels[%n, %zi] : (tensor<2x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
    %lb = tessera.reshape %ls : tensor<1x4xi32> -> tensor<4xi32>
    %x = tessera.gather %table at %tb offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 8] : (tensor<8x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
    %h = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %t = math.tanh %h : tensor<4x8xf32>
    %y = tessera.dot_general %t, %table batching = [] x [] contracting = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %m = tessera.reduce max %y dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %ms = tessera.broadcast %m dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    %z = arith.subf %y, %ms : tensor<4x8xf32>
    %e = math.exp %z : tensor<4x8xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %log = math.log %s : tensor<4xf32>
    %logs = tessera.broadcast %log dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    %p = arith.subf %z, %logs : tensor<4x8xf32>
    %lrows = tessera.broadcast %lb dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
    %crows = tessera.broadcast %columns dims = [1] : tensor<8xi32> -> tensor<4x8xi32>
    %is = arith.cmpi eq, %lrows, %crows : tensor<4x8xi32>
    %none = arith.constant dense<0.01> : tensor<4x8xf32>
    %one = arith.constant dense<1.0> : tensor<4x8xf32>
    %hot = arith.select %is, %one, %none : tensor<4x8xi1>, tensor<4x8xf32>
    %prod = arith.mulf %hot, %p : tensor<4x8xf32>
    %sum = tessera.reduce sum %prod dims = [0, 1] : tensor<4x8xf32> -> tensor<f32>
    %loss = arith.negf %sum : tensor<f32>
    %g = tessera.reduce sum %hot dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %c = arith.divf %g, %s : tensor<4xf32>
    %cs = tessera.broadcast %c dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
    %soft = arith.mulf %cs, %e : tensor<4x8xf32>
    %dy = arith.subf %soft, %hot : tensor<4x8xf32>
    %dtable = tessera.dot_general %dy, %t batching = [] x [] contracting = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %dt = tessera.dot_general %dy, %table batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %tt = arith.mulf %t, %t : tensor<4x8xf32>
    %d = arith.subf %one, %tt : tensor<4x8xf32>
    %dh = arith.mulf %dt, %d : tensor<4x8xf32>
    %dw = tessera.dot_general %x, %dh batching = [] x [] contracting = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %dx = tessera.dot_general %dh, %w batching = [] x [] contracting = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %dlookup = tessera.scatter sum %zeros, %dx at %tb window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1 : (tensor<8x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %both = arith.addf %dtable, %dlookup : tensor<8x8xf32>
    %b1 = arith.addf %a1, %both : tensor<8x8xf32>
    %b2 = arith.addf %a2, %dw : tensor<8x8xf32>
    %l2 = arith.addf %l, %loss : tensor<f32>
    scf.yield %b1, %b2, %l2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
  } {pipe.microbatches}
  %new = arith.subf %table, %r#0 : tensor<8x8xf32>
  %neww = arith.subf %w, %r#1 : tensor<8x8xf32>
  return %new, %neww, %r#2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<f32>
}
