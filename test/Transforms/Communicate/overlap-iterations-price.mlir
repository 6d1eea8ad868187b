// Each mesh is called by what its case shows. By the described machine: links of 2 us and 100 GB/s, 100 TFLOP/s, 1 TB/s.
// RUN: tessera-opt --tessera-overlap-iterations %s -split-input-file | FileCheck %s
// RUN: tessera-opt --tessera-overlap-iterations %s -split-input-file --remark-policy=all --remarks-filter=tessera-communicate 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: tessera-opt --tessera-overlap-iterations=memory-limit=160000000 %s -split-input-file | FileCheck %s --check-prefix=LIMIT

// A product of 86 us could hide the gather of 69 us that it waits for.
// REMARK: remark: [Passed] iterations {{.*}} Remark="1 collectives an iteration ahead, 0 reductions in the loop, 0 an iteration behind: saves [[#]].[[#]] us"
// CHECK-LABEL: @waits
// CHECK: spmd.all_gather
// CHECK: scf.for
// CHECK: spmd.all_gather
// CHECK: tessera.dot_general
// CHECK: }
// CHECK: tessera.dot_general
// But where there is no memory for a second layer it goes on to wait.
// LIMIT-LABEL: @waits
// LIMIT-NOT: spmd.all_gather
// LIMIT: scf.for
tessera.mesh @waits = <["data"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @main(%x: tensor<1024x2048xbf16>, %w: tensor<64x512x2048xbf16>) -> tensor<1024x2048xbf16> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %layers = arith.constant 64 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %0 = scf.for %i = %zero to %layers step %one iter_args(%h = %x) -> (tensor<1024x2048xbf16>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<64x512x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x2048xbf16>
    %2 = tessera.reshape %1 : tensor<1x512x2048xbf16> -> tensor<512x2048xbf16>
    %3 = spmd.all_gather %2 dim = 0 over <@waits, ["data"]> : tensor<512x2048xbf16> -> tensor<2048x2048xbf16>
    %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1024x2048xbf16>
    scf.yield %4 : tensor<1024x2048xbf16>
  }
  return %0 : tensor<1024x2048xbf16>
}

// -----

