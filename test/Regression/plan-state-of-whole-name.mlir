// The moment of `decoder.w` is sharded as `decoder.w`, not as the encoder's weight of the same shape, where names of parameters have nothing in front.
// RUN: split-file %s %t
// RUN: tessera-opt %t/model.mlir --tessera-apply-plan=plan=%t/plan.yaml 2>/dev/null | FileCheck %s
// CHECK: tessera.name = "m.encoder.w", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"}]>
// CHECK-SAME: tessera.name = "m.decoder.w", tessera.sharding = #tessera.sharding<@mesh, [{"model"}, {}]>

//--- plan.yaml
mesh: {data: 2, model: 4}
rules:
  - {match: /encoder/w, style: colwise(model)}
  - {match: /decoder/w, style: rowwise(model)}

//--- model.mlir
func.func @main(%x: tensor<4x8xf32> {tessera.name = "x"},
    %encoder: tensor<8x8xf32> {tessera.name = "encoder.w"}, %decoder: tensor<8x8xf32> {tessera.name = "decoder.w"},
    %m: tensor<8x8xf32> {tessera.name = "m.encoder.w"}, %n: tensor<8x8xf32> {tessera.name = "m.decoder.w"}) -> (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %h = tessera.dot_general %x, %encoder batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = tessera.dot_general %h, %decoder batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %a = arith.addf %m, %encoder : tensor<8x8xf32>
  %b = arith.addf %n, %decoder : tensor<8x8xf32>
  return %y, %a, %b : tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
