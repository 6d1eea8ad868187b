// A training step of a multi-layer perceptron gives the same values on every mesh, with the communication of an expert.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s
// RUN: sed 's/"data"=2, "model"=4/"data"=8, "model"=1/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t8x1.mlir
// RUN: tessera-interpret %t8x1.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: sed 's/"data"=2, "model"=4/"data"=1, "model"=8/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t1x8.mlir
// RUN: tessera-interpret %t1x8.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// The activations of the second product, both gradients, the loss.
// CHECK: all_reduce {"model"} tensor<8x32xf32>
// CHECK-NEXT: all_reduce {"data"} tensor<f32>
// CHECK-NEXT: all_reduce {"data"} tensor<16x32xf32>
// CHECK-NEXT: all_reduce {"data"} tensor<32x16xf32>
// CHECK-NEXT: 4 in all
tessera.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<16x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
                %w1: tensor<32x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>, tessera.donated = 1 : i32},
                %w2: tensor<64x32xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>, tessera.donated = 2 : i32})
    -> (tensor<f32>, tensor<32x64xf32>, tensor<64x32xf32>) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  %t = math.tanh %h : tensor<16x64xf32>
  %y = tessera.dot_general %t, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %d = arith.subf %y, %x : tensor<16x32xf32>
  %q = arith.mulf %d, %d : tensor<16x32xf32>
  %l = tessera.reduce sum %q dims = [0, 1] : tensor<16x32xf32> -> tensor<f32>
  %two = arith.constant dense<2.0> : tensor<f32>
  %twos = tessera.broadcast %two dims = [] : tensor<f32> -> tensor<16x32xf32>
  %dy = arith.mulf %d, %twos : tensor<16x32xf32>
  %dw2 = tessera.dot_general %t, %dy batching = [] x [] contracting = [0] x [0] : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
  %dt = tessera.dot_general %dy, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<16x32xf32>, tensor<64x32xf32>) -> tensor<16x64xf32>
  %tt = arith.mulf %t, %t : tensor<16x64xf32>
  %one = arith.constant dense<1.0> : tensor<16x64xf32>
  %s = arith.subf %one, %tt : tensor<16x64xf32>
  %dh = arith.mulf %dt, %s : tensor<16x64xf32>
  %dw1 = tessera.dot_general %x, %dh batching = [] x [] contracting = [0] x [0] : (tensor<16x32xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  %lr = arith.constant dense<0.1> : tensor<f32>
  %lr1 = tessera.broadcast %lr dims = [] : tensor<f32> -> tensor<32x64xf32>
  %lr2 = tessera.broadcast %lr dims = [] : tensor<f32> -> tensor<64x32xf32>
  %u1 = arith.mulf %dw1, %lr1 : tensor<32x64xf32>
  %u2 = arith.mulf %dw2, %lr2 : tensor<64x32xf32>
  %n1 = arith.subf %w1, %u1 : tensor<32x64xf32>
  %n2 = arith.subf %w2, %u2 : tensor<64x32xf32>
  return %l, %n1, %n2 : tensor<f32>, tensor<32x64xf32>, tensor<64x32xf32>
}
