// RUN: tessera-opt %s -split-input-file -tessera-start-collectives | FileCheck %s

tessera.mesh @mesh = <["x"=2]>

// The sum starts behind its operand and is awaited before its first reader: the kernel in between overlaps.
// CHECK-LABEL: func @overlap
// CHECK: %[[G:.*]] = spmd.kernel(%arg0)
// CHECK: math.exp
// CHECK: %[[FUTURE:.*]] = spmd.start : <tensor<64xf32>> {
// CHECK-NEXT: %[[SUM:.*]] = spmd.all_reduce sum %[[G]] over <@mesh, ["x"]> : tensor<64xf32>
// CHECK-NEXT: spmd.yield %[[SUM]] : tensor<64xf32>
// CHECK: spmd.kernel(%arg0)
// CHECK: math.tanh
// CHECK: %[[R:.*]] = spmd.wait %[[FUTURE]] : <tensor<64xf32>>
// CHECK-NEXT: spmd.kernel(%[[R]])
func.func @overlap(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %g = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %h = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.tanh %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %sum = spmd.all_reduce sum %g over <@mesh, ["x"]> : tensor<64xf32>
  %w = spmd.kernel(%sum) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %w, %h : tensor<64xf32>, tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// Started early the gathered tensor would be alive beside the large one, which nothing was before: it waits for memory.
// CHECK-LABEL: func @no_memory
// CHECK: math.exp
// CHECK: tessera.reduce
// CHECK: %[[FUTURE:.*]] = spmd.start : <tensor<8192xf32>>
// CHECK-NEXT: spmd.all_gather
// CHECK: spmd.wait %[[FUTURE]]
// CHECK: tessera.reduce
func.func @no_memory(%x: tensor<4096xf32>) -> (tensor<f32>, tensor<f32>) {
  %large = spmd.kernel(%x) : (tensor<4096xf32>) -> tensor<4x4096xf32> {
  ^bb0(%0: tensor<4096xf32>):
    %1 = math.exp %0 : tensor<4096xf32>
    %2 = tessera.broadcast %1 dims = [1] : tensor<4096xf32> -> tensor<4x4096xf32>
    spmd.yield %2 : tensor<4x4096xf32>
  }
  %s = spmd.kernel(%large) : (tensor<4x4096xf32>) -> tensor<f32> {
  ^bb0(%0: tensor<4x4096xf32>):
    %1 = tessera.reduce sum %0 dims = [0, 1] : tensor<4x4096xf32> -> tensor<f32>
    spmd.yield %1 : tensor<f32>
  }
  %all = spmd.all_gather %x dim = 0 over <@mesh, ["x"]> : tensor<4096xf32> -> tensor<8192xf32>
  %t = spmd.kernel(%all) : (tensor<8192xf32>) -> tensor<f32> {
  ^bb0(%0: tensor<8192xf32>):
    %1 = tessera.reduce sum %0 dims = [0] : tensor<8192xf32> -> tensor<f32>
    spmd.yield %1 : tensor<f32>
  }
  return %s, %t : tensor<f32>, tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// What a collective gives another one is awaited before that one starts, which is not before its turn.
// CHECK-LABEL: func @chain
// CHECK: %[[F0:.*]] = spmd.start : <tensor<32xf32>>
// CHECK-NEXT: spmd.reduce_scatter
// CHECK: %[[PART:.*]] = spmd.wait %[[F0]]
// CHECK-NEXT: %[[F1:.*]] = spmd.start : <tensor<64xf32>>
// CHECK-NEXT: spmd.all_gather %[[PART]]
// CHECK: %[[WHOLE:.*]] = spmd.wait %[[F1]]
// CHECK-NEXT: return %[[WHOLE]]
func.func @chain(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = spmd.reduce_scatter sum %x dim = 0 over <@mesh, ["x"]> : tensor<64xf32> -> tensor<32xf32>
  %1 = spmd.all_gather %0 dim = 0 over <@mesh, ["x"]> : tensor<32xf32> -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// Both start at once, what is needed first before the other, which comes first in the text.
// CHECK-LABEL: func @order
// CHECK: %[[F1:.*]] = spmd.start
// CHECK-NEXT: spmd.all_reduce max %arg0
// CHECK: %[[F0:.*]] = spmd.start
// CHECK-NEXT: spmd.all_reduce sum %arg0
// CHECK: spmd.wait %[[F1]]
// CHECK: spmd.kernel
// CHECK: spmd.wait %[[F0]]
// CHECK: return
func.func @order(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<64xf32>
  %1 = spmd.all_reduce max %x over <@mesh, ["x"]> : tensor<64xf32>
  %2 = spmd.kernel(%1) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64xf32>):
    %b = math.exp %a : tensor<64xf32>
    spmd.yield %b : tensor<64xf32>
  }
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// A pair stays in its iteration, and does not read what the next value of the loop overwrites.
// CHECK-LABEL: func @loop
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %arg0)
// CHECK-NEXT: %[[FUTURE:.*]] = spmd.start
// CHECK-NEXT: spmd.all_reduce sum %[[CARRIED]]
// CHECK: %[[SUM:.*]] = spmd.wait %[[FUTURE]]
// CHECK-NEXT: %[[NEXT:.*]] = spmd.kernel(%arg1)
// CHECK: spmd.kernel(%[[NEXT]], %[[SUM]])
// CHECK: scf.yield %[[NEXT]]
func.func @loop(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> tensor<64xf32> {
    %0 = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<64xf32>
    %1 = spmd.kernel(%y) : (tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%b: tensor<64xf32>):
      %c = math.exp %b : tensor<64xf32>
      spmd.yield %c : tensor<64xf32>
    }
    %2 = spmd.kernel(%1, %0) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%b: tensor<64xf32>, %d: tensor<64xf32>):
      %c = arith.addf %b, %d : tensor<64xf32>
      spmd.yield %c : tensor<64xf32>
    }
    scf.yield %1 : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// The operand is donated to what the second kernel makes: the wait comes before.
