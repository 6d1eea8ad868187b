// What a microbatch keeps for its backward pass, and what is computed again.
// RUN: tessera-opt %s --tessera-recompute-residuals -split-input-file | FileCheck %s
// RUN: tessera-opt %s --tessera-recompute-residuals=attention-kernels -split-input-file | FileCheck %s --check-prefix=ATTENTION
// RUN: tessera-opt %s --tessera-recompute-residuals="attention-kernels schedule=1f1b memory-limit=594944" -split-input-file | FileCheck %s --check-prefix=FITS
// RUN: tessera-opt %s --tessera-recompute-residuals="attention-kernels schedule=1f1b memory-limit=594943" -split-input-file | FileCheck %s --check-prefix=EXCEEDS

tessera.mesh @mesh = <["data"=1]>

// Of a matmul's result and what follows from it element by element, only the result is kept.
// CHECK-LABEL: func.func @cheap_work_is_repeated(
func.func @cheap_work_is_repeated(%x: tensor<256x256xf32>, %zero: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
    // CHECK: %[[F:.*]] = pipe.fragment {{ ?}}forward stage 0 -> tensor<256x256xf32>
    // CHECK-NEXT: %[[DOT:.*]] = tessera.dot_general
    // CHECK-NEXT: pipe.yield %[[DOT]] : tensor<256x256xf32>
    // CHECK: pipe.fragment {{ ?}}input_gradient stage 0
    // CHECK: %[[TWO:.*]] = arith.constant
    // CHECK: %[[A:.*]] = arith.mulf %[[F]], %[[TWO]]
    // CHECK: %[[B:.*]] = arith.addf %[[A]], %[[F]]
    // CHECK: %[[C:.*]] = arith.mulf %[[A]], %[[B]]
    // CHECK: arith.addf %{{.*}}, %[[C]]
    %f:3 = pipe.fragment forward stage 0 -> tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32> {
      %0 = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %two = arith.constant dense<2.0> : tensor<256x256xf32>
      %1 = arith.mulf %0, %two : tensor<256x256xf32>
      %2 = arith.addf %1, %0 : tensor<256x256xf32>
      pipe.yield %0, %1, %2 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
    }
    %b = pipe.fragment input_gradient stage 0 -> tensor<256x256xf32> {
      %0 = arith.mulf %f#1, %f#2 : tensor<256x256xf32>
      %1 = arith.addf %acc, %0 : tensor<256x256xf32>
      pipe.yield %1 : tensor<256x256xf32>
    }
    scf.yield %b : tensor<256x256xf32>
  }
  return %sum : tensor<256x256xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// Matmuls are kept, however small what they are made of.
// CHECK-LABEL: func.func @contractions_are_kept(
func.func @contractions_are_kept(%x: tensor<256x2xf32>, %zero: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
    %f = pipe.fragment forward stage 0 -> tensor<256x256xf32> {
      %0 = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [1] : (tensor<256x2xf32>, tensor<256x2xf32>) -> tensor<256x256xf32>
      pipe.yield %0 : tensor<256x256xf32>
    }
    // CHECK: pipe.fragment {{ ?}}input_gradient stage 0
    // CHECK-NOT: tessera.dot_general
    %b = pipe.fragment input_gradient stage 0 -> tensor<256x256xf32> {
      %1 = arith.addf %acc, %f : tensor<256x256xf32>
      pipe.yield %1 : tensor<256x256xf32>
    }
    scf.yield %b : tensor<256x256xf32>
  }
  return %sum : tensor<256x256xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// What follows from a value that the loop carries is kept: when the backward pass runs, that may hold what a later microbatch has made of it.
