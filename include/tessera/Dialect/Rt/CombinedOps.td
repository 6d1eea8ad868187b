//===- CombinedOps.td - several collectives in one call ----*- tablegen -*-===//
#ifndef TESSERA_DIALECT_RT_COMBINEDOPS
#define TESSERA_DIALECT_RT_COMBINEDOPS

include "tessera/Dialect/Rt/RtOps.td"

def Rt_BeginCombinedOp : Rt_Op<"begin_combined"> {
  let summary = "the collectives from here to `rt.end_combined` are one call";
  let description = [{
    They are of one kind and on one communicator, and have no futures of their own.

    ```mlir
    rt.begin_combined %context
    rt.all_reduce %context %a to %b communicator = 0 count = 8 of f32 by sum
    rt.all_reduce %context %c to %d communicator = 0 count = 4 of bf16 by sum
    rt.end_combined %context future = 2
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context);
  let assemblyFormat = "$context attr-dict `:` type($context)";
}

def Rt_EndCombinedOp : Rt_Op<"end_combined"> {
  let summary = "does, or with `future` starts, the collectives since `rt.begin_combined`";
  let arguments = (ins LLVM_AnyPointer:$context, OptionalAttr<I32Attr>:$future);
  let assemblyFormat = "$context (`future` `=` $future^)? attr-dict `:` type($context)";
}

#endif