// CHECK-LABEL: func @donated
// CHECK: %[[FUTURE:.*]] = spmd.start
// CHECK: spmd.kernel(%arg1)
// CHECK: math.exp
// CHECK: spmd.wait %[[FUTURE]]
// CHECK: spmd.kernel(%arg1)
// CHECK: math.tanh
func.func @donated(%p: tensor<64xf32> {tessera.donated = 1 : i32}, %y: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = spmd.all_reduce sum %p over <@mesh, ["x"]> : tensor<64xf32>
  %1 = spmd.kernel(%y) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%b: tensor<64xf32>):
    %c = math.exp %b : tensor<64xf32>
    spmd.yield %c : tensor<64xf32>
  }
  %2 = spmd.kernel(%y) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%b: tensor<64xf32>):
    %c = math.tanh %b : tensor<64xf32>
    spmd.yield %c : tensor<64xf32>
  }
  return %0, %2, %1 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-09, 1.0e+09]], compute = 1.0e+15, memory_bandwidth = 1.0e+09, memory = 1000000>

// On a described machine the sum is begun before the weight gradient, which hides it and which nobody reads until later.
// CHECK-LABEL: func @weight_gradient
// CHECK: math.tanh
// CHECK: %[[FUTURE:.*]] = spmd.start
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = spmd.wait %[[FUTURE]]
// CHECK-NEXT: spmd.kernel(%[[SUM]])
func.func @weight_gradient(%dy: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %dw = spmd.kernel(%dy) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %dx = spmd.kernel(%dy) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.tanh %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %sum = spmd.all_reduce sum %dx over <@mesh, ["x"]> : tensor<64xf32>
  %r = spmd.kernel(%sum) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %r, %dw : tensor<64xf32>, tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-09, 1.0e+09]], compute = 1.0e+15, memory_bandwidth = 1.0e+09, memory = 1000000>