// CHECK-LABEL: func.func @carried_values_are_not_read_later(
func.func @carried_values_are_not_read_later(%x: tensor<256xf32>, %zero: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: scf.for {{.*}} iter_args(%[[SEEN:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
  %sums:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%seen = %zero, %acc = %zero) -> (tensor<256xf32>, tensor<256xf32>) {
    // CHECK: %[[F:.*]] = pipe.fragment {{ ?}}forward stage 0 -> tensor<256xf32> {
    %f:3 = pipe.fragment forward stage 0 -> tensor<256xf32>, tensor<256xf32>, tensor<256xf32> {
      %0 = arith.addf %seen, %x : tensor<256xf32>
      %1 = arith.addf %0, %0 : tensor<256xf32>
      %2 = arith.mulf %0, %0 : tensor<256xf32>
      pipe.yield %0, %1, %2 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
    }
    // CHECK: pipe.fragment {{ ?}}input_gradient stage 0
    // CHECK-NOT: %[[SEEN]]
    // CHECK: arith.addf %[[F]], %[[F]]
    // CHECK-NEXT: arith.mulf %[[F]], %[[F]]
    %b = pipe.fragment input_gradient stage 0 -> tensor<256xf32> {
      %0 = arith.subf %f#1, %f#2 : tensor<256xf32>
      %1 = arith.addf %acc, %0 : tensor<256xf32>
      pipe.yield %1 : tensor<256xf32>
    }
    scf.yield %f#0, %b : tensor<256xf32>, tensor<256xf32>
  }
  return %sums#0, %sums#1 : tensor<256xf32>, tensor<256xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// What the model computes again by itself stays where it stands: the barrier and what follows it.
// CHECK-LABEL: func.func @checkpoints_stay_in_the_backward_pass(
func.func @checkpoints_stay_in_the_backward_pass(%x: tensor<256x256xf32>, %zero: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
    // CHECK: %[[F:.*]] = pipe.fragment {{ ?}}forward stage 0 -> tensor<256x256xf32>
    // CHECK-NEXT: tessera.dot_general
    // CHECK-NEXT: pipe.yield
    %f = pipe.fragment forward stage 0 -> tensor<256x256xf32> {
      %0 = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      pipe.yield %0 : tensor<256x256xf32>
    }
    // CHECK: pipe.fragment {{ ?}}input_gradient stage 0
    // CHECK-NEXT: %[[HIDDEN:.*]] = tessera.optimization_barrier %[[F]]
    // CHECK-NEXT: tessera.dot_general %[[HIDDEN]]
    %b = pipe.fragment input_gradient stage 0 -> tensor<256x256xf32> {
      %0 = tessera.optimization_barrier %f : (tensor<256x256xf32>) -> tensor<256x256xf32>
      %1 = tessera.dot_general %0, %0 batching = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %2 = arith.addf %acc, %1 : tensor<256x256xf32>
      pipe.yield %2 : tensor<256x256xf32>
    }
    scf.yield %b : tensor<256x256xf32>
  }
  return %sum : tensor<256x256xf32>
}

// -----

tessera.mesh @mesh = <["data"=1]>

// Without kernels for attention its scores are kept, since their product is dear; with them, what they are the product of.
// CHECK-LABEL: func.func @scores_of_attention(
// CHECK: pipe.fragment {{ ?}}forward stage 0
// CHECK: pipe.fragment {{ ?}}input_gradient stage 0
// CHECK-NOT: tessera.dot_general
// CHECK: return
// ATTENTION-LABEL: func.func @scores_of_attention(
// ATTENTION: %[[F:.*]] = pipe.fragment {{ ?}}forward stage 0 -> tensor<2x256x16xf32>
// ATTENTION-NEXT: %[[Q:.*]] = tessera.dot_general
// ATTENTION-NEXT: pipe.yield %[[Q]] : tensor<2x256x16xf32>
// ATTENTION: pipe.fragment {{ ?}}input_gradient stage 0
// ATTENTION: %[[SCORES:.*]] = tessera.dot_general %[[F]], %[[F]]
// ATTENTION: tessera.reduce max %[[SCORES]]
// ATTENTION: math.exp
// Two numbers per row are kept as well: 4096 bytes, besides 32768 of %q, 524288 of the carried sum, and the arguments. One byte less, and %q is computed again.
// FITS-LABEL: func.func @scores_of_attention(
// FITS: pipe.fragment {{ ?}}input_gradient stage 0
// FITS: tessera.dot_general
// FITS-NOT: tessera.dot_general
// EXCEEDS-LABEL: func.func @scores_of_attention(
// EXCEEDS: pipe.fragment {{ ?}}input_gradient stage 0
// EXCEEDS-COUNT-2: tessera.dot_general
func.func @scores_of_attention(%x: tensor<2x256x16xf32>, %w: tensor<16x16xf32>, %zero: tensor<2x256x256xf32>) -> tensor<2x256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<2x256x256xf32>) {
    %f:2 = pipe.fragment forward stage 0 -> tensor<2x256x16xf32>, tensor<2x256x256xf32> {
      %q = tessera.dot_general %x, %w batching = [] x [] contracting = [2] x [0] : (tensor<2x256x16xf32>, tensor<16x16xf32>) -> tensor<2x256x16xf32>
      %0 = tessera.dot_general %q, %q batching = [0] x [0] contracting = [2] x [2] : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
      %1 = tessera.reduce max %0 dims = [2] : tensor<2x256x256xf32> -> tensor<2x256xf32>
      %2 = tessera.broadcast %1 dims = [0, 1] : tensor<2x256xf32> -> tensor<2x256x256xf32>
      %3 = arith.subf %0, %2 : tensor<2x256x256xf32>
      %4 = math.exp %3 : tensor<2x256x256xf32>
      %5 = tessera.reduce sum %4 dims = [2] : tensor<2x256x256xf32> -> tensor<2x256xf32>
      %6 = tessera.broadcast %5 dims = [0, 1] : tensor<2x256xf32> -> tensor<2x256x256xf32>
      %7 = arith.divf %4, %6 : tensor<2x256x256xf32>
      %8 = tessera.dot_general %7, %q batching = [0] x [0] contracting = [2] x [1] : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
      pipe.yield %8, %7 : tensor<2x256x16xf32>, tensor<2x256x256xf32>
    }
    %b = pipe.fragment input_gradient stage 0 -> tensor<2x256x256xf32> {
      %0 = arith.mulf %f#1, %f#1 : tensor<2x256x256xf32>
      %1 = arith.addf %acc, %0 : tensor<2x256x256xf32>
      pipe.yield %1 : tensor<2x256x256xf32>
    }
    scf.yield %b : tensor<2x256x256xf32>
  }
  return %sum : tensor<2x256x256xf32>
}
