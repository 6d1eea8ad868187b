// What replaces state is made of state without any product: a parameter that every device keeps whole, moved by a part of the moments that it has. As one of 8 bits it would lose something in every step; what is added is quantized instead.
// A parameter that a second one, kept whole, comes nearer to, number by number, is left alone.
// RUN: tessera-opt --tessera-quantize-collectives=collectives=gather:int8@x %s | FileCheck %s
// RUN: tessera-interpret %s --random=3 --steps=30 --outputs=%t.expected.safetensors
// RUN: tesserac %s --compile-from=partition --quantize-collectives=gather:int8@x -o %t.tsx
// RUN: tessera-run %t.tsx --random=3 --steps=30 --outputs=%t.safetensors
// RUN: python3 %S/Inputs/compare-kept.py %t.expected.safetensors %t.safetensors 1e-4

// CHECK: __gathered_error[p]
// CHECK: spmd.all_gather {{.*}} : tensor<4x256xi8> -> tensor<8x256xi8>
// CHECK: spmd.all_gather {{.*}} : tensor<1024xf32> -> tensor<2048xf32>
// CHECK-NOT: xi8>
tessera.mesh @mesh = <["x"=2]>
func.func @main(
    %p: tensor<2048xf32> {tessera.donated = 0 : i32, tessera.name = "p", tessera.sharding = #tessera.sharding<@mesh, [{}]>},
    %m: tensor<1024xf32> {tessera.donated = 1 : i32, tessera.name = "m", tessera.global_type = tensor<2048xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
    %mean: tensor<2048xf32> {tessera.donated = 2 : i32, tessera.name = "mean", tessera.sharding = #tessera.sharding<@mesh, [{}]>})
    -> (tensor<2048xf32> {tessera.name = "new_p", tessera.sharding = #tessera.sharding<@mesh, [{}]>},
        tensor<1024xf32> {tessera.name = "new_m", tessera.global_type = tensor<2048xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}]>},
        tensor<2048xf32> {tessera.name = "new_mean", tessera.sharding = #tessera.sharding<@mesh, [{}]>}) {
  %index = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
  %size = arith.constant dense<1024> : tensor<i32>
  %start = arith.muli %index, %size : tensor<i32>
  %old = tessera.dynamic_slice %p[%start] : (tensor<2048xf32>, tensor<i32>) -> tensor<1024xf32>
  %rate = arith.constant dense<0.001> : tensor<1024xf32>
  %step = arith.mulf %m, %rate : tensor<1024xf32>
  %moved = arith.subf %old, %step : tensor<1024xf32>
  %new = spmd.all_gather %moved dim = 0 over <@mesh, ["x"]> : tensor<1024xf32> -> tensor<2048xf32>
  %moments = spmd.all_gather %m dim = 0 over <@mesh, ["x"]> : tensor<1024xf32> -> tensor<2048xf32>
  %part = arith.constant dense<0.01> : tensor<2048xf32>
  %near = arith.mulf %moments, %part : tensor<2048xf32>
  %mean1 = arith.addf %mean, %near : tensor<2048xf32>
  return %new, %m, %mean1 : tensor<2048xf32>, tensor<1024xf32>, tensor<2048xf32>
}
