//===- RtOps.td - execution --------------------------------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_RT_RTOPS
#define TESSERA_DIALECT_RT_RTOPS

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/IR/AttrTypeBase.td"
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

    With stages there is one such function per pipeline rank, `@tessera_main_0` and so on. A function that these call (`rt.call`) takes one more pointer: the temporaries of kernels, which
    all functions share because kernels run one after another.

    A call that fails ends the program with its status. A long function is cut into parts, functions of the same type that
    it runs one after another (`rt.run`). Kernels are functions of nested modules, each of which becomes one
    object file, so that they can be compiled in parallel.

    | attribute | on | meaning |
    |---|---|---|
    | `rt.communicators` | the module | array of `#tessera.axes`: what a communicator's number stands for |
    | `rt.collectives` | the module | array of dictionaries, one per collective in the program, for the manifest |
    | `rt.transfers` | the module | array of dictionaries, one per send from one pipeline rank to another, for the manifest |
    | `rt.fragments` | the module | array of dictionaries, one per fragment of a stage, for the manifest |
    | `rt.kernels` | the module | array of dictionaries, one per distinct kernel, for the manifest |
    | `rt.work` | the module | JSON text: what every function does in order, for the manifest |
    | `rt.cpu` | the module | the processor that the code, or that of the host program, is for |
    | `rt.gpu` | the module | kernels run on a GPU: the architectures, as `["sm_80", "sm_90a"]` |
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::LLVM::LLVMDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kCommunicatorsAttr = "rt.communicators";
    static constexpr ::llvm::StringLiteral kCollectivesAttr = "rt.collectives";
    static constexpr ::llvm::StringLiteral kTransfersAttr = "rt.transfers";
    static constexpr ::llvm::StringLiteral kFragmentsAttr = "rt.fragments";
    static constexpr ::llvm::StringLiteral kKernelsAttr = "rt.kernels";
    static constexpr ::llvm::StringLiteral kWorkAttr = "rt.work";
    static constexpr ::llvm::StringLiteral kCpuAttr = "rt.cpu";
    static constexpr ::llvm::StringLiteral kGpuAttr = "rt.gpu";
    /// The nested module of everything but kernels.
    static constexpr ::llvm::StringLiteral kProgramName = "program";
    /// The entry; those of pipeline ranks end with `_` and the rank.
    static constexpr ::llvm::StringLiteral kEntryName = "tessera_main";
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
  let arguments = (ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$source, LLVM_AnyPointer:$target, I64Attr:$bytes);
  let assemblyFormat = [{
    $context $source `to` $target `bytes` `=` $bytes attr-dict `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_LoadOp : Rt_Op<"load"> {
  let summary = "the element of a tensor, for the host program";
  let description = [{
    On a GPU the host waits for everything that the device has been asked to do before.

    ```mlir
    %1 = rt.load %context %0 : !llvm.ptr, !llvm.ptr -> i32
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$source);
  let results = (outs AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$result);
  let assemblyFormat = "$context $source attr-dict `:` type($context) `,` type($source) `->` type($result)";
}

def Rt_StoreOp : Rt_Op<"store"> {
  let summary = "sets the element of a tensor from the host program";
  let arguments = (ins LLVM_AnyPointer:$context, AnyTypeOf<[AnySignlessInteger, AnyFloat]>:$value, LLVM_AnyPointer:$target);
  let assemblyFormat = "$context $value `to` $target attr-dict `:` type($context) `,` type($value) `,` type($target)";
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

def Rt_TensorMapAttr : AttrDef<Rt_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "how a kernel's asynchronous copies see a buffer";
  let description = [{
    A tile of `box` elements of the buffer, which has `sizes` elements along each dimension, the innermost first (its elements are adjacent), and `strides` bytes from one
    to the next along the others. `swizzle` is 0, 32, 64 or 128 bytes. CUDA's `cuTensorMapEncodeTiled`, elements outside read as zero.
  }];
  let parameters = (ins "int32_t":$buffer, "::mlir::Type":$element, ArrayRefParameter<"int64_t">:$sizes,
    OptionalArrayRefParameter<"int64_t">:$strides, ArrayRefParameter<"int64_t">:$box, "int32_t":$swizzle);
  let assemblyFormat = [{
    `<` $buffer `of` $element `sizes` `=` `[` $sizes `]` `strides` `=` `[` (`]`) : ($strides^ `]`)? `box` `=` `[` $box `]` `swizzle` `=` $swizzle `>`
  }];
}

