// Loops and branches over split state give the same values as on one device; the state is not gathered at every turn.
// RUN: tessera-interpret %s --random=5 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-shard-phase --tessera-partition-phase %s -o %t.mlir
// RUN: tessera-interpret %t.mlir --random=5 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: FileCheck %s < %t.mlir

tessera.mesh @mesh = <["x"=2, "y"=2]>

// The weight is resharded once, outside the loop; inside, one reduction per turn.
// CHECK-LABEL: func.func @main(
// CHECK: scf.for {{.*}} -> (tensor<4x8xf32>)
// CHECK-NOT: spmd.all_gather
// CHECK: tessera.dot_general
// CHECK-NOT: spmd.all_gather
// CHECK: scf.yield
func.func @main(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}]>},
                %w1: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"}]>},
                %w2: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {}]>},
                %b: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %a) -> tensor<8x8xf32> {
    %0 = tessera.dot_general %s, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = tessera.dot_general %0, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    %2 = math.tanh %1 : tensor<8x8xf32>
    scf.yield %2 : tensor<8x8xf32>
  }
  %limit = arith.constant dense<20> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %n, %doubled = scf.while (%i = %zero, %s = %b) : (tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) {
    %less = arith.cmpi slt, %i, %limit : tensor<i32>
    %go = tensor.extract %less[] : tensor<i1>
    scf.condition(%go) %i, %s : tensor<i32>, tensor<8x8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %s: tensor<8x8xf32>):
    %0 = arith.addi %i, %one : tensor<i32>
    %1 = arith.addf %s, %r : tensor<8x8xf32>
    scf.yield %0, %1 : tensor<i32>, tensor<8x8xf32>
  }
  %odd = arith.andi %n, %one : tensor<i32>
  %isOdd = arith.cmpi ne, %odd, %zero : tensor<i32>
  %condition = tensor.extract %isOdd[] : tensor<i1>
  %chosen = scf.if %condition -> tensor<8x8xf32> {
    %0 = arith.negf %a : tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  } else {
    %0 = tessera.transpose %b permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  }
  return %r, %doubled, %chosen : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
