// RUN: tessera-opt %s -split-input-file -tessera-order-operations | FileCheck %s

// What frees memory runs as soon as it can: the reduction of %a before the next big value is made.
// CHECK-LABEL: func @free_early
// CHECK: %[[A:.*]] = spmd.kernel(%arg0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK: %[[R:.*]] = spmd.kernel(%[[A]]) : (tensor<64x64xf32>) -> tensor<64xf32>
// CHECK: %[[B:.*]] = spmd.kernel(%arg0) : (tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK: return
func.func @free_early(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = spmd.kernel(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = math.exp %0 : tensor<64x64xf32>
    spmd.yield %1 : tensor<64x64xf32>
  }
  %b = spmd.kernel(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = math.tanh %0 : tensor<64x64xf32>
    spmd.yield %1 : tensor<64x64xf32>
  }
  %r = spmd.kernel(%a) : (tensor<64x64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = tessera.reduce sum %0 dims = [0] : tensor<64x64xf32> -> tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %s = spmd.kernel(%b) : (tensor<64x64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = tessera.reduce sum %0 dims = [0] : tensor<64x64xf32> -> tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %r, %s : tensor<64xf32>, tensor<64xf32>
}

// -----

// The update of a donated argument waits for its other reader.
// CHECK-LABEL: func @read_before_overwriting
// CHECK: %[[Y:.*]] = spmd.kernel(%arg0)
// CHECK: math.exp
// CHECK: %[[P:.*]] = spmd.kernel(%arg0)
// CHECK: arith.negf
// CHECK: return %[[P]], %[[Y]]
func.func @read_before_overwriting(%p: tensor<64x64xf32> {tessera.donated = 0 : i32}) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %n = spmd.kernel(%p) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = arith.negf %0 : tensor<64x64xf32>
    spmd.yield %1 : tensor<64x64xf32>
  }
  %y = spmd.kernel(%p) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = math.exp %0 : tensor<64x64xf32>
    spmd.yield %1 : tensor<64x64xf32>
  }
  return %n, %y : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func @barrier_is_gone
// CHECK-NEXT: %[[A:.*]] = spmd.kernel(%arg0)
// CHECK: return %[[A]]
func.func @barrier_is_gone(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = spmd.kernel(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%0: tensor<8xf32>):
    %1 = math.exp %0 : tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  %b = tessera.optimization_barrier %a : (tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// Calls and messages keep their order, even where a later one would free memory; kernels that nobody waits for move. What a
// call overwrites is read before.
// CHECK-LABEL: func @effects_stay_in_order
// CHECK: spmd.recv from 1 tag 0
// CHECK: spmd.recv from 1 tag 1
// CHECK: spmd.kernel(%[[V:.*]]) : (tensor<64x64xf32>) -> tensor<f32>
// CHECK: call @overwrite(%[[V]])
// CHECK: spmd.send {{.*}} to 1 tag 2
// CHECK: spmd.send {{.*}} to 1 tag 3
func.func private @overwrite(%x: tensor<64x64xf32> {tessera.donated = 0 : i32}) -> tensor<64x64xf32> {
  return %x : tensor<64x64xf32>
}
func.func @effects_stay_in_order() -> tensor<f32> {
  %a = spmd.recv from 1 tag 0 : tensor<64x64xf32>
  %b = spmd.recv from 1 tag 1 : tensor<64x64xf32>
  %v = spmd.kernel(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%0: tensor<64x64xf32>, %1: tensor<64x64xf32>):
    %2 = arith.addf %0, %1 : tensor<64x64xf32>
    spmd.yield %2 : tensor<64x64xf32>
  }
  %w = func.call @overwrite(%v) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  spmd.send %a to 1 tag 2 : tensor<64x64xf32>
  spmd.send %w to 1 tag 3 : tensor<64x64xf32>
  %s = spmd.kernel(%v) : (tensor<64x64xf32>) -> tensor<f32> {
  ^bb0(%0: tensor<64x64xf32>):
    %c = arith.constant dense<0.0> : tensor<f32>
    %1 = tessera.reduce sum %0 dims = [0, 1] : tensor<64x64xf32> -> tensor<f32>
    spmd.yield %1 : tensor<f32>
  }
  return %s : tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// What is gathered of arguments, with the cast before it, is made when it is needed, though it comes first in the text.
// CHECK-LABEL: func @on_demand
// CHECK: math.exp
// CHECK: arith.truncf
// CHECK: spmd.all_gather
// CHECK: arith.extf
func.func @on_demand(%x: tensor<64xf32>, %w: tensor<32xf32>) -> tensor<64xf32> {
  %cast = spmd.kernel(%w) : (tensor<32xf32>) -> tensor<32xbf16> {
  ^bb0(%0: tensor<32xf32>):
    %1 = arith.truncf %0 : tensor<32xf32> to tensor<32xbf16>
    spmd.yield %1 : tensor<32xbf16>
  }
  %all = spmd.all_gather %cast dim = 0 over <@mesh, ["x"]> : tensor<32xbf16> -> tensor<64xbf16>
  %a = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %b = spmd.kernel(%a, %all) : (tensor<64xf32>, tensor<64xbf16>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>, %1: tensor<64xbf16>):
    %2 = arith.extf %1 : tensor<64xbf16> to tensor<64xf32>
    %3 = arith.addf %0, %2 : tensor<64xf32>
    spmd.yield %3 : tensor<64xf32>
  }
  return %b : tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// A step without collectives before its gradients computes them of arguments alone, too. Their sums let go of more than
// they take: a product and its sum keep their place before what comes later in the text.
// CHECK-LABEL: func @gradients_at_once
// CHECK: tessera.dot_general
// CHECK: spmd.reduce_scatter
// CHECK: math.exp
func.func @gradients_at_once(%x: tensor<64x64xf32>, %w: tensor<32x64xf32>, %y: tensor<64x4096xf32>) -> (tensor<32x64xf32>, tensor<64xf32>) {
  %gradient = spmd.kernel(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%0: tensor<64x64xf32>):
    %1 = tessera.dot_general %0, %0 batching = [] x [] contracting = [0] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    spmd.yield %1 : tensor<64x64xf32>
  }
  %sum = spmd.reduce_scatter sum %gradient dim = 0 over <@mesh, ["x"]> : tensor<64x64xf32> -> tensor<32x64xf32>
  %exp = spmd.kernel(%y) : (tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  ^bb0(%0: tensor<64x4096xf32>):
    %1 = math.exp %0 : tensor<64x4096xf32>
    spmd.yield %1 : tensor<64x4096xf32>
  }
  %loss = spmd.kernel(%exp) : (tensor<64x4096xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64x4096xf32>):
    %1 = tessera.reduce sum %0 dims = [1] : tensor<64x4096xf32> -> tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %updated = spmd.kernel(%w, %sum) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%0: tensor<32x64xf32>, %1: tensor<32x64xf32>):
    %2 = arith.addf %0, %1 : tensor<32x64xf32>
    spmd.yield %2 : tensor<32x64xf32>
  }
  return %updated, %loss : tensor<32x64xf32>, tensor<64xf32>
}
