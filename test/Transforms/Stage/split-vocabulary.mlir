// A step whose last layer has seven columns, and a loss that picks the logarithm of one probability in each row: two ranks get three and four columns.
// RUN: tessera-opt %s --tessera-shard-phase -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt %t.mlir --tessera-split-vocabulary="stages=2 schedule=vocabulary-1" -o %t.two.mlir
// RUN: FileCheck %s --check-prefix=TWO < %t.two.mlir
// RUN: tessera-interpret %t.two.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-opt %t.mlir --tessera-split-vocabulary="stages=2 schedule=vocabulary-2" -o %t.one.mlir
// RUN: FileCheck %s --check-prefix=ONE < %t.one.mlir
// RUN: tessera-interpret %t.one.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// A checkpoint that keeps the logits hands them through a barrier to the backward pass, which repeats what follows.
// RUN: sed 's/%%soft = arith.mulf %%cs, %%e :/%%kept:2 = tessera.optimization_barrier %%y, %%ms : (tensor<4x7xf32>, tensor<4x7xf32>) -> (tensor<4x7xf32>, tensor<4x7xf32>)\n    %%zk = arith.subf %%kept#0, %%ms : tensor<4x7xf32>\n    %%ek = math.exp %%zk : tensor<4x7xf32>\n    %%soft = arith.mulf %%cs, %%ek :/' %s | tessera-opt --tessera-shard-phase --tessera-split-vocabulary="stages=2 schedule=vocabulary-1" -o %t.kept.mlir
// RUN: FileCheck %s --check-prefix=KEPT < %t.kept.mlir
// RUN: tessera-interpret %t.kept.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// KEPT-COUNT-2: pipe.fragment {{ ?}}vocabulary_backward

// Other schedules leave the layer where it is.
// RUN: tessera-opt %t.mlir --tessera-split-vocabulary="stages=2 schedule=1f1b" | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: pipe.fragment

// The tasks become fragments of stages like others.
// RUN: tessera-opt %t.two.mlir --tessera-cut-stages="stages=2 schedule=vocabulary-1" --tessera-verify-stages -o %t.cut.mlir
// RUN: FileCheck %s --check-prefix=CUT < %t.cut.mlir
// RUN: tessera-interpret %t.cut.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// Each rank has its columns of the parameter.
// TWO: %[[W0:.*]] = tessera.slice %{{.*}} [0, 0] to [8, 3] {{.*}} -> tensor<8x3xf32>
// TWO: %[[W1:.*]] = tessera.slice %{{.*}} [0, 3] to [8, 7] {{.*}} -> tensor<8x4xf32>
// TWO: scf.for
// TWO-SAME: -> (tensor<16x8xf32>, tensor<f32>, tensor<8x3xf32>, tensor<8x4xf32>)
// S gives the largest logits, and the sum of the exponentials of what they exceed.
// TWO: pipe.fragment {{ ?}}vocabulary_forward stage 0
// TWO: %[[Y0:.*]] = tessera.dot_general %{{.*}}, %[[W0]]
// TWO: tessera.reduce max %[[Y0]]
// TWO: %[[E0:.*]] = math.exp
// TWO: tessera.reduce sum %[[E0]]
// TWO: pipe.fragment {{ ?}}vocabulary_forward stage 1
// T has both, and needs the logits of its own columns only.
// TWO: pipe.fragment {{ ?}}vocabulary_backward stage 0
// TWO-NOT: tessera.dot_general %{{.*}}, %[[W0]]
// TWO: tessera.dot_general %{{.*}}, %[[D0:.*]] batching {{.*}} -> tensor<8x3xf32>
// TWO: tessera.gather {{.*}} : (tensor<4x3xf32>, tensor<4x1xi32>) -> tensor<4xf32>
// The last stage's backward pass is given a part of the cotangent by every rank, the weight's gradient stays.
// TWO: %[[X0:.*]] = tessera.dot_general %[[D0]], %[[W0]] {{.*}} : (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
// TWO: %[[A0:.*]] = arith.addf %{{.*}} : tensor<8x3xf32>
// TWO: pipe.yield %{{.*}}, %[[X0]], %[[A0]] :
// TWO: tessera.concatenate %{{.*}}, %{{.*}} dim = 1 {{.*}} -> tensor<8x7xf32>

