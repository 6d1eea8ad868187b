// The memory of an argument cannot hold a result that is split in another way.
// RUN: tessera-fuzz %s --execute
// RUN: tessera-opt %s --tessera-import-phase --tessera-shard-phase --tessera-partition-phase 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t
// WARNING: warning: argument 0 is donated to result 0, which is sharded differently: its memory is not reused
// CHECK-NOT: tessera.donated
tessera.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x8xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = arith.addf %a, %a : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
