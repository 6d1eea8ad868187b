//===- SpmdOps.td - one device's program -------------------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_SPMD_SPMDOPS
#define TESSERA_DIALECT_SPMD_SPMDOPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tessera/Dialect/Tessera/TesseraAttrs.td"
include "tessera/Interfaces/ShardingRuleInterface.td"

def Spmd_Dialect : Dialect {
  let name = "spmd";
  let cppNamespace = "::tessera::spmd";
  let summary = "One device's program: local shapes and collectives on mesh axes";
  let description = [{
    After the phase `partition` every tensor is one device's part and every device runs the same program. Collectives name
    axes of the mesh instead of lists of devices: the devices of a group are those that differ only along these axes, in
    the order of the axes from major to minor. Every device of a group must reach the same collective.

    Before `partition`, collectives stand in `tessera.manual_computation` and name manual axes. Their tensors may still be split over the free axes: along every
    dimension that a collective does not itself split or join.

    After the order of operations is fixed, a collective stands in a `spmd.start`, and `spmd.wait` takes its result: what runs in between overlaps with it.

    Local computation stays in `tessera`, `arith` and `math` on local shapes; the phase `fuse` puts it into `spmd.kernel`.

    | attribute | on | meaning |
    |---|---|---|
    | `spmd.buffers` | operations with tensor results, after `schedule` | one `#spmd.buffer` per result: where it lives |
    | `spmd.carried` | `scf.while`, after `schedule` | one `#spmd.buffer` per initial value: where what its first region gets lives |
    | `spmd.arena_size` | functions, after `schedule` | bytes of the arena |
    | `spmd.host_size` | functions, after `schedule` | bytes of the arena on the host; nothing where none is used |
    | `spmd.workspace` | calls, after `schedule` | a `#spmd.buffer` in the caller's arena: where the called function's arena lies |
    | `spmd.call` | `spmd.start`, after `schedule` | an integer: starts behind each other with the same one are one call, and so are their waits |
    | `spmd.rematerialized` | operations, in `schedule` | a unit: it computes again what another operation has computed |
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kBuffersAttr = "spmd.buffers";
    static constexpr ::llvm::StringLiteral kArenaSizeAttr = "spmd.arena_size";
    static constexpr ::llvm::StringLiteral kWorkspaceAttr = "spmd.workspace";
  }];
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def Spmd_Space : I32EnumAttr<"Space", "where a tensor lives", [
    I32EnumAttrCase<"Arena", 0, "arena">,
    I32EnumAttrCase<"Argument", 1, "argument">,
    I32EnumAttrCase<"Result", 2, "result">,
    I32EnumAttrCase<"Host", 3, "host">]> {
  let cppNamespace = "::tessera::spmd";
  let genSpecializedAttr = 0;
}

def Spmd_BufferAttr : AttrDef<Spmd_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "the memory of a tensor";
  let description = [{
    `#spmd.buffer<arena, 4096>` is the arena from byte 4096; `#spmd.buffer<argument, 3>` the memory of the program's argument
    3 (donated, so that it may be overwritten), `#spmd.buffer<result, 0>` that of its result 0, `#spmd.buffer<host, 0>` the arena on the host from its first byte. In a function that is called, arguments, results and arena are what the call gives it.
  }];
  let parameters = (ins EnumParameter<Spmd_Space>:$space, "int64_t":$position);
  let assemblyFormat = "`<` $space `,` $position `>`";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def Spmd_Tensor : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger]>;

class Spmd_Op<string mnemonic, list<Trait> traits = []> : Op<Spmd_Dialect, mnemonic, traits>;

def CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::tessera::spmd";
  let description = [{
    What all collectives have: one operand, one result, the axes that name the group, and a row of the table in `tessera/Support/Collective.h`.
  }];
  let methods = [
    InterfaceMethod<"The axes that the devices of a group differ along.", "::tessera::AxesAttr", "getAxes">,
    StaticInterfaceMethod<"Which collective it is.", "::tessera::CollectiveKind", "getCollectiveKind">
  ];
  let extraClassDeclaration = [{
    /// The bytes that one device sends, by the usual ring count over `n`
    /// participants.
    int64_t getBytesSent(int64_t n);
  }];
  let verify = [{
    return ::tessera::spmd::verifyAxes($_op, ::mlir::cast<ConcreteOp>($_op).getAxes());
  }];
}

/// Pure: all devices run one program, so what one of them merges or drops, all of them do.
class Spmd_Collective<string mnemonic, string kind, list<Trait> traits = []>
    : Spmd_Op<mnemonic, traits # [Pure, CollectiveOpInterface, DeclareOpInterfaceMethods<ShardingRuleInterface>]> {
  let results = (outs Spmd_Tensor:$result);
  let extraClassDeclaration = "static ::tessera::CollectiveKind getCollectiveKind() { return ::tessera::CollectiveKind::" # kind # "; }";
}

def Spmd_AllReduceOp : Spmd_Collective<"all_reduce", "AllReduce", [SameOperandsAndResultType]> {
  let summary = "the reduction over the group, on every device of it";
  let arguments = (ins Tessera_ReductionAttr:$kind, Spmd_Tensor:$operand, Tessera_AxesAttr:$axes);
  let assemblyFormat = "custom<Reduction>($kind) $operand `over` $axes attr-dict `:` type($result)";
}

