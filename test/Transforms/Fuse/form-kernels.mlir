// RUN: tessera-opt %s -split-input-file -tessera-form-kernels -tessera-verify-kernels | FileCheck %s

// A chain of element-wise operations is one kernel; the constant and its broadcast are inside.
// CHECK-LABEL: func @chain
// CHECK-NEXT: %[[K:.*]] = spmd.kernel(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32> {
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<8x16xf32>):
// CHECK-NEXT:   %[[C:.*]] = arith.constant
// CHECK-NEXT:   %[[B:.*]] = tessera.broadcast %[[C]]
// CHECK-NEXT:   %[[M:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT:   %[[E:.*]] = math.exp %[[M]]
// CHECK-NEXT:   spmd.yield %[[E]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[K]]
func.func @chain(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = arith.constant dense<2.0> : tensor<f32>
  %b = tessera.broadcast %c dims = [] : tensor<f32> -> tensor<8x16xf32>
  %0 = arith.mulf %x, %b : tensor<8x16xf32>
  %1 = math.exp %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// Softmax is one row kernel: both reductions, and what uses them along the row.
// CHECK-LABEL: func @softmax
// CHECK: spmd.kernel(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK: tessera.reduce max
// CHECK: tessera.reduce sum
// CHECK: arith.divf
// CHECK-NOT: spmd.kernel
func.func @softmax(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %m = tessera.reduce max %x dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  %mb = tessera.broadcast %m dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
  %d = arith.subf %x, %mb : tensor<8x16xf32>
  %e = math.exp %d : tensor<8x16xf32>
  %s = tessera.reduce sum %e dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  %sb = tessera.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
  %r = arith.divf %e, %sb : tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

// The residual sum in front of a layer norm's reduction goes into the product's epilogue; the norm reads it once.
// CHECK-LABEL: func @residual_sum_joins_the_product
// CHECK: %[[X1:.*]] = spmd.kernel({{.*}}) : {{.*}} -> tensor<8x16xf32>
// CHECK: tessera.dot_general
// CHECK: arith.addf
// CHECK: spmd.yield
// CHECK: %[[N:.*]] = spmd.kernel(%[[X1]])
// CHECK: tessera.reduce sum
// CHECK: return %[[X1]], %[[N]]
func.func @residual_sum_joins_the_product(%x: tensor<8x16xf32>, %a: tensor<8x4xf32>, %w: tensor<4x16xf32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %d = tessera.dot_general %a, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %x1 = arith.addf %x, %d : tensor<8x16xf32>
  %s = tessera.reduce sum %x1 dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
  %sb = tessera.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
  %c = arith.subf %x1, %sb : tensor<8x16xf32>
  return %x1, %c : tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// A kernel never waits for itself: the collective between the two sums keeps them apart.
// CHECK-LABEL: func @no_cycle_through_a_collective
// CHECK: %[[A:.*]] = spmd.kernel
// CHECK: %[[R:.*]] = spmd.all_reduce sum %[[A]]
// CHECK: %[[B:.*]] = spmd.kernel({{.*}}%[[R]]
// CHECK: return %[[B]]
tessera.mesh @mesh = <["x"=2]>
func.func @no_cycle_through_a_collective(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.mulf %x, %x : tensor<8xf32>
  %1 = spmd.all_reduce sum %0 over <@mesh, ["x"]> : tensor<8xf32>
  %2 = arith.addf %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// The update of a parameter is the epilogue of the product that gives its gradient.
// CHECK-LABEL: func @update_in_the_epilogue
// CHECK: %[[K:.*]]:2 = spmd.kernel
// CHECK: tessera.dot_general
// CHECK-NOT: spmd.kernel
// CHECK: return %[[K]]#1, %[[K]]#0
func.func @update_in_the_epilogue(%p: tensor<4x16xf32>, %m: tensor<4x16xf32>, %x: tensor<8x4xf32>, %dy: tensor<8x16xf32>)
    -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %g = tessera.dot_general %x, %dy batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %m1 = arith.addf %m, %g : tensor<4x16xf32>
  %p1 = arith.subf %p, %m1 : tensor<4x16xf32>
  return %p1, %m1 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// Both parameter gradients of a layer norm read the output gradient in one kernel, and each takes its update along.
// CHECK-LABEL: func @column_reductions_share_a_kernel
// CHECK: %[[K:.*]]:2 = spmd.kernel
// CHECK-COUNT-2: tessera.reduce sum
// CHECK-NOT: spmd.kernel
// CHECK: return
func.func @column_reductions_share_a_kernel(%x: tensor<8x16xf32>, %dy: tensor<8x16xf32>, %b: tensor<16xf32>)
    -> (tensor<16xf32>, tensor<16xf32>) {
  %e = math.exp %dy : tensor<8x16xf32>
  %db = tessera.reduce sum %e dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
  %t = arith.mulf %x, %e : tensor<8x16xf32>
  %ds = tessera.reduce sum %t dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
  %b1 = arith.subf %b, %db : tensor<16xf32>
  return %b1, %ds : tensor<16xf32>, tensor<16xf32>
}

// -----

// A transposed value is not computed in the kernel that reads it in another order, but views of arguments are.
// CHECK-LABEL: func @transposed_reader_is_another_kernel
// CHECK: spmd.kernel(%arg0)
// CHECK: math.exp
// CHECK: spmd.kernel({{.*}}%arg0{{.*}})
// CHECK-COUNT-2: tessera.transpose
func.func @transposed_reader_is_another_kernel(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = math.exp %x : tensor<4x4xf32>
  %t = tessera.transpose %e permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %u = tessera.transpose %x permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %r = arith.addf %t, %u : tensor<4x4xf32>
  %s = arith.mulf %r, %e : tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// -----

// A view that leaves the program is made by a kernel; a reshape by the kernel that computes what it reshapes.
// CHECK-LABEL: func @views_that_escape
// CHECK: %[[E:.*]] = spmd.kernel(%arg0) : (tensor<4x4xf32>) -> tensor<16xf32>
// CHECK: %[[T:.*]] = spmd.kernel(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: tessera.transpose
// CHECK: %[[C:.*]] = spmd.kernel() : () -> tensor<4xi32>
// CHECK: return %[[E]], %[[T]], %[[C]]
func.func @views_that_escape(%x: tensor<4x4xf32>) -> (tensor<16xf32>, tensor<4x4xf32>, tensor<4xi32>) {
  %e = math.exp %x : tensor<4x4xf32>
  %r = tessera.reshape %e : tensor<4x4xf32> -> tensor<16xf32>
  %t = tessera.transpose %x permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %i = tessera.iota dim = 0 : tensor<4xi32>
  return %r, %t, %i : tensor<16xf32>, tensor<4x4xf32>, tensor<4xi32>
}

// -----

// Kernels form inside loops as well; constants are copied in from outside.
// CHECK-LABEL: func @loop
// CHECK-NOT: spmd.kernel
// CHECK: scf.for
// CHECK: spmd.kernel(%{{.*}}) : (tensor<8xf32>)
// CHECK: arith.constant
// CHECK: scf.yield
func.func @loop(%x: tensor<8xf32>, %lb: index, %ub: index, %step: index) -> tensor<8xf32> {
  %c = arith.constant dense<2.0> : tensor<8xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> (tensor<8xf32>) {
    %0 = arith.mulf %a, %c : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Calls and messages keep their order: the two sums around them are no kernel, as it would have to run both before the first
// message and after the second. What a call needs is made by a kernel, constants too.
// CHECK-LABEL: func @effects_stay_in_order
// CHECK: spmd.kernel(%arg0)
// CHECK: spmd.send %{{.*}} to 1 tag 0
// CHECK: spmd.recv from 1 tag 1
// CHECK: spmd.kernel
// CHECK: spmd.send %{{.*}} to 1 tag 2
// CHECK: %[[NUMBER:.*]] = spmd.kernel() : () -> tensor<i32>
// CHECK: call @task(%[[NUMBER]], %{{.*}})
func.func private @task(%i: tensor<i32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @effects_stay_in_order(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = arith.addf %x, %x : tensor<8xf32>
  spmd.send %a to 1 tag 0 : tensor<8xf32>
  %r = spmd.recv from 1 tag 1 : tensor<8xf32>
  %b = arith.addf %a, %r : tensor<8xf32>
  spmd.send %b to 1 tag 2 : tensor<8xf32>
  %i = arith.constant dense<3> : tensor<i32>
  %y = func.call @task(%i, %b) : (tensor<i32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A sum of scalars only saves launches, so no kernel of it reads more tensors than 17: the sum so far and 16 summands.
// CHECK-LABEL: func @sum_of_scalars
// CHECK: spmd.kernel({{(%[^,]*, ){3}%[^,)]*}})
// CHECK: spmd.kernel({{(%[^,]*, ){16}%[^,)]*}})
// CHECK-NOT: spmd.kernel
func.func @sum_of_scalars(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>, %a4: tensor<f32>, %a5: tensor<f32>, %a6: tensor<f32>, %a7: tensor<f32>, %a8: tensor<f32>, %a9: tensor<f32>, %a10: tensor<f32>, %a11: tensor<f32>, %a12: tensor<f32>, %a13: tensor<f32>, %a14: tensor<f32>, %a15: tensor<f32>, %a16: tensor<f32>, %a17: tensor<f32>, %a18: tensor<f32>, %a19: tensor<f32>) -> tensor<f32> {
  %1 = arith.addf %a0, %a1 : tensor<f32>
  %2 = arith.addf %1, %a2 : tensor<f32>
  %3 = arith.addf %2, %a3 : tensor<f32>
  %4 = arith.addf %3, %a4 : tensor<f32>
  %5 = arith.addf %4, %a5 : tensor<f32>
  %6 = arith.addf %5, %a6 : tensor<f32>
  %7 = arith.addf %6, %a7 : tensor<f32>
  %8 = arith.addf %7, %a8 : tensor<f32>
  %9 = arith.addf %8, %a9 : tensor<f32>
  %10 = arith.addf %9, %a10 : tensor<f32>
  %11 = arith.addf %10, %a11 : tensor<f32>
  %12 = arith.addf %11, %a12 : tensor<f32>
  %13 = arith.addf %12, %a13 : tensor<f32>
  %14 = arith.addf %13, %a14 : tensor<f32>
  %15 = arith.addf %14, %a15 : tensor<f32>
  %16 = arith.addf %15, %a16 : tensor<f32>
  %17 = arith.addf %16, %a17 : tensor<f32>
  %18 = arith.addf %17, %a18 : tensor<f32>
  %19 = arith.addf %18, %a19 : tensor<f32>
  return %19 : tensor<f32>
}

// -----

// Conditions are not counted among the tensors that such a kernel reads.
// CHECK-LABEL: func @sum_with_conditions
// CHECK: spmd.kernel({{(%[^,]*, ){18}%[^,)]*}})
// CHECK-NOT: spmd.kernel
func.func @sum_with_conditions(%a0: tensor<f32>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>, %a4: tensor<f32>, %a5: tensor<f32>, %a6: tensor<f32>, %a7: tensor<f32>, %a8: tensor<f32>, %a9: tensor<f32>, %a10: tensor<f32>, %a11: tensor<f32>, %a12: tensor<f32>, %a13: tensor<f32>, %a14: tensor<f32>, %a15: tensor<f32>, %a16: tensor<f32>, %p: tensor<i1>, %q: tensor<i1>) -> tensor<f32> {
  %1 = arith.addf %a0, %a1 : tensor<f32>
  %2 = arith.addf %1, %a2 : tensor<f32>
  %3 = arith.addf %2, %a3 : tensor<f32>
  %4 = arith.addf %3, %a4 : tensor<f32>
  %5 = arith.addf %4, %a5 : tensor<f32>
  %6 = arith.addf %5, %a6 : tensor<f32>
  %7 = arith.addf %6, %a7 : tensor<f32>
  %8 = arith.addf %7, %a8 : tensor<f32>
  %9 = arith.addf %8, %a9 : tensor<f32>
  %10 = arith.addf %9, %a10 : tensor<f32>
  %11 = arith.addf %10, %a11 : tensor<f32>
  %12 = arith.addf %11, %a12 : tensor<f32>
  %13 = arith.addf %12, %a13 : tensor<f32>
  %14 = arith.addf %13, %a14 : tensor<f32>
  %15 = arith.addf %14, %a15 : tensor<f32>
  %16 = arith.addf %15, %a16 : tensor<f32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %r = arith.select %p, %16, %none : tensor<i1>, tensor<f32>
  %s = arith.select %q, %r, %none : tensor<i1>, tensor<f32>
  return %s : tensor<f32>
}

// -----

// A sum of large tensors is one kernel, however many there are: the sums between would have to go through memory.
// CHECK-LABEL: func @sum_of_vectors
// CHECK: spmd.kernel({{(%[^,]*, ){19}%[^,)]*}})
// CHECK-NOT: spmd.kernel
func.func @sum_of_vectors(%a0: tensor<2048xf32>, %a1: tensor<2048xf32>, %a2: tensor<2048xf32>, %a3: tensor<2048xf32>, %a4: tensor<2048xf32>, %a5: tensor<2048xf32>, %a6: tensor<2048xf32>, %a7: tensor<2048xf32>, %a8: tensor<2048xf32>, %a9: tensor<2048xf32>, %a10: tensor<2048xf32>, %a11: tensor<2048xf32>, %a12: tensor<2048xf32>, %a13: tensor<2048xf32>, %a14: tensor<2048xf32>, %a15: tensor<2048xf32>, %a16: tensor<2048xf32>, %a17: tensor<2048xf32>, %a18: tensor<2048xf32>, %a19: tensor<2048xf32>) -> tensor<2048xf32> {
  %1 = arith.addf %a0, %a1 : tensor<2048xf32>
  %2 = arith.addf %1, %a2 : tensor<2048xf32>
  %3 = arith.addf %2, %a3 : tensor<2048xf32>
  %4 = arith.addf %3, %a4 : tensor<2048xf32>
  %5 = arith.addf %4, %a5 : tensor<2048xf32>
  %6 = arith.addf %5, %a6 : tensor<2048xf32>
  %7 = arith.addf %6, %a7 : tensor<2048xf32>
  %8 = arith.addf %7, %a8 : tensor<2048xf32>
  %9 = arith.addf %8, %a9 : tensor<2048xf32>
  %10 = arith.addf %9, %a10 : tensor<2048xf32>
  %11 = arith.addf %10, %a11 : tensor<2048xf32>
  %12 = arith.addf %11, %a12 : tensor<2048xf32>
  %13 = arith.addf %12, %a13 : tensor<2048xf32>
  %14 = arith.addf %13, %a14 : tensor<2048xf32>
  %15 = arith.addf %14, %a15 : tensor<2048xf32>
  %16 = arith.addf %15, %a16 : tensor<2048xf32>
  %17 = arith.addf %16, %a17 : tensor<2048xf32>
  %18 = arith.addf %17, %a18 : tensor<2048xf32>
  %19 = arith.addf %18, %a19 : tensor<2048xf32>
  return %19 : tensor<2048xf32>
}
