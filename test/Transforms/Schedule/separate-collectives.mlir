// RUN: tessera-opt %s -tessera-separate-collectives | FileCheck %s

tessera.mesh @mesh = <["data"=2]>

// Each part is a call where all of them were one, and its readers read it.
// CHECK-LABEL: func @two_sums
// CHECK-NOT: spmd.combined
// CHECK: %[[A:.*]] = spmd.all_reduce sum %arg0
// CHECK-NEXT: %[[B:.*]] = spmd.all_reduce sum %arg1
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @two_sums(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0:2 = spmd.combined(%a, %b) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  ^bb0(%x0: tensor<8xf32>, %x1: tensor<4xf32>):
    %1 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
    %2 = spmd.all_reduce sum %x1 over <@mesh, ["data"]> : tensor<4xf32>
    spmd.yield %1, %2 : tensor<8xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
}

// In a loop, too.
// CHECK-LABEL: func @in_a_loop
// CHECK: scf.for
// CHECK-NOT: spmd.combined
// CHECK: %[[A:.*]] = spmd.all_reduce sum
// CHECK-NEXT: %[[B:.*]] = spmd.all_reduce sum
// CHECK-NEXT: scf.yield %[[B]], %[[A]]
func.func @in_a_loop(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    %1:2 = spmd.combined(%x, %y) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    ^bb0(%x0: tensor<8xf32>, %x1: tensor<8xf32>):
      %2 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
      %3 = spmd.all_reduce sum %x1 over <@mesh, ["data"]> : tensor<8xf32>
      spmd.yield %2, %3 : tensor<8xf32>, tensor<8xf32>
    }
    scf.yield %1#1, %1#0 : tensor<8xf32>, tensor<8xf32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