def Rt_GridStepAttr : AttrDef<Rt_Dialect, "GridStep"> {
  let mnemonic = "step";
  let summary = "one grid of thread blocks";
  let description = [{
    The function `symbol` runs in `grid` (x, y, z) blocks of `block` threads, each block with `shared` bytes of dynamic shared memory. Its parameters are the launch's buffers with the
    numbers `buffers`, in this order, and then one pointer for each of `maps`.
  }];
  let parameters = (ins "::mlir::StringAttr":$symbol, ArrayRefParameter<"int64_t">:$grid, "int32_t":$block, "int32_t":$shared,
    "::mlir::DenseI32ArrayAttr":$buffers, OptionalArrayRefParameter<"::tessera::rt::TensorMapAttr">:$maps);
  let assemblyFormat = [{
    `<` $symbol `grid` `=` `[` $grid `]` `block` `=` $block `shared` `=` $shared `buffers` `=` $buffers (`maps` `=` `[` $maps^ `]`)? `>`
  }];
}

def Rt_MatrixAttr : AttrDef<Rt_Dialect, "Matrix"> {
  let mnemonic = "matrix";
  let summary = "where a library's product finds an operand";
  let description = [{
    Element (i, j) of batch element b lies at byte `offset` of the buffer, and b * `batch` + i * `row` + j elements further; if it is `transposed`, j * `row` + i.
  }];
  let parameters = (ins "int32_t":$buffer, "::mlir::Type":$element, "int64_t":$offset, "int64_t":$row, "int64_t":$batch,
    DefaultValuedParameter<"bool", "false">:$transposed);
  let assemblyFormat = [{
    `<` $buffer `of` $element `offset` `=` $offset `row` `=` $row `batch` `=` $batch (`transposed` `=` $transposed^)? `>`
  }];
}

def Rt_LibraryStepAttr : AttrDef<Rt_Dialect, "LibraryStep"> {
  let mnemonic = "library_step";
  let summary = "a matrix product that cuBLASLt computes";
  let description = [{
    `batches` times `result` = `left` (`m` x `k`) x `right` (`k` x `n`), plus a row of `n` elements of the result's type in the buffer `bias`, if there is one, in each row.
    Operands have one type, f16, bf16 or f32; the result has it too, or is f32. Products are summed in f32, and with `tf32` multiplied in it. The buffer `workspace` of
    `bytes` bytes is the library's to use.

    ```mlir
    #rt.library_step<batches = 1 m = 64 n = 32 k = 128 left = <0 of bf16 offset = 0 row = 128 batch = 0> right = <1 of bf16 offset = 0 row = 128 batch = 0 transposed = true>
      result = <2 of f32 offset = 0 row = 32 batch = 0> workspace = 3 bytes = 4194304>
    ```
  }];
  let parameters = (ins "int64_t":$batches, "int64_t":$m, "int64_t":$n, "int64_t":$k, "::tessera::rt::MatrixAttr":$left,
    "::tessera::rt::MatrixAttr":$right, "::tessera::rt::MatrixAttr":$result, DefaultValuedParameter<"int32_t", "-1">:$bias,
    "int32_t":$workspace, "int64_t":$bytes, DefaultValuedParameter<"bool", "false">:$tf32);
  let assemblyFormat = [{
    `<` `batches` `=` $batches `m` `=` $m `n` `=` $n `k` `=` $k `left` `=` $left `right` `=` $right `result` `=` $result (`bias` `=` $bias^)?
    `workspace` `=` $workspace `bytes` `=` $bytes (`tf32` `=` $tf32^)? `>`
  }];
}

