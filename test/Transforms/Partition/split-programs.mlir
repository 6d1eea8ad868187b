// A step of four stages under schedules of every shape: the programs of the pipeline ranks give what the step gives, written once with its loop. Its first weight is used by
// the last stage, too; an argument is only returned, a result stacked up over the microbatches.
// RUN: sed -e 's/NAME/"sequential"/' -e 's/, .RANKS.>/, [""]>/' %s > %t.whole.mlir
// RUN: tessera-interpret %t.whole.mlir --random=3 --outputs=%t.expected.safetensors
// RUN: sed -e 's/NAME/"1f1b"/' -e 's/RANKS/"0F0 0F1 0F2 0F3 0B0 0B1 0B2 0B3", "1F0 1F1 1F2 1B0 1F3 1B1 1B2 1B3", "2F0 2F1 2B0 2F2 2B1 2F3 2B2 2B3", "3F0 3B0 3F1 3B1 3F2 3B2 3F3 3B3"/' %s > %t.1f1b.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.1f1b.mlir -o %t.1f1b.ranks.mlir
// RUN: tessera-interpret %t.1f1b.ranks.mlir --random=3 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s --check-prefix=1F1B < %t.1f1b.ranks.mlir
// RUN: sed -e 's/NAME/"split"/' -e 's/RANKS/"0F0 1F0 0F1 1F1 0F2 1F2 0F3 1F3 1I0 0I0 1I1 0I1 1I2 0I2 1I3 0I3 1W0 0W0 1W1 0W1 1W2 0W2 1W3 0W3", "2F0 3F0 2F1 3F1 2F2 3F2 2F3 3F3 3I0 2I0 3I1 2I1 3I2 2I2 3I3 2I3 3W0 2W0 3W1 2W1 3W2 2W2 3W3 2W3"/' %s > %t.split.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.split.mlir -o %t.split.ranks.mlir
// RUN: tessera-interpret %t.split.ranks.mlir --random=3 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s --check-prefix=SPLIT < %t.split.ranks.mlir
// RUN: sed -e 's/NAME/"interleaved"/' -e 's/RANKS/"0F0 0F1 0F2 0F3 2F0 2F1 2F2 2F3 2B0 2B1 2B2 2B3 0B0 0B1 0B2 0B3", "1F0 1F1 1F2 1F3 3F0 3F1 3F2 3F3 3B0 3B1 3B2 3B3 1B0 1B1 1B2 1B3"/' %s > %t.interleaved.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.interleaved.mlir -o %t.interleaved.ranks.mlir
// RUN: tessera-interpret %t.interleaved.ranks.mlir --random=3 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s --check-prefix=INTERLEAVED < %t.interleaved.ranks.mlir
// RUN: sed -e 's/NAME/"v"/' -e 's/RANKS/"0F0 0F1 0F2 0F3 3F0 3F1 3F2 3F3 3B3 3B2 3B1 3B0 0B3 0B2 0B1 0B0", "1F0 1F1 1F2 1F3 2F0 2F1 2F2 2F3 2B3 2B2 2B1 2B0 1B3 1B2 1B1 1B0"/' %s > %t.v.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.v.mlir -o %t.v.ranks.mlir
// RUN: tessera-interpret %t.v.ranks.mlir --random=3 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s --check-prefix=V < %t.v.ranks.mlir
// RUN: sed -e 's/NAME/"bidirectional"/' -e 's/RANKS/"0F0 3F1 0F2 3F3 3B1 0B0 3B3 0B2", "1F0 2F1 1F2 2F3 2B1 1B0 2B3 1B2", "1F1 2F0 1F3 2F2 2B0 1B1 2B2 1B3", "0F1 3F0 0F3 3F2 3B0 0B1 3B2 0B3"/' %s > %t.bidirectional.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.bidirectional.mlir -o %t.bidirectional.ranks.mlir
// RUN: tessera-interpret %t.bidirectional.ranks.mlir --random=3 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s --check-prefix=BIDIRECTIONAL < %t.bidirectional.ranks.mlir

