// A plan of three rules splits two products as Megatron does: one sum over `model`, whatever the weights' orders of dimensions.
// RUN: tessera-opt %s --tessera-apply-plan=plan=%S/Inputs/apply-plan-small.yaml 2>/dev/null | FileCheck %s
// RUN: tessera-opt %s --tessera-apply-plan=plan=%S/Inputs/apply-plan-small.yaml --tessera-shard-phase --tessera-partition-phase 2>/dev/null | FileCheck %s --check-prefix=PARTS
// RUN: tessera-opt %s --tessera-apply-plan="plan=%S/Inputs/apply-plan-small.yaml mesh=model=2" 2>/dev/null | FileCheck %s --check-prefix=MESH
// CHECK: tessera.mesh @mesh = <["data"=2, "model"=4]>
// CHECK: func.func @main(%{{.*}}: tensor<8x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>},
// CHECK-SAME: %{{.*}}: tensor<16x32xf32> {tessera.name = "p['w1']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>},
// CHECK-SAME: %{{.*}}: tensor<16x32xf32> {tessera.name = "p['w2']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<8x16xf32> {tessera.name = "y"})
// PARTS-COUNT-1: spmd.all_reduce sum {{.*}} over <@mesh, ["model"]> : tensor<4x16xf32>
// PARTS-NOT: spmd.{{all|reduce}}
// Sizes of the command line hold; an axis that it does not name has one device.
// MESH: tessera.mesh @mesh = <["data"=1, "model"=2]>
// MESH: func.func @main(%{{.*}}: tensor<8x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>}
func.func @main(%x: tensor<8x16xf32> {tessera.name = "x"}, %w1: tensor<16x32xf32> {tessera.name = "p['w1']"}, %w2: tensor<16x32xf32> {tessera.name = "p['w2']"}) -> (tensor<8x16xf32> {tessera.name = "y"}) {
  %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %a = math.tanh %h : tensor<8x32xf32>
  %y = tessera.dot_general %a, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<8x32xf32>, tensor<16x32xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
