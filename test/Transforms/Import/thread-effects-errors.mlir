// RUN: tessera-opt %s --tessera-thread-effects --verify-diagnostics --split-input-file

// A condition has no place where the number would come out.
func.func @condition(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %0 = scf.while (%y = %x) : (tensor<f32>) -> tensor<f32> {
    %none = arith.constant dense<0> : tensor<i32>
    // expected-error@+1 {{expected no effects in the condition of a loop, got a call of Python}}
    %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%y, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>, tensor<i32>) -> tensor<i32>
    scf.condition(%c) %y : tensor<f32>
  } do {
  ^bb0(%y: tensor<f32>):
    scf.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// The same in a branch of a condition.
func.func @nested(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %0 = scf.while (%y = %x) : (tensor<f32>) -> tensor<f32> {
    // expected-error@+1 {{expected no effects in the condition of a loop, got a call of Python}}
    scf.if %c {
      %none = arith.constant dense<0> : tensor<i32>
      %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%y, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 []>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<f32>, tensor<i32>) -> tensor<i32>
    }
    scf.condition(%c) %y : tensor<f32>
  } do {
  ^bb0(%y: tensor<f32>):
    scf.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// In per-device code every device would have effects of its own.
tessera.mesh @mesh = <["x"=2]>
func.func @manual(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{expected no effects in 'tessera.manual_computation', got a call of Python; call it outside of the region}}
  %0 = tessera.manual_computation(%x) over <@mesh, ["x"]> in [#tessera.sharding<@mesh, [{"x"}]>] out [#tessera.sharding<@mesh, [{"x"}]>] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%y: tensor<4xf32>):
    %none = arith.constant dense<0> : tensor<i32>
    %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%y, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<4xf32>, tensor<i32>) -> tensor<i32>
    tessera.yield %y : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}
