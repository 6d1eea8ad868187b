//===- Passes.td - the phase schedule: order and memory -----*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_PASSES
#define TESSERA_TRANSFORMS_SCHEDULE_PASSES

include "mlir/Pass/PassBase.td"

def OrderOperations : Pass<"tessera-order-operations", "::mlir::func::FuncOp"> {
  let summary = "puts operations into an order that keeps little memory alive";
  let description = [{
    A list schedule: among the operations that are ready, one that frees at least as much memory as it takes runs at once; if there is
    none, the first one in program order does. What overwrites a donated argument waits for all other readers of that argument,
    unless one of them needs its result. What reads the result of a collective keeps its place in the program's order, so that other work can overlap
    with the collective, unless that would need more memory than this order ever does. The order is the same on every device, so collectives match. Operations with effects
    (calls, messages between pipeline ranks) keep the order of the text. What a collective makes of arguments alone, gathered parameters, comes right before its first reader.

    From here on the order of a block is the order of execution, so `tessera.optimization_barrier` has done its work and is removed.

    **Requires** what the phase `fuse` ensures. **Ensures** every block is in the order in which it is executed, which is the same on all devices; no
    `tessera.optimization_barrier` is left.

    <!-- example: order-operations.mlir @free_early lines spmd.kernel|return -->
    ```mlir
    func.func @free_early(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %a = spmd.kernel(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
      ...
      %b = spmd.kernel(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
      ...
      %r = spmd.kernel(%a) : (tensor<64x64xf32>) -> tensor<64xf32> {
      ...
      %s = spmd.kernel(%b) : (tensor<64x64xf32>) -> tensor<64xf32> {
      ...
      return %r, %s : tensor<64xf32>, tensor<64xf32>
    }
    ```
    becomes
    ```mlir
    func.func @free_early(%arg0: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
      %0 = spmd.kernel(%arg0) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
      ...
      %1 = spmd.kernel(%0) : (tensor<64x64xf32>) -> tensor<64xf32> {
      ...
      %2 = spmd.kernel(%arg0) : (tensor<64x64xf32>) -> tensor<64x64xf32> {
      ...
      %3 = spmd.kernel(%2) : (tensor<64x64xf32>) -> tensor<64xf32> {
      ...
      return %1, %3 : tensor<64xf32>, tensor<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
}

def SeparateCollectives : Pass<"tessera-separate-collectives", "::mlir::func::FuncOp"> {
  let summary = "makes calls of their own of collectives that were to be one";
  let description = [{
    For a program that takes more memory than there is: until a call of several collectives has all its operands, it keeps the first of them, and it gives all results at once. Undoes
    `tessera-combine-collectives`.

    **Requires** what the phase `fuse` ensures. **Ensures** no `spmd.combined` is left; what the program computes is as before.

    <!-- example: separate-collectives.mlir @two_sums -->
    ```mlir
    func.func @two_sums(%a: tensor<8xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0:2 = spmd.combined(%a, %b) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      ^bb0(%x0: tensor<8xf32>, %x1: tensor<4xf32>):
        %1 = spmd.all_reduce sum %x0 over <@mesh, ["data"]> : tensor<8xf32>
        %2 = spmd.all_reduce sum %x1 over <@mesh, ["data"]> : tensor<4xf32>
        spmd.yield %1, %2 : tensor<8xf32>, tensor<4xf32>
      }
      return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @two_sums(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0 = spmd.all_reduce sum %arg0 over <@mesh, ["data"]> : tensor<8xf32>
      %1 = spmd.all_reduce sum %arg1 over <@mesh, ["data"]> : tensor<4xf32>
      return %0, %1 : tensor<8xf32>, tensor<4xf32>
    }
    ```
  }];
}

def GroupKernels : Pass<"tessera-group-kernels", "::mlir::func::FuncOp"> {
  let summary = "makes one kernel of many small element-wise ones";
  let description = [{
    For targets where a launch costs as much as a small kernel: GPUs. Goes through each block in its order and collects element-wise kernels
    of little data that do not need each other, until something needs a result of theirs; they all become one kernel where the last of them
    stood. The optimizer's update of dozens of parameters, whose results only the caller gets, so becomes one launch or a few. Operands of
    the earlier ones live longer, by at most 64 MiB for each kernel that is made.

    Such a kernel has several iteration spaces, one for each of the old kernels, which code generation runs side by side.

    **Requires** the order that `tessera-order-operations` leaves. **Ensures** small element-wise kernels of a block that do not need each other are one kernel,
    behind all that it needs.

    <!-- example: group-kernels.mlir @updates -->
    ```mlir
    func.func @updates(%a: tensor<8xf32>, %b: tensor<4x4xf32>, %rate: tensor<f32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0 = spmd.kernel(%a, %rate) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32> {
      ^bb0(%x: tensor<8xf32>, %r: tensor<f32>):
        %all = tessera.broadcast %r dims = [] : tensor<f32> -> tensor<8xf32>
        %y = arith.mulf %x, %all : tensor<8xf32>
        spmd.yield %y : tensor<8xf32>
      }
      %1 = spmd.kernel(%b) : (tensor<4x4xf32>) -> tensor<4xf32> {
      ^bb0(%x: tensor<4x4xf32>):
        %y = tessera.reduce sum %x dims = [0] : tensor<4x4xf32> -> tensor<4xf32>
        spmd.yield %y : tensor<4xf32>
      }
      %2 = spmd.kernel(%1, %rate) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32> {
      ^bb0(%x: tensor<4xf32>, %r: tensor<f32>):
        %all = tessera.broadcast %r dims = [] : tensor<f32> -> tensor<4xf32>
        %y = arith.mulf %x, %all : tensor<4xf32>
        spmd.yield %y : tensor<4xf32>
      }
      return %0, %2 : tensor<8xf32>, tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @updates(%arg0: tensor<8xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<f32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0 = spmd.kernel(%arg1) : (tensor<4x4xf32>) -> tensor<4xf32> {
      ^bb0(%arg3: tensor<4x4xf32>):
        %2 = tessera.reduce sum %arg3 dims = [0] : tensor<4x4xf32> -> tensor<4xf32>
        spmd.yield %2 : tensor<4xf32>
      }
      %1:2 = spmd.kernel(%arg0, %arg2, %0) : (tensor<8xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      ^bb0(%arg3: tensor<8xf32>, %arg4: tensor<f32>, %arg5: tensor<4xf32>):
        %2 = tessera.broadcast %arg4 dims = [] : tensor<f32> -> tensor<8xf32>
        %3 = arith.mulf %arg3, %2 : tensor<8xf32>
        %4 = tessera.broadcast %arg4 dims = [] : tensor<f32> -> tensor<4xf32>
        %5 = arith.mulf %arg5, %4 : tensor<4xf32>
        spmd.yield %3, %5 : tensor<8xf32>, tensor<4xf32>
      }
      return %1#0, %1#1 : tensor<8xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
}

def RematerializeForMemory : Pass<"tessera-rematerialize-for-memory", "::mlir::ModuleOp"> {
  let summary = "computes values again rather than keeping them, until the program fits";
  let description = [{
    Rematerialization (activation checkpointing) under a hard limit, priced after fusion. Where a program would take more than `memory-limit`, what is held
    at the peak and not read there is made again right before it is read next: by a copy of its kernel or collective, with all that is no longer there for
    it. What costs the fewest seconds per byte at the peak goes first, by what kernels and collectives take on the described machine; what turned out to
    fit is kept after all (`RecomputationSearch.h`). Where the machine has a link to its host, a value of a program's own block may be copied there and back instead
    (`spmd.offload`, `spmd.reload`), which costs what is waited for the copies beside what runs meanwhile. Gathering parameters again for the backward pass so becomes a choice like any other.

    What a device needs is what the manifest says (`ProgramMemory`), but for temporaries of kernels, which only code generation knows. Bodies of
    loops and branches, and functions that are called, get what is left beside the rest. Where nothing fits, the program becomes the one that needs least.

    **Requires** what `tessera-order-operations` ensures. **Ensures** no more bytes are alive at once than fit into the limit beside arguments and results, where that was
    found possible; every collective that runs again does so at one place of the order, which is the same on all devices.

    <!-- example: rematerialize-for-memory.mlir @main run --tessera-rematerialize-for-memory=memory-limit=20672 lines spmd.kernel|return -->
    ```mlir
    func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
      %a = spmd.kernel(%x) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
      ...
      %w = spmd.kernel(%a) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
      ...
      %s = spmd.kernel(%w) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
      ...
      %r = spmd.kernel(%s, %a) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
      ...
      return %r : tensor<32x32xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
      %0 = spmd.kernel(%arg0) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
      ...
      %1 = spmd.kernel(%0) : (tensor<32x32xf32>) -> tensor<64x32xf32> {
      ...
      %2 = spmd.kernel(%1) : (tensor<64x32xf32>) -> tensor<32x32xf32> {
      ...
      %3 = spmd.kernel(%arg0) {spmd.rematerialized} : (tensor<32x32xf32>) -> tensor<32x32xf32> {
      ...
      %4 = spmd.kernel(%2, %3) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32> {
      ...
      return %4 : tensor<32x32xf32>
    }
    ```
  }];
  let options = [
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that the program may take on a device; 0 for no limit">,
    ListOption<"reserved", "reserved", "int64_t", "of that, by pipeline rank, what its program leaves">,
    Option<"hostMemory", "host-memory", "int64_t", "0", "bytes that a program may copy to the host, of those that the described machine has">
  ];
}

def StartCollectives : Pass<"tessera-start-collectives", "::mlir::ModuleOp"> {
  let summary = "lets collectives overlap with the operations around them";
  let description = [{
    Turns every collective into a `spmd.start` and a `spmd.wait`, and lets other operations run in between. Where the machine is described, by what kernels and collectives
    take there (`OverlapSearch.h`): a gather starts just early enough to be done when it is needed, all else at once; where too little lies between start and first reader,
    operations move there from before the start (weight gradients, which nobody reads until the end) or from behind the reader. How much longer values may be held for that is
    chosen for the program as a whole: one percent more memory has to save one percent of the time, and `memory-limit` is never exceeded, but by what the order takes without overlap.

    Where no machine is described, the order of all else stays, and starts move up and waits down as far as no
    operation has more bytes alive than the neediest one of the block had without (counted on values, before packing). So it is in bodies of loops and branches and in functions that
    are called. Starts are in one order for all devices.

    **Requires** what `tessera-order-operations` ensures. **Ensures** every collective stands in a `spmd.start`; no more bytes are alive at once than in the
    neediest place before, or than the limit leaves beside arguments and results, whichever is more.

    <!-- example: start-collectives.mlir @chain -->
    ```mlir
    func.func @chain(%x: tensor<64xf32>) -> tensor<64xf32> {
      %0 = spmd.reduce_scatter sum %x dim = 0 over <@mesh, ["x"]> : tensor<64xf32> -> tensor<32xf32>
      %1 = spmd.all_gather %0 dim = 0 over <@mesh, ["x"]> : tensor<32xf32> -> tensor<64xf32>
      return %1 : tensor<64xf32>
    }
    ```
    becomes
    ```mlir
    func.func @chain(%arg0: tensor<64xf32>) -> tensor<64xf32> {
      %0 = spmd.start : <tensor<32xf32>> {
        %4 = spmd.reduce_scatter sum %arg0 dim = 0 over <@mesh, ["x"]> : tensor<64xf32> -> tensor<32xf32>
        spmd.yield %4 : tensor<32xf32>
      }
      %1 = spmd.wait %0 : <tensor<32xf32>>
      %2 = spmd.start : <tensor<64xf32>> {
        %4 = spmd.all_gather %1 dim = 0 over <@mesh, ["x"]> : tensor<32xf32> -> tensor<64xf32>
        spmd.yield %4 : tensor<64xf32>
      }
      %3 = spmd.wait %2 : <tensor<64xf32>>
      return %3 : tensor<64xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
  let options = [
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that the program may take on a device; 0 for what the described machine has">,
    ListOption<"reserved", "reserved", "int64_t", "of that, by pipeline rank, what its program leaves">
  ];
}

def PlanMemory : Pass<"tessera-plan-memory", "::mlir::ModuleOp"> {
  let summary = "gives every tensor its place in memory";
  let description = [{
    Writes `spmd.buffers` on every operation with tensor results and `spmd.arena_size` on the function. Results of the program are made
    directly in their memory; a result that an argument is donated to in the argument's, if the old value is not read any more,
    or only by the kernel that makes the new one and at the same elements. Everything else shares one arena.

    Arguments of a region lie where the results of its `scf` operation lie. What `scf.while` carries into its first region need not have the results'
    types, so the loop says where it lies (`spmd.carried`): with the result in its place if that has its type, else in memory of its own. Code generation
    copies initial and yielded values that lie elsewhere, and results of the program that could not be made in place.

    A function that is called is planned before its callers, as a program of its own. `spmd.workspace` on the call reserves its arena in
    the caller's for the time of the call. An operand that is donated to a result has the result's memory; where the call is not the last
    to read it, it is copied first.

    **Requires** what the phase `fuse` ensures. **Ensures** every tensor has a place in memory that holds it until it is read for the last time, and every
    function says how large its arena is.

    <!-- example: plan-memory.mlir @product -->
    ```mlir
    func.func @product(%w: tensor<8x8xf32> {tessera.donated = 1 : i32}, %x: tensor<8x8xf32> {tessera.donated = 0 : i32})
        -> (tensor<8x8xf32>, tensor<8x8xf32>) {
      %a = spmd.kernel(%w, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
      ^bb0(%0: tensor<8x8xf32>, %1: tensor<8x8xf32>):
        %2 = tessera.dot_general %0, %0 batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
        %3 = arith.addf %1, %2 : tensor<8x8xf32>
        spmd.yield %3 : tensor<8x8xf32>
      }
      return %a, %w : tensor<8x8xf32>, tensor<8x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @product(%arg0: tensor<8x8xf32> {tessera.donated = 1 : i32}, %arg1: tensor<8x8xf32> {tessera.donated = 0 : i32}) -> (tensor<8x8xf32>, tensor<8x8xf32>) attributes {spmd.arena_size = 0 : i64} {
      %0 = spmd.kernel(%arg0, %arg1) {spmd.buffers = [#spmd.buffer<argument, 1>]} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
      ^bb0(%arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>):
        %1 = tessera.dot_general %arg2, %arg2 batching = [] x [] contracting = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
        %2 = arith.addf %arg3, %1 : tensor<8x8xf32>
        spmd.yield %2 : tensor<8x8xf32>
      }
      return %0, %arg0 : tensor<8x8xf32>, tensor<8x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
}

def VerifyMemoryPlan : Pass<"tessera-verify-memory-plan", "::mlir::ModuleOp"> {
  let summary = "proves that nothing is overwritten before it is read";
  let description = [{
    **Requires** what `tessera-plan-memory` writes, or a user did. **Ensures** that every tensor fits where it lies (inside of the arena, at a cache line, or of
    the argument or result whose memory it has), and holds its value when it is read. Changes nothing.

    Goes through each function in the order of execution, loops twice, and keeps track of which value every byte holds. Independent of how
    the plan was made. A call destroys what lies in its workspace.

    <!-- example: verify-memory-plan-errors.mlir @in_place -->
    ```mlir
    func.func @in_place(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {spmd.arena_size = 64 : i64} {
      %a = spmd.kernel(%x) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
      ^bb0(%0: tensor<4x4xf32>):
        spmd.yield %0 : tensor<4x4xf32>
      }
      // expected-error @+1 {{overwrites an operand that it still reads}}
      %b = spmd.kernel(%a) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
      ^bb0(%0: tensor<4x4xf32>):
        %1 = tessera.transpose %0 permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
        spmd.yield %1 : tensor<4x4xf32>
      }
      return %b : tensor<4x4xf32>
    }
    ```
  }];
}

def VerifyCollectiveOrder : Pass<"tessera-verify-collective-order", "::mlir::ModuleOp"> {
  let summary = "proves that no order of collectives and messages can deadlock";
  let description = [{
    **Requires** what `tessera-start-collectives` ensures, or a user did. **Ensures** that all devices of a group come to all calls over it, in one order, and that all messages of pipeline
    ranks arrive. Changes nothing.

    What decides whether a call runs, or how often, has to be the same on all devices of its group: it must not follow from their position or from parts that they hold, but through a sum, a
    gather or a broadcast over the group. Branches that make the same calls may differ. Why this is enough stands in `CollectiveOrder.h`; `--explain=order` prints what the proof has met. Independent of how
    the order was made.

    <!-- example: verify-collective-order-errors.mlir @on_one_device -->
    ```mlir
    func.func @on_one_device(%x: tensor<8xf32>) -> tensor<8xf32> {
      // expected-note @+1 {{what decides follows from what differs here}}
      %device = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
      %zero = arith.constant dense<0> : tensor<i32>
      %is_first = arith.cmpi eq, %device, %zero : tensor<i32>
      %condition = tensor.extract %is_first[] : tensor<i1>
      // expected-note @+1 {{'scf.if' runs it}}
      %sum = scf.if %condition -> tensor<8xf32> {
        %future = spmd.start : !spmd.future<tensor<8xf32>> {
          // expected-error @+1 {{expected a condition around it that is the same on all devices of its group, got one that may differ along "x"}}
          %0 = spmd.all_reduce sum %x over <@mesh, ["x"]> : tensor<8xf32>
          spmd.yield %0 : tensor<8xf32>
        }
        %1 = spmd.wait %future : !spmd.future<tensor<8xf32>>
        scf.yield %1 : tensor<8xf32>
      } else {
        scf.yield %x : tensor<8xf32>
      }
      return %sum : tensor<8xf32>
    }
    ```
  }];
}

#endif
