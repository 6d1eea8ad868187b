// Futures under way at the same time have different numbers, also in a loop and in a function that is called meanwhile; a
// number is used again after its wait; a pair with nothing in between needs none.
// RUN: tessera-opt %s --tessera-plan-memory --tessera-lower-to-rt=cpu=x86-64-v3 | FileCheck %s
// RUN: tessera-opt %s --tessera-plan-memory --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm | FileCheck %s --check-prefix=CALLS

tessera.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @tessera_main(
// CHECK: rt.all_reduce {{.*}} by <sum> future = 0 :
// CHECK: rt.all_reduce {{.*}} by <max> future = 1 :
// CHECK: rt.call @tessera_function_inner
// CHECK: rt.wait %{{.*}} future = 0
// CHECK: rt.all_reduce {{.*}} by <min> future = 0 :
// CHECK: scf.for
// CHECK: rt.all_reduce {{.*}} by <product> future = 2 :
// CHECK: rt.launch
// CHECK: rt.wait %{{.*}} future = 2
// CHECK: rt.wait %{{.*}} future = 0
// CHECK: rt.wait %{{.*}} future = 1
// CHECK: rt.all_reduce {{.*}} by <sum> :
// CHECK-NOT: rt.wait
// CHECK-LABEL: func.func private @tessera_function_inner(
// CHECK: rt.all_reduce {{.*}} future = 3 :
// CHECK: rt.launch
// CHECK: rt.wait %{{.*}} future = 3

// The wait has the name of the collective.
// CALLS: llvm.call @tessera_rt_all_reduce
// CALLS: llvm.call @tessera_rt_wait(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr) -> i32
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %f0 = spmd.start : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %f1 = spmd.start : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce max %b over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %called = call @inner(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %w0 = spmd.wait %f0 : !spmd.future<tensor<64xf32>>
  %f2 = spmd.start : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce min %a over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %b) -> tensor<64xf32> {
    %f3 = spmd.start : !spmd.future<tensor<64xf32>> {
      %r = spmd.all_reduce product %x over <@mesh, ["x"]> : tensor<64xf32>
      spmd.yield %r : tensor<64xf32>
    }
    %k = spmd.kernel(%a) : (tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%0: tensor<64xf32>):
      %1 = math.exp %0 : tensor<64xf32>
      spmd.yield %1 : tensor<64xf32>
    }
    %w3 = spmd.wait %f3 : !spmd.future<tensor<64xf32>>
    %s = spmd.kernel(%k, %w3) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
    ^bb0(%0: tensor<64xf32>, %1: tensor<64xf32>):
      %2 = arith.addf %0, %1 : tensor<64xf32>
      spmd.yield %2 : tensor<64xf32>
    }
    scf.yield %s : tensor<64xf32>
  }
  %w2 = spmd.wait %f2 : !spmd.future<tensor<64xf32>>
  %w1 = spmd.wait %f1 : !spmd.future<tensor<64xf32>>
  %f4 = spmd.start : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %w4 = spmd.wait %f4 : !spmd.future<tensor<64xf32>>
  return %w0, %w1, %w2, %loop, %called, %w4 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

func.func private @inner(%a: tensor<64xf32>) -> tensor<64xf32> {
  %f = spmd.start : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %k = spmd.kernel(%a) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %w = spmd.wait %f : !spmd.future<tensor<64xf32>>
  %s = spmd.kernel(%k, %w) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>, %1: tensor<64xf32>):
    %2 = arith.addf %0, %1 : tensor<64xf32>
    spmd.yield %2 : tensor<64xf32>
  }
  return %s : tensor<64xf32>
}
