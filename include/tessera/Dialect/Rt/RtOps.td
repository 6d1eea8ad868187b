//===- RtOps.td - execution --------------------------------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_RT_RTOPS
#define TESSERA_DIALECT_RT_RTOPS

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tessera/Dialect/Tessera/TesseraAttrs.td"

def Rt_Dialect : Dialect {
  let name = "rt";
  let cppNamespace = "::tessera::rt";
  let summary = "Execution: memory, kernel launches and collective calls";
  let description = [{
    What one device does in a step, in order, on memory instead of tensors. Every operation is one call of the runtime's C
    interface (`runtime/include/tessera/runtime.h`) or plain address arithmetic. The program is a function

    ```mlir
    func.func @tessera_main(%context: !llvm.ptr, %arguments: !llvm.ptr, %results: !llvm.ptr, %arena: !llvm.ptr) -> i32
    ```

    A call that fails ends the program with its status. A long program is cut into parts, functions of the same type that
    `@tessera_main` runs one after another (`rt.run`). Kernels are functions of nested modules, each of which becomes one
    object file, so that they can be compiled in parallel.

    | attribute | on | meaning |
    |---|---|---|
    | `rt.communicators` | the module | array of `#tessera.axes`: what a communicator's number stands for |
    | `rt.collectives` | the module | array of dictionaries, one per collective in the program, for the manifest |
    | `rt.kernels` | the module | array of dictionaries, one per distinct kernel, for the manifest |
    | `rt.cpu` | the module | the processor that the code is for |
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::LLVM::LLVMDialect"];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kCommunicatorsAttr = "rt.communicators";
    static constexpr ::llvm::StringLiteral kCollectivesAttr = "rt.collectives";
    static constexpr ::llvm::StringLiteral kKernelsAttr = "rt.kernels";
    static constexpr ::llvm::StringLiteral kCpuAttr = "rt.cpu";
  }];
}

class Rt_Op<string mnemonic, list<Trait> traits = []> : Op<Rt_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Rt_EntryOp : Rt_Op<"entry", [Pure]> {
  let summary = "an entry of the table of arguments or results";
  let description = [{
    ```mlir
    %0 = rt.entry %arguments[3]
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$table, I64Attr:$index);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = "$table `[` $index `]` attr-dict `:` type($table) `->` type($result)";
}

def Rt_OffsetOp : Rt_Op<"offset", [Pure]> {
  let summary = "an address some bytes further";
  let description = [{
    ```mlir
    %0 = rt.offset %arena + 4096
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$base, I64Attr:$bytes);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = "$base `+` $bytes attr-dict `:` type($base) `->` type($result)";
}

def Rt_CopyOp : Rt_Op<"copy"> {
  let summary = "copies bytes between places that do not overlap";
  let arguments = (ins LLVM_AnyPointer:$source, LLVM_AnyPointer:$target, I64Attr:$bytes);
  let assemblyFormat = "$source `to` $target `bytes` `=` $bytes attr-dict `:` type($source) `,` type($target)";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Rt_LaunchOp : Rt_Op<"launch"> {
  let summary = "runs a kernel's iterations on the threads of this device";
  let description = [{
    `extent` iterations, which are independent, in ranges that begin at multiples of `grain`. `name` is what traces show.

    ```mlir
    rt.launch %context @kernels_0::@dot_general_3(%a, %b) extent = 32 grain = 1 name = "dot_general.3"
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context, SymbolRefAttr:$kernel, Variadic<LLVM_AnyPointer>:$buffers,
    I64Attr:$extent, I64Attr:$grain, StrAttr:$name);
  let assemblyFormat = [{
    $context $kernel `(` $buffers `)` `extent` `=` $extent `grain` `=` $grain `name` `=` $name attr-dict
    `:` type($context) `(` type($buffers) `)`
  }];
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def Rt_RunOp : Rt_Op<"run"> {
  let summary = "runs a part of the program";
  let description = [{
    The part is a function of this module that takes what the program takes. If it fails, so does the program.

    ```mlir
    rt.run @tessera_part_3(%context, %arguments, %results, %arena)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$part, Variadic<LLVM_AnyPointer>:$operands);
  let assemblyFormat = "$part `(` $operands `)` attr-dict `:` type($operands)";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

class Rt_Collective<string mnemonic, dag extra> : Rt_Op<mnemonic> {
  let arguments = !con((ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$source, LLVM_AnyPointer:$target,
    I32Attr:$communicator), extra);
}

def Rt_AllReduceOp : Rt_Collective<"all_reduce",
    (ins I64Attr:$count, TypeAttr:$element, Tessera_ReductionAttr:$kind)> {
  let summary = "the reduction of `count` elements over the group";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `count` `=` $count `of` $element `by` $kind attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_ReduceScatterOp : Rt_Collective<"reduce_scatter",
    (ins I64Attr:$count, TypeAttr:$element, Tessera_ReductionAttr:$kind)> {
  let summary = "the reduction over the group; member i gets chunk i, of `count` elements";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `count` `=` $count `of` $element `by` $kind attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_AllGatherOp : Rt_Collective<"all_gather", (ins I64Attr:$bytes)> {
  let summary = "every member's bytes one behind the other";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_AllToAllOp : Rt_Collective<"all_to_all", (ins I64Attr:$bytes)> {
  let summary = "sends chunk i, of `bytes` bytes, to member i";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_PermuteOp : Rt_Collective<"permute", (ins I64Attr:$bytes, DenseI32ArrayAttr:$members)> {
  let summary = "member i sends to member members[i]";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes `members` `=` $members attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_BroadcastOp : Rt_Collective<"broadcast", (ins I64Attr:$bytes, I32Attr:$root)> {
  let summary = "the bytes of member `root`, on every member";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes `root` `=` $root attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_AxisIndexOp : Rt_Op<"axis_index"> {
  let summary = "stores this device's position in its group as an i32";
  let arguments = (ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$target, I32Attr:$communicator);
  let assemblyFormat = [{
    $context `to` $target `communicator` `=` $communicator attr-dict `:` type($context) `,` type($target)
  }];
}

#endif