// Where the ranks meet once, S gives the parts of the cotangent: of the softmax, which is scaled afterwards, and of the label.
// ONE: pipe.fragment {{ ?}}vocabulary_forward stage 0
// ONE-COUNT-2: (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
// Nothing computes all columns, for what combinations are made of are combinations too.
// ONE-NOT: tensor<4x7xf32>
// ONE: pipe.fragment {{ ?}}vocabulary_backward stage 0
// ONE-NOT: (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
// ONE: scf.yield

// A rank holds its columns of the parameter only, and updates them.
// CUT: func.func @main({{.*}}, %[[W:.*]]: tensor<8x7xf32> {tessera.donated = 1 : i32
// CUT: %[[P0:.*]] = tessera.slice %[[W]] [0, 0] to [8, 3] {{.*}} -> tensor<8x3xf32>
// CUT: %[[P1:.*]] = tessera.slice %[[W]] [0, 3] to [8, 7] {{.*}} -> tensor<8x4xf32>
// CUT-NOT: %[[W]]
// CUT: pipe.fragment {{ ?}}forward stage 1
// The first rank makes again what the second one makes of its rows, element by element.
// CUT-NOT: pipe.transfer
// CUT: pipe.fragment {{ ?}}vocabulary_forward stage 0
// CUT: pipe.fragment {{ ?}}vocabulary_forward stage 1
// CUT: pipe.fragment {{ ?}}vocabulary_backward stage 0
// CUT: pipe.fragment {{ ?}}vocabulary_backward stage 1
// The loss, too, waits for the ranks.
// CUT: pipe.fragment {{ ?}}input_gradient stage 1
// CUT: tessera.reduce sum %{{.*}} dims = [0] {{.*}} -> tensor<f32>
// CUT: pipe.fragment {{ ?}}input_gradient stage 0
// CUT: %[[N0:.*]] = pipe.fragment {{ ?}}once stage 0 {{.*}}tensor<8x3xf32>
// CUT: tessera.concatenate %{{.*}}, %{{.*}} dim = 1 {{.*}} : (tensor<8x3xf32>, tensor<8x4xf32>) -> tensor<8x7xf32>
tessera.mesh @mesh = <["data"=1]>
func.func @main(%w1: tensor<16x8xf32> {tessera.donated = 0 : i32, tessera.name = "w1"}, %w2: tensor<8x7xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
    %x: tensor<16x16xf32> {tessera.name = "x"}, %labels: tensor<16x1xi32> {tessera.name = "labels"})
    -> (tensor<16x8xf32> {tessera.name = "new1"}, tensor<8x7xf32> {tessera.name = "new2"}, tensor<f32> {tessera.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %zeros1 = arith.constant dense<0.0> : tensor<16x8xf32>
  %zeros2 = arith.constant dense<0.0> : tensor<8x7xf32>
  %zi = arith.constant dense<0> : tensor<i32>
  %batch = tessera.reshape %x : tensor<16x16xf32> -> tensor<4x4x16xf32>
  %all = tessera.reshape %labels : tensor<16x1xi32> -> tensor<4x4x1xi32>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %zeros1, %a2 = %zeros2, %l = %zero) -> (tensor<16x8xf32>, tensor<8x7xf32>, tensor<f32>) {
    %i32 = arith.index_cast %i : index to i32
    %n = tensor.from_elements %i32 : tensor<i32>
    %xs = tessera.dynamic_slice %batch[%n, %zi, %zi] : (tensor<4x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %xb = tessera.reshape %xs : tensor<1x4x16xf32> -> tensor<4x16xf32>
    %ls = tessera.dynamic_slice %all[%n, %zi, %zi] : (tensor<4x4x1xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x1xi32>
    %lb = tessera.reshape %ls : tensor<1x4x1xi32> -> tensor<4x1xi32>
    %h = tessera.dot_general %xb, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    %t = math.tanh %h : tensor<4x8xf32>
    %y = tessera.dot_general %t, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x7xf32>) -> tensor<4x7xf32>
    %m = tessera.reduce max %y dims = [1] : tensor<4x7xf32> -> tensor<4xf32>
    %ms = tessera.broadcast %m dims = [0] : tensor<4xf32> -> tensor<4x7xf32>
    %z = arith.subf %y, %ms : tensor<4x7xf32>
    %e = math.exp %z : tensor<4x7xf32>
    %s = tessera.reduce sum %e dims = [1] : tensor<4x7xf32> -> tensor<4xf32>
    %s1 = tessera.broadcast %s dims = [0] : tensor<4xf32> -> tensor<4x1xf32>
    %log = math.log %s1 : tensor<4x1xf32>
    %logs = tessera.broadcast %log dims = [0, 1] : tensor<4x1xf32> -> tensor<4x7xf32>
    %p = arith.subf %z, %logs : tensor<4x7xf32>
    %picked = tessera.gather %p at %lb offset = [] collapsed = [1] batching = [0] x [0] map = [1] vector = 1 sizes = [1, 1] : (tensor<4x7xf32>, tensor<4x1xi32>) -> tensor<4xf32>
    %loss = tessera.reduce sum %picked dims = [0] : tensor<4xf32> -> tensor<f32>
    %none = arith.constant dense<0.0> : tensor<4x7xf32>
    %minus = arith.constant dense<-1.0> : tensor<4xf32>
    %hot = tessera.scatter sum %none, %minus at %lb window = [] inserted = [1] batching = [0] x [0] map = [1] vector = 1 : (tensor<4x7xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4x7xf32>
    %neg = arith.negf %hot : tensor<4x7xf32>
    %g = tessera.reduce sum %neg dims = [1] : tensor<4x7xf32> -> tensor<4xf32>
    %c = arith.divf %g, %s : tensor<4xf32>
    %cs = tessera.broadcast %c dims = [0] : tensor<4xf32> -> tensor<4x7xf32>
    %soft = arith.mulf %cs, %e : tensor<4x7xf32>
    %dy = arith.addf %hot, %soft : tensor<4x7xf32>
    %dw2 = tessera.dot_general %t, %dy batching = [] x [] contracting = [0] x [0] : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x7xf32>
    %dt = tessera.dot_general %dy, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<4x7xf32>, tensor<8x7xf32>) -> tensor<4x8xf32>
    %tt = arith.mulf %t, %t : tensor<4x8xf32>
    %one = arith.constant dense<1.0> : tensor<4x8xf32>
    %d = arith.subf %one, %tt : tensor<4x8xf32>
    %dh = arith.mulf %dt, %d : tensor<4x8xf32>
    %dw1 = tessera.dot_general %xb, %dh batching = [] x [] contracting = [0] x [0] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
    %b1 = arith.addf %a1, %dw1 : tensor<16x8xf32>
    %b2 = arith.addf %a2, %dw2 : tensor<8x7xf32>
    %l2 = arith.addf %l, %loss : tensor<f32>
    scf.yield %b1, %b2, %l2 : tensor<16x8xf32>, tensor<8x7xf32>, tensor<f32>
  } {pipe.microbatches}
  %new1 = arith.subf %w1, %r#0 : tensor<16x8xf32>
  %new2 = arith.subf %w2, %r#1 : tensor<8x7xf32>
  return %new1, %new2, %r#2 : tensor<16x8xf32>, tensor<8x7xf32>, tensor<f32>
}