// One stage per rank: each rank's tasks in order, what it needs received right before, what others need sent right after. The tied weight is held by ranks 0 and 3, so that rank 3
// gets the new one from rank 0, which gets its part of the gradient. The argument that nobody uses is on rank 0.
// 1F1B: func.func private @main(tensor<8x4xf32> {{.*}}tessera.name = "x"{{.*}}tessera.donated = 3 : i32
// 1F1B-LABEL: func.func @rank_0(
// 1F1B-SAME: %[[X:.*]]: tensor<8x4xf32> {pipe.argument = 0 : i64, {{.*}}tessera.name = "x"
// 1F1B-SAME: %[[W:.*]]: tensor<4x4xf32> {pipe.argument = 1 : i64, tessera.donated = 0 : i32
// 1F1B-SAME: %[[UNUSED:.*]]: tensor<f32> {pipe.argument = 5 : i64
// 1F1B-SAME: -> (tensor<4x4xf32> {pipe.result = 0 : i64, {{.*}}}, tensor<f32> {pipe.result = 6 : i64, {{.*}}}) attributes {pipe.rank = 0 : i64}
// 1F1B-NEXT: %[[ZERO:.*]] = call @once_0()
// 1F1B-NEXT: %[[I0:.*]] = arith.constant dense<0> : tensor<i32>
// 1F1B-NEXT: %[[F0:.*]]:2 = call @forward_0(%[[I0]], %[[X]], %[[W]]) {pipe.task = "0F0"}
// 1F1B-NEXT: spmd.send %[[F0]]#0 to 1 tag 0 : tensor<2x4xf32>
// 1F1B: %[[F3:.*]]:2 = call @forward_0({{.*}}) {pipe.task = "0F3"}
// 1F1B-NEXT: spmd.send %[[F3]]#0 to 1 tag 0
// 1F1B-NEXT: %[[G0:.*]] = spmd.recv from 1 tag 0
// 1F1B-NEXT: %[[D1:.*]] = call @weight_gradient_0(%[[F0]]#0, %[[G0]], %[[F0]]#1, %[[ZERO]]) {pipe.task = "0B0"}
// 1F1B: %[[D4:.*]] = call @weight_gradient_0({{.*}}) {pipe.task = "0B3"}
// 1F1B-NEXT: %[[TIED:.*]] = spmd.recv from 3 tag 0 : tensor<4x4xf32>
// 1F1B-NEXT: %[[NEW:.*]] = call @once_0_1(%[[D4]], %[[TIED]], %[[W]])
// 1F1B-NEXT: spmd.send %[[NEW]] to 3 tag 0 : tensor<4x4xf32>
// 1F1B-NEXT: return %[[NEW]], %[[UNUSED]]
// 1F1B-LABEL: func.func @rank_3(
// 1F1B-SAME: tensor<4x4xf32> {pipe.argument = 1 : i64, tessera.donated = 0 : i32
// 1F1B-SAME: tensor<4x4xf32> {pipe.argument = 4 : i64, tessera.donated = 1 : i32
// 1F1B-SAME: pipe.result = 0 : i64{{.*}}pipe.result = 3 : i64{{.*}}pipe.result = 4 : i64{{.*}}pipe.result = 5 : i64
// 1F1B: call @weight_gradient_3({{.*}}) {pipe.task = "3B3"}
// 1F1B-NEXT: spmd.send {{.*}}#1 to 0 tag 0 : tensor<4x4xf32>
// 1F1B: %[[W0:.*]] = spmd.recv from 0 tag 0 : tensor<4x4xf32>
// 1F1B-NEXT: return %[[W0]],

