// Of several entry points only the step sums gradients: the other one is compiled as it is, with a warning.
// RUN: tesserac %s --quantize-collectives=sum:int8@data -o %t.tsx 2>&1 | FileCheck %s
// RUN: tesserac --inspect %t.tsx | FileCheck %s --check-prefix=STATE
// Alone it is refused.
// RUN: not tesserac %s --entry=first --quantize-collectives=sum:int8@data -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE

// CHECK: entries.mlir:[[@LINE+5]]:1: warning: --quantize-collectives: expected a sum of gradients, outside of loops and read by no product, over the axes, got none
// CHECK-NOT: error
// STATE: __error[p] {{.*}} zero at first
// ALONE: entries.mlir:[[@LINE+2]]:1: error: --quantize-collectives: expected a sum of gradients, outside of loops and read by no product, over the axes, got none
tessera.mesh @mesh = <["data"=2]>
func.func @first() -> (tensor<1024xf32> {tessera.name = "p", tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = arith.constant dense<0.5> : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
func.func @step(%p: tensor<1024xf32> {tessera.donated = 0 : i32, tessera.name = "p", tessera.sharding = #tessera.sharding<@mesh, [{}]>},
                %g: tensor<8x1024xf32> {tessera.name = "g", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>})
    -> (tensor<1024xf32> {tessera.name = "p", tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %0 = tessera.reduce sum %g dims = [0] : tensor<8x1024xf32> -> tensor<1024xf32>
  %1 = arith.addf %p, %0 : tensor<1024xf32>
  return %1 : tensor<1024xf32>
}
