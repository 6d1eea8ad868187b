//===- PipeOps.td - stages ---------------------------------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_PIPE_PIPEOPS
#define TESSERA_DIALECT_PIPE_PIPEOPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tessera/Dialect/Tessera/TesseraAttrs.td"
include "tessera/Interfaces/DataFlow.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let cppNamespace = "::tessera::pipe";
  let summary = "Stages of a model and the order of their tasks";
  let description = [{
    A step over microbatches is an `scf.for` over them that carries what is accumulated. The phase `stage` cuts its body, and what stands around it, into *fragments*: operations that
    belong to one stage and run as one task. The attribute `pipe.schedule` on the loop says which pipeline rank runs which task when. Read without that attribute, the program means what
    it meant before: one microbatch after another, fragments in the order of the text.

    After `partition` there is one function per pipeline rank, whose body is that rank's tasks in order: calls of the fragments' functions, `spmd.send` and `spmd.recv`. `@main` is only
    declared and holds the boundary of the whole program.

    | attribute | on | meaning |
    |---|---|---|
    | `pipe.schedule` | the loop over microbatches, after `stage` | a `#pipe.schedule` |
    | `pipe.seconds` | fragments and the loop over microbatches, after `stage` | predicted seconds on one device: of the fragment once, of all tasks of a step |
    | `pipe.flops`, `pipe.bytes` | fragments, after `stage` | predicted floating-point operations, and bytes read and written, of one device |
    | `pipe.bubble` | the loop, after `stage` | predicted part of the step in which a rank idles |
    | `pipe.memory` | the loop, after `stage` | predicted peak bytes of a device of each pipeline rank |
    | `pipe.levels` | the module | the network between pipeline ranks, its levels from the innermost out: `[devices, seconds of latency, bytes per second]` each, with 0 devices for the last, which holds all |
    | `pipe.microbatches` | the loop over microbatches, after `shard` | unit: its iterations are the microbatches of one step |
    | `pipe.rank` | functions, after `partition` | the pipeline rank that runs the function |
    | `pipe.task` | calls in such a function | the task that the call is, as `2F5` or `2W5.1` |
    | `pipe.argument`, `pipe.result` | arguments and results of such a function | which one of `@main` it is |
    | `pipe.first_row` | the same, where the rank has only some rows | which row of it is the first |
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kLevelsAttr = "pipe.levels";
    static constexpr ::llvm::StringLiteral kScheduleAttr = "pipe.schedule";
    static constexpr ::llvm::StringLiteral kSecondsAttr = "pipe.seconds";
    static constexpr ::llvm::StringLiteral kFlopsAttr = "pipe.flops";
    static constexpr ::llvm::StringLiteral kBytesAttr = "pipe.bytes";
    static constexpr ::llvm::StringLiteral kBubbleAttr = "pipe.bubble";
    static constexpr ::llvm::StringLiteral kMemoryAttr = "pipe.memory";
    static constexpr ::llvm::StringLiteral kMicrobatchesAttr = "pipe.microbatches";
    static constexpr ::llvm::StringLiteral kRankAttr = "pipe.rank";
    static constexpr ::llvm::StringLiteral kTaskAttr = "pipe.task";
    static constexpr ::llvm::StringLiteral kArgumentAttr = "pipe.argument";
    static constexpr ::llvm::StringLiteral kResultAttr = "pipe.result";
    static constexpr ::llvm::StringLiteral kFirstRowAttr = "pipe.first_row";
  }];
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Pipe_Kind : I32EnumAttr<"FragmentKind", "what a fragment is for", [
    I32EnumAttrCase<"Forward", 0, "forward">,
    I32EnumAttrCase<"InputGradient", 1, "input_gradient">,
    I32EnumAttrCase<"WeightGradient", 2, "weight_gradient">,
    I32EnumAttrCase<"Once", 3, "once">,
    I32EnumAttrCase<"VocabularyForward", 4, "vocabulary_forward">,
    I32EnumAttrCase<"VocabularyBackward", 5, "vocabulary_backward">]> {
  let cppNamespace = "::tessera::pipe";
  let genSpecializedAttr = 0;
}
def Pipe_KindAttr : EnumAttr<Pipe_Dialect, Pipe_Kind, "kind">;

def Pipe_ScheduleAttr : AttrDef<Pipe_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "who computes which task in which order";
  let description = [{
    Per pipeline rank its tasks in order, each as stage, letter and microbatch: `2F5` is the forward task of stage 2 for microbatch 5; `I` an input gradient, `W` a weight gradient, `B` both.
    `2W5.1` is one part of a weight gradient that is taken apart; parts of one run in their order.
    Where the output layer is spread over the ranks, `S` and `T` are one rank's part of it, and `meetings` says how often the ranks meet between the last stage's forward and backward task.

    ```mlir
    #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"]>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$stages, "int64_t":$microbatches,
    DefaultValuedParameter<"int64_t", "0">:$meetings, ArrayRefParameter<"::mlir::StringAttr">:$ranks);
  let assemblyFormat = [{
    `<` $name `,` `stages` `=` $stages `,` `microbatches` `=` $microbatches `,` (`meetings` `=` $meetings^ `,`)? `[` $ranks `]` `>`
  }];
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

class Pipe_Op<string mnemonic, list<Trait> traits = []> : Op<Pipe_Dialect, mnemonic, traits>;

def Pipe_FragmentOp : Pipe_Op<"fragment", [SingleBlock, NoRegionArguments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "operations of one stage that run as one task";
  let description = [{
    The region uses values from around it; the results are what it yields. `once` stands outside the loop over microbatches: before it (what parameters need), or after it (the update).
    `vocabulary_forward` and `vocabulary_backward` are one rank's part of an output layer that is spread over the ranks, before and after these have met; `stage` is the number of the part.
    A stage may have several fragments `weight_gradient`, numbered by `part` from 0 on (where it is not given) in the order of the text; a later one may read what an earlier one gives.

    ```mlir
    %1 = pipe.fragment forward stage 0 -> tensor<8xf32> {
      %2 = arith.addf %0, %0 : tensor<8xf32>
      pipe.yield %2 : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Pipe_KindAttr:$kind, I64Attr:$stage, DefaultValuedAttr<I64Attr, "0">:$part);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$kind `stage` $stage (`part` $part^)? (`->` type($results)^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Pipe_YieldOp : Pipe_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"FragmentOp">]> {
  let summary = "ends a fragment and gives its results";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

def Pipe_TransferOp : Pipe_Op<"transfer", [Pure, AllTypesMatch<["operand", "result"]>, HandsOperandsOver]> {
  let summary = "a value of one stage, for another stage";
  let description = [{
    Each device of the sending stage's rank sends what it holds to the device in the same place of the receiving one's, so both have the same sharding.

    ```mlir
    %1 = pipe.transfer %0 from 0 to 1 : tensor<8xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$operand, I64Attr:$source, I64Attr:$target);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$operand `from` $source `to` $target attr-dict `:` type($result)";
}

#endif
