// RUN: tessera-opt %s -split-input-file -tessera-rematerialize-for-memory=memory-limit=20672 | FileCheck %s
// RUN: tessera-opt %s -split-input-file -tessera-rematerialize-for-memory=memory-limit=25000 | FileCheck %s --check-prefix=FITS
// RUN: tessera-opt %s -split-input-file -tessera-rematerialize-for-memory -tessera-order-operations -tessera-start-collectives -tessera-plan-memory -tessera-verify-memory-plan | FileCheck %s --check-prefix=FREE

// What is held over the peak and not read there runs again right before it is read; nothing does where the limit leaves room. One argument and one result take 4160 bytes each.
// CHECK-LABEL: func @main
// CHECK: %[[A:.*]] = spmd.kernel(%arg0)
// CHECK: %[[W:.*]] = spmd.kernel(%[[A]]) : (tensor<32x32xf32>) -> tensor<64x32xf32>
// CHECK: %[[S:.*]] = spmd.kernel(%[[W]])
// CHECK: %[[AGAIN:.*]] = spmd.kernel(%arg0) {spmd.rematerialized}
// CHECK: math.exp
// CHECK: spmd.kernel(%[[S]], %[[AGAIN]])
// FITS-NOT: spmd.rematerialized
// FREE-NOT: spmd.rematerialized
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}

// -----

// With what is no longer there for it: a chain.
// CHECK-LABEL: func @main
// CHECK: %[[W:.*]] = spmd.kernel(%{{.*}}) : (tensor<32x32xf32>) -> tensor<64x32xf32>
// CHECK: %[[S:.*]] = spmd.kernel(%[[W]])
// CHECK: %[[A:.*]] = spmd.kernel(%arg0) {spmd.rematerialized}
// CHECK: math.exp
// CHECK: %[[B:.*]] = spmd.kernel(%[[A]]) {spmd.rematerialized}
// CHECK: math.tanh
// CHECK: spmd.kernel(%[[S]], %[[B]])
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %b = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.tanh %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%b) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %b) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}

// -----

// A value is not made again of a donated argument behind what overwrites that: the program stays what it is, for there is no other way.
// CHECK-LABEL: func @main
// CHECK-NOT: spmd.rematerialized
// CHECK: return
func.func @main(%x: tensor<32x32xf32> {tessera.donated = 0 : i32}) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %n = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = arith.negf %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %n, %r : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// Before that it is.
// CHECK-LABEL: func @main
// CHECK: spmd.kernel(%arg0) {spmd.rematerialized}
// CHECK: math.exp
// CHECK: spmd.kernel(%arg0)
// CHECK: arith.negf
func.func @main(%x: tensor<32x32xf32> {tessera.donated = 0 : i32}) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  %n = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = arith.negf %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  return %n, %r : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// What was gathered is gathered again (FSDP's resharding).
tessera.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func @main
// CHECK: %[[S:.*]] = spmd.kernel({{.*}}) : (tensor<64x32xf32>) -> tensor<32x32xf32>
// CHECK: %[[G:.*]] = spmd.all_gather %arg0 dim = 0 over <@mesh, ["x"]> {spmd.rematerialized}
// CHECK: spmd.kernel(%[[S]], %[[G]])
func.func @main(%x: tensor<16x32xf32>, %y: tensor<8x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.all_gather %x dim = 0 over <@mesh, ["x"]> : tensor<16x32xf32> -> tensor<32x32xf32>
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}

// -----

// In the body of a loop, in the room that the loop's result and the rest leave.
// CHECK-LABEL: func @main
// CHECK: scf.for
// CHECK: spmd.kernel(%arg0) {spmd.rematerialized}
// CHECK: scf.yield
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = arith.constant dense<0.0> : tensor<8xf32>
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%carried = %init) -> (tensor<8xf32>) {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
    %next = spmd.kernel(%r, %carried) : (tensor<32x32xf32>, tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%0: tensor<32x32xf32>, %1: tensor<8xf32>):
      %2 = tessera.slice %0 [0, 0] to [1, 8] by [1, 1] : tensor<32x32xf32> -> tensor<1x8xf32>
      %3 = tessera.reshape %2 : tensor<1x8xf32> -> tensor<8xf32>
      %4 = arith.addf %1, %3 : tensor<8xf32>
      spmd.yield %4 : tensor<8xf32>
    }
    scf.yield %next : tensor<8xf32>
  }
  %out = spmd.kernel(%loop) : (tensor<8xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<8xf32>):
    %1 = tessera.broadcast %0 dims = [1] : tensor<8xf32> -> tensor<128x8xf32>
    %2 = tessera.reshape %1 : tensor<128x8xf32> -> tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %out : tensor<32x32xf32>
}

// -----

// A function that is called gets what its caller has left.
// CHECK-LABEL: func @called
// CHECK: spmd.kernel(%arg0) {spmd.rematerialized}
func.func @called(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    spmd.yield %1 : tensor<64x32xf32>
  }
  %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<64x32xf32>):
    %1 = tessera.slice %0 [16, 0] to [48, 32] by [1, 1] : tensor<64x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %y = func.call @called(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// -----

// What a loop takes over and what it hands on count once: beside %a, the loop needs the memory of one value and of what its body makes in between.
// CHECK-LABEL: func @main
// CHECK-NOT: spmd.rematerialized
// CHECK: return
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %initial = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.tanh %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %s = scf.for %i = %zero to %four step %one iter_args(%carried = %initial) -> tensor<32x32xf32> {
    %t = spmd.kernel(%carried) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
    ^bb0(%0: tensor<32x32xf32>):
      %1 = tessera.transpose %0 permutation = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
      spmd.yield %1 : tensor<32x32xf32>
    }
    %next = spmd.kernel(%t) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
    ^bb0(%0: tensor<32x32xf32>):
      %1 = tessera.transpose %0 permutation = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
      spmd.yield %1 : tensor<32x32xf32>
    }
    scf.yield %next : tensor<32x32xf32>
  }
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}

// -----

// So does what a call makes in the memory of what is donated to it.
// CHECK-LABEL: func @main
// CHECK-NOT: spmd.rematerialized
// CHECK: return
func.func private @called(%x: tensor<32x32xf32> {tessera.donated = 0 : i32}) -> tensor<32x32xf32> {
  %t = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.transpose %0 permutation = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %r = spmd.kernel(%t) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = tessera.transpose %0 permutation = [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}
func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.exp %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %given = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>):
    %1 = math.tanh %0 : tensor<32x32xf32>
    spmd.yield %1 : tensor<32x32xf32>
  }
  %s = func.call @called(%given) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%0: tensor<32x32xf32>, %1: tensor<32x32xf32>):
    %2 = arith.addf %0, %1 : tensor<32x32xf32>
    spmd.yield %2 : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}
