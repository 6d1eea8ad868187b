// Split over devices, attention and its gradient give what they give on one: batch and heads, key heads of grouped ones, and queries where none is hidden by its place. Nothing moves for it but what was asked for otherwise.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-opt %s --tessera-shard-phase --tessera-partition-phase -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=3 --expect=%t.safetensors --tolerance=1e-5
// RUN: FileCheck %s --input-file=%t.mlir

tessera.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-NOT: spmd.all
// CHECK: tessera.attention %{{.*}} : (tensor<1x2x6x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>)
// CHECK-NOT: spmd.all
// CHECK: tessera.attention_gradient
// CHECK-NOT: spmd.all
// CHECK: tessera.attention %{{.*}} : (tensor<1x4x3x8xf32>, tensor<1x2x6x8xf32>, tensor<1x2x6x8xf32>)
func.func @main(%q: tensor<2x4x6x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}, {}, {}]>}, %k: tensor<2x2x6x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}, {}, {}]>}, %v: tensor<2x2x6x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}, {}, {}]>}, %do: tensor<2x4x6x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}, {}, {}]>},
    %p: tensor<2x4x6x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}, %l: tensor<2x2x6x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {}, {}]>})
    -> (tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x4x6x8xf32>) {
  %o, %max, %sum = tessera.attention %q, %k, %v scale = 0.5 causal = 0 : (tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>)
  %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %max sum %sum gradient %do scale = 0.5 causal = 0
      : (tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>, tensor<2x4x6x8xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>)
  %r:3 = tessera.attention %p, %l, %l scale = 0.5 : (tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x4x6xf32>, tensor<2x4x6xf32>)
  return %o, %dq, %dk, %dv, %r#0 : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x2x6x8xf32>, tensor<2x4x6x8xf32>
}

