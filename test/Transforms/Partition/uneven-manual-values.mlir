// Dimensions split by hand whose parts free axes do not divide: blocks along these are no blocks of the whole, so the region takes and gives as many
// parts as are equal; inside, parts may be unequal again.
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tesserac %s --compile-to=shard -o - | FileCheck %s
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors

tessera.mesh @mesh = <["model"=2, "data"=4]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<20x8xf32>
func.func @main(%a: tensor<20x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model", "data"}, {}]>},
                %b: tensor<20x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<20x8xf32>, tensor<20x8xf32>, tensor<8xf32>) {
  // CHECK: %[[EQUAL:.*]] = tessera.reshard %[[A]] to <@mesh, [{"model", "data":(1)2}, {}]>
  // CHECK: tessera.manual_computation(%[[EQUAL]]) {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"model", "data":(1)2}, {}]>}
  %0 = tessera.manual_computation(%a) over <@mesh, ["model"]> in [#tessera.sharding<@mesh, [{"model", ?}, {?}]>] out [#tessera.sharding<@mesh, [{"model", ?}, {?}]>]
    : (tensor<20x8xf32>) -> tensor<20x8xf32> {
  ^bb0(%part: tensor<10x8xf32>):
    %square = arith.mulf %part, %part : tensor<10x8xf32>
    %other = spmd.permute %square to [1, 0] over <@mesh, ["model"]> : tensor<10x8xf32>
    tessera.yield %other : tensor<10x8xf32>
  }
  // CHECK: tessera.manual_computation
  %1 = tessera.manual_computation(%b) over <@mesh, ["model"]> in [#tessera.sharding<@mesh, [{"model", ?}, {?}]>] out [#tessera.sharding<@mesh, [{"model", ?}, {?}]>]
    : (tensor<20x8xf32>) -> tensor<20x8xf32> {
  ^bb0(%part: tensor<10x8xf32>):
    // CHECK: arith.mulf {{.*}} {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>} : tensor<10x8xf32>
    %uneven = tessera.constrain %part to <@mesh, [{"data"}, {}]> : tensor<10x8xf32>
    %square = arith.mulf %uneven, %uneven : tensor<10x8xf32>
    %other = spmd.permute %square to [1, 0] over <@mesh, ["model"]> : tensor<10x8xf32>
    tessera.yield %other : tensor<10x8xf32>
  }
  %2 = arith.addf %0, %1 : tensor<20x8xf32>
  %3 = tessera.reduce sum %2 dims = [0] : tensor<20x8xf32> -> tensor<8xf32>
  return %0, %1, %3 : tensor<20x8xf32>, tensor<20x8xf32>, tensor<8xf32>
}
