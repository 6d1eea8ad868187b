// What cannot be asked for, and programs in which nothing can be quantized.
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=sum:int4 -o /dev/null 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=reduce:int8@data -o /dev/null 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=sum:int8@date -o /dev/null 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=sum:int8@data+nodes -o /dev/null 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=sum:int8@data++data -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLUS
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=sum:int8 -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not tesserac %s --compile-from=partition --quantize-collectives=gather:int8@data -o /dev/null 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not tesserac %s --compile-from=communicate --quantize-collectives=sum:int8 -o /dev/null 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not tesserac %s --stages=2 --quantize-collectives=sum:int8 -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: sed 's/@main/@other/' %s | not tessera-opt --tessera-quantize-collectives=collectives=sum:int8 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: sed '/tessera.mesh/d;/spmd/d' %s | not tessera-opt --tessera-quantize-collectives=collectives=sum:int8 2>&1 | FileCheck %s --check-prefix=MESH

// BITS: {{.*}}errors.mlir:[[@LINE+12]]:1: error: --quantize-collectives: expected gather:int8 or sum:int8, with the axes behind it if not all of them are meant (sum:int8@data+node), got 'sum:int4'
// KIND: error: --quantize-collectives: expected gather:int8 or sum:int8, with the axes behind it if not all of them are meant (sum:int8@data+node), got 'reduce:int8@data'
// PLUS: error: --quantize-collectives: expected gather:int8 or sum:int8, with the axes behind it if not all of them are meant (sum:int8@data+node), got 'sum:int8@data++data'
// AXIS: error: --quantize-collectives: the mesh has no axis 'date'; did you mean 'data'?
// AXES: error: --quantize-collectives: the mesh has no axis 'nodes'
// SUM: {{.*}}errors.mlir:[[@LINE+9]]:1: error: --quantize-collectives: expected a sum of gradients, outside of loops and read by no product, over the axes, got none
// GATHER: error: --quantize-collectives: expected a gather of parameters over the axes, got none
// LATE: error: --quantize-collectives comes too late: the phase 'communicate', which obeys it, is behind this file
// STAGES: error: --quantize-collectives is about programs without stages: expected --stages=1 with it
// MAIN: error: --quantize-collectives: expected a program with a mesh and without stages
// MESH: error: --quantize-collectives: expected a program with a mesh and without stages

tessera.mesh @mesh = <["data"=2]>
// A sum that a product reads, one of numbers that are not kept, and one that is too small for a block.
func.func @main(%p: tensor<16x16xf32> {tessera.donated = 0 : i32, tessera.name = "p"}, %x: tensor<1024xf32> {tessera.name = "x"}) -> (tensor<16x16xf32>, tensor<1024xf32>, tensor<4xf32>) {
  %product = tessera.dot_general %p, %p batching = [] x [] contracting = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %small = tessera.slice %x [0] to [4] by [1] : tensor<1024xf32> -> tensor<4xf32>
  %0 = spmd.all_reduce sum %p over <@mesh, ["data"]> : tensor<16x16xf32>
  %1 = spmd.all_reduce sum %x over <@mesh, ["data"]> : tensor<1024xf32>
  %2 = spmd.all_reduce sum %small over <@mesh, ["data"]> : tensor<4xf32>
  %3 = spmd.all_gather %x dim = 0 over <@mesh, ["data"]> : tensor<1024xf32> -> tensor<2048xf32>
  return %product, %x, %small : tensor<16x16xf32>, tensor<1024xf32>, tensor<4xf32>
}
