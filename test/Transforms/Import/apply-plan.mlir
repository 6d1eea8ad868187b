// A plan becomes annotations: styles by what products do with dimensions, state after its parameters, what the model says itself as it was.
// RUN: tessera-opt %s --tessera-apply-plan=plan=%S/Inputs/apply-plan.yaml 2>%t.table | FileCheck %s
// RUN: FileCheck %s --check-prefix=TABLE < %t.table
// RUN: tessera-opt %s --tessera-apply-plan=plan=%S/Inputs/apply-plan.yaml -o %t.mlir 2>/dev/null
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt %t.mlir --tessera-shard-phase --tessera-partition-phase -o %t.parts.mlir
// RUN: tessera-interpret %t.parts.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-4

// Columns of (in, out), rows of (out, in): `turned` is multiplied the other way round.
// CHECK-LABEL: func.func @main
// CHECK-SAME: {tessera.donated = 0 : i32, tessera.name = "p['up']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>}
// CHECK-SAME: tessera.name = "p['up_bias']", tessera.sharding = #tessera.sharding<@mesh, [{"model"}]>
// CHECK-SAME: tessera.name = "p['down']", tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>
// A bias of what is summed is whole.
// CHECK-SAME: tessera.name = "p['down_bias']", tessera.sharding = #tessera.sharding<@mesh, [{}]>
// CHECK-SAME: tessera.name = "p['turned']", tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {"data"}]>
// CHECK-SAME: tessera.name = "p['table']", tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>
// CHECK-SAME: tessera.name = "p['experts']", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {}]>
// Three parts that are a dimension stay whole.
// CHECK-SAME: tessera.name = "p['fused']", tessera.sharding = #tessera.sharding<@mesh, [{}, {}, {"model"}]>
// The first candidate of a logical axis whose axes are free.
// CHECK-SAME: tessera.name = "p['scale']", tessera.sharding = #tessera.sharding<@mesh, [{"data", "model"}]>
// CHECK-SAME: tessera.name = "p['free']", tessera.sharding = #tessera.sharding<@mesh, [{?}], replicated={"model"}>
// Later axes of the mesh outside of earlier ones.
// CHECK-SAME: tessera.name = "p['strided']", tessera.sharding = #tessera.sharding<@mesh, [{"model", "data"}]>
// CHECK-SAME: tessera.name = "p['named']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>
// The model says so.
// CHECK-SAME: tessera.name = "p['own']", tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>
// State is sharded as its parameter, unless it has a rule.
// CHECK-SAME: tessera.name = "m['up']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>
// CHECK-SAME: tessera.name = "m['turned']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"data"}]>
// CHECK-SAME: tensor<i32> {tessera.donated = 2 : i32, tessera.name = "step"}
// CHECK-SAME: tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}p1, {?}]>
// CHECK-SAME: tessera.name = "tokens"}
// CHECK-SAME: tessera.name = "result[0]['up']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model", ?}]>
// CHECK-SAME: tessera.name = "result[1]['up']"}

