// Several collectives in one call give what each of them gives by itself, on the interpreter and compiled, of all kinds, also where an operand is read twice.
// RUN: split-file %s %t
// RUN: tessera-interpret %t/alone.mlir --random=3 --outputs=%t/alone.safetensors
// RUN: tessera-interpret %t/combined.mlir --random=3 --expect=%t/alone.safetensors --tolerance=0
// RUN: tesserac %t/combined.mlir --compile-from=communicate --check-phases=3 -o %t/combined.tsx
// RUN: tessera-run %t/combined.tsx --random=3 --guards --expect=%t/alone.safetensors --tolerance=1e-6

//--- alone.mlir
tessera.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(
    %a: tensor<3x4xf32> {tessera.name = "a", tessera.global_type = tensor<6x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<3x6xf32> {tessera.name = "b", tessera.global_type = tensor<6x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (
    tensor<3x4xf32> {tessera.name = "s", tessera.global_type = tensor<3x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<3x6xf32> {tessera.name = "t", tessera.global_type = tensor<3x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<6x4xf32> {tessera.name = "g", tessera.global_type = tensor<6x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<3x12xf32> {tessera.name = "h", tessera.global_type = tensor<3x12xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<3x2xf32> {tessera.name = "u", tessera.global_type = tensor<3x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    tensor<3x3xf32> {tessera.name = "v", tessera.global_type = tensor<3x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    tensor<3x4xf32> {tessera.name = "p", tessera.global_type = tensor<6x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    tensor<3x6xf32> {tessera.name = "q", tessera.global_type = tensor<6x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<3x4xf32>
  %1 = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<3x6xf32>
  %2 = spmd.all_gather %a dim = 0 over <@mesh, ["x"]> : tensor<3x4xf32> -> tensor<6x4xf32>
  %3 = spmd.all_gather %b dim = 1 over <@mesh, ["x"]> : tensor<3x6xf32> -> tensor<3x12xf32>
  %4 = spmd.reduce_scatter sum %a dim = 1 over <@mesh, ["x"]> : tensor<3x4xf32> -> tensor<3x2xf32>
  %5 = spmd.reduce_scatter sum %b dim = 1 over <@mesh, ["x"]> : tensor<3x6xf32> -> tensor<3x3xf32>
  %6 = spmd.permute %a to [1, 0] over <@mesh, ["x"]> : tensor<3x4xf32>
  %7 = spmd.permute %b to [1, -1] over <@mesh, ["x"]> : tensor<3x6xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3x4xf32>, tensor<3x6xf32>, tensor<6x4xf32>, tensor<3x12xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x6xf32>
}

//--- combined.mlir
tessera.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(
    %a: tensor<3x4xf32> {tessera.name = "a", tessera.global_type = tensor<6x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    %b: tensor<3x6xf32> {tessera.name = "b", tessera.global_type = tensor<6x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (
    tensor<3x4xf32> {tessera.name = "s", tessera.global_type = tensor<3x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<3x6xf32> {tessera.name = "t", tessera.global_type = tensor<3x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<6x4xf32> {tessera.name = "g", tessera.global_type = tensor<6x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<3x12xf32> {tessera.name = "h", tessera.global_type = tensor<3x12xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
    tensor<3x2xf32> {tessera.name = "u", tessera.global_type = tensor<3x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    tensor<3x3xf32> {tessera.name = "v", tessera.global_type = tensor<3x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>},
    tensor<3x4xf32> {tessera.name = "p", tessera.global_type = tensor<6x4xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
    tensor<3x6xf32> {tessera.name = "q", tessera.global_type = tensor<6x6xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) {
  %0:2 = spmd.combined(%a, %b) : (tensor<3x4xf32>, tensor<3x6xf32>) -> (tensor<3x4xf32>, tensor<3x6xf32>) {
  ^bb0(%x0: tensor<3x4xf32>, %x1: tensor<3x6xf32>):
    %8 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<3x4xf32>
    %9 = spmd.all_reduce sum %x1 over <@mesh, ["x"]> : tensor<3x6xf32>
    spmd.yield %8, %9 : tensor<3x4xf32>, tensor<3x6xf32>
  }
  %1:2 = spmd.combined(%a, %b) : (tensor<3x4xf32>, tensor<3x6xf32>) -> (tensor<6x4xf32>, tensor<3x12xf32>) {
  ^bb0(%x0: tensor<3x4xf32>, %x1: tensor<3x6xf32>):
    %8 = spmd.all_gather %x0 dim = 0 over <@mesh, ["x"]> : tensor<3x4xf32> -> tensor<6x4xf32>
    %9 = spmd.all_gather %x1 dim = 1 over <@mesh, ["x"]> : tensor<3x6xf32> -> tensor<3x12xf32>
    spmd.yield %8, %9 : tensor<6x4xf32>, tensor<3x12xf32>
  }
  %2:2 = spmd.combined(%a, %b) : (tensor<3x4xf32>, tensor<3x6xf32>) -> (tensor<3x2xf32>, tensor<3x3xf32>) {
  ^bb0(%x0: tensor<3x4xf32>, %x1: tensor<3x6xf32>):
    %8 = spmd.reduce_scatter sum %x0 dim = 1 over <@mesh, ["x"]> : tensor<3x4xf32> -> tensor<3x2xf32>
    %9 = spmd.reduce_scatter sum %x1 dim = 1 over <@mesh, ["x"]> : tensor<3x6xf32> -> tensor<3x3xf32>
    spmd.yield %8, %9 : tensor<3x2xf32>, tensor<3x3xf32>
  }
  %3:2 = spmd.combined(%a, %b) : (tensor<3x4xf32>, tensor<3x6xf32>) -> (tensor<3x4xf32>, tensor<3x6xf32>) {
  ^bb0(%x0: tensor<3x4xf32>, %x1: tensor<3x6xf32>):
    %8 = spmd.permute %x0 to [1, 0] over <@mesh, ["x"]> : tensor<3x4xf32>
    %9 = spmd.permute %x1 to [1, -1] over <@mesh, ["x"]> : tensor<3x6xf32>
    spmd.yield %8, %9 : tensor<3x4xf32>, tensor<3x6xf32>
  }
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : tensor<3x4xf32>, tensor<3x6xf32>, tensor<6x4xf32>, tensor<3x12xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<3x6xf32>
}
