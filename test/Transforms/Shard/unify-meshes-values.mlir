// Per-device code over some axes of two grids: the same values, with the axes of both cut.
// RUN: tesserac %s --check-phases -o %t.tsx
// RUN: tessera-interpret %s --random=5 --outputs=%t.safetensors
// RUN: tessera-run %t.tsx --random=5 --expect=%t.safetensors

tessera.mesh @a = <["x"=2, "y"=4]>
tessera.mesh @b = <["u"=4, "v"=2]>
tessera.mesh @line = <["z"=8]>

func.func @main(%a: tensor<16x16xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {"y"}]>}, %w: tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<8xf32>) {
  %0 = tessera.manual_computation(%a) over <@a, ["y"]> in [#tessera.sharding<@a, [{?}, {"y", ?}]>] out [#tessera.sharding<@a, [{?}, {"y", ?}]>]
    : (tensor<16x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%part: tensor<16x4xf32>):
    %position = spmd.axis_index <@a, ["y"]> : tensor<i32>
    %number = arith.sitofp %position : tensor<i32> to tensor<f32>
    %numbers = tessera.broadcast %number dims = [] : tensor<f32> -> tensor<16x4xf32>
    %next = spmd.permute %part to [1, 2, 3, 0] over <@a, ["y"]> : tensor<16x4xf32>
    %sum = arith.addf %next, %numbers : tensor<16x4xf32>
    tessera.yield %sum : tensor<16x4xf32>
  }
  %1 = tessera.manual_computation(%0) over <@b, ["u"]> in [#tessera.sharding<@b, [{"u", ?}, {?}]>] out [#tessera.sharding<@b, [{"u", ?}, {?}]>]
    : (tensor<16x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%part: tensor<4x16xf32>):
    %most = spmd.all_reduce max %part over <@b, ["u"]> : tensor<4x16xf32>
    %rest = arith.subf %part, %most : tensor<4x16xf32>
    tessera.yield %rest : tensor<4x16xf32>
  }
  %2 = tessera.dot_general %1, %w batching = [] x [] contracting = [1] x [0] : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %3 = tessera.constrain %2 to <@line, [{"z"}, {}]> : tensor<16x8xf32>
  %4 = tessera.reduce sum %3 dims = [0] : tensor<16x8xf32> -> tensor<8xf32>
  return %3, %4 : tensor<16x8xf32>, tensor<8xf32>
}
