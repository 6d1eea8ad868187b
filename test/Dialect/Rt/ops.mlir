// RUN: tessera-opt %s | tessera-opt | FileCheck %s

module attributes {rt.communicators = [#tessera.axes<@mesh, ["x"]>], rt.cpu = "x86-64-v3"} {
  tessera.mesh @mesh = <["x"=2]>
  module @kernels_0 {
    // CHECK: rt.grid_kernel @softmax_3
    // CHECK-SAME: #rt.variant<80 steps = [<"softmax_3" grid = [64, 1, 1] block = 128 shared = 0 buffers = [0, 1]>]>
    // CHECK-SAME: #rt.variant<90 steps = [<"softmax_3" grid = [8, 8, 1] block = 384 shared = 65536 buffers = [1] maps = [<0 of bf16 sizes = [256, 64] strides = [512] box = [64, 64] swizzle = 128>]>]>
    rt.grid_kernel @softmax_3 [
      #rt.variant<80 steps = [<"softmax_3" grid = [64, 1, 1] block = 128 shared = 0 buffers = [0, 1]>]>,
      #rt.variant<90 steps = [<"softmax_3" grid = [8, 8, 1] block = 384 shared = 65536 buffers = [1] maps = [<0 of bf16 sizes = [256, 64] strides = [512] box = [64, 64] swizzle = 128>]>]>]
  }
  module @kernels_1 {
    // A library's step beside a grid, and an architecture without steps.
    // CHECK: rt.grid_kernel @product
    // CHECK-SAME: #rt.variant<80 steps = []>
    // CHECK-SAME: #rt.variant<90 steps = [#rt.library_step<batches = 2 m = 64 n = 32 k = 128 left = <0 of bf16 offset = 64 row = 128 batch = 8192> right = <1 of bf16 offset = 0 row = 128 batch = 4096 transposed = true> result = <2 of f32 offset = 0 row = 32 batch = 2048> bias = 3 workspace = 4 bytes = 4096>, <"product" grid = [8, 8, 1] block = 384 shared = 0 buffers = [1]>]>
    rt.grid_kernel @product [
      #rt.variant<80 steps = []>,
      #rt.variant<90 steps = [#rt.library_step<batches = 2 m = 64 n = 32 k = 128 left = <0 of bf16 offset = 64 row = 128 batch = 8192> right = <1 of bf16 offset = 0 row = 128 batch = 4096 transposed = true>
        result = <2 of f32 offset = 0 row = 32 batch = 2048> bias = 3 workspace = 4 bytes = 4096>, <"product" grid = [8, 8, 1] block = 384 shared = 0 buffers = [1]>]>]
  }
  module @program {
    // Every operation survives printing and parsing.
    // CHECK-LABEL: func @tessera_main
    func.func @tessera_main(%context: !llvm.ptr, %arguments: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) -> i32 {
      // CHECK: %[[A:.*]] = rt.entry %{{.*}}[3] : !llvm.ptr -> !llvm.ptr
      %a = rt.entry %arguments[3] : !llvm.ptr -> !llvm.ptr
      // CHECK: %[[B:.*]] = rt.offset %{{.*}} + 4096 : !llvm.ptr -> !llvm.ptr
      %b = rt.offset %arena + 4096 : !llvm.ptr -> !llvm.ptr
      // CHECK: rt.copy %[[CONTEXT:.*]] %[[A]] to %[[B]] bytes = 64 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      rt.copy %context %a to %b bytes = 64 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.launch %{{.*}} @kernels_0::@exp_0(%[[A]], %[[B]]) extent = 32 grain = 4 name = "exp.0" : !llvm.ptr(!llvm.ptr, !llvm.ptr)
      rt.launch %context @kernels_0::@exp_0(%a, %b) extent = 32 grain = 4 name = "exp.0" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
      // CHECK: %[[E:.*]] = rt.load %{{.*}} %[[A]] : !llvm.ptr, !llvm.ptr -> i1
      %e = rt.load %context %a : !llvm.ptr, !llvm.ptr -> i1
      // CHECK: rt.store %{{.*}} %[[E]] to %[[B]] : !llvm.ptr, i1, !llvm.ptr
      rt.store %context %e to %b : !llvm.ptr, i1, !llvm.ptr
      // CHECK: rt.launch_grid %{{.*}} @kernels_0::@softmax_3(%[[A]], %[[B]]) name = "softmax.3" : !llvm.ptr(!llvm.ptr, !llvm.ptr)
      rt.launch_grid %context @kernels_0::@softmax_3(%a, %b) name = "softmax.3" : !llvm.ptr (!llvm.ptr, !llvm.ptr)
      // CHECK: rt.run @tessera_part_0(%[[A]], %[[B]]) : !llvm.ptr, !llvm.ptr
      rt.run @tessera_part_0(%a, %b) : !llvm.ptr, !llvm.ptr
      // CHECK: rt.all_reduce %{{.*}} %[[A]] to %[[B]] communicator = 0 count = 16 of f32 by <sum>
      rt.all_reduce %context %a to %b communicator = 0 count = 16 of f32 by <sum> : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.reduce_scatter %{{.*}} %[[A]] to %[[B]] communicator = 0 count = 8 of bf16 by <max>
      rt.reduce_scatter %context %a to %b communicator = 0 count = 8 of bf16 by <max> : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.all_gather %{{.*}} %[[A]] to %[[B]] communicator = 0 bytes = 64
      rt.all_gather %context %a to %b communicator = 0 bytes = 64 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.all_to_all %{{.*}} %[[A]] to %[[B]] communicator = 0 bytes = 32
      rt.all_to_all %context %a to %b communicator = 0 bytes = 32 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.permute %{{.*}} %[[A]] to %[[B]] communicator = 0 bytes = 64 members = [1, 0]
      rt.permute %context %a to %b communicator = 0 bytes = 64 members = [1, 0] : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.broadcast %{{.*}} %[[A]] to %[[B]] communicator = 0 bytes = 64 root = 1
      rt.broadcast %context %a to %b communicator = 0 bytes = 64 root = 1 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.all_reduce {{.*}} by <sum> future = 2 :
      rt.all_reduce %context %a to %b communicator = 0 count = 16 of f32 by <sum> future = 2 : !llvm.ptr, !llvm.ptr, !llvm.ptr
      // CHECK: rt.wait %{{.*}} future = 2 : !llvm.ptr
      rt.wait %context future = 2 : !llvm.ptr
      // CHECK: rt.offload %{{.*}} %[[A]] to 128 bytes = 64 future = 2 : !llvm.ptr, !llvm.ptr
      rt.offload %context %a to 128 bytes = 64 future = 2 : !llvm.ptr, !llvm.ptr
      // CHECK: rt.reload %{{.*}} 128 to %[[B]] bytes = 64 : !llvm.ptr, !llvm.ptr
      rt.reload %context 128 to %b bytes = 64 : !llvm.ptr, !llvm.ptr
      // CHECK: rt.axis_index %{{.*}} to %[[B]] communicator = 0
      rt.axis_index %context to %b communicator = 0 : !llvm.ptr, !llvm.ptr
      %c = arith.constant 0 : i32
      return %c : i32
    }
  }
}
