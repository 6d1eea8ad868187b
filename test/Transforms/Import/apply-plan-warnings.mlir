// What a plan says in vain is a warning at its place there: rules without arguments, sizes that do not divide, bytes that nothing splits.
// RUN: split-file %s %t
// RUN: tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/plan.yaml 2>&1 >/dev/null | FileCheck %s
// RUN: tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/quiet.yaml 2>&1 >/dev/null | FileCheck %s --check-prefix=QUIET
// RUN: tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/other.yaml 2>&1 >/dev/null | FileCheck %s --check-prefix=OTHER
// CHECK: plan.yaml:7:23: warning: dimension 1 of p['w1'], of size 32, does not divide into 5 parts, and is padded
// CHECK: plan.yaml:8:28: warning: no dimension of p['b1'] divides into 5 parts: it stays whole over these axes
// CHECK: plan.yaml:3:5: warning: no argument matches 'layers/*/w3'{{$}}
// CHECK: plan.yaml:4:5: warning: no argument matches 'p/w22'; did you mean 'p/w2'?
// CHECK: plan.yaml:9:5: warning: all that 'p/w1' matches is decided before this rule
// CHECK: plan.yaml:10:5: warning: all that 'w1' matches is decided before this rule
// CHECK: plan.yaml:1:1: remark: a device holds
// CHECK: p['b1'] {{ *}}32 {{ *}}[-] {{ *}}line 8: fsdp(model)
// CHECK: plan.yaml:1:1: warning: 52% of the bytes of weights and state are split by no rule, more than the tolerance of 40%; the largest is p['w2']
// CHECK: plan.yaml:12:5: warning: no scope of the model is called 'nlp'; did you mean 'mlp'?
// CHECK: plan.yaml:13:5: warning: no scope of the model is called 'attention'{{$}}
// QUIET-NOT: warning:
// OTHER: other.yaml:3:33: warning: dimension 0 of p['w2'], of size 32, does not divide into 5 parts, and is padded
// OTHER: other.yaml:5:10: warning: no dimension of p['w1'] divides into 64 parts: it stays whole over these axes
// OTHER: other.yaml:1:1: warning: {{.*}}% of the bytes of weights and state are split by no rule, more than the tolerance of 2%; the largest is p['w1']

//--- plan.yaml
mesh: {data: 2, model: 5}
rules:
  - {match: layers/*/w3, style: colwise(model)}
  - match: p/w22
    style: colwise(model)

  - {match: w1, spec: [-, model]}
  - {match: "**/b*", fsdp: model}
  - {match: p/w1, spec: [model]}
  - {match: w1, spec: [data]}
activations:
  - {scope: nlp, spec: [data]}
  - {scope: attention, spec: [data]}
tolerance: 0.4

//--- quiet.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: w1, style: colwise(model)}
default: fsdp(data, 64)
tolerance: 0.02

//--- other.yaml
mesh: {data: 64, model: 5}
rules:
  - {match: w2, rank: 2, style: rowwise(model)}

default: fsdp(data)

//--- model.mlir
func.func @main(%x: tensor<8x16xf32> {tessera.name = "x"}, %w1: tensor<16x32xf32> {tessera.name = "p['w1']", tessera.donated = 1 : i32},
    %b1: tensor<32xf32> {tessera.name = "p['b1']", tessera.donated = 3 : i32}, %w2: tensor<32x16xf32> {tessera.name = "p['w2']", tessera.donated = 4 : i32}, %step: tensor<6xf32> {tessera.name = "step", tessera.donated = 2 : i32})
    -> (tensor<8x16xf32> {tessera.name = "y"}, tensor<16x32xf32> {tessera.name = "result['w1']"}, tensor<6xf32> {tessera.name = "result['step']"}, tensor<32xf32>, tensor<32x16xf32>) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32> loc("jit(step)/jvp(mlp)/dot_general")
  %b = tessera.broadcast %b1 dims = [1] : tensor<32xf32> -> tensor<8x32xf32>
  %hb = arith.addf %h, %b : tensor<8x32xf32> loc("jit(step)/jvp(mlp)/add")
  %y = tessera.dot_general %hb, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32> loc("jit(step)/jvp()/dot_general")
  return %y, %w1, %step, %b1, %w2 : tensor<8x16xf32>, tensor<16x32xf32>, tensor<6xf32>, tensor<32xf32>, tensor<32x16xf32>
}
