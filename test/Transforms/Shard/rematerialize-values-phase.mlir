// The user fixes a table of cosines in shards and needs it whole: the positions that it is made of are gathered, and the values are the same.
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

tessera.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main(
// CHECK: spmd.all_gather {{.*}} -> tensor<256xf32>
// CHECK-NOT: spmd.
// CHECK: math.cos %{{.*}} : tensor<256x64xf32>
// CHECK-NOT: spmd.
func.func @main(%positions: tensor<256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
                %rates: tensor<64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<256x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
        tensor<256xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>}) {
  %0 = tessera.broadcast %positions dims = [0] : tensor<256xf32> -> tensor<256x64xf32>
  %1 = tessera.broadcast %rates dims = [1] : tensor<64xf32> -> tensor<256x64xf32>
  %2 = arith.mulf %0, %1 : tensor<256x64xf32>
  %3 = math.cos %2 : tensor<256x64xf32>
  %4 = tessera.constrain %3 to <@mesh, [{"x"}, {}]> : tensor<256x64xf32>
  %5 = tessera.reduce sum %4 dims = [1] : tensor<256x64xf32> -> tensor<256xf32>
  return %4, %5 : tensor<256x64xf32>, tensor<256xf32>
}
