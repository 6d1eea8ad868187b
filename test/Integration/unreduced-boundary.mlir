// Unreduced arguments and results: the interpreter (whole, and on all devices after every phase) and the compiled program agree on what goes in and
// on what comes out, also when a result takes over an argument's memory for the next step.
// RUN: tessera-interpret %s --random=3 --outputs=%t.safetensors
// RUN: tesserac %s --check-phases=3 -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --expect=%t.safetensors --tolerance=1e-6
// RUN: tessera-interpret %s --random=3 --steps=3 --outputs=%t.steps.safetensors
// RUN: tessera-run %t.tsx --random=3 --steps=3 --expect=%t.steps.safetensors --tolerance=1e-6

tessera.mesh @mesh = <["x"=2, "y"=2]>

func.func @main(
    %sum: tensor<4x6xf32> {tessera.name = "sum", tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>},
    %max: tensor<4x6xf32> {tessera.name = "max", tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced=max{"x", "y"}>},
    %counts: tensor<8xi32> {tessera.name = "counts", tessera.sharding = #tessera.sharding<@mesh, [{"x"}], unreduced=min{"y"}>},
    %bits: tensor<8xi8> {tessera.name = "bits", tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=or{"x"}>},
    %w: tensor<6x4xf32> {tessera.name = "w", tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>}) -> (
    tensor<4x6xf32> {tessera.name = "next", tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>},
    tensor<4x6xf32> {tessera.name = "largest", tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}], unreduced=max{"x"}>},
    tensor<8xi32> {tessera.name = "smallest", tessera.sharding = #tessera.sharding<@mesh, [{}], unreduced=min{"y"}>},
    tensor<8xi8> {tessera.name = "any", tessera.sharding = #tessera.sharding<@mesh, [{}]>},
    tensor<f32> {tessera.name = "loss", tessera.sharding = #tessera.sharding<@mesh, [], unreduced={"x"}>},
    tensor<6x4xf32> {tessera.name = "made", tessera.sharding = #tessera.sharding<@mesh, [{}, {}], unreduced={"y"}>}) {
  %half = arith.constant dense<0.5> : tensor<4x6xf32>
  %0 = arith.mulf %sum, %half : tensor<4x6xf32>
  %1 = arith.maximumf %max, %sum : tensor<4x6xf32>
  %2 = tessera.reverse %counts dims = [0] : tensor<8xi32>
  %3 = arith.xori %bits, %bits : tensor<8xi8>
  %4 = arith.addi %3, %bits : tensor<8xi8>
  %5 = tessera.reduce sum %w dims = [0, 1] : tensor<6x4xf32> -> tensor<f32>
  return %0, %1, %2, %4, %5, %w : tensor<4x6xf32>, tensor<4x6xf32>, tensor<8xi32>, tensor<8xi8>, tensor<f32>, tensor<6x4xf32>
}