def Spmd_AllGatherOp : Spmd_Collective<"all_gather", "AllGather"> {
  let summary = "the group's tensors one behind the other along a dimension, on every device";
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$dim, Tessera_AxesAttr:$axes);
  let assemblyFormat = "$operand `dim` `=` $dim `over` $axes attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Spmd_ReduceScatterOp : Spmd_Collective<"reduce_scatter", "ReduceScatter"> {
  let summary = "the reduction over the group, device i keeps the i-th part along a dimension";
  let arguments = (ins Tessera_ReductionAttr:$kind, Spmd_Tensor:$operand, I64Attr:$dim, Tessera_AxesAttr:$axes);
  let assemblyFormat = [{
    custom<Reduction>($kind) $operand `dim` `=` $dim `over` $axes attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Spmd_AllToAllOp : Spmd_Collective<"all_to_all", "AllToAll"> {
  let summary = "splits along one dimension, sends part i to device i, joins what arrives along another";
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$split_dim, I64Attr:$concat_dim, Tessera_AxesAttr:$axes);
  let assemblyFormat = [{
    $operand `split` `=` $split_dim `concat` `=` $concat_dim `over` $axes attr-dict `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Spmd_PermuteOp : Spmd_Collective<"permute", "Permute", [SameOperandsAndResultType]> {
  let summary = "device i of the group sends to device target[i]";
  let description = [{
    `target[i]` of -1 sends nothing; a device that receives nothing has zeros. No device receives twice.
  }];
  let arguments = (ins Spmd_Tensor:$operand, Tessera_AxesAttr:$axes, DenseI32ArrayAttr:$target);
  let assemblyFormat = "$operand `to` $target `over` $axes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Spmd_BroadcastOp : Spmd_Collective<"broadcast", "Broadcast", [SameOperandsAndResultType]> {
  let summary = "the tensor of one device of the group, on every device of it";
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$root, Tessera_AxesAttr:$axes);
  let assemblyFormat = "$operand `from` $root `over` $axes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Spmd_AxisIndexOp : Spmd_Op<"axis_index", [Pure, DeclareOpInterfaceMethods<ShardingRuleInterface>]> {
  let summary = "this device's position in its group";
  let arguments = (ins Tessera_AxesAttr:$axes);
  let results = (outs 0DTensorOf<[I32]>:$result);
  let assemblyFormat = "$axes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Collectives that overlap with what follows
//===----------------------------------------------------------------------===//

def Spmd_FutureType : TypeDef<Spmd_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "a tensor that what was started is going to give";
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}

def Spmd_StartOp : Spmd_Op<"start", [SingleBlock]> {
  let summary = "starts a collective, or a copy to the host or back, and goes on";
  let description = [{
    The region holds one collective, of any kind, or one `spmd.offload` or `spmd.reload`, and yields its result. The operand may be read, and must keep its value, and the memory of the result may be written, until the
    `spmd.wait` that takes the future, which stands in the same block. A group's collectives take place in the order of their starts.

    ```mlir
    %0 = spmd.start : !spmd.future<tensor<8xf32>> {
      %2 = spmd.all_reduce sum %arg0 over @mesh{"data"} : tensor<8xf32>
      spmd.yield %2 : tensor<8xf32>
    }
    %1 = spmd.wait %0 : !spmd.future<tensor<8xf32>>
    ```
  }];
  let results = (outs Spmd_FutureType:$future);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict `:` type($future) $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// What is started: a collective, or a copy to the host or back.
    ::mlir::Operation *getStarted();
    /// The collective that is started; null of a copy.
    ::tessera::spmd::CollectiveOpInterface getCollective();
    /// Where its result is taken.
    ::tessera::spmd::WaitOp getWait();
  }];
}

def Spmd_WaitOp : Spmd_Op<"wait", [TypesMatchWith<"the result has the type of the future's tensor", "future", "result",
    "::mlir::cast<::tessera::spmd::FutureType>($_self).getTensor()">]> {
  let summary = "waits for what was started, and gives its result";
  let arguments = (ins Spmd_FutureType:$future);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = "$future attr-dict `:` type($future)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Where the collective was started.
    ::tessera::spmd::StartOp getStart();
  }];
}

//===----------------------------------------------------------------------===//
// Between pipeline ranks
//===----------------------------------------------------------------------===//

def Spmd_SendOp : Spmd_Op<"send"> {
  let summary = "gives a tensor to another pipeline rank";
  let description = [{
    To the device in the same place of that rank's mesh. Does not wait for the receiver; the operand's memory may be reused at once. Tensors that one rank sends to another with the
    same tag arrive in the order in which they were sent.

    ```mlir
    spmd.send %0 to 1 tag 3 : tensor<8xf32>
    ```
  }];
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$rank, I64Attr:$tag);
  let assemblyFormat = "$operand `to` $rank `tag` $tag attr-dict `:` type($operand)";
}

def Spmd_RecvOp : Spmd_Op<"recv"> {
  let summary = "waits for a tensor from another pipeline rank";
  let description = [{
    ```mlir
    %0 = spmd.recv from 0 tag 3 : tensor<8xf32>
    ```
  }];
  let arguments = (ins I64Attr:$rank, I64Attr:$tag);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = "`from` $rank `tag` $tag attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Spmd_KernelOp : Spmd_Op<"kernel", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "operations that run as one kernel";
  let description = [{
    The operands are the region's arguments, the yielded values the results. The body is `tessera`, `arith` and `math` on tensors.

    ```mlir
    %2 = spmd.kernel(%0, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
      %c = arith.addf %a, %b : tensor<8xf32>
      spmd.yield %c : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Spmd_Tensor>:$operands);
  let results = (outs Variadic<Spmd_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $operands `)` attr-dict `:` functional-type(operands, results) $body";
  let hasVerifier = 1;
}

def Spmd_YieldOp : Spmd_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["CombinedOp", "KernelOp", "StartOp"]>]> {
  let summary = "ends a kernel, a call of several collectives or what is started, and gives its results";
  let arguments = (ins Variadic<Spmd_Tensor>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

#endif
