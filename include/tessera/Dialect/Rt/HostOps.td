//===- HostOps.td - copies to the host and back ------------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_RT_HOSTOPS
#define TESSERA_DIALECT_RT_HOSTOPS

include "tessera/Dialect/Rt/CombinedOps.td"

def Rt_OffloadOp : Rt_Op<"offload"> {
  let summary = "copies bytes to the host arena, from byte `to` of it on";
  let description = [{
    The runtime owns the host arena, which holds what is copied for the step. With `future`, source and target must be left alone until the `rt.wait` of that number.

    ```mlir
    rt.offload %context %a to 4096 bytes = 512 future = 1
    rt.wait %context future = 1
    rt.reload %context 4096 to %a bytes = 512
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$source, I64Attr:$offset, I64Attr:$bytes, OptionalAttr<I32Attr>:$future);
  let assemblyFormat = [{
    $context $source `to` $offset `bytes` `=` $bytes (`future` `=` $future^)? attr-dict `:` type($context) `,` type($source)
  }];
}

def Rt_ReloadOp : Rt_Op<"reload"> {
  let summary = "copies bytes from the host arena";
  let arguments = (ins LLVM_AnyPointer:$context, I64Attr:$offset, LLVM_AnyPointer:$target, I64Attr:$bytes, OptionalAttr<I32Attr>:$future);
  let assemblyFormat = [{
    $context $offset `to` $target `bytes` `=` $bytes (`future` `=` $future^)? attr-dict `:` type($context) `,` type($target)
  }];
}

#endif
