// RUN: tessera-opt %s -split-input-file -tessera-plan-memory -tessera-verify-memory-plan | FileCheck %s

// What the loop carries has the result's memory where both have one type.
// CHECK-LABEL: @one_type
// CHECK: scf.while
// CHECK: attributes {spmd.buffers = [#spmd.buffer<result, 0>], spmd.carried = [#spmd.buffer<result, 0>]}
func.func @one_type(%x: tensor<16xf32>, %go: tensor<i1>) -> tensor<16xf32> {
  %r = scf.while (%a = %x) : (tensor<16xf32>) -> tensor<16xf32> {
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %a : tensor<16xf32>
  } do {
  ^bb0(%a: tensor<16xf32>):
    %b = spmd.kernel(%a) : (tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%0: tensor<16xf32>):
      %1 = arith.addf %0, %0 : tensor<16xf32>
      spmd.yield %1 : tensor<16xf32>
    }
    scf.yield %b : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// -----

// A larger value than the result has memory of its own, in which the next one is made, too; what the condition passes on
// is made in the result's.
// CHECK-LABEL: @larger_than_the_result
// CHECK: scf.while
// CHECK: spmd.kernel{{.*}}spmd.buffers = [#spmd.buffer<result, 0>]
// CHECK: } do {
// CHECK: spmd.kernel{{.*}}spmd.buffers = [#spmd.buffer<arena, 0>]
// CHECK: attributes {spmd.buffers = [#spmd.buffer<result, 0>], spmd.carried = [#spmd.buffer<arena, 0>]}
func.func @larger_than_the_result(%x: tensor<16xf32>, %go: tensor<i1>) -> tensor<8xf32> {
  %r = scf.while (%a = %x) : (tensor<16xf32>) -> tensor<8xf32> {
    %b = spmd.kernel(%a) : (tensor<16xf32>) -> tensor<8xf32> {
    ^bb0(%0: tensor<16xf32>):
      %1 = tessera.slice %0 [0] to [8] by [1] : tensor<16xf32> -> tensor<8xf32>
      spmd.yield %1 : tensor<8xf32>
    }
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %b : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %b = spmd.kernel(%a) : (tensor<8xf32>) -> tensor<16xf32> {
    ^bb0(%0: tensor<8xf32>):
      %1 = tessera.concatenate %0, %0 dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
      spmd.yield %1 : tensor<16xf32>
    }
    scf.yield %b : tensor<16xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Values that exchange their places and have other types need no copies; those of one type do.
// CHECK-LABEL: @exchanged
// CHECK: scf.while
// CHECK-NOT: spmd.kernel
// CHECK: } do {
// CHECK-COUNT-2: spmd.kernel
// CHECK-NOT: spmd.kernel
// CHECK: return
func.func @exchanged(%x: tensor<16xf32>, %y: tensor<4xi32>, %go: tensor<i1>) -> (tensor<4xi32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>) {
  %z = spmd.kernel(%x) : (tensor<16xf32>) -> tensor<8xf32> {
  ^bb0(%0: tensor<16xf32>):
    %1 = tessera.slice %0 [0] to [8] by [1] : tensor<16xf32> -> tensor<8xf32>
    spmd.yield %1 : tensor<8xf32>
  }
  %r:4 = scf.while (%a = %x, %b = %y, %s = %z, %t = %z) : (tensor<16xf32>, tensor<4xi32>, tensor<8xf32>, tensor<8xf32>)
      -> (tensor<4xi32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>) {
    %c = tensor.extract %go[] : tensor<i1>
    scf.condition(%c) %b, %a, %s, %t : tensor<4xi32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%b: tensor<4xi32>, %a: tensor<16xf32>, %s: tensor<8xf32>, %t: tensor<8xf32>):
    scf.yield %a, %b, %t, %s : tensor<16xf32>, tensor<4xi32>, tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xi32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>
}
