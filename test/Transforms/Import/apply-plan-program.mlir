// A plan constrains what leaves name scopes, and marks where stages end: the value is that which the next layer reads, not one of its backward pass.
// RUN: split-file %s %t
// RUN: tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/plan.yaml -o %t.mlir 2>/dev/null
// RUN: FileCheck %s < %t.mlir
// RUN: tessera-interpret %t/model.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors
// RUN: tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/first.yaml 2>/dev/null | FileCheck %s --check-prefix=FIRST

// A call inside of the scope does not end it, and the loss takes the constrained value.
// CHECK: %[[H:.*]] = math.tanh
// CHECK: %[[P:.*]] = tessera.dot_general %[[H]], %{{.*}} batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>
// CHECK-NEXT: %[[X:.*]] = arith.addf %[[P]], %{{.*}} : tensor<8x16xf32>
// CHECK-NEXT: %[[C:.*]] = tessera.constrain %[[X]] to <@mesh, [{"data"}, {}]> : tensor<8x16xf32>
// The layer that follows begins with a norm, in the middle of which more would be sent.
// CHECK-NEXT: %[[E:.*]] = tessera.stage_end %[[C]] : tensor<8x16xf32>
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[E]], %[[E]] : tensor<8x16xf32>
// CHECK: arith.mulf %[[E]], %{{.*}} : tensor<8x16xf32>
// CHECK-COUNT-1: tessera.constrain
// CHECK-NOT: tessera.{{constrain|stage_end}}

// Number 0 of what leaves the first layer is what its backward pass does not use alone.
// FIRST: %[[Y:.*]] = arith.addf
// FIRST-NEXT: tessera.constrain %[[Y]] to <@mesh, [{}, {"data"}]> : tensor<8x16xf32>

//--- plan.yaml
mesh: {data: 2, model: 2}
stages: {"layers/0/**": 0, "layers/1/**": 1}
activations:
  - {scope: "layers/*/mlp", spec: [data]}
tolerance: 1

//--- first.yaml
mesh: {data: 2}
activations:
  - {scope: "layers/0", result: 0, spec: [..., data]}
tolerance: 1

//--- model.mlir
func.func @main(%x: tensor<8x16xf32> {tessera.name = "x"}, %up0: tensor<16x32xf32> {tessera.name = "p['layers'][0]['up']"}, %down0: tensor<32x16xf32> {tessera.name = "p['layers'][0]['down']"},
    %up1: tensor<16x32xf32> {tessera.name = "p['layers'][1]['up']"}, %down1: tensor<32x16xf32> {tessera.name = "p['layers'][1]['down']"})
    -> (tensor<8x16xf32> {tessera.name = "y"}, tensor<16x32xf32> {tessera.name = "g"}) {
  %h0 = tessera.dot_general %x, %up0 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("jit(step)/jvp(layers.0)/mlp/dot_general")
  %t0 = math.tanh %h0 : tensor<8x32xf32> loc(callsite("jit(act)/tanh" at "jit(step)/jvp(layers.0)/mlp/jit(act)"))
  %o0 = tessera.dot_general %t0, %down0 batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32> loc("jit(step)/jvp(layers.0)/mlp/dot_general")
  %x1 = arith.addf %o0, %x : tensor<8x16xf32> loc("jit(step)/jvp(layers.0)/mlp/add")
  %s = arith.mulf %x1, %x1 : tensor<8x16xf32> loc("jit(step)/jvp(layers.1)/norm/mul")
  %r = math.rsqrt %s : tensor<8x16xf32> loc("jit(step)/jvp(layers.1)/norm/rsqrt")
  %n = arith.mulf %x1, %r : tensor<8x16xf32> loc("jit(step)/jvp(layers.1)/norm/mul")
  %h1 = tessera.dot_general %n, %up1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("jit(step)/jvp(layers.1)/mlp/dot_general")
  %t1 = math.tanh %h1 : tensor<8x32xf32> loc("jit(step)/jvp(layers.1)/mlp/tanh")
  %o1 = tessera.dot_general %t1, %down1 batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32> loc("jit(step)/jvp(layers.1)/mlp/dot_general")
  %y = arith.addf %o1, %x1 : tensor<8x16xf32> loc("jit(step)/jvp(layers.1)/mlp/add")
  %b = tessera.dot_general %y, %down0 batching = [] x [] contracting = [1] x [1] : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32> loc("jit(step)/transpose(jvp(layers.0))/mlp/dot_general")
  %bt = arith.mulf %b, %t0 : tensor<8x32xf32> loc("jit(step)/transpose(jvp(layers.0))/mlp/mul")
  %g = tessera.dot_general %x, %bt batching = [] x [] contracting = [0] x [0] : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<16x32xf32> loc("jit(step)/transpose(jvp(layers.0))/mlp/dot_general")
  return %y, %g : tensor<8x16xf32>, tensor<16x32xf32>
}
