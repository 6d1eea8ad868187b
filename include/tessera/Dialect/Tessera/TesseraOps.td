//===- TesseraOps.td - structured tensor operations --------*- tablegen -*-===//
#ifndef TESSERA_DIALECT_TESSERA_TESSERAOPS
#define TESSERA_DIALECT_TESSERA_TESSERAOPS

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tessera/Dialect/Tessera/TesseraAttrs.td"
include "tessera/Interfaces/DataFlow.td"
include "tessera/Interfaces/ManualRegionInterface.td"
include "tessera/Interfaces/ShardingRuleInterface.td"

def Tessera_Tensor : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger]>;
def Tessera_IndexTensor : StaticShapeTensorOf<[AnySignlessInteger]>;
def Tessera_IndexScalar : 0DTensorOf<[AnySignlessInteger]>;

class Tessera_Op<string mnemonic, list<Trait> traits = []> : Op<Tessera_Dialect, mnemonic, traits>;

/// An operation on whole tensors without side effects that says by which factors it may be split.
class Tessera_TensorOp<string mnemonic, list<Trait> traits = [], list<string> localAttributes = []>
    : Tessera_Op<mnemonic, traits # [Pure, DeclareOpInterfaceMethods<ShardingRuleInterface, localAttributes>]> {
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Meshes and shardings
//===----------------------------------------------------------------------===//

def Tessera_MeshOp : Tessera_Op<"mesh", [Symbol]> {
  let summary = "names a mesh";
  let description = [{
    ```mlir
    tessera.mesh @mesh = <["data"=2, "model"=4]>
    ```

    `on <...>` describes the machine that the mesh lies on (`tesserac --cluster`); without it a built-in description holds.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Tessera_MeshAttr:$mesh, OptionalAttr<Tessera_MachineAttr>:$on);
  let assemblyFormat = "$sym_name `=` $mesh (`on` $on^)? attr-dict";
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::tessera::MeshAttr":$mesh),
      [{ build($_builder, $_state, name, mesh, ::tessera::MachineAttr()); }]>,
    OpBuilder<(ins "::mlir::StringAttr":$name, "::tessera::MeshAttr":$mesh),
      [{ build($_builder, $_state, name, mesh, ::tessera::MachineAttr()); }]>
  ];
  let extraClassDeclaration = [{
    /// The machine; the built-in one where none is described.
    ::tessera::Machine getMachine();
  }];
  let hasVerifier = 1;
}

