// Per-device code runs on each device's part of a microbatch: rows that enter it, parts of them that leave it stacked over an axis, sums that collectives in it have formed.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-split-microbatches=count=2 %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %t.mlir -o %t.local.mlir
// RUN: tessera-interpret %t.local.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// The 4 blocks of 4 rows are those of the devices; the parts that leave stand behind the device's place along the other axis.
// CHECK: tessera.reshape %{{.*}} : tensor<16x8xf32> -> tensor<4x2x2x8xf32>
// CHECK: scf.for
// CHECK: tessera.manual_computation
// CHECK-SAME: (tensor<8x8xf32>, tensor<8x4xf32>) -> (tensor<16x4xf32>, tensor<8x4xf32>)
// CHECK: tessera.dot_general {{.*}} : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
// CHECK: pipe.microbatches
tessera.mesh @mesh = <["data"=4, "seq"=2]>
func.func @main(%w: tensor<8x4xf32> {tessera.name = "p['w']", tessera.donated = 0 : i32}, %x: tensor<16x8xf32> {tessera.name = "x"}) -> tensor<8x4xf32> {
  %0:2 = tessera.manual_computation(%x, %w) over <@mesh, ["data", "seq"]>
      in [#tessera.sharding<@mesh, [{"data"}, {}]>, #tessera.sharding<@mesh, [{}, {}]>]
      out [#tessera.sharding<@mesh, [{"seq", "data"}, {}]>, #tessera.sharding<@mesh, [{}, {}]>]
      : (tensor<16x8xf32>, tensor<8x4xf32>) -> (tensor<32x4xf32>, tensor<8x4xf32>) {
  ^bb0(%rows: tensor<4x8xf32>, %whole: tensor<8x4xf32>):
    %h = tessera.dot_general %rows, %whole batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %t = math.tanh %h : tensor<4x4xf32>
    %g = tessera.dot_general %rows, %t batching = [] x [] contracting = [0] x [0] : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %all = spmd.all_reduce sum %g over <@mesh, ["data"]> : tensor<8x4xf32>
    tessera.yield %t, %all : tensor<4x4xf32>, tensor<8x4xf32>
  }
  %s = tessera.reduce sum %0#0 dims = [0] : tensor<32x4xf32> -> tensor<4xf32>
  %b = tessera.broadcast %s dims = [1] : tensor<4xf32> -> tensor<8x4xf32>
  %sum = arith.addf %0#1, %b : tensor<8x4xf32>
  %u = math.tanh %sum : tensor<8x4xf32>
  %n = arith.subf %w, %u : tensor<8x4xf32>
  return %n : tensor<8x4xf32>
}
