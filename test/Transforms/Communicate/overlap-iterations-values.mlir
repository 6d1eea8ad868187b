// Loops over layers whose collectives run in other iterations have the same values, bit for bit, and send the same bytes: parts of equal and of unequal size, two layers and more, from the first on and from the last.
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// DEFINE: %{mesh} = ["x"=2, "y"=2]
// DEFINE: %{layers} = 4
// DEFINE: %{try} = sed 's/= <\["x"=2, "y"=2\]/= <%{mesh}/; s/constant 4 : i32/constant %{layers} : i32/' %s | tessera-opt --tessera-shard-phase --tessera-partition-phase -o %t.mlir && tessera-opt --tessera-overlap-iterations=always %t.mlir -o %t.moved.mlir \
// DEFINE:   && tessera-interpret %t.mlir --random=1 --outputs=%t.unmoved.safetensors && tessera-interpret %t.moved.mlir --random=1 --expect=%t.unmoved.safetensors --tolerance=1e-30 \
// DEFINE:   && tessera-interpret %t.moved.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: %{try}
// RUN: tessera-interpret %t.mlir --random=1 --count | FileCheck %s
// RUN: tessera-interpret %t.moved.mlir --random=1 --count | FileCheck %s --check-prefix=MOVED
// REDEFINE: %{mesh} = ["x"=3, "y"=1]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=4]
// RUN: %{try}
// REDEFINE: %{mesh} = ["x"=2, "y"=2], device_ids=[2, 0, 3, 1]
// RUN: %{try}
// The first layer and the last are all that there are.
// REDEFINE: %{mesh} = ["x"=2, "y"=2]
// REDEFINE: %{layers} = 2
// RUN: sed 's/constant 4 : i32/constant 2 : i32/' %s > %t.two.mlir && tessera-interpret %t.two.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: %{try}

// CHECK: 768 4 all_gather
// CHECK: 96 1 reduce_scatter
// CHECK: 96 1 reduce_scatter
// CHECK: 1024 10 in all
// MOVED: 192 1 all_gather
// MOVED: 384 2 all_gather
// MOVED-COUNT-3: 1 reduce_scatter
// MOVED: 1024 16 in all

tessera.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(
    %x: tensor<100x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>},
    %w: tensor<4x8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}, {}]>},
    %b: tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<100x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"}, {}]>}, tensor<4x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x", "y"}]>}, tensor<4x8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %last = arith.constant dense<3> : tensor<i32>
  %stack = arith.constant dense<0.0> : tensor<4x8xf32>
  %0:3 = scf.for %i = %zero to %four step %one iter_args(%h = %x, %parts = %stack, %others = %stack) -> (tensor<100x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %from_end = arith.subi %last, %place : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %2 = tessera.reshape %1 : tensor<1x8x8xf32> -> tensor<8x8xf32>
    %3 = tessera.constrain %2 to <@mesh, [{}, {}]> : tensor<8x8xf32>
    %4 = tessera.dynamic_slice %b[%from_end, %none] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %5:2 = tessera.optimization_barrier %4, %h : (tensor<1x8xf32>, tensor<100x8xf32>) -> (tensor<1x8xf32>, tensor<100x8xf32>)
    %6 = tessera.reshape %5#0 : tensor<1x8xf32> -> tensor<8xf32>
    %7 = tessera.constrain %6 to <@mesh, [{}]> : tensor<8xf32>
    %8 = tessera.broadcast %7 dims = [1] : tensor<8xf32> -> tensor<100x8xf32>
    %9 = tessera.dot_general %5#1, %3 batching = [] x [] contracting = [1] x [0] : (tensor<100x8xf32>, tensor<8x8xf32>) -> tensor<100x8xf32>
    %10 = arith.addf %9, %8 : tensor<100x8xf32>
    %11 = math.tanh %10 : tensor<100x8xf32>
    %12 = tessera.reduce sum %11 dims = [0] : tensor<100x8xf32> -> tensor<8xf32>
    %13 = tessera.reshape %12 : tensor<8xf32> -> tensor<1x8xf32>
    %14 = tessera.dynamic_update_slice %parts, %13[%place, %none] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %15 = arith.mulf %11, %h : tensor<100x8xf32>
    %16 = tessera.reduce sum %15 dims = [0] : tensor<100x8xf32> -> tensor<8xf32>
    %17 = tessera.reshape %16 : tensor<8xf32> -> tensor<1x8xf32>
    %18 = tessera.dynamic_update_slice %others, %17[%from_end, %none] : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    scf.yield %11, %14, %18 : tensor<100x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %0#0, %0#1, %0#2 : tensor<100x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
