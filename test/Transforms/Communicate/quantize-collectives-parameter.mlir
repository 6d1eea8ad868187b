// One block of a parameter: the whole of what a gather becomes.
// RUN: tessera-opt --tessera-quantize-collectives=collectives=gather:int8@data %s | FileCheck %s

tessera.mesh @mesh = <["data"=2]>

// CHECK-LABEL: @main
// CHECK: %[[SCALE:.*]] = arith.select {{.*}} : tensor<1xi1>, tensor<1xf32>
// CHECK: %[[NUMBERS:.*]] = arith.fptosi %{{.*}} : tensor<1x256xf32> to tensor<1x256xi8>
// CHECK: %[[ALL:.*]] = spmd.all_gather %[[NUMBERS]] dim = 0 over <@mesh, ["data"]> : tensor<1x256xi8> -> tensor<2x256xi8>
// CHECK: %[[SCALES:.*]] = spmd.all_gather %[[SCALE]] dim = 0 over <@mesh, ["data"]> : tensor<1xf32> -> tensor<2xf32>
// CHECK: %[[BYTES:.*]] = arith.sitofp %[[ALL]]
// CHECK: %[[BACK:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BYTES]]
// CHECK: %[[WIDE:.*]] = tessera.broadcast %[[SCALES]] dims = [0] : tensor<2xf32> -> tensor<2x256xf32>
// CHECK: arith.mulf %[[BACK]], %[[WIDE]]
func.func @main(%p: tensor<256xf32>) -> tensor<512xf32> {
  %0 = spmd.all_gather %p dim = 0 over <@mesh, ["data"]> : tensor<256xf32> -> tensor<512xf32>
  return %0 : tensor<512xf32>
}
