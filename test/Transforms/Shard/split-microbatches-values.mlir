// A training step split into microbatches gives the same values, whole and on four devices; the gradients are reduced once, behind the loop.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-split-microbatches=count=4 %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %t.mlir -o %t.local.mlir
// RUN: tessera-interpret %t.local.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s < %t.local.mlir
// The rows of a microbatch stand on the device that had them.
// CHECK: scf.for
// CHECK-NOT: ["data"]
// CHECK: } {pipe.microbatches}
// CHECK-DAG: spmd.all_reduce sum {{.*}}["data"]> : tensor<128x128xf32>
// CHECK-DAG: spmd.all_reduce sum {{.*}}["data"]> : tensor<128x128xf32>
// CHECK-DAG: spmd.all_reduce sum {{.*}}["data"]> : tensor<f32>
// CHECK-NOT: spmd

// The phase does all that.
// RUN: tesserac %s --microbatches=4 --compile-to=partition --check-phases -o - | FileCheck %s
// RUN: tesserac %s --microbatches=2 --compile-to=schedule --check-phases -o - | FileCheck %s --check-prefix=ORDERED
// ORDERED: scf.for

// Numbers that do not divide are refused.
// RUN: not tesserac %s --microbatches=3 --compile-to=shard -o - 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: expected a number of microbatches that divides the batch of 64 rows on 2 devices, 32 on each, got 3; the nearest is 2 or 4
tessera.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%w1: tensor<128x256xf32> {tessera.name = "p['w1']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
                %w2: tensor<256x128xf32> {tessera.name = "p['w2']", tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>},
                %x: tensor<64x128xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
                %mask: tensor<64x128xf32> {tessera.name = "mask", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<f32> {tessera.name = "result[1]"}, tensor<128x256xf32> {tessera.name = "result[0]['w1']"}, tensor<256x128xf32> {tessera.name = "result[0]['w2']"},
        tensor<64x128xf32> {tessera.name = "result[2]"}) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<64x128xf32>, tensor<128x256xf32>) -> tensor<64x256xf32>
  %t = math.tanh %h : tensor<64x256xf32>
  %y = tessera.dot_general %t, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %d = arith.subf %y, %x : tensor<64x128xf32>
  %count = tessera.reduce sum %mask dims = [0, 1] : tensor<64x128xf32> -> tensor<f32>
  %counts = tessera.broadcast %count dims = [] : tensor<f32> -> tensor<64x128xf32>
  %weights = arith.divf %mask, %counts : tensor<64x128xf32>
  %dy = arith.mulf %d, %weights : tensor<64x128xf32>
  %q = arith.mulf %d, %dy : tensor<64x128xf32>
  %l = tessera.reduce sum %q dims = [0, 1] : tensor<64x128xf32> -> tensor<f32>
  %dt = tessera.dot_general %dy, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<64x128xf32>, tensor<256x128xf32>) -> tensor<64x256xf32>
  %g2 = tessera.dot_general %t, %dy batching = [] x [] contracting = [0] x [0] : (tensor<64x256xf32>, tensor<64x128xf32>) -> tensor<256x128xf32>
  %one = arith.constant dense<1.0> : tensor<64x256xf32>
  %tt = arith.mulf %t, %t : tensor<64x256xf32>
  %dtanh = arith.subf %one, %tt : tensor<64x256xf32>
  %dh = arith.mulf %dt, %dtanh : tensor<64x256xf32>
  %g1 = tessera.dot_general %x, %dh batching = [] x [] contracting = [0] x [0] : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<128x256xf32>
  %u1 = math.tanh %g1 : tensor<128x256xf32>
  %u2 = math.tanh %g2 : tensor<256x128xf32>
  %n1 = arith.subf %w1, %u1 : tensor<128x256xf32>
  %n2 = arith.subf %w2, %u2 : tensor<256x128xf32>
  return %l, %n1, %n2, %y : tensor<f32>, tensor<128x256xf32>, tensor<256x128xf32>, tensor<64x128xf32>
}
