// RUN: tessera-opt %s --tessera-thread-effects | FileCheck %s

// The first call takes no effects before it, the second one after it; the last number is a result. The order is that of the program.
// CHECK-LABEL: func.func @straight(
// CHECK-SAME: -> (tensor<f32>, tensor<i32> {tessera.name = "effects"})
// CHECK: %[[ZERO:.*]] = arith.constant dense<0>
// CHECK: %[[A:.*]]:2 = tessera.library_call "xla_ffi_python_cpu_callback"(%{{.*}}, %[[ZERO]])
// CHECK: %[[B:.*]] = tessera.library_call "xla_ffi_python_cpu_callback"(%{{.*}}, %[[A]]#1)
// CHECK: return %[[A]]#0, %[[B]] : tensor<f32>, tensor<i32>
func.func @straight(%x: tensor<f32>) -> tensor<f32> {
  %none = arith.constant dense<0> : tensor<i32>
  %0:2 = tessera.library_call "xla_ffi_python_cpu_callback"(%x, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%x, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>, tensor<i32>) -> tensor<i32>
  return %0#0 : tensor<f32>
}

// A loop carries the number.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ORDER:.*]] = %{{.*}}) -> (tensor<4xf32>, tensor<i32>)
// CHECK: %[[NEXT:.*]] = tessera.library_call {{.*}}(%{{.*}}, %[[ORDER]])
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: return %[[LOOP]]#0, %[[LOOP]]#1
func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> (tensor<4xf32>) {
    %none = arith.constant dense<0> : tensor<i32>
    %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%y, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<4xf32>, tensor<i32>) -> tensor<i32>
    %2 = arith.addf %y, %y : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// So does a loop with a condition.
// CHECK-LABEL: func.func @while(
// CHECK: %[[LOOP:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[BEFORE:.*]] = %{{.*}}) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[BEFORE]]
// CHECK: ^bb0(%{{.*}}: tensor<f32>, %[[ORDER:.*]]: tensor<i32>):
// CHECK: %[[NEXT:.*]] = tessera.library_call {{.*}}(%{{.*}}, %[[ORDER]])
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
func.func @while(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %0 = scf.while (%y = %x) : (tensor<f32>) -> tensor<f32> {
    scf.condition(%c) %y : tensor<f32>
  } do {
  ^bb0(%y: tensor<f32>):
    %none = arith.constant dense<0> : tensor<i32>
    %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%y, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>, tensor<i32>) -> tensor<i32>
    scf.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// A branch without effects gives the number that it got; one that was not there is made.
// CHECK-LABEL: func.func @branch(
// CHECK: %[[ZERO:.*]] = arith.constant dense<0>
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (tensor<i32>) {
// CHECK: %[[NEXT:.*]] = tessera.library_call {{.*}}(%{{.*}}, %[[ZERO]])
// CHECK: scf.yield %[[NEXT]]
// CHECK: } else {
// CHECK: scf.yield %[[ZERO]]
// CHECK: return %[[IF]]
func.func @branch(%x: tensor<f32>, %c: i1) {
  scf.if %c {
    %none = arith.constant dense<0> : tensor<i32>
    %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%x, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>, tensor<i32>) -> tensor<i32>
  }
  return
}

// Without effects nothing changes.
// CHECK-LABEL: func.func @pure(
// CHECK-SAME: -> tensor<f32> {
// CHECK-NEXT: %[[R:.*]] = tessera.library_call
// CHECK-NEXT: return %[[R]] : tensor<f32>
func.func @pure(%x: tensor<f32>) -> tensor<f32> {
  %0 = tessera.library_call "xla_ffi_python_cpu_callback"(%x) with {index = 0 : ui64} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<f32 []>] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
