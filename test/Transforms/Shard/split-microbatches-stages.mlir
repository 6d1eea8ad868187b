// What stages need: a loop for one microbatch too, and sums that are not formed before they are carried.
// RUN: tessera-opt --tessera-split-microbatches="count=1 always=true" %s | FileCheck %s
// RUN: tessera-interpret %s --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-opt --tessera-split-microbatches="count=1 always=true" %s | tessera-interpret - --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// RUN: tessera-opt --tessera-split-microbatches="count=4 always=true" %s | tessera-interpret - --random=1 --expect=%t.expected.safetensors --tolerance=1e-5

// Without stages, one microbatch is the step as it is.
// RUN: tessera-opt --tessera-split-microbatches=count=1 %s | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: scf.for

// RUN: not tessera-opt --tessera-split-microbatches=count=0 %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: expected at least one microbatch, got 0
// RUN: not tessera-opt --tessera-split-microbatches="count=-2 always=true" %s 2>&1 | FileCheck %s --check-prefix=FEWER
// FEWER: expected at least one microbatch, got -2

// CHECK-LABEL: func.func @main(
func.func @main(%t: tensor<32x8xf32> {tessera.donated = 0 : i32, tessera.name = "t"}, %i: tensor<16x1xi32> {tessera.name = "i"}) -> tensor<32x8xf32> {
  // CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} -> (tensor<32x8xf32>, tensor<32x8xf32>) : i32
  // CHECK: tensor.from_elements
  // CHECK: tessera.dynamic_slice
  // CHECK: } {pipe.microbatches}
  // CHECK: arith.addf %[[SUMS]]#{{[01]}}, %[[SUMS]]#{{[01]}}
  %e = tessera.gather %t at %i offset = [1] collapsed = [0] batching = [] x [] map = [0] vector = 1 sizes = [1, 8] : (tensor<32x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %l = tessera.dot_general %e, %t batching = [] x [] contracting = [1] x [1] : (tensor<16x8xf32>, tensor<32x8xf32>) -> tensor<16x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32x8xf32>
  %s = tessera.scatter sum %zero, %e at %i window = [1] inserted = [0] batching = [] x [] map = [0] vector = 1 : (tensor<32x8xf32>, tensor<16x1xi32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %d = tessera.dot_general %l, %e batching = [] x [] contracting = [0] x [0] : (tensor<16x32xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %g = arith.addf %s, %d : tensor<32x8xf32>
  %n = arith.subf %t, %g : tensor<32x8xf32>
  return %n : tensor<32x8xf32>
}