// What the iteration itself hides stays, as it would be carried for nothing.
// REMARK: remark: [Missed] iterations {{.*}} Remark="collectives in the iterations that need or make what they send: to move them would make the step no shorter, or take more memory than there is"
// CHECK-LABEL: @hidden
// CHECK-NOT: spmd.all_gather
// CHECK: scf.for
tessera.mesh @hidden = <["data"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @main(%x: tensor<8192x2048xbf16>, %w: tensor<64x512x2048xbf16>, %v: tensor<2048x2048xbf16>) -> tensor<8192x2048xbf16> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %layers = arith.constant 64 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %0 = scf.for %i = %zero to %layers step %one iter_args(%h = %x) -> (tensor<8192x2048xbf16>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<64x512x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x2048xbf16>
    %2 = tessera.reshape %1 : tensor<1x512x2048xbf16> -> tensor<512x2048xbf16>
    %3 = spmd.all_gather %2 dim = 0 over <@hidden, ["data"]> : tensor<512x2048xbf16> -> tensor<2048x2048xbf16>
    %4 = tessera.dot_general %h, %v batching = [] x [] contracting = [1] x [0] : (tensor<8192x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8192x2048xbf16>
    %5 = tessera.dot_general %4, %3 batching = [] x [] contracting = [1] x [0] : (tensor<8192x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8192x2048xbf16>
    scf.yield %5 : tensor<8192x2048xbf16>
  }
  return %0 : tensor<8192x2048xbf16>
}

// -----

// Parts are summed in the iteration that makes them where it goes on for long enough, as nothing need be carried then.
// REMARK: remark: [Passed] iterations {{.*}} Remark="0 collectives an iteration ahead, 1 reductions in the loop, 0 an iteration behind: saves [[#]].[[#]] us"
// CHECK-LABEL: @summed
// CHECK: scf.for
// CHECK: spmd.reduce_scatter
// CHECK: }
// CHECK-NOT: spmd.reduce_scatter
// CHECK: return
tessera.mesh @summed = <["data"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @main(%x: tensor<8192x2048xbf16>, %v: tensor<2048x2048xbf16>) -> (tensor<8192x2048xbf16>, tensor<64x512x2048xbf16>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %layers = arith.constant 64 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %stack = arith.constant dense<0.0> : tensor<64x2048x2048xbf16>
  %0:2 = scf.for %i = %zero to %layers step %one iter_args(%h = %x, %parts = %stack) -> (tensor<8192x2048xbf16>, tensor<64x2048x2048xbf16>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dot_general %h, %h batching = [] x [] contracting = [0] x [0] : (tensor<8192x2048xbf16>, tensor<8192x2048xbf16>) -> tensor<2048x2048xbf16>
    %2 = tessera.reshape %1 : tensor<2048x2048xbf16> -> tensor<1x2048x2048xbf16>
    %3 = tessera.dynamic_update_slice %parts, %2[%place, %none, %none] : (tensor<64x2048x2048xbf16>, tensor<1x2048x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x2048x2048xbf16>
    %4 = tessera.dot_general %h, %v batching = [] x [] contracting = [1] x [0] : (tensor<8192x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8192x2048xbf16>
    scf.yield %4, %3 : tensor<8192x2048xbf16>, tensor<64x2048x2048xbf16>
  }
  %5 = spmd.reduce_scatter sum %0#1 dim = 1 over <@summed, ["data"]> : tensor<64x2048x2048xbf16> -> tensor<64x512x2048xbf16>
  return %0#0, %5 : tensor<8192x2048xbf16>, tensor<64x512x2048xbf16>
}

// -----

// A sum of few bytes costs its call, which others behind the loop may share: a call in every iteration saves none of that.
// REMARK: remark: [Missed] iterations
// CHECK-LABEL: @few
// CHECK: scf.for
// CHECK-NOT: spmd.reduce_scatter
// CHECK: scf.yield
// CHECK: spmd.reduce_scatter
tessera.mesh @few = <["data"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @main(%x: tensor<8192x2048xbf16>, %v: tensor<2048x2048xbf16>) -> (tensor<8192x2048xbf16>, tensor<64x512xbf16>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %layers = arith.constant 64 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %stack = arith.constant dense<0.0> : tensor<64x2048xbf16>
  %0:2 = scf.for %i = %zero to %layers step %one iter_args(%h = %x, %parts = %stack) -> (tensor<8192x2048xbf16>, tensor<64x2048xbf16>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.reduce sum %h dims = [0] : tensor<8192x2048xbf16> -> tensor<2048xbf16>
    %2 = tessera.reshape %1 : tensor<2048xbf16> -> tensor<1x2048xbf16>
    %3 = tessera.dynamic_update_slice %parts, %2[%place, %none] : (tensor<64x2048xbf16>, tensor<1x2048xbf16>, tensor<i32>, tensor<i32>) -> tensor<64x2048xbf16>
    %4 = tessera.dot_general %h, %v batching = [] x [] contracting = [1] x [0] : (tensor<8192x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<8192x2048xbf16>
    scf.yield %4, %3 : tensor<8192x2048xbf16>, tensor<64x2048xbf16>
  }
  %5 = spmd.reduce_scatter sum %0#1 dim = 1 over <@few, ["data"]> : tensor<64x2048xbf16> -> tensor<64x512xbf16>
  return %0#0, %5 : tensor<8192x2048xbf16>, tensor<64x512xbf16>
}

// -----

// What a kernel never writes to memory leaves no room for a second layer either.
// REMARK: remark: [Passed] iterations {{.*}} Remark="1 collectives an iteration ahead, 0 reductions in the loop, 0 an iteration behind: saves [[#]].[[#]] us"
// CHECK-LABEL: @waits_behind_kernel
// CHECK: spmd.all_gather
// CHECK: scf.for
// LIMIT-LABEL: @waits_behind_kernel
// LIMIT-NOT: spmd.all_gather
// LIMIT: scf.for
tessera.mesh @waits_behind_kernel = <["data"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func @main(%x: tensor<1024x2048xbf16>, %w: tensor<64x512x2048xbf16>) -> tensor<1024x2048xbf16> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %layers = arith.constant 64 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %b = tessera.broadcast %x dims = [1, 2] : tensor<1024x2048xbf16> -> tensor<64x1024x2048xbf16>
  %t = math.tanh %b : tensor<64x1024x2048xbf16>
  %y = tessera.reduce max %t dims = [0] : tensor<64x1024x2048xbf16> -> tensor<1024x2048xbf16>
  %0 = scf.for %i = %zero to %layers step %one iter_args(%h = %y) -> (tensor<1024x2048xbf16>) : i32 {
    %place = tensor.from_elements %i : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<64x512x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x2048xbf16>
    %2 = tessera.reshape %1 : tensor<1x512x2048xbf16> -> tensor<512x2048xbf16>
    %3 = spmd.all_gather %2 dim = 0 over <@waits_behind_kernel, ["data"]> : tensor<512x2048xbf16> -> tensor<2048x2048xbf16>
    %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1024x2048xbf16>
    scf.yield %4 : tensor<1024x2048xbf16>
  }
  return %0 : tensor<1024x2048xbf16>
}

// -----

// Of what is called it is not known here what its callers hold: it takes no more than before. Its arguments may be numbers.
// REMARK: remark: [Missed] iterations {{.*}} Remark="collectives in the iterations that need or make what they send: to move them would make the step no shorter, or take more memory than there is"
// CHECK-LABEL: @layers
// CHECK-NOT: spmd.all_gather
// CHECK: scf.for
tessera.mesh @mesh = <["data"=4]> on <links = [[2.0e-6, 1.0e11]], compute = 1.0e14, memory_bandwidth = 1.0e12, memory = 80000000000>
func.func private @layers(%x: tensor<1024x2048xbf16>, %n: i32, %w: tensor<8x512x2048xbf16>) -> tensor<1024x2048xbf16> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %layers = arith.constant 8 : i32
  %none = arith.constant dense<0> : tensor<i32>
  %0 = scf.for %i = %zero to %layers step %one iter_args(%h = %x) -> (tensor<1024x2048xbf16>) : i32 {
    %j = arith.addi %i, %n : i32
    %place = tensor.from_elements %j : tensor<i32>
    %1 = tessera.dynamic_slice %w[%place, %none, %none] : (tensor<8x512x2048xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x2048xbf16>
    %2 = tessera.reshape %1 : tensor<1x512x2048xbf16> -> tensor<512x2048xbf16>
    %3 = spmd.all_gather %2 dim = 0 over <@mesh, ["data"]> : tensor<512x2048xbf16> -> tensor<2048x2048xbf16>
    %4 = tessera.dot_general %h, %3 batching = [] x [] contracting = [1] x [0] : (tensor<1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1024x2048xbf16>
    scf.yield %4 : tensor<1024x2048xbf16>
  }
  return %0 : tensor<1024x2048xbf16>
}
func.func @main(%x: tensor<1024x2048xbf16>, %w: tensor<8x512x2048xbf16>) -> tensor<1024x2048xbf16> {
  %n = arith.constant 0 : i32
  %a = tessera.dot_general %x, %x batching = [] x [] contracting = [0] x [0] : (tensor<1024x2048xbf16>, tensor<1024x2048xbf16>) -> tensor<2048x2048xbf16>
  %b = tessera.dot_general %a, %a batching = [] x [] contracting = [0] x [0] : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %c = func.call @layers(%x, %n, %w) : (tensor<1024x2048xbf16>, i32, tensor<8x512x2048xbf16>) -> tensor<1024x2048xbf16>
  %d = tessera.dot_general %c, %b batching = [] x [] contracting = [1] x [0] : (tensor<1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1024x2048xbf16>
  %e = tessera.dot_general %d, %a batching = [] x [] contracting = [1] x [0] : (tensor<1024x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<1024x2048xbf16>
  return %e : tensor<1024x2048xbf16>
}
