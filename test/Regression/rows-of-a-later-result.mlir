// The rows of a loop's result are sliced off it, whatever its first result is: here a number.
// RUN: tesserac %s --stages=2 --microbatches=2 --schedule=1f1b --check-phases -o %t.tsx 2>&1 | FileCheck %s
// CHECK: stage agrees with import
// CHECK: partition agrees with import
// CHECK: schedule agrees with import
tessera.mesh @mesh = <["data"=1]>
func.func @main(%g: tensor<2x64xf32> {tessera.donated = 0 : i32, tessera.name = "g", tessera.sharding = #tessera.sharding<@mesh, [{}, {}]>},
                %x: tensor<1024x64xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<2x64xf32>, tensor<f32>, tensor<f32>) {
  %loss = tessera.reduce sum %x dims = [0, 1] : tensor<1024x64xf32> -> tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zi = arith.constant dense<0> : tensor<i32>
  %zeros = arith.constant dense<0.0> : tensor<2x64xf32>
  %r:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%h = %x, %s = %zeros) -> (tensor<1024x64xf32>, tensor<2x64xf32>) {
    %k32 = arith.index_cast %k : index to i32
    %kn = tensor.from_elements %k32 : tensor<i32>
    %gs = tessera.dynamic_slice %g[%kn, %zi] : (tensor<2x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x64xf32>
    %gk = tessera.reshape %gs : tensor<1x64xf32> -> tensor<64xf32>
    %gb = tessera.broadcast %gk dims = [1] : tensor<64xf32> -> tensor<1024x64xf32>
    %e = arith.mulf %h, %gb : tensor<1024x64xf32>
    %t = math.tanh %e : tensor<1024x64xf32>
    %sum = tessera.reduce sum %t dims = [0] : tensor<1024x64xf32> -> tensor<64xf32>
    %row = tessera.reshape %sum : tensor<64xf32> -> tensor<1x64xf32>
    %s2 = tessera.dynamic_update_slice %s, %row[%kn, %zi] : (tensor<2x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<2x64xf32>
    scf.yield %t, %s2 : tensor<1024x64xf32>, tensor<2x64xf32>
  }
  %flat = tessera.reshape %r#1 : tensor<2x64xf32> -> tensor<128xf32>
  %sq = arith.mulf %flat, %flat : tensor<128xf32>
  %n = tessera.reduce sum %sq dims = [0] : tensor<128xf32> -> tensor<f32>
  %nb = tessera.broadcast %n dims = [] : tensor<f32> -> tensor<2x64xf32>
  %st = arith.divf %r#1, %nb : tensor<2x64xf32>
  %new = arith.subf %g, %st : tensor<2x64xf32>
  %xb = tessera.broadcast %x dims = [0, 2] : tensor<1024x64xf32> -> tensor<1024x2x64xf32>
  %xs = tessera.reduce sum %xb dims = [0] : tensor<1024x2x64xf32> -> tensor<2x64xf32>
  %newer = arith.subf %new, %xs : tensor<2x64xf32>
  return %newer, %n, %loss : tensor<2x64xf32>, tensor<f32>, tensor<f32>
}
