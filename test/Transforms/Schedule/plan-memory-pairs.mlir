// RUN: tessera-opt %s -split-input-file -tessera-plan-memory -tessera-verify-memory-plan | FileCheck %s

tessera.mesh @mesh = <["x"=2]>

// An all-reduce that is started overwrites its operand, and has it for itself until the wait.
// CHECK-LABEL: func @in_place
// CHECK-SAME: spmd.arena_size = 512
// CHECK: spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<arena, [[G:[0-9]+]]>]}
// CHECK: spmd.all_reduce {{.*}} {spmd.buffers = [#spmd.buffer<arena, [[G]]>]}
// CHECK-NOT: #spmd.buffer<arena, [[G]]>
// CHECK: math.exp
// CHECK: spmd.wait {{.*}} {spmd.buffers = [#spmd.buffer<arena, [[G]]>]}
func.func @in_place(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<f32>) {
  %g = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %f = spmd.start : !spmd.future<tensor<64xf32>> {
    %s = spmd.all_reduce sum %g over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %s : tensor<64xf32>
  }
  %h = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %r = spmd.kernel(%h) : (tensor<64xf32>) -> tensor<f32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = tessera.reduce sum %0 dims = [0] : tensor<64xf32> -> tensor<f32>
    spmd.yield %1 : tensor<f32>
  }
  %sum = spmd.wait %f : !spmd.future<tensor<64xf32>>
  %w = spmd.kernel(%sum) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %w, %r : tensor<64xf32>, tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// A kernel in between reads the operand: the sum may not overwrite it, nor may what the kernel makes.
// CHECK-LABEL: func @read_in_between
// CHECK: spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<arena, [[G:[0-9]+]]>]}
// CHECK: spmd.start
// CHECK-NOT: #spmd.buffer<arena, [[G]]>
// CHECK: return
func.func @read_in_between(%x: tensor<64xf32>) -> tensor<f32> {
  %g = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %f = spmd.start : !spmd.future<tensor<64xf32>> {
    %s = spmd.all_reduce sum %g over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %s : tensor<64xf32>
  }
  %h = spmd.kernel(%g) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %sum = spmd.wait %f : !spmd.future<tensor<64xf32>>
  %r = spmd.kernel(%h, %sum) : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32> {
  ^bb0(%0: tensor<64xf32>, %1: tensor<64xf32>):
    %2 = arith.addf %0, %1 : tensor<64xf32>
    %3 = tessera.reduce sum %2 dims = [0] : tensor<64xf32> -> tensor<f32>
    spmd.yield %3 : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// The sum of a donated argument is made in the argument's memory.
// CHECK-LABEL: func @donated
// CHECK-SAME: spmd.arena_size = 0
// CHECK: spmd.all_reduce {{.*}} {spmd.buffers = [#spmd.buffer<argument, 0>]}
// CHECK: spmd.wait {{.*}} {spmd.buffers = [#spmd.buffer<argument, 0>]}
func.func @donated(%p: tensor<64xf32> {tessera.donated = 0 : i32}) -> tensor<64xf32> {
  %f = spmd.start : !spmd.future<tensor<64xf32>> {
    %s = spmd.all_reduce sum %p over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %s : tensor<64xf32>
  }
  %sum = spmd.wait %f : !spmd.future<tensor<64xf32>>
  return %sum : tensor<64xf32>
}
