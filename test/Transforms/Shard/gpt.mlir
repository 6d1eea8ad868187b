// The communication of the GPT training step is what an expert would write by hand: per layer and direction two all-reduces of activations over
// `model`, one all-reduce over `data` for the gradient of every parameter (53 of them) and for the loss, and nothing else.
// RUN: tessera-opt --tessera-import-phase --tessera-shard-phase --tessera-partition-phase %source/examples/gpt/gpt.mlir -o %t.mlir
// RUN: grep -o 'spmd\.[a-z_]*' %t.mlir | sort | uniq -c | FileCheck %s
// RUN: grep -o 'all_reduce.*' %t.mlir | sed 's/%[0-9a-z_]*//; s/ loc(.*//' | sort | uniq -c | FileCheck %s --check-prefix=EACH

// CHECK-NOT: spmd.
// CHECK: 70 spmd.all_reduce
// CHECK-NOT: spmd.

// EACH-NOT: all_reduce
// EACH-DAG: 1 all_reduce sum over <@mesh, ["data"]> : tensor<f32>
// EACH-DAG: 1 all_reduce sum over <@mesh, ["data"]> : tensor<128x256xf32>
// EACH-DAG: 10 all_reduce sum over <@mesh, ["data"]> : tensor<256x256xf32>
// EACH-DAG: 4 all_reduce sum over <@mesh, ["data"]> : tensor<256x2x32xf32>
// EACH-DAG: 4 all_reduce sum over <@mesh, ["data"]> : tensor<3x2x32x256xf32>
// EACH-DAG: 4 all_reduce sum over <@mesh, ["data"]> : tensor<3x2x32xf32>
// EACH-DAG: 30 all_reduce sum over <@mesh, ["data"]> : tensor<256xf32>
// EACH-DAG: 16 all_reduce sum over <@mesh, ["model"]> : tensor<8x128x256xf32>
// EACH-NOT: all_reduce
