// What a loop over microbatches carries other than one sum per task: each rank's programs give what the loop gives.
// RUN: sed -e 's/RANKS/"0F0 1F0 0F1 1F1 0F2 1F2 1B0 0B0 1B1 0B1 1B2 0B2"/' %s > %t.whole.mlir
// RUN: tessera-interpret %t.whole.mlir --random=4 --outputs=%t.expected.safetensors
// RUN: sed -e 's/RANKS/"0F0 0F1 0F2 0B0 0B1 0B2", "1F0 1F1 1B0 1F2 1B1 1B2"/' %s > %t.1f1b.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.1f1b.mlir -o %t.1f1b.ranks.mlir
// RUN: tessera-interpret %t.1f1b.ranks.mlir --random=4 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s < %t.1f1b.ranks.mlir
// RUN: sed -e 's/RANKS/"0F0 0F1 0F2 0I0 0I1 0I2 0W2 0W1 0W0", "1F0 1F1 1F2 1I0 1I1 1I2 1W2 1W1 1W0"/' %s > %t.apart.mlir
// RUN: tessera-opt --tessera-split-programs --tessera-verify-partitioned %t.apart.mlir -o %t.apart.ranks.mlir
// RUN: tessera-interpret %t.apart.ranks.mlir --random=4 --expect=%t.expected.safetensors --tolerance=1e-5

// Rank 0: the state of stage 0 goes from microbatch to microbatch, and so does what stage 1 made of the microbatch before, which comes from rank 1. `%both` gets something from two tasks of
// stage 1 and from stage 0, where it ends: rank 1 adds up parts of its own and sends them once, after the loop.
// CHECK-LABEL: func.func @rank_0(
// CHECK: %[[ONCE:.*]]:2 = call @once_0()
// CHECK: %[[LAST:.*]] = spmd.recv from 1 tag 0
// CHECK: %[[F0:.*]]:2 = call @forward_0({{.*}}, %[[ONCE]]#0, %[[LAST]]) {pipe.task = "0F0"}
// CHECK: spmd.send %[[F0]]#1 to 1
// CHECK: %[[LAST1:.*]] = spmd.recv from 1 tag
// CHECK: call @forward_0({{.*}}, %[[F0]]#0, %[[LAST1]]) {pipe.task = "0F1"}
// CHECK: %[[MINE:.*]] = call @weight_gradient_0({{.*}}) {pipe.task = "0B2"}
// CHECK-NEXT: %[[PART:.*]] = spmd.recv from 1 tag [[T0:.*]] : tensor<4xf32>
// CHECK-NEXT: %[[PART1:.*]] = spmd.recv from 1 tag [[T1:.*]] : tensor<4xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[PART]], %[[PART1]]
// CHECK-NEXT: arith.addf %[[SUM]], %[[MINE]]
// CHECK-LABEL: func.func @rank_1(
// CHECK: %[[PART:.*]] = call @input_gradient_1({{.*}}) {pipe.task = "1B2"}
// CHECK-NEXT: spmd.send %[[PART]] to 0 tag [[T0]]
// CHECK: %[[PART1:.*]]:2 = call @weight_gradient_1({{.*}}) {pipe.task = "1B2"}
// CHECK-NEXT: spmd.send %[[PART1]]#0 to 0 tag [[T1]]

tessera.mesh @mesh = <["x"=1]>
func.func @main(%x: tensor<4xf32> {tessera.name = "x", tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<4xf32> {tessera.name = "state", tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
        tensor<4xf32> {tessera.name = "last", tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
        tensor<4xf32> {tessera.name = "both", tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
        tensor<4xf32> {tessera.name = "largest", tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>},
        tensor<4xf32> {tessera.name = "same", tessera.global_type = tensor<4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %start:2 = pipe.fragment once stage 0 -> tensor<4xf32>, tensor<4xf32> {
    %0 = arith.constant dense<0.5> : tensor<4xf32>
    %1 = arith.constant dense<0.0> : tensor<4xf32>
    pipe.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  %start1:2 = pipe.fragment once stage 1 -> tensor<4xf32>, tensor<4xf32> {
    %0 = arith.constant dense<0.25> : tensor<4xf32>
    %1 = arith.constant dense<-9.0> : tensor<4xf32>
    pipe.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
  %r:5 = scf.for %i = %c0 to %c3 step %c1 iter_args(%state = %start#0, %last = %start1#0, %both = %start#1, %largest = %start1#1, %same = %x)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %number = arith.index_cast %i : index to i32
    %microbatch = tensor.from_elements %number : tensor<i32>
    %before = pipe.transfer %last from 1 to 0 : tensor<4xf32>
    %f0:2 = pipe.fragment forward stage 0 -> tensor<4xf32>, tensor<4xf32> {
      %0 = arith.sitofp %microbatch : tensor<i32> to tensor<f32>
      %1 = tessera.broadcast %0 dims = [] : tensor<f32> -> tensor<4xf32>
      %2 = arith.addf %x, %1 : tensor<4xf32>
      %3 = arith.mulf %2, %state : tensor<4xf32>
      %4 = arith.addf %3, %before : tensor<4xf32>
      %5 = math.tanh %4 : tensor<4xf32>
      pipe.yield %5, %4 : tensor<4xf32>, tensor<4xf32>
    }
    %h = pipe.transfer %f0#1 from 0 to 1 : tensor<4xf32>
    %f1 = pipe.fragment forward stage 1 -> tensor<4xf32> {
      %0 = math.sin %h : tensor<4xf32>
      pipe.yield %0 : tensor<4xf32>
    }
    %b1 = pipe.fragment input_gradient stage 1 -> tensor<4xf32> {
      %0 = arith.mulf %f1, %f1 : tensor<4xf32>
      %1 = arith.addf %both, %0 : tensor<4xf32>
      pipe.yield %1 : tensor<4xf32>
    }
    %w1:2 = pipe.fragment weight_gradient stage 1 -> tensor<4xf32>, tensor<4xf32> {
      %0 = arith.subf %b1, %f1 : tensor<4xf32>
      %1 = arith.maximumf %f1, %largest : tensor<4xf32>
      pipe.yield %0, %1 : tensor<4xf32>, tensor<4xf32>
    }
    %shared = pipe.transfer %w1#0 from 1 to 0 : tensor<4xf32>
    %w0 = pipe.fragment weight_gradient stage 0 -> tensor<4xf32> {
      %0 = arith.addf %f0#0, %shared : tensor<4xf32>
      pipe.yield %0 : tensor<4xf32>
    }
    scf.yield %f0#0, %f1, %w0, %w1#1, %same : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  } {pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 3, [RANKS]>}
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
