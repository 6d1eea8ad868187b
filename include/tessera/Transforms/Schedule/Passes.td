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
    (calls, messages between pipeline ranks) keep the order of the text.

    From here on the order of a block is the order of execution, so `tessera.optimization_barrier` has done its work and is removed.

    **Requires** what the phase `fuse` ensures. **Ensures** the same, with no `tessera.optimization_barrier`.
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
}

def GroupKernels : Pass<"tessera-group-kernels", "::mlir::func::FuncOp"> {
  let summary = "makes one kernel of many small element-wise ones";
  let description = [{
    For targets where a launch costs as much as a small kernel: GPUs. Goes through each block in its order and collects element-wise kernels
    of little data that do not need each other, until something needs a result of theirs; they all become one kernel where the last of them
    stood. The optimizer's update of dozens of parameters, whose results only the caller gets, so becomes one launch or a few. Operands of
    the earlier ones live longer, by at most 64 MiB for each kernel that is made.

    Such a kernel has several iteration spaces, one for each of the old kernels, which code generation runs side by side.

    **Requires** the order that `tessera-order-operations` leaves. **Ensures** the same, with fewer kernels.

    ```mlir
    %0 = spmd.kernel(%a) : (tensor<8xf32>) -> tensor<8xf32> { … }
    %1 = spmd.kernel(%b) : (tensor<4xf32>) -> tensor<4xf32> { … }
    // becomes
    %0:2 = spmd.kernel(%a, %b) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) { … }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
  let statistics = [
    Statistic<"grouped", "grouped", "kernels that were put together">,
    Statistic<"groups", "groups", "kernels made of others">
  ];
}

def StartCollectives : Pass<"tessera-start-collectives", "::mlir::ModuleOp"> {
  let summary = "lets collectives overlap with the operations around them";
  let description = [{
    Turns every collective into a `spmd.start` right behind what makes its operand and a `spmd.wait` right before the first operation that needs the
    result; the order of all else stays. The longer lives of operand and result must fit: a start moves up and a wait down only as long as no
    operation has more bytes alive than the neediest one of the block had without (counted on values, before packing). Starts keep the order of the
    collectives, which is the same on every device.

    **Requires** what `tessera-order-operations` ensures. **Ensures** the same, and that every collective stands in a `spmd.start`.

    ```mlir
    %f = spmd.start : <tensor<8xf32>> {
      %r = spmd.all_reduce sum %g over <@mesh, ["data"]> : tensor<8xf32>
      spmd.yield %r : tensor<8xf32>
    }
    %next = spmd.kernel(%h) : (tensor<8xf32>) -> tensor<8xf32> { … }
    %sum = spmd.wait %f : <tensor<8xf32>>
    %w = spmd.kernel(%sum) : (tensor<8xf32>) -> tensor<8xf32> { … }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
  let statistics = [
    Statistic<"numPairs", "pairs", "collectives that are started and awaited">,
    Statistic<"numOverlapping", "overlapping", "pairs with other work between start and wait">
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

    **Requires** what the phase `fuse` ensures. **Ensures** what `tessera-verify-memory-plan` checks.

    ```mlir
    %0 = spmd.kernel(%arg0) {spmd.buffers = [#spmd.buffer<arena, 0>]} : (tensor<8xf32>) -> tensor<8xf32> { … }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "bytes of the arena">,
    Statistic<"liveBytes", "live-bytes", "the most bytes that are alive at once in the arena, a lower bound for its size">,
    Statistic<"inPlace", "in-place", "values that take over the memory of an operand">
  ];
}

def VerifyMemoryPlan : Pass<"tessera-verify-memory-plan", "::mlir::ModuleOp"> {
  let summary = "proves that nothing is overwritten before it is read";
  let description = [{
    **Requires** what `tessera-plan-memory` writes, or a user did. **Ensures** that every tensor fits where it lies (inside of the arena, at a cache line, or of
    the argument or result whose memory it has), and holds its value when it is read. Changes nothing.

    Goes through each function in the order of execution, loops twice, and keeps track of which value every byte holds. Independent of how
    the plan was made. A call destroys what lies in its workspace.
  }];
}

#endif
