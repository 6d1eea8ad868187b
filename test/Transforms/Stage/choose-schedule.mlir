// Who runs which task when, and what is predicted of it.
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=gpipe | FileCheck %s --check-prefixes=CHECK,GPIPE
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=1f1b | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=auto | FileCheck %s --check-prefixes=CHECK,TWICE
// RUN: tessera-opt %s --tessera-choose-schedule="schedule=auto memory-limit=220000" | FileCheck %s --check-prefixes=CHECK,TWICE
// RUN: tessera-opt %s --tessera-choose-schedule="schedule=auto memory-limit=200000" | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: sed 's/, memory = 1000000>/, memory = 200000>/' %s > %t.small.mlir
// RUN: tessera-opt %t.small.mlir --tessera-choose-schedule=schedule=auto | FileCheck %s --check-prefixes=CHECK,AUTO
// Where nothing says what a device has, copies may take what a rank would hold of one with all microbatches under way: 160000 bytes.
// RUN: sed 's/^\(tessera.mesh .*\) on <.*/\1/' %s > %t.unknown.mlir
// RUN: tessera-opt %t.unknown.mlir --tessera-choose-schedule=schedule=auto | FileCheck %s --check-prefix=AUTO
// RUN: tessera-opt %s --tessera-choose-schedule=schedule=%S/Inputs/two-ranks.csv | FileCheck %s --check-prefixes=CHECK,FILE

// A matmul is 2 x 100 x 100 x 100 operations, of which a device does half: 1 ms at 1e9 a second. A device sends 100 x 100 x 4 / 2 bytes to the other rank: 0.02 ms at 1e9 a second.
tessera.mesh @mesh = <["data"=2]> on <links = [[0.000000e+00, 1.000000e+09]], compute = 1.000000e+09, memory_bandwidth = 1.000000e+12, memory = 1000000>

// CHECK: pipe.fragment {{ ?}}forward stage 0
// CHECK-SAME: pipe.bytes = 80000 : i64, pipe.flops = 1000000 : i64, pipe.seconds = 1.000000e-03 : f64
// CHECK: pipe.fragment {{ ?}}weight_gradient stage 0
// CHECK-SAME: pipe.flops = 10

// With gpipe rank 1 starts after F and a transfer, works for 2 F, 2 I and 2 W, hands back a cotangent, and rank 0 has one W left: 1 + 0.02 + 6.02 + 0.02 + 1.01 ms. Rank 1 keeps its
// input and its result, 20000 bytes each, of two microbatches beside a weight and its gradient; with 1f1b of one.
// GPIPE: pipe.bubble = 0.377{{[0-9]+}} : f64, pipe.memory = array<i64: 100000, 160000>
// GPIPE-SAME: pipe.schedule = #pipe.schedule<"gpipe", stages = 2, microbatches = 2, ["0F0 0F1 0B0 0B1", "1F0 1F1 1B0 1B1"]>, pipe.seconds = {{0.0080[67]|8.07}}
// ONE: pipe.memory = array<i64: 100000, 120000>
// ONE-SAME: pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"]>
// AUTO: pipe.schedule = #pipe.schedule<"auto", stages = 2, microbatches = 2, ["0F0 {{[0-9FIWB ]+}}", "1F0 {{[0-9FIWB ]+}}"]>
// Where a limit, or what a device has, leaves room for two copies of each stage, both ranks begin at once.
// TWICE: pipe.memory = array<i64: 220000, 220000>
// TWICE-SAME: pipe.schedule = #pipe.schedule<"auto", stages = 2, microbatches = 2, ["0F0 1F1 {{[0-9FIWB ]+}}", "0F1 1F0 {{[0-9FIWB ]+}}"]>, pipe.seconds = {{0.0050[0-9]+|5.0.*e-03}}
// FILE: pipe.schedule = #pipe.schedule<"{{.*}}two-ranks.csv", stages = 2, microbatches = 2, ["0F0 0F1 0I0 0I1 0W0 0W1", "1F0 1I0 1F1 1I1 1W0 1W1"]>
func.func @two_stages(%x: tensor<100x100xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}, %w0: tensor<100x100xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}, %w1: tensor<100x100xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}) -> (tensor<100x100xf32>, tensor<100x100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero0 = pipe.fragment once stage 0 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
    %0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} dense<0.0> : tensor<100x100xf32>
    pipe.yield %0 : tensor<100x100xf32>
  }
  %zero1 = pipe.fragment once stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
    %0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} dense<0.0> : tensor<100x100xf32>
    pipe.yield %0 : tensor<100x100xf32>
  }
  %sums:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc0 = %zero0, %acc1 = %zero1) -> (tensor<100x100xf32>, tensor<100x100xf32>) {
    %a = pipe.fragment forward stage 0 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} {
      %0 = tessera.dot_general %x, %w0 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    %input = pipe.transfer %a from 0 to 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : tensor<100x100xf32>
    %y = pipe.fragment forward stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} {
      %0 = tessera.dot_general %input, %w1 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    %dx = pipe.fragment input_gradient stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} {
      %0 = tessera.dot_general %y, %w1 batching = [] x [] contracting = [1] x [1] {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      pipe.yield %0 : tensor<100x100xf32>
    }
    %next1 = pipe.fragment weight_gradient stage 1 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
      %0 = tessera.dot_general %input, %y batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %1 = arith.addf %acc1, %0 {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : tensor<100x100xf32>
      pipe.yield %1 : tensor<100x100xf32>
    }
    %cotangent = pipe.transfer %dx from 1 to 0 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : tensor<100x100xf32>
    %next0 = pipe.fragment weight_gradient stage 0 -> tensor<100x100xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} {
      %0 = tessera.dot_general %x, %cotangent batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : (tensor<100x100xf32>, tensor<100x100xf32>) -> tensor<100x100xf32>
      %1 = arith.addf %acc0, %0 {tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>} : tensor<100x100xf32>
      pipe.yield %1 : tensor<100x100xf32>
    }
    scf.yield %next0, %next1 : tensor<100x100xf32>, tensor<100x100xf32>
  } {tessera.sharding = [#tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>, #tessera.sharding<@mesh, [{}, {}], unreduced={"data"}>]}
  return %sums#0, %sums#1 : tensor<100x100xf32>, tensor<100x100xf32>
}
