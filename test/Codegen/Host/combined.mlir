// The collectives of one call stand between its beginning and its end, and one future is theirs; a call with nothing before its waits has none.
// RUN: tessera-opt %s --tessera-plan-memory --tessera-lower-to-rt=cpu=x86-64-v3 | FileCheck %s
// RUN: tessera-opt %s --tessera-plan-memory --tessera-lower-to-rt=cpu=x86-64-v3 --tessera-convert-rt-to-llvm | FileCheck %s --check-prefix=CALLS

tessera.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @tessera_main(
// CHECK: rt.begin_combined
// CHECK: rt.all_reduce {{.*}} count = 64 of f32 by <sum> :
// CHECK: rt.all_reduce {{.*}} count = 32 of f32 by <sum> :
// CHECK-NEXT: rt.end_combined %{{.*}} future = 0 :
// CHECK: rt.launch
// CHECK-NEXT: rt.wait %{{.*}} future = 0
// CHECK-NOT: rt.wait
// CHECK: rt.begin_combined
// CHECK: rt.end_combined %{{[^ ]*}} : !llvm.ptr
// CHECK-NOT: rt.wait

// CALLS: llvm.call @tessera_rt_begin_combined(%{{[^,]*}}) : (!llvm.ptr) -> i32
// CALLS: llvm.call @tessera_rt_end_combined(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr) -> i32
func.func @main(%a: tensor<64xf32>, %b: tensor<32xf32>)
    -> (tensor<64xf32>, tensor<32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32xf32>) {
  %f0 = spmd.start {spmd.call = 0 : i64} : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce sum %a over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %f1 = spmd.start {spmd.call = 0 : i64} : !spmd.future<tensor<32xf32>> {
    %r = spmd.all_reduce sum %b over <@mesh, ["x"]> : tensor<32xf32>
    spmd.yield %r : tensor<32xf32>
  }
  %k = spmd.kernel(%a) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%0: tensor<64xf32>):
    %1 = math.exp %0 : tensor<64xf32>
    spmd.yield %1 : tensor<64xf32>
  }
  %w0 = spmd.wait %f0 : !spmd.future<tensor<64xf32>>
  %w1 = spmd.wait %f1 : !spmd.future<tensor<32xf32>>
  %f2 = spmd.start {spmd.call = 1 : i64} : !spmd.future<tensor<64xf32>> {
    %r = spmd.all_reduce max %a over <@mesh, ["x"]> : tensor<64xf32>
    spmd.yield %r : tensor<64xf32>
  }
  %f3 = spmd.start {spmd.call = 1 : i64} : !spmd.future<tensor<32xf32>> {
    %r = spmd.all_reduce max %b over <@mesh, ["x"]> : tensor<32xf32>
    spmd.yield %r : tensor<32xf32>
  }
  %w2 = spmd.wait %f2 : !spmd.future<tensor<64xf32>>
  %w3 = spmd.wait %f3 : !spmd.future<tensor<32xf32>>
  return %w0, %w1, %k, %w2, %w3 : tensor<64xf32>, tensor<32xf32>, tensor<64xf32>, tensor<64xf32>, tensor<32xf32>
}