def Rt_VariantAttr : AttrDef<Rt_Dialect, "Variant"> {
  let mnemonic = "variant";
  let summary = "a kernel's code for one architecture: steps that run one after another";
  let description = [{
    `arch` is 80 for code that every GPU from compute capability 8.0 on runs, 90 for code that only those of 9.0 run (`sm_90a`). A step is a grid (`#rt.step`, of which `<...>` is
    written) or a library's product (`#rt.library_step<...>`).
  }];
  let parameters = (ins "int32_t":$arch, ArrayRefParameter<"::mlir::Attribute">:$steps);
  let assemblyFormat = "`<` $arch `steps` `=` custom<Steps>($steps) `>`";
  let genVerifyDecl = 1;
}

def Rt_GridKernelOp : Rt_Op<"grid_kernel", [Symbol]> {
  let summary = "a GPU kernel: its code for every architecture";
  let description = [{
    Stands in a module of kernels, whose nested modules `@sm_80` and `@sm_90a` hold the functions.

    ```mlir
    rt.grid_kernel @softmax_3 [#rt.variant<80 steps = [<"softmax_3" grid = [64, 1, 1] block = 128 shared = 0 buffers = [0, 1]>]>]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypedArrayAttrBase<Rt_VariantAttr, "variants">:$variants);
  let assemblyFormat = "$sym_name $variants attr-dict";
}

def Rt_LaunchGridOp : Rt_Op<"launch_grid"> {
  let summary = "runs a kernel on the GPU";
  let description = [{
    The steps of the variant for the device's architecture. `name` is what traces show.

    ```mlir
    rt.launch_grid %context @kernels_0::@softmax_3(%a, %b) name = "softmax.3"
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context, SymbolRefAttr:$kernel, Variadic<LLVM_AnyPointer>:$buffers, StrAttr:$name);
  let assemblyFormat = [{
    $context $kernel `(` $buffers `)` `name` `=` $name attr-dict `:` type($context) `(` type($buffers) `)`
  }];
}

//===----------------------------------------------------------------------===//
// Routines of libraries
//===----------------------------------------------------------------------===//

def Rt_CallRoutineOp : Rt_Op<"call_routine"> {
  let summary = "calls a routine of a library";
  let description = [{
    `types` are the arrays that the routine gets, first `inputs` operands, then results, and `buffers` their memory. `name` is what traces show.

    ```mlir
    rt.call_routine %context "lapack_spotrf_ffi"(%a, %a, %b) with {uplo = 76 : ui8}
        of [tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>] inputs = 1 name = "library_call.3" : !llvm.ptr (!llvm.ptr, !llvm.ptr, !llvm.ptr)
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context, StrAttr:$routine, Variadic<LLVM_AnyPointer>:$buffers, DictionaryAttr:$parameters,
    TypeArrayAttr:$types, I32Attr:$inputs, StrAttr:$name);
  let assemblyFormat = [{
    $context $routine `(` $buffers `)` `with` $parameters `of` $types `inputs` `=` $inputs `name` `=` $name attr-dict
    `:` type($context) `(` type($buffers) `)`
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

def Rt_RunOp : Rt_Op<"run"> {
  let summary = "runs a part of the program";
  let description = [{
    The part is a function of this module that takes what the program takes. If it fails, so does the program.

    ```mlir
    rt.run @tessera_main_part_3(%context, %arguments, %results, %arena)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$part, Variadic<LLVM_AnyPointer>:$operands);
  let assemblyFormat = "$part `(` $operands `)` attr-dict `:` type($operands)";
}

def Rt_CallOp : Rt_Op<"call", [AttrSizedOperandSegments]> {
  let summary = "calls a function on memory of the caller";
  let description = [{
    `state` is the context of the program. The function gets tables of the pointers in `arguments` and `results`, an arena of its own and the memory for temporaries of kernels. `task` is what traces show around the call.

    ```mlir
    rt.call @tessera_function_forward_0(%context, %workspace, %temporaries) arguments(%a, %b) results(%c) task "0F3"
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, LLVM_AnyPointer:$state, LLVM_AnyPointer:$arena, LLVM_AnyPointer:$temporaries,
    Variadic<LLVM_AnyPointer>:$inputs, Variadic<LLVM_AnyPointer>:$outputs, OptionalAttr<StrAttr>:$task);
  let assemblyFormat = [{
    $callee `(` $state `,` $arena `,` $temporaries `)` `arguments` `(` $inputs `)` `results` `(` $outputs `)` (`task` $task^)? attr-dict
    `:` type($state) `,` type($arena) `,` type($temporaries) `(` type($inputs) `)` `(` type($outputs) `)`
  }];
}

//===----------------------------------------------------------------------===//
// Between pipeline ranks
//===----------------------------------------------------------------------===//

def Rt_SendOp : Rt_Op<"send"> {
  let summary = "copies bytes out for the same device of another pipeline rank";
  let arguments = (ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$source, I64Attr:$bytes, I32Attr:$rank, I64Attr:$tag);
  let assemblyFormat = [{
    $context $source `to` $rank `tag` $tag `bytes` `=` $bytes attr-dict `:` type($context) `,` type($source)
  }];
}

def Rt_RecvOp : Rt_Op<"recv"> {
  let summary = "waits for bytes that the same device of another pipeline rank sends";
  let arguments = (ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$target, I64Attr:$bytes, I32Attr:$rank, I64Attr:$tag);
  let assemblyFormat = [{
    $context `to` $target `from` $rank `tag` $tag `bytes` `=` $bytes attr-dict `:` type($context) `,` type($target)
  }];
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// With `future`, the call may return before the collective is complete; the `rt.wait` of that number waits for it.
/// Source and target must be left alone until then.
class Rt_Collective<string mnemonic, dag extra> : Rt_Op<mnemonic> {
  let arguments = !con((ins LLVM_AnyPointer:$context, LLVM_AnyPointer:$source, LLVM_AnyPointer:$target,
    I32Attr:$communicator), extra, (ins OptionalAttr<I32Attr>:$future));
}

def Rt_WaitOp : Rt_Op<"wait"> {
  let summary = "waits for the collective that was started last with this future's number";
  let description = [{
    A number is free for another collective from here on.

    ```mlir
    rt.all_reduce %context %a to %b communicator = 0 count = 8 of f32 by sum future = 2
    rt.wait %context future = 2
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$context, I32Attr:$future);
  let assemblyFormat = "$context `future` `=` $future attr-dict `:` type($context)";
}

def Rt_AllReduceOp : Rt_Collective<"all_reduce",
    (ins I64Attr:$count, TypeAttr:$element, Tessera_ReductionAttr:$kind)> {
  let summary = "the reduction of `count` elements over the group";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `count` `=` $count `of` $element `by` $kind (`future` `=` $future^)? attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_ReduceScatterOp : Rt_Collective<"reduce_scatter",
    (ins I64Attr:$count, TypeAttr:$element, Tessera_ReductionAttr:$kind)> {
  let summary = "the reduction over the group; member i gets chunk i, of `count` elements";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `count` `=` $count `of` $element `by` $kind (`future` `=` $future^)? attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_AllGatherOp : Rt_Collective<"all_gather", (ins I64Attr:$bytes)> {
  let summary = "every member's bytes one behind the other";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes (`future` `=` $future^)? attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_AllToAllOp : Rt_Collective<"all_to_all", (ins I64Attr:$bytes)> {
  let summary = "sends chunk i, of `bytes` bytes, to member i";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes (`future` `=` $future^)? attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_PermuteOp : Rt_Collective<"permute", (ins I64Attr:$bytes, DenseI32ArrayAttr:$members)> {
  let summary = "member i sends to member members[i]";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes `members` `=` $members (`future` `=` $future^)? attr-dict
    `:` type($context) `,` type($source) `,` type($target)
  }];
}

def Rt_BroadcastOp : Rt_Collective<"broadcast", (ins I64Attr:$bytes, I32Attr:$root)> {
  let summary = "the bytes of member `root`, on every member";
  let assemblyFormat = [{
    $context $source `to` $target `communicator` `=` $communicator `bytes` `=` $bytes `root` `=` $root (`future` `=` $future^)? attr-dict
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