// Within the functions constants are made anew; what is added to may be written in place.
// 1F1B-LABEL: func.func private @forward_1(
// 1F1B-NEXT: arith.constant dense<8.0{{.*}}> : tensor<2x4xf32>
// 1F1B: func.func private @weight_gradient_1({{.*}}%{{.*}}: tensor<4x4xf32> {tessera.donated = 0 : i32}) -> tensor<4x4xf32>
// 1F1B: func.func private @once_1_1({{.*}}%{{.*}}: tensor<4x4xf32> {tessera.donated = 0 : i32}) -> tensor<4x4xf32>

// Two stages per rank with nothing between them to send; `I` and `W` are calls of their own, the first stage's `I` is nothing.
// SPLIT-LABEL: func.func @rank_0(
// SPLIT: %[[A:.*]]:2 = call @forward_0({{.*}}) {pipe.task = "0F0"}
// SPLIT-NEXT: call @forward_1(%[[A]]#0, {{.*}}) {pipe.task = "1F0"}
// SPLIT: call @input_gradient_1({{.*}}) {pipe.task = "1I0"}
// SPLIT-NOT: pipe.task = "0I
// SPLIT: call @weight_gradient_1({{.*}}) {pipe.task = "1W0"}
// SPLIT-NEXT: call @weight_gradient_0({{.*}}) {pipe.task = "0W0"}
// SPLIT-LABEL: func.func @rank_1(

// Two transfers in the same direction, of stages 0 and 2, have different tags; the one between the ranks' first and second round goes back.
// INTERLEAVED-LABEL: func.func @rank_0(
// INTERLEAVED: call @forward_0({{.*}}) {pipe.task = "0F3"}
// INTERLEAVED-NEXT: spmd.send {{.*}} to 1 tag 0 :
// INTERLEAVED-NEXT: spmd.recv from 1 tag 0 :
// INTERLEAVED-NEXT: call @forward_2({{.*}}) {pipe.task = "2F0"}
// INTERLEAVED-NEXT: spmd.send {{.*}} to 1 tag 1 :

// The turn of the V is on rank 1; the backward pass takes the microbatches in the other order, so what the forward pass kept is not what was received last.
// V-LABEL: func.func @rank_1(
// V: %[[H0:.*]] = call @forward_1({{.*}}) {pipe.task = "1F0"}
// V-NOT: spmd.send
// V: %[[H1:.*]] = call @forward_1({{.*}}) {pipe.task = "1F1"}
// V-NOT: spmd.send
// V: call @forward_2(%[[H0]], {{.*}}) {pipe.task = "2F0"}
// V-NEXT: spmd.send {{.*}} to 0 tag 0

// Both ranks that have stage 0 sum up their microbatches, exchange the sums, add them in the same order, and update the weight.
// BIDIRECTIONAL-LABEL: func.func @rank_0(
// BIDIRECTIONAL: %[[MINE:.*]] = call @weight_gradient_0({{.*}}) {pipe.task = "0B2"}
// BIDIRECTIONAL-NEXT: spmd.send %[[MINE]] to 3 tag [[SENT:.*]] : tensor<4x4xf32>
// BIDIRECTIONAL-NEXT: %[[OTHER:.*]] = spmd.recv from 3 tag [[GOT:.*]] : tensor<4x4xf32>
// BIDIRECTIONAL-NEXT: %[[SUM:.*]] = arith.addf %[[MINE]], %[[OTHER]]
// BIDIRECTIONAL: call @once_0_1(%[[SUM]],
// BIDIRECTIONAL-LABEL: func.func @rank_3(
// BIDIRECTIONAL: %[[MINE:.*]] = call @weight_gradient_0({{.*}}) {pipe.task = "0B3"}
// BIDIRECTIONAL-NEXT: spmd.send %[[MINE]] to 0 tag [[GOT]] : tensor<4x4xf32>
// BIDIRECTIONAL: %[[OTHER:.*]] = spmd.recv from 0 tag [[SENT]] : tensor<4x4xf32>
// BIDIRECTIONAL-NEXT: arith.addf %[[OTHER]], %[[MINE]]