// TABLE: apply-plan.yaml:1:1: remark: a device holds [[#]]% of the bytes of weights and state
// TABLE-NEXT: tensor {{ *}}shape {{ *}}sharding {{ *}}by
// TABLE-NEXT: p['up'] {{ *}}16x32 {{ *}}[-, model] {{ *}}line 5: colwise(model)
// TABLE: p['turned'] {{ *}}16x32 {{ *}}[model, data] {{ *}}line 8: colwise(model) fsdp(data)
// TABLE: p['free'] {{ *}}16 {{ *}}[?] replicated over model
// TABLE: p['own'] {{ *}}16 {{ *}}[data] {{ *}}the model
// TABLE: m['up'] {{ *}}16x32 {{ *}}[-, model] {{ *}}as p['up']
// TABLE: step {{ *}}scalar {{ *}}open
// TABLE-NOT: result[1]
tessera.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%up: tensor<16x32xf32> {tessera.name = "p['up']", tessera.donated = 0 : i32}, %up_bias: tensor<32xf32> {tessera.name = "p['up_bias']", tessera.donated = 3 : i32},
    %down: tensor<32x16xf32> {tessera.name = "p['down']", tessera.donated = 4 : i32}, %down_bias: tensor<16xf32> {tessera.name = "p['down_bias']", tessera.donated = 5 : i32},
    %turned: tensor<16x32xf32> {tessera.name = "p['turned']", tessera.donated = 6 : i32}, %table: tensor<64x16xf32> {tessera.name = "p['table']", tessera.donated = 7 : i32},
    %experts: tensor<4x16x8xf32> {tessera.name = "p['experts']", tessera.donated = 8 : i32}, %fused: tensor<16x3x8xf32> {tessera.name = "p['fused']", tessera.donated = 9 : i32},
    %scale: tensor<16xf32> {tessera.name = "p['scale']", tessera.donated = 10 : i32}, %free: tensor<16xf32> {tessera.name = "p['free']", tessera.donated = 11 : i32},
    %strided: tensor<16xf32> {tessera.name = "p['strided']", tessera.donated = 12 : i32}, %named: tensor<4x16xf32> {tessera.name = "p['named']", tessera.donated = 13 : i32},
    %own: tensor<16xf32> {tessera.name = "p['own']", tessera.donated = 14 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"data"}]>},
    %m_up: tensor<16x32xf32> {tessera.name = "m['up']", tessera.donated = 1 : i32}, %m_turned: tensor<16x32xf32> {tessera.name = "m['turned']", tessera.donated = 15 : i32},
    %step: tensor<i32> {tessera.name = "step", tessera.donated = 2 : i32},
    %x: tensor<8x16xf32> {tessera.name = "x"}, %tokens: tensor<8xi32> {tessera.name = "tokens"})
    -> (tensor<16x32xf32> {tessera.name = "result[0]['up']"}, tensor<16x32xf32> {tessera.name = "result[1]['up']"}, tensor<i32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16xf32>,
        tensor<16x32xf32>, tensor<64x16xf32>, tensor<4x16x8xf32>, tensor<16x3x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<4x16xf32>, tensor<16xf32>,
        tensor<16x32xf32>, tensor<8x16xf32>, tensor<4x8x8xf32>, tensor<8x3x8xf32>) {
  %half = arith.constant dense<5.0e-01> : tensor<16x32xf32>
  // Rows of the table, and of x.
  %column = tessera.reshape %tokens : tensor<8xi32> -> tensor<8x1xi32>
  %rows = tessera.gather %table at %column offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 16] : (tensor<64x16xf32>, tensor<8x1xi32>) -> tensor<8x16xf32>
  %in = arith.addf %rows, %x : tensor<8x16xf32>
  // The weight goes through a transpose and back before its product.
  %up_t = tessera.transpose %up permutation = [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
  %h = tessera.dot_general %in, %up_t batching = [] x [] contracting = [1] x [1] : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32>
  %bias = tessera.broadcast %up_bias dims = [1] : tensor<32xf32> -> tensor<8x32xf32>
  %hb = arith.addf %h, %bias : tensor<8x32xf32>
  %o = tessera.dot_general %hb, %down batching = [] x [] contracting = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %down_b = tessera.broadcast %down_bias dims = [1] : tensor<16xf32> -> tensor<8x16xf32>
  %ob = arith.addf %o, %down_b : tensor<8x16xf32>
  %t = tessera.dot_general %hb, %turned batching = [] x [] contracting = [1] x [1] : (tensor<8x32xf32>, tensor<16x32xf32>) -> tensor<8x16xf32>
  %sum = arith.addf %ob, %t : tensor<8x16xf32>
  %groups = tessera.broadcast %sum dims = [1, 2] : tensor<8x16xf32> -> tensor<4x8x16xf32>
  %e = tessera.dot_general %groups, %experts batching = [0] x [0] contracting = [2] x [1] : (tensor<4x8x16xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8xf32>
  %f = tessera.dot_general %sum, %fused batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x3x8xf32>) -> tensor<8x3x8xf32>
  %m_half = arith.mulf %m_up, %half : tensor<16x32xf32>
  %new_up = arith.addf %up, %m_half : tensor<16x32xf32>
  return %new_up, %m_half, %step, %up_bias, %down, %down_bias, %turned, %table, %experts, %fused, %scale, %free, %strided, %named, %own, %m_turned, %sum, %e, %f
    : tensor<16x32xf32>, tensor<16x32xf32>, tensor<i32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x32xf32>, tensor<64x16xf32>, tensor<4x16x8xf32>,
      tensor<16x3x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<4x16xf32>, tensor<16xf32>, tensor<16x32xf32>, tensor<8x16xf32>, tensor<4x8x8xf32>, tensor<8x3x8xf32>
}