// A gather takes 129 ns and a kernel 512: it starts one kernel before it is needed, though its operand is there from the beginning.
// CHECK-LABEL: func @in_time
// CHECK: math.exp
// CHECK: math.tanh
// CHECK: %[[FUTURE:.*]] = spmd.start
// CHECK: spmd.all_gather
// CHECK: math.sin
// CHECK: spmd.wait %[[FUTURE]]
// CHECK: arith.addf
func.func @in_time(%x: tensor<64xf32>, %w: tensor<32xf32>) -> tensor<64xf32> {
  %a = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %b = spmd.kernel(%a) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.tanh %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %c = spmd.kernel(%b) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.sin %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %all = spmd.all_gather %w dim = 0 over <@mesh, ["x"]> : tensor<32xf32> -> tensor<64xf32>
  %d = spmd.kernel(%c, %all) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>, %1: tensor<64xf32>):
    %2 = arith.addf %0, %1 : tensor<64xf32>
    spmd.yield %2 : tensor<64xf32>
  }
  return %d : tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-09, 1.0e+09]], compute = 1.0e+15, memory_bandwidth = 1.0e+09, memory = 1000000>

// What stands behind the reader, and needs nothing of it, runs while the sum is under way.
// CHECK-LABEL: func @brought_forward
// CHECK: %[[FUTURE:.*]] = spmd.start
// CHECK: math.tanh
// CHECK: %[[SUM:.*]] = spmd.wait %[[FUTURE]]
// CHECK-NEXT: spmd.kernel(%[[SUM]])
func.func @brought_forward(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %sum = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<64xf32>
  %r = spmd.kernel(%sum) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %other = spmd.kernel(%y) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.tanh %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %r, %other : tensor<64xf32>, tensor<64xf32>
}

// -----

tessera.mesh @mesh = <["x"=2]> on <links = [[1.0e-09, 1.0e+09]], compute = 1.0e+15, memory_bandwidth = 1.0e+09, memory = 1000>

// The same as the weight gradient above, but on a device of 1000 bytes: a gradient of 256 that waits would be one too many, and the sum is exposed.
// CHECK-LABEL: func @no_room
// CHECK: math.exp
// CHECK: tessera.reduce
// CHECK: math.tanh
// CHECK: spmd.start
// CHECK: spmd.wait
// CHECK: arith.negf
func.func @no_room(%dy: tensor<64xf32>) -> (tensor<64xf32>, tensor<f32>) {
  %g = spmd.kernel(%dy) : (tensor<64xf32>) -> tensor<4x64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    %2 = tessera.broadcast %1 dims = [1] : tensor<64xf32> -> tensor<4x64xf32>
    spmd.yield %2 : tensor<4x64xf32>
  }
  %dw = spmd.kernel(%g) : (tensor<4x64xf32>) -> tensor<f32> {
  ^bb0(%0: tensor<4x64xf32>):
    %1 = tessera.reduce sum %0 dims = [0, 1] : tensor<4x64xf32> -> tensor<f32>
    spmd.yield %1 : tensor<f32>
  }
  %dx = spmd.kernel(%dy) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.tanh %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %sum = spmd.all_reduce sum %dx over <@mesh, ["x"]> : tensor<64xf32>
  %r = spmd.kernel(%sum) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %r, %dw : tensor<64xf32>, tensor<f32>
}

// -----

tessera.mesh @mesh = <["x"=2]>

// Collectives that are one call begin when both operands are there, and are awaited before the first reader of either.
// CHECK-LABEL: func @call
// CHECK: math.exp
// CHECK: %[[A:.*]] = spmd.start {spmd.call = 0 : i64} : <tensor<64xf32>> {
// CHECK-NEXT: spmd.all_reduce sum %arg1
// CHECK: %[[B:.*]] = spmd.start {spmd.call = 0 : i64} : <tensor<64xf32>> {
// CHECK: math.tanh
// CHECK: %[[V:.*]] = spmd.wait %[[A]]
// CHECK-NEXT: %[[W:.*]] = spmd.wait %[[B]]
// CHECK-NEXT: spmd.kernel(%[[W]])
// CHECK-NOT: spmd.combined
func.func @call(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %g = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %h = spmd.kernel(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.tanh %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %sums:2 = spmd.combined(%y, %g) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%x0: tensor<64xf32>, %x1: tensor<64xf32>):
    %2 = spmd.all_reduce sum %x0 over <@mesh, ["x"]> : tensor<64xf32>
    %3 = spmd.all_reduce sum %x1 over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %2, %3 : tensor<64xf32>, tensor<64xf32>
  }
  %w = spmd.kernel(%sums#1) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = arith.negf %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  return %w, %h, %sums#0 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
