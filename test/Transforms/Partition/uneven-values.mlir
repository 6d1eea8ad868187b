// Dimensions that do not divide into equal parts give the same values as on one device, and cost what even ones would.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s
// RUN: sed 's/"data"=2, "model"=4/"data"=3, "model"=5/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t3x5.mlir
// RUN: tessera-interpret %t3x5.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// The hidden layer has 10 columns on 4 devices, the batch 7 rows on 2. A training step communicates as if they were 12 and 8: the activations of the
// second product (4 rows each), the loss, both gradients (3 columns or rows each).
// CHECK: all_reduce {"model"} tensor<4x6xf32>
// CHECK-NEXT: all_reduce {"data"} tensor<f32>
// CHECK-NEXT: all_reduce {"data"} tensor<3x6xf32>
// CHECK-NEXT: all_reduce {"data"} tensor<6x3xf32>
// CHECK-NEXT: 4 in all
tessera.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<7x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
                %w1: tensor<6x10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>, tessera.donated = 1 : i32},
                %w2: tensor<10x6xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>, tessera.donated = 2 : i32})
    -> (tensor<f32>, tensor<6x10xf32>, tensor<10x6xf32>) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<7x6xf32>, tensor<6x10xf32>) -> tensor<7x10xf32>
  %e = math.exp %h : tensor<7x10xf32>
  %y = tessera.dot_general %e, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<7x10xf32>, tensor<10x6xf32>) -> tensor<7x6xf32>
  %d = arith.subf %y, %x : tensor<7x6xf32>
  %q = arith.mulf %d, %d : tensor<7x6xf32>
  %l = tessera.reduce sum %q dims = [0, 1] : tensor<7x6xf32> -> tensor<f32>
  %dw2 = tessera.dot_general %e, %d batching = [] x [] contracting = [0] x [0] : (tensor<7x10xf32>, tensor<7x6xf32>) -> tensor<10x6xf32>
  %de = tessera.dot_general %d, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<7x6xf32>, tensor<10x6xf32>) -> tensor<7x10xf32>
  %dh = arith.mulf %de, %e : tensor<7x10xf32>
  %dw1 = tessera.dot_general %x, %dh batching = [] x [] contracting = [0] x [0] : (tensor<7x6xf32>, tensor<7x10xf32>) -> tensor<6x10xf32>
  %n1 = arith.subf %w1, %dw1 : tensor<6x10xf32>
  %n2 = arith.subf %w2, %dw2 : tensor<10x6xf32>
  return %l, %n1, %n2 : tensor<f32>, tensor<6x10xf32>, tensor<10x6xf32>
}
