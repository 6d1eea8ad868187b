// Parts of a split dimension, and tensors one behind the other, are exchanged in pieces; values are those of one device, on other numbers of devices as well.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=1 --expect=%t.expected.safetensors
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s
// RUN: sed 's/"x"=4, "y"=2/"x"=2, "y"=4/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t2x4.mlir
// RUN: tessera-interpret %t2x4.mlir --random=1 --expect=%t.expected.safetensors
// RUN: sed 's/"x"=4, "y"=2/"x"=8, "y"=1/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t8x1.mlir
// RUN: tessera-interpret %t8x1.mlir --random=1 --expect=%t.expected.safetensors

// Thirds of 24 rows in parts of 6: every device sends three pieces of two rows, its part, at most.
// CHECK-COUNT-2: 64 1 permute {"x"} tensor<2x8xf32>
// CHECK-NOT: gather
// CHECK: in all
tessera.mesh @mesh = <["x"=4, "y"=2]>
func.func @main(%a: tensor<24x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                %c: tensor<24x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<32x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<24x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %seven = arith.constant dense<7.0> : tensor<f32>
  // Thirds, as the queries, keys and values of one product.
  %q = tessera.slice %a [0, 0] to [8, 8] by [1, 1] : tensor<24x8xf32> -> tensor<8x8xf32>
  %k = tessera.slice %a [8, 0] to [16, 8] by [1, 1] : tensor<24x8xf32> -> tensor<8x8xf32>
  %v = tessera.slice %a [16, 0] to [24, 8] by [1, 1] : tensor<24x8xf32> -> tensor<8x8xf32>
  %qk = arith.mulf %q, %k : tensor<8x8xf32>
  %qkv = arith.subf %qk, %v : tensor<8x8xf32>
  // Parts of two sizes.
  %e = math.exp %a : tensor<24x8xf32>
  %large = tessera.slice %e [0, 0] to [16, 8] by [1, 1] : tensor<24x8xf32> -> tensor<16x8xf32>
  // One behind the other, of several sizes, one of them twice.
  %t = math.tanh %b : tensor<8x8xf32>
  %joined = tessera.concatenate %t, %large, %t dim = 0 : (tensor<8x8xf32>, tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<32x8xf32>
  // In the middle of something else.
  %s = math.sin %b : tensor<8x8xf32>
  %padded = tessera.pad %s with %seven low = [8, 0] high = [8, 0] interior = [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<24x8xf32>
  // A third that is shifted along the other dimension, which is split as well.
  %third = tessera.pad %c with %seven low = [-8, 1] high = [-8, -1] interior = [0, 0] : (tensor<24x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  // What does not begin where a part does.
  %o = math.cos %a : tensor<24x8xf32>
  %within = tessera.slice %o [2, 0] to [18, 8] by [1, 1] : tensor<24x8xf32> -> tensor<16x8xf32>
  // Along two split dimensions.
  %corner = tessera.pad %c with %seven low = [-16, 4] high = [0, 4] interior = [0, 0] : (tensor<24x8xf32>, tensor<f32>) -> tensor<8x16xf32>
  return %qkv, %large, %joined, %padded, %third, %within, %corner
      : tensor<8x8xf32>, tensor<16x8xf32>, tensor<32x8xf32>, tensor<24x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>
}