tessera.mesh @mesh = <["x"=2]>
func.func @main(
    %x: tensor<8x4xf32> {tessera.name = "x", tessera.global_type = tensor<16x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %w0: tensor<4x4xf32> {tessera.name = "w0", tessera.donated = 0 : i32, tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w1: tensor<4x4xf32> {tessera.name = "w1", tessera.donated = 1 : i32, tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w2: tensor<4x4xf32> {tessera.name = "w2", tessera.donated = 2 : i32, tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %w3: tensor<4x4xf32> {tessera.name = "w3", tessera.donated = 3 : i32, tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    %unused: tensor<f32> {tessera.name = "unused", tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>})
    -> (
    tensor<4x4xf32> {tessera.name = "w0", tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<4x4xf32> {tessera.name = "w1", tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<4x4xf32> {tessera.name = "w2", tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<4x4xf32> {tessera.name = "w3", tessera.global_type = tensor<4x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<f32> {tessera.name = "loss", tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>},
    tensor<8x4xf32> {tessera.name = "y", tessera.global_type = tensor<16x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    tensor<f32> {tessera.name = "kept", tessera.global_type = tensor<f32>, tessera.sharding = #tessera.sharding<@mesh, []>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %scale = arith.constant dense<8.0> : tensor<2x4xf32>
  %zero0 = pipe.fragment once stage 0 -> tensor<4x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<4x4xf32>
    pipe.yield %0 : tensor<4x4xf32>
  }
  %zero1 = pipe.fragment once stage 1 -> tensor<4x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<4x4xf32>
    pipe.yield %0 : tensor<4x4xf32>
  }
  %zero2 = pipe.fragment once stage 2 -> tensor<4x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<4x4xf32>
    pipe.yield %0 : tensor<4x4xf32>
  }
  %zero3 = pipe.fragment once stage 3 -> tensor<4x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<4x4xf32>
    pipe.yield %0 : tensor<4x4xf32>
  }
  %start:3 = pipe.fragment once stage 3 -> tensor<4x4xf32>, tensor<f32>, tensor<8x4xf32> {
    %0 = arith.constant dense<0.0> : tensor<4x4xf32>
    %1 = arith.constant dense<0.0> : tensor<f32>
    %2 = arith.constant dense<0.0> : tensor<8x4xf32>
    pipe.yield %0, %1, %2 : tensor<4x4xf32>, tensor<f32>, tensor<8x4xf32>
  }
  %sums:7 = scf.for %i = %c0 to %c4 step %c1 iter_args(%d0 = %zero0, %d1 = %zero1, %d2 = %zero2, %d3 = %zero3, %tied = %start#0, %loss = %start#1, %ys = %start#2)
      -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<8x4xf32>) {
    %number = arith.index_cast %i : index to i32
    %microbatch = tensor.from_elements %number : tensor<i32>
    %f0:2 = pipe.fragment forward stage 0 -> tensor<2x4xf32>, tensor<2x4xf32> {
      %two = arith.constant dense<2> : tensor<i32>
      %first = arith.constant dense<0> : tensor<i32>
      %row = arith.muli %microbatch, %two : tensor<i32>
      %x0 = tessera.dynamic_slice %x[%row, %first] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
      %0 = tessera.dot_general %x0, %w0 batching = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %scaled = arith.mulf %0, %scale : tensor<2x4xf32>
      %1 = math.tanh %scaled : tensor<2x4xf32>
      pipe.yield %1, %x0 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %t1 = pipe.transfer %f0#0 from 0 to 1 : tensor<2x4xf32>
    %f1 = pipe.fragment forward stage 1 -> tensor<2x4xf32> {
      %0 = tessera.dot_general %t1, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %scaled = arith.mulf %0, %scale : tensor<2x4xf32>
      %1 = math.tanh %scaled : tensor<2x4xf32>
      pipe.yield %1 : tensor<2x4xf32>
    }
    %t2 = pipe.transfer %f1 from 1 to 2 : tensor<2x4xf32>
    %f2 = pipe.fragment forward stage 2 -> tensor<2x4xf32> {
      %0 = tessera.dot_general %t2, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %scaled = arith.mulf %0, %scale : tensor<2x4xf32>
      %1 = math.tanh %scaled : tensor<2x4xf32>
      pipe.yield %1 : tensor<2x4xf32>
    }
    %t3 = pipe.transfer %f2 from 2 to 3 : tensor<2x4xf32>
    %f3:4 = pipe.fragment forward stage 3 -> tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<8x4xf32> {
      %two = arith.constant dense<2> : tensor<i32>
      %first = arith.constant dense<0> : tensor<i32>
      %row = arith.muli %microbatch, %two : tensor<i32>
      %0 = tessera.dot_general %t3, %w3 batching = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %1 = math.tanh %0 : tensor<2x4xf32>
      %2 = tessera.dot_general %1, %w0 batching = [] x [] contracting = [1] x [1] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %3 = arith.mulf %2, %2 : tensor<2x4xf32>
      %4 = tessera.reduce sum %3 dims = [0, 1] : tensor<2x4xf32> -> tensor<f32>
      %5 = arith.addf %loss, %4 : tensor<f32>
      %6 = tessera.dynamic_update_slice %ys, %2[%row, %first] : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
      pipe.yield %1, %2, %5, %6 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<f32>, tensor<8x4xf32>
    }
    %b3:2 = pipe.fragment input_gradient stage 3 -> tensor<2x4xf32>, tensor<2x4xf32> {
      %0 = arith.addf %f3#1, %f3#1 : tensor<2x4xf32>
      %1 = tessera.dot_general %0, %w0 batching = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %2 = arith.mulf %f3#0, %f3#0 : tensor<2x4xf32>
      %3 = arith.mulf %1, %2 : tensor<2x4xf32>
      %4 = arith.subf %1, %3 : tensor<2x4xf32>
      %5 = tessera.dot_general %4, %w3 batching = [] x [] contracting = [1] x [1] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      pipe.yield %5, %4 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %g2 = pipe.transfer %b3#0 from 3 to 2 : tensor<2x4xf32>
    %n3:2 = pipe.fragment weight_gradient stage 3 -> tensor<4x4xf32>, tensor<4x4xf32> {
      %0 = tessera.dot_general %t3, %b3#1 batching = [] x [] contracting = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %1 = arith.addf %d3, %0 : tensor<4x4xf32>
      %2 = arith.addf %f3#1, %f3#1 : tensor<2x4xf32>
      %3 = tessera.dot_general %2, %f3#0 batching = [] x [] contracting = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %4 = arith.addf %3, %tied : tensor<4x4xf32>
      pipe.yield %1, %4 : tensor<4x4xf32>, tensor<4x4xf32>
    }
    %b2:2 = pipe.fragment input_gradient stage 2 -> tensor<2x4xf32>, tensor<2x4xf32> {
      %0 = arith.mulf %f2, %f2 : tensor<2x4xf32>
      %1 = arith.mulf %g2, %0 : tensor<2x4xf32>
      %2 = arith.subf %g2, %1 : tensor<2x4xf32>
      %3 = tessera.dot_general %2, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      pipe.yield %3, %2 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %g1 = pipe.transfer %b2#0 from 2 to 1 : tensor<2x4xf32>
    %n2 = pipe.fragment weight_gradient stage 2 -> tensor<4x4xf32> {
      %0 = tessera.dot_general %t2, %b2#1 batching = [] x [] contracting = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %1 = arith.addf %d2, %0 : tensor<4x4xf32>
      pipe.yield %1 : tensor<4x4xf32>
    }
    %b1:2 = pipe.fragment input_gradient stage 1 -> tensor<2x4xf32>, tensor<2x4xf32> {
      %0 = arith.mulf %f1, %f1 : tensor<2x4xf32>
      %1 = arith.mulf %g1, %0 : tensor<2x4xf32>
      %2 = arith.subf %g1, %1 : tensor<2x4xf32>
      %3 = tessera.dot_general %2, %w1 batching = [] x [] contracting = [1] x [1] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      pipe.yield %3, %2 : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %g0 = pipe.transfer %b1#0 from 1 to 0 : tensor<2x4xf32>
    %n1 = pipe.fragment weight_gradient stage 1 -> tensor<4x4xf32> {
      %0 = tessera.dot_general %t1, %b1#1 batching = [] x [] contracting = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %1 = arith.addf %d1, %0 : tensor<4x4xf32>
      pipe.yield %1 : tensor<4x4xf32>
    }
    %n0 = pipe.fragment weight_gradient stage 0 -> tensor<4x4xf32> {
      %0 = arith.mulf %f0#0, %f0#0 : tensor<2x4xf32>
      %1 = arith.mulf %g0, %0 : tensor<2x4xf32>
      %2 = arith.subf %g0, %1 : tensor<2x4xf32>
      %3 = tessera.dot_general %f0#1, %2 batching = [] x [] contracting = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
      %4 = arith.addf %d0, %3 : tensor<4x4xf32>
      pipe.yield %4 : tensor<4x4xf32>
    }
    scf.yield %n0, %n1, %n2, %n3#0, %n3#1, %f3#2, %f3#3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<8x4xf32>
  } {pipe.schedule = #pipe.schedule<NAME, stages = 4, microbatches = 4, [RANKS]>}
  %shared = pipe.transfer %sums#4 from 3 to 0 : tensor<4x4xf32>
  %new0 = pipe.fragment once stage 0 -> tensor<4x4xf32> {
    %all = arith.addf %sums#0, %shared : tensor<4x4xf32>
    %0 = spmd.all_reduce sum %all over <@mesh, ["x"]> : tensor<4x4xf32>
    %1 = arith.constant dense<10.0> : tensor<4x4xf32>
    %2 = arith.mulf %0, %1 : tensor<4x4xf32>
    %3 = arith.subf %w0, %2 : tensor<4x4xf32>
    pipe.yield %3 : tensor<4x4xf32>
  }
  %new1 = pipe.fragment once stage 1 -> tensor<4x4xf32> {
    %0 = spmd.all_reduce sum %sums#1 over <@mesh, ["x"]> : tensor<4x4xf32>
    %1 = arith.constant dense<10.0> : tensor<4x4xf32>
    %2 = arith.mulf %0, %1 : tensor<4x4xf32>
    %3 = arith.subf %w1, %2 : tensor<4x4xf32>
    pipe.yield %3 : tensor<4x4xf32>
  }
  %new2 = pipe.fragment once stage 2 -> tensor<4x4xf32> {
    %0 = spmd.all_reduce sum %sums#2 over <@mesh, ["x"]> : tensor<4x4xf32>
    %1 = arith.constant dense<10.0> : tensor<4x4xf32>
    %2 = arith.mulf %0, %1 : tensor<4x4xf32>
    %3 = arith.subf %w2, %2 : tensor<4x4xf32>
    pipe.yield %3 : tensor<4x4xf32>
  }
  %new3 = pipe.fragment once stage 3 -> tensor<4x4xf32> {
    %0 = spmd.all_reduce sum %sums#3 over <@mesh, ["x"]> : tensor<4x4xf32>
    %1 = arith.constant dense<10.0> : tensor<4x4xf32>
    %2 = arith.mulf %0, %1 : tensor<4x4xf32>
    %3 = arith.subf %w3, %2 : tensor<4x4xf32>
    pipe.yield %3 : tensor<4x4xf32>
  }
  %total = pipe.fragment once stage 3 -> tensor<f32> {
    %0 = spmd.all_reduce sum %sums#5 over <@mesh, ["x"]> : tensor<f32>
    pipe.yield %0 : tensor<f32>
  }
  return %new0, %new1, %new2, %new3, %total, %sums#6, %unused : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<8x4xf32>, tensor<f32>
}