def Tessera_ConstrainOp : Tessera_Op<"constrain", [Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<ShardingRuleInterface>]> {
  let summary = "the user's wish for a value's sharding";
  let description = [{
    ```mlir
    %1 = tessera.constrain %0 to <@mesh, [{"data"}, {?} ]> : tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand, Tessera_ShardingAttr:$sharding);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `to` $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tessera_ReshardOp : Tessera_Op<"reshard", [Pure, SameOperandsAndResultType]> {
  let summary = "the same value under another sharding";
  let description = [{
    Inserted by the phase `shard` wherever a producer and a consumer disagree; `partition` turns it into the cheapest
    sequence of collectives. Resolving a pending reduction (unreduced axes) is a reshard like any other.
  }];
  let arguments = (ins Tessera_Tensor:$operand, Tessera_ShardingAttr:$sharding);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `to` $sharding attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tessera_ShardingGroupOp : Tessera_Op<"sharding_group"> {
  let summary = "the user's wish that values be sharded alike";
  let description = [{
    All values of one group get the same sharding. Groups are numbered within a module.

    ```mlir
    tessera.sharding_group %0 in 3 : tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand, I64Attr:$group);
  let assemblyFormat = "$operand `in` $group attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Tessera_BarrierDirection : I32EnumAttr<"BarrierDirection", "which way shardings pass a barrier", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Forward", 1, "forward">,
    I32EnumAttrCase<"Backward", 2, "backward">]> {
  let cppNamespace = "::tessera";
}

def Tessera_PropagationBarrierOp : Tessera_Op<"propagation_barrier", [Pure, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<ShardingRuleInterface>]> {
  let summary = "a value whose sharding travels one way only, or not at all";
  let description = [{
    Shardings pass from the operand to the result (`forward`), from the result to the operand (`backward`), or neither way (`none`).

    ```mlir
    %1 = tessera.propagation_barrier %0 allows forward : tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand, Tessera_BarrierDirection:$direction);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `allows` $direction attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Per-device code by hand
//===----------------------------------------------------------------------===//

def Tessera_ManualComputationOp : Tessera_Op<"manual_computation", [
    SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands", "areTypesCompatible"]>,
    DeclareOpInterfaceMethods<ManualRegionInterface>]> {
  let summary = "a region that every device runs on its own parts";
  let description = [{
    The *manual* axes of the mesh belong to the region: inside, a tensor is the part of a device that stands somewhere along them, and collectives (`spmd`) over these axes are
    the program's own. The other axes are *free*: tensors inside are whole with respect to them, and shardings inside may use them as elsewhere.

    `in` and `out` have one sharding per operand and per result, in its type outside. In every dimension manual axes stand before free ones and divide the dimension; a tensor that is
    unreduced over a manual axis enters or leaves as the parts of a sum. A result must be the same on all devices along manual axes that its sharding does not name. What the shardings
    say of free axes is a wish, as in `constrain`.

    Regions nest; the manual axes of an inner one are free in all around it. Inside, collectives may also go over the manual axes of regions further out.

    ```mlir
    %1 = tessera.manual_computation(%0) over <@mesh, ["model"]>
           in [#tessera.sharding<@mesh, [{?}, {"model", ?} ]>] out [#tessera.sharding<@mesh, [{?}, {?} ]>]
           : (tensor<8x16xf32>) -> tensor<8x4xf32> {
    ^bb0(%x: tensor<8x4xf32>):
      %2 = spmd.all_reduce sum %x over <@mesh, ["model"]> : tensor<8x4xf32>
      tessera.yield %2 : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Tessera_Tensor>:$operands, Tessera_AxesAttr:$axes,
    Tessera_ShardingArrayAttr:$in_shardings, Tessera_ShardingArrayAttr:$out_shardings);
  let results = (outs Variadic<Tessera_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $operands `)` `over` $axes `in` $in_shardings `out` $out_shardings attr-dict
    `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The sharding of operand `operand`, of result `result`, outside of the region.
    ::tessera::ShardingAttr getInSharding(unsigned operand) {
      return ::mlir::cast<::tessera::ShardingAttr>(getInShardings()[operand]);
    }
    ::tessera::ShardingAttr getOutSharding(unsigned result) {
      return ::mlir::cast<::tessera::ShardingAttr>(getOutShardings()[result]);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Contractions, reductions and orders
//===----------------------------------------------------------------------===//

def Tessera_DotGeneralOp : Tessera_TensorOp<"dot_general"> {
  let summary = "batched contraction of two tensors";
  let description = [{
    The result's dimensions are the batching dimensions, then the free dimensions of `lhs`, then those of `rhs`.

    ```mlir
    %2 = tessera.dot_general %0, %1 batching = [0] x [0] contracting = [2] x [1]
           : (tensor<4x8x16xf32>, tensor<4x16x32xf32>) -> tensor<4x8x32xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$lhs, Tessera_Tensor:$rhs,
    DenseI64ArrayAttr:$lhs_batching, DenseI64ArrayAttr:$rhs_batching,
    DenseI64ArrayAttr:$lhs_contracting, DenseI64ArrayAttr:$rhs_contracting);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `batching` `=` $lhs_batching `x` $rhs_batching
    `contracting` `=` $lhs_contracting `x` $rhs_contracting attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// The dimensions of `lhs` (of `rhs`) that are neither batching nor contracting, in order.
    ::llvm::SmallVector<int64_t> getLhsFree();
    ::llvm::SmallVector<int64_t> getRhsFree();
  }];
}

def Tessera_ReduceOp : Tessera_TensorOp<"reduce"> {
  let summary = "reduction of dimensions with a named monoid";
  let description = [{
    Starts from the monoid's neutral element (0, 1, ±infinity or the integer's extreme, all ones).

    ```mlir
    %1 = tessera.reduce sum %0 dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Tessera_ReductionAttr:$kind, Tessera_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = [{
    custom<Reduction>($kind) $operand `dims` `=` $dims attr-dict `:` type($operand) `->` type($result)
  }];
  let hasFolder = 1;
}

def Tessera_VariadicReduceOp : Tessera_TensorOp<"variadic_reduce", [SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove]> {
  let summary = "reduction of several tensors together, by a region";
  let description = [{
    The region takes the accumulated scalars, then the next element of each input, and yields the accumulated scalars.
    Elements are combined in an unspecified order.
  }];
  let arguments = (ins Variadic<Tessera_Tensor>:$inputs, Variadic<Tessera_Tensor>:$inits, DenseI64ArrayAttr:$dims);
  let results = (outs Variadic<Tessera_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs `inits` $inits `dims` `=` $dims attr-dict `:` functional-type(operands, results) $body
  }];
}

def Tessera_SortOp : Tessera_TensorOp<"sort", [SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove]> {
  let summary = "sorts several tensors together along a dimension, in an order given by a region";
  let description = [{
    The region takes, of each operand, an element `a` and an element `b` (`a0, b0, a1, b1, ...`) and yields whether `a` comes
    before `b`. Elements of which neither comes before the other keep their order. Results may be shorter than the operands along
    `dim`: they are what comes first.

    ```mlir
    %values, %places = tessera.sort %0, %1 dim = 1
        : (tensor<8x16xf32>, tensor<8x16xi32>) -> (tensor<8x2xf32>, tensor<8x2xi32>) {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
      %larger = arith.cmpf ogt, %a, %b : tensor<f32>
      tessera.yield %larger : tensor<i1>
    }
    ```
  }];
  let arguments = (ins Variadic<Tessera_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Variadic<Tessera_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$inputs `dim` `=` $dim attr-dict `:` functional-type(operands, results) $body";
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

class Tessera_StaticRank<Type type> : ConfinedType<type, [HasStaticShapePred], "statically shaped " # type.summary>;
def Tessera_HeadsTensor : Tessera_StaticRank<4DTensorOf<[AnyFloat]>>;
def Tessera_RowsTensor : Tessera_StaticRank<3DTensorOf<[F32, F64]>>;
def Tessera_MaskTensor : Tessera_StaticRank<4DTensorOf<[I1]>>;

def Tessera_AttentionOp : Tessera_TensorOp<"attention", [AttrSizedOperandSegments]> {
  let summary = "scaled dot-product attention, without its scores";
  let description = [{
    Operands are `query` [batch, heads, queries, features], `key` [batch, key heads, keys, features] and `value` [batch, key heads, keys, value features]. Several query heads may
    share a key head: query head `h` reads key head `h / (heads / key heads)`. The results are `output` [batch, heads, queries, value features] and, of every row of scores, its
    maximum and the sum of `exp(score - maximum)`, both [batch, heads, queries]; with them `attention_gradient` computes the probabilities again.

    ```
    score[b,h,i,j]  = cap(scale * sum_d query[b,h,i,d] * key[b,h',j,d]) + sum of bias[b,h,i,j]
                      or `fill`, where mask[b,h,i,j] is false or j > i + causal
    maximum[b,h,i]  = max_j score[b,h,i,j]
    sum[b,h,i]      = sum_j exp(score[b,h,i,j] - maximum[b,h,i])
    output[b,h,i,e] = sum_j drop(exp(score[b,h,i,j] - maximum[b,h,i]) / sum[b,h,i]) * value[b,h',j,e]
    ```

    `cap(x)` is `softcap * tanh(x / softcap)` where there is a `softcap`; `drop(x)` is `keep_scale * x` where `keep[b,h,i,j]` holds, else 0 (dropout). Each `bias`,
    `mask` and `keep` have four dimensions, each of the size of the scores or 1. `fill` is minus infinity where it is not given; a finite one makes the probabilities of a row without visible
    keys uniform; a row of nothing but minus infinity has probabilities of 0. Scores, maxima and sums are f32 (f64 for f64 operands), whatever the operands are.

    ```mlir
    %output, %maximum, %sum = tessera.attention %q, %k, %v scale = 1.250000e-01 causal = 0
        : (tensor<2x8x128x64xbf16>, tensor<2x2x128x64xbf16>, tensor<2x2x128x64xbf16>)
          -> (tensor<2x8x128x64xbf16>, tensor<2x8x128xf32>, tensor<2x8x128xf32>)
    ```
  }];
  let arguments = (ins Tessera_HeadsTensor:$query, Tessera_HeadsTensor:$key, Tessera_HeadsTensor:$value,
    Variadic<Tessera_HeadsTensor>:$biases, Optional<Tessera_MaskTensor>:$mask, Optional<Tessera_MaskTensor>:$keep,
    F64Attr:$scale, OptionalAttr<F64Attr>:$softcap, OptionalAttr<I64Attr>:$causal, OptionalAttr<F64Attr>:$fill,
    OptionalAttr<F64Attr>:$keep_scale);
  let results = (outs Tessera_HeadsTensor:$output, Tessera_RowsTensor:$maximum, Tessera_RowsTensor:$sum);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`bias` $biases^)? (`mask` $mask^)? (`keep` $keep^)? `scale` `=` $scale (`softcap` `=` $softcap^)?
    (`causal` `=` $causal^)? (`fill` `=` $fill^)? (`keep_scale` `=` $keep_scale^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Tessera_AttentionGradientOp : Tessera_TensorOp<"attention_gradient", [AttrSizedOperandSegments]> {
  let summary = "the gradients of attention's query, key, value and bias";
  let description = [{
    Takes what `attention` took and gave, and the gradient of its output. With `p` the probabilities and `dp[b,h,i,j] = drop(sum_e output_gradient[b,h,i,e] * value[b,h',j,e])`:

    ```
    ds[b,h,i,j] = p[b,h,i,j] * (dp[b,h,i,j] - sum_e output[b,h,i,e] * output_gradient[b,h,i,e])
                  or 0, where mask[b,h,i,j] is false or j > i + causal
    dx[b,h,i,j] = ds[b,h,i,j] * cap'(scale * sum_d query[b,h,i,d] * key[b,h',j,d])
    query_gradient[b,h,i,d] = scale * sum_j dx[b,h,i,j] * key[b,h',j,d]
    key_gradient[b,h',j,d]  = scale * sum_i dx[b,h,i,j] * query[b,h,i,d]
    value_gradient[b,h',j,e] = sum_i drop(p[b,h,i,j]) * output_gradient[b,h,i,e]
    ```

    `cap'(x)` is `1 - tanh(x / softcap)^2`. The sums of the last two are also over the query heads `h` that share `h'`. `bias_gradient`, a result only where it is asked for, is `ds`, summed up along
    dimensions in which this result has size 1.
  }];
  let arguments = (ins Tessera_HeadsTensor:$query, Tessera_HeadsTensor:$key, Tessera_HeadsTensor:$value,
    Tessera_HeadsTensor:$output, Tessera_RowsTensor:$maximum, Tessera_RowsTensor:$sum,
    Tessera_HeadsTensor:$output_gradient,
    Variadic<Tessera_HeadsTensor>:$biases, Optional<Tessera_MaskTensor>:$mask, Optional<Tessera_MaskTensor>:$keep,
    F64Attr:$scale, OptionalAttr<F64Attr>:$softcap, OptionalAttr<I64Attr>:$causal, OptionalAttr<F64Attr>:$fill,
    OptionalAttr<F64Attr>:$keep_scale);
  let results = (outs Tessera_HeadsTensor:$query_gradient, Tessera_HeadsTensor:$key_gradient, Tessera_HeadsTensor:$value_gradient,
    Optional<Tessera_HeadsTensor>:$bias_gradient);
  let assemblyFormat = [{
    $query `,` $key `,` $value `output` $output `maximum` $maximum `sum` $sum `gradient` $output_gradient (`bias` $biases^)? (`mask` $mask^)? (`keep` $keep^)?
    `scale` `=` $scale (`softcap` `=` $softcap^)? (`causal` `=` $causal^)? (`fill` `=` $fill^)? (`keep_scale` `=` $keep_scale^)? attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Moving elements
//===----------------------------------------------------------------------===//

def Tessera_BroadcastOp : Tessera_TensorOp<"broadcast"> {
  let summary = "repeats a tensor along new dimensions, or along dimensions of size 1";
  let description = [{
    Dimension `i` of the operand becomes dimension `dims[i]` of the result.

    ```mlir
    %1 = tessera.broadcast %0 dims = [1] : tensor<16xf32> -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `dims` `=` $dims attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Tessera_TransposeOp : Tessera_TensorOp<"transpose"> {
  let summary = "permutes dimensions: result dimension i is operand dimension permutation[i]";
  let arguments = (ins Tessera_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `permutation` `=` $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Tessera_ReshapeOp : Tessera_TensorOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Tessera_Tensor:$operand);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Tessera_SliceOp : Tessera_TensorOp<"slice", [], ["getLocalAttributes"]> {
  let summary = "a strided box of a tensor, at constant places";
  let description = [{
    ```mlir
    %1 = tessera.slice %0 [0, 2] to [8, 6] by [1, 2] : tensor<8x16xf32> -> tensor<8x2xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$limits,
    DenseI64ArrayAttr:$strides);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand $starts `to` $limits `by` $strides attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

def Tessera_DynamicSliceOp : Tessera_TensorOp<"dynamic_slice", []> {
  let summary = "a box of a tensor at computed places; the places are clamped so that the box lies inside";
  let description = [{
    One scalar index per dimension; the box has the result's shape.

    ```mlir
    %1 = tessera.dynamic_slice %0[%i, %j] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand, Variadic<Tessera_IndexScalar>:$indices);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

def Tessera_DynamicUpdateSliceOp : Tessera_TensorOp<"dynamic_update_slice"> {
  let summary = "a tensor with a box at computed places replaced; the places are clamped as in dynamic_slice";
  let arguments = (ins Tessera_Tensor:$operand, Tessera_Tensor:$update, Variadic<Tessera_IndexScalar>:$indices);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `,` $update `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

def Tessera_PadOp : Tessera_TensorOp<"pad", [], ["getLocalAttributes"]> {
  let summary = "adds elements of one value before, after and between the elements of each dimension";
  let description = [{
    Negative `low` and `high` remove elements. `interior` elements stand between any two neighbours.
  }];
  let arguments = (ins Tessera_Tensor:$operand, Tessera_Tensor:$value, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
    DenseI64ArrayAttr:$interior);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = [{
    $operand `with` $value `low` `=` $low `high` `=` $high `interior` `=` $interior attr-dict
    `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def Tessera_ConcatenateOp : Tessera_TensorOp<"concatenate"> {
  let summary = "tensors one behind the other along a dimension";
  let arguments = (ins Variadic<Tessera_Tensor>:$operands, I64Attr:$dim);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operands `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Tessera_ReverseOp : Tessera_TensorOp<"reverse", [SameOperandsAndResultType]> {
  let summary = "reverses the order of elements along dimensions";
  let arguments = (ins Tessera_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand `dims` `=` $dims attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tessera_IotaOp : Tessera_TensorOp<"iota"> {
  let summary = "counts from 0 along a dimension";
  let arguments = (ins I64Attr:$dim);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
}

def Tessera_GatherOp : Tessera_TensorOp<"gather", [], ["getLocalAttributes"]> {
  let summary = "slices of a tensor at places given by a tensor of indices";
  let description = [{
    As StableHLO's: every index vector along `index_vector_dim` of `indices` names, through `start_index_map`, the start of a
    slice of `slice_sizes` (clamped to lie inside); `collapsed_dims` of the slice (size 1) are dropped, the others become
    `offset_dims` of the result. `operand_batching` dimensions go together with `indices_batching` dimensions.
  }];
  let arguments = (ins Tessera_Tensor:$operand, Tessera_IndexTensor:$indices,
    DenseI64ArrayAttr:$offset_dims, DenseI64ArrayAttr:$collapsed_dims,
    DenseI64ArrayAttr:$operand_batching, DenseI64ArrayAttr:$indices_batching,
    DenseI64ArrayAttr:$start_index_map, I64Attr:$index_vector_dim, DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = [{
    $operand `at` $indices `offset` `=` $offset_dims `collapsed` `=` $collapsed_dims
    `batching` `=` $operand_batching `x` $indices_batching `map` `=` $start_index_map
    `vector` `=` $index_vector_dim `sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
}

def Tessera_ScatterOp : Tessera_TensorOp<"scatter"> {
  let summary = "combines slices into a tensor at places given by a tensor of indices";
  let description = [{
    As StableHLO's, for one operand: the reverse of `gather`. Slices that do not lie inside are skipped. `kind` says how an update
    is combined with what stands there; without it, it replaces it.
  }];
  let arguments = (ins Tessera_Tensor:$operand, Tessera_IndexTensor:$indices, Tessera_Tensor:$updates,
    OptionalAttr<Tessera_ReductionAttr>:$kind,
    DenseI64ArrayAttr:$window_dims, DenseI64ArrayAttr:$inserted_dims,
    DenseI64ArrayAttr:$operand_batching, DenseI64ArrayAttr:$indices_batching,
    DenseI64ArrayAttr:$operand_dims_map, I64Attr:$index_vector_dim, UnitAttr:$unique_indices);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = [{
    custom<OptionalReduction>($kind) $operand `,` $updates `at` $indices `window` `=` $window_dims `inserted` `=` $inserted_dims
    `batching` `=` $operand_batching `x` $indices_batching `map` `=` $operand_dims_map
    `vector` `=` $index_vector_dim (`unique` $unique_indices^)? attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Routines of libraries
//===----------------------------------------------------------------------===//

def Tessera_LibraryCallOp : Tessera_TensorOp<"library_call"> {
  let summary = "calls a routine of a library, which supplies it by name";
  let description = [{
    The routine is a function of C that takes a call frame of XLA's foreign function interface: its operands, its results, `parameters` by name. `buffers` says of the operands, then of the results, how the
    routine sees them, and by which factors the call may be split: for every part of the operands the routine must give that part of the results. A factor in `summed` occurs in operands
    only, and what the parts give adds up. One in `whole` is not split while the routine runs, but lies in its results as it does in its operands: shardings propagate along it. Where the project
    does not supply the routine, all parts of a factor have equally many elements, as nothing is known of what it makes of padding.

    `aliases` names for every result the operand that it starts from, or -1: the routine gets the memory of the result, with what the operand holds, in the place of both.

    ```mlir
    %factor, %status = tessera.library_call "lapack_spotrf_ffi"(%0) with {uplo = 76 : ui8}
        buffers = [#tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>, #tessera.routine_buffer<f32 [0, *, *] order [0, 2, 1]>, #tessera.routine_buffer<i32 [0]>] aliases = [0, -1]
        : (tensor<4x8x8xf32>) -> (tensor<4x8x8xf32>, tensor<4xi32>)
    ```
  }];
  let arguments = (ins StrAttr:$routine, Variadic<Tessera_Tensor>:$operands, DictionaryAttr:$parameters,
    Tessera_RoutineBufferArrayAttr:$buffers, OptionalAttr<DenseI64ArrayAttr>:$aliases, OptionalAttr<DenseI64ArrayAttr>:$summed,
    OptionalAttr<DenseI64ArrayAttr>:$whole);
  let results = (outs Variadic<Tessera_Tensor>:$results);
  let assemblyFormat = [{
    $routine `(` $operands `)` `with` $parameters `buffers` `=` $buffers (`aliases` `=` $aliases^)? (`summed` `=` $summed^)? (`whole` `=` $whole^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// How the routine sees tensor `index`: operands first, then results.
    ::tessera::RoutineBufferAttr getBuffer(unsigned index) {
      return ::mlir::cast<::tessera::RoutineBufferAttr>(getBuffers()[index]);
    }
    /// The type of tensor `index`, counted likewise.
    ::mlir::RankedTensorType getTensorType(unsigned index);
    /// The array that the routine gets for tensor `index`.
    ::mlir::RankedTensorType getArrayType(unsigned index) {
      return getBuffer(index).getArrayType(getTensorType(index));
    }
    /// The number of the operand that result `result` starts from, if any.
    std::optional<unsigned> getAlias(unsigned result);
  }];
}

def Tessera_StageEndOp : Tessera_Op<"stage_end", [Pure, SameOperandsAndResultType, HandsOperandsOver]> {
  let summary = "a value with which a stage of the model ends";
  let description = [{
    A mark on the forward pass (Python: `tessera.stage_end(x)`): what needs the result belongs to the next stage. It changes nothing else; the phase `stage` removes it.

    ```mlir
    %1 = tessera.stage_end %0 : tensor<8x16xf32>
    ```
  }];
  let arguments = (ins Tessera_Tensor:$operand);
  let results = (outs Tessera_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Tessera_BarrierOp : Tessera_Op<"optimization_barrier", [Pure, HandsOperandsOver]> {
  let summary = "values that no optimisation may look through (JAX's checkpoint)";
  let arguments = (ins Variadic<Tessera_Tensor>:$operands);
  let results = (outs Variadic<Tessera_Tensor>:$results);
  let assemblyFormat = "$operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Tessera_YieldOp : Tessera_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends a region and gives its results";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
}

#endif
