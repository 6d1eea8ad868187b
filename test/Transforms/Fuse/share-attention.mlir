// RUN: tessera-opt %s --tessera-share-attention --split-input-file | FileCheck %s

// The backward task reads what the forward task's attention gave for its microbatch: the output in the shape in which it is kept anyway, row statistics as results of their own.
// CHECK-LABEL: func.func @rank_0
// CHECK: %[[FIRST:.*]]:5 = call @forward(%{{.*}}) {pipe.task = "0F0"}
// CHECK: %[[SECOND:.*]]:5 = call @forward(%{{.*}}) {pipe.task = "0F1"}
// CHECK: call @backward(%{{.*}}, %[[FIRST]]#0, %[[FIRST]]#1, %[[FIRST]]#2, %[[FIRST]]#3, %[[FIRST]]#4) {pipe.task = "0B0"}
// CHECK: call @backward(%{{.*}}, %[[SECOND]]#0, %[[SECOND]]#1, %[[SECOND]]#2, %[[SECOND]]#3, %[[SECOND]]#4) {pipe.task = "0B1"}
func.func @rank_0(%w: tensor<2x1x8x16xf32>, %x: tensor<2x1x8x16xf32>, %y: tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) {
  %f0:3 = call @forward(%w, %x) {pipe.task = "0F0"} : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x8x16xbf16>)
  %f1:3 = call @forward(%w, %y) {pipe.task = "0F1"} : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x8x16xbf16>)
  %b0 = call @backward(%w, %f0#0, %f0#1) {pipe.task = "0B0"} : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %b1 = call @backward(%w, %f1#0, %f1#1) {pipe.task = "0B1"} : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  return %b0, %b1 : tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>
}
// CHECK-LABEL: func.func private @forward
// CHECK: %[[O:.*]], %[[MAX:.*]], %[[SUM:.*]] = tessera.attention
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[O]]
// CHECK: %[[KEPT:.*]] = tessera.reshape %[[ROUNDED]]
// CHECK: return %{{.*}}, %{{.*}}, %[[KEPT]], %[[MAX]], %[[SUM]]
func.func private @forward(%w: tensor<2x1x8x16xf32>, %x: tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x8x16xbf16>) {
  %q = arith.mulf %w, %x : tensor<2x1x8x16xf32>
  %k = math.sin %q : tensor<2x1x8x16xf32>
  %o, %m, %s = tessera.attention %q, %k, %x scale = 2.500000e-01 causal = 0 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  %rounded = arith.truncf %o : tensor<2x1x8x16xf32> to tensor<2x1x8x16xbf16>
  %kept = tessera.reshape %rounded : tensor<2x1x8x16xbf16> -> tensor<2x8x16xbf16>
  return %q, %x, %kept : tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x8x16xbf16>
}
// The key, which is computed again by an equal operation, is the same.
// CHECK-LABEL: func.func private @backward
// CHECK-SAME: %[[KEPT:[^:]*]]: tensor<2x8x16xbf16>, %[[MAX:[^:]*]]: tensor<2x1x8xf32>, %[[SUM:[^:]*]]: tensor<2x1x8xf32>)
// CHECK-NOT: tessera.attention %
// CHECK: %[[O:.*]] = tessera.reshape %[[KEPT]] : tensor<2x8x16xbf16> -> tensor<2x1x8x16xbf16>
// CHECK: tessera.attention_gradient {{.*}} output %[[O]] maximum %[[MAX]] sum %[[SUM]]
func.func private @backward(%w: tensor<2x1x8x16xf32>, %q: tensor<2x1x8x16xf32>, %v: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
  %k = math.sin %q : tensor<2x1x8x16xf32>
  %o, %m, %s = tessera.attention %q, %k, %v scale = 2.500000e-01 causal = 0 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %m sum %s gradient %w scale = 2.500000e-01 causal = 0 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
  %sum = arith.addf %dq, %dk : tensor<2x1x8x16xf32>
  return %sum : tensor<2x1x8x16xf32>
}

// -----

// An output that the backward pass uses by itself and was not given is computed again, as has been decided.
// CHECK-LABEL: func.func private @backward_needs_output
// CHECK: tessera.attention %
// CHECK: tessera.attention_gradient
func.func @rank_0(%x: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
  %f:2 = call @forward(%x) : (tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
  %b = call @backward_needs_output(%f#1) : (tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  return %b : tensor<2x1x8x16xf32>
}
func.func private @forward(%x: tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) {
  %q = math.sin %x : tensor<2x1x8x16xf32>
  %o, %m, %s = tessera.attention %q, %q, %q scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  %y = math.sin %o : tensor<2x1x8x16xf32>
  return %y, %q : tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>
}
func.func private @backward_needs_output(%q: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
  %o, %m, %s = tessera.attention %q, %q, %q scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  %d = math.cos %o : tensor<2x1x8x16xf32>
  %dq, %dk, %dv = tessera.attention_gradient %q, %q, %q output %o maximum %m sum %s gradient %d scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
  return %dq : tensor<2x1x8x16xf32>
}

// -----

// Nothing is shared where one call reads another microbatch's values, or where attention is of something else.
// CHECK-LABEL: func.func @rank_0
// CHECK: call @forward(%{{.*}}) : (tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
// CHECK-LABEL: func.func private @backward_of_two
// CHECK: tessera.attention %
// CHECK-LABEL: func.func private @backward_of_other
// CHECK: tessera.attention %
func.func @rank_0(%x: tensor<2x1x8x16xf32>, %y: tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) {
  %f0 = call @forward(%x) : (tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %f1 = call @forward(%y) : (tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %b0 = call @backward_of_two(%f0, %f1) : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  %b1 = call @backward_of_other(%f0) : (tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32>
  return %b0, %b1 : tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>
}
func.func private @forward(%x: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
  %q = math.sin %x : tensor<2x1x8x16xf32>
  %o, %m, %s = tessera.attention %q, %q, %q scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  return %q : tensor<2x1x8x16xf32>
}
func.func private @backward_of_two(%q: tensor<2x1x8x16xf32>, %d: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
  %o, %m, %s = tessera.attention %q, %q, %q scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %q, %q output %o maximum %m sum %s gradient %d scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
  return %dq : tensor<2x1x8x16xf32>
}
func.func private @backward_of_other(%q: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
  %k = math.cos %q : tensor<2x1x8x16xf32>
  %o, %m, %s = tessera.attention %q, %k, %q scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %q output %o maximum %m sum %s gradient %q scale = 2.500000e-01 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
  return %dq : tensor<2x1x8x16xf32>
}
