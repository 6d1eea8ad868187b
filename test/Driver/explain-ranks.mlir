// --explain of programs of pipeline ranks: what all ranks send together. The messages of one value, one per microbatch, are one entry; a collective in a task is one that runs as often as it.
// RUN: tessera-opt --tessera-split-programs --mlir-print-debuginfo %s -o %t.mlir
// RUN: tesserac %t.mlir --compile-from=partition --compile-to=fuse --explain -o /dev/null | FileCheck %s

// CHECK: Of each of the 2 pipeline ranks one device: together they send 608 B per step in 4 collectives and 4 messages, on <["x"=2]>
// CHECK: {{^ +}}ranks "x" total
// CHECK-NEXT: send 512 B (4) 512 B (4)
// CHECK-NEXT: all_reduce 96 B (4) 96 B (4)
// CHECK-NEXT: total 512 B (4) 96 B (4) 608 B (8)
// CHECK: 1. send to another pipeline rank of tensor<32xf32>, 4 times: 512 B
// CHECK-NEXT: at {{.*}}explain-ranks.mlir:[[#@LINE+14]]
// CHECK-NEXT: nothing is recorded: the program itself asks for it, or the file was written without provenance
// CHECK-EMPTY:
// CHECK-NEXT: 2. all_reduce over "x" of tensor<6xf32>, 4 times each: 96 B
tessera.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<32xf32> {tessera.global_type = tensor<32xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = pipe.fragment forward stage 0 -> tensor<32xf32> {
      %3 = math.tanh %x : tensor<32xf32>
      pipe.yield %3 : tensor<32xf32>
    }
    %1 = pipe.transfer %0 from 0 to 1 : tensor<32xf32>
    pipe.fragment forward stage 1 {
      %3 = tessera.slice %1 [0] to [6] by [1] : tensor<32xf32> -> tensor<6xf32>
      %4 = spmd.all_reduce sum %3 over <@mesh, ["x"]> : tensor<6xf32>
      pipe.yield
    }
  } {pipe.schedule = #pipe.schedule<"s", stages = 2, microbatches = 4, ["0F0 0F1 0F2 0F3", "1F0 1F1 1F2 1F3"]>}
  return
}
