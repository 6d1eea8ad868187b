//===- Passes.td - the phase that decides all shardings ----*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_SHARD_PASSES
#define TESSERA_TRANSFORMS_SHARD_PASSES

include "mlir/Pass/PassBase.td"

def SplitMicrobatches : Pass<"tessera-split-microbatches", "::mlir::ModuleOp"> {
  let summary = "computes a step as a loop over parts of its batch";
  let description = [{
    The batch is split as a mesh axis would split it, but the parts, `count` microbatches, are computed one after another. What does not depend on the batch stands before the loop,
    sums over rows are carried by it, what is not linear in them follows it and runs once (docs/rationale/microbatches.md). Each device's own rows are split, so that none move. A
    model that adds up over `count` microbatches itself keeps its loop. With `always` there is a loop even for one microbatch.

    The batch is what arguments marked `tessera.batch = <dimension>` say. Without marks it is made of the arguments that the step does not replace.

    **Requires**: canonical Tessera IR. **Ensures**: the same values up to rounding. Either nothing has changed, `count` being 1, or one `scf.for` from 0 to `count` by 1 bears
    `pipe.microbatches`, and its body begins with the number of the microbatch as a scalar tensor. A step that needs its whole batch at once is refused.

    ```mlir
    func.func @main(%p: tensor<8x4xf32> {tessera.donated = 0 : i32}, %x: tensor<16x8xf32>, %y: tensor<16x4xf32>) -> tensor<8x4xf32> {
      %0 = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<16x8xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      %1 = arith.subf %p, %0 : tensor<8x4xf32>
    ```
    becomes, for two microbatches,
    ```mlir
      %2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %zeros) -> (tensor<8x4xf32>) : i32 {
        %number = tensor.from_elements %i : tensor<i32>
        ...
        %5 = tessera.dot_general %3, %4 batching = [] x [] contracting = [0] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
        %6 = arith.addf %sum, %5 : tensor<8x4xf32>
        scf.yield %6 : tensor<8x4xf32>
      } {pipe.microbatches}
      %1 = arith.subf %p, %2 : tensor<8x4xf32>
    ```
  }];
  let options = [
    Option<"count", "count", "int64_t", /*default=*/"1", "the number of microbatches">,
    Option<"always", "always", "bool", /*default=*/"false", "make the loop for one microbatch as well, for stages">];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::pipe::PipeDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def UnifyMeshes : Pass<"tessera-unify-meshes", "::mlir::ModuleOp"> {
  let summary = "expresses all shardings on one mesh";
  let description = [{
    Several meshes over the same devices may name their axes differently, cut the devices into other grids, or list them in the order of a transposed grid. All that is one
    mesh with other parts of axes: one of the module's, one of them with its axes cut where those of the others end, or all devices in a line. Where no axes of one mesh express all orders, the devices of some
    meshes are taken in the order of the one that remains, of which there is least at the boundary; an argument or result that lies elsewhere then says where, by `tessera.device_order`.

    **Requires** nothing. **Ensures**: at most one mesh remains; the parts of every tensor stay as they were, and who holds those of arguments and results.

    ```mlir
    tessera.mesh @a = <["x"=2, "y"=4]>
    tessera.mesh @b = <["z"=8]>
    %1 = tessera.constrain %0 to <@b, [{"z"} ]> : tensor<8xf32>
    ```
    becomes
    ```mlir
    tessera.mesh @a = <["x"=2, "y"=4]>
    %1 = tessera.constrain %0 to <@a, [{"x", "y"} ]> : tensor<8xf32>
    ```
  }];
}

def ComposeMoves : Pass<"tessera-compose-moves", "::mlir::ModuleOp"> {
  let summary = "makes shifts of moves that give a tensor its old size";
  let description = [{
    A slice of a padded tensor, a pad of a slice, the end and the beginning of a tensor put together, an update of nearly all of a tensor at a constant place: each
    becomes a `tessera.pad` of the tensor the elements come from, by a positive number of elements at one end and a negative one at the other. Slices of what is computed
    element by element from padded tensors are taken before. Strides and elements in between stand by themselves, so that what takes one of every s elements of a part, or
    puts s - 1 behind each, moves nothing between devices. A module whose mesh is one device stays as it is.

    **Requires**: canonical Tessera IR. **Ensures**: the same values; no slice of a `tessera.pad` without elements in between, unless it is strided.

    ```mlir
    %0 = tessera.pad %a with %zero low = [1] high = [1] interior = [0] : (tensor<512xf32>, tensor<f32>) -> tensor<514xf32>
    %1 = tessera.slice %0 [2] to [514] by [1] : tensor<514xf32> -> tensor<512xf32>
    ```
    becomes
    ```mlir
    %0 = tessera.pad %a with %zero low = [-1] high = [1] interior = [0] : (tensor<512xf32>, tensor<f32>) -> tensor<512xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::ub::UBDialect", "::tessera::TesseraDialect"];
}

def SplitConstants : Pass<"tessera-split-constants", "::mlir::ModuleOp"> {
  let summary = "gives every use of a constant its own copy";
  let description = [{
    A constant, a count, or a broadcast scalar costs nothing to make again, so that two uses of it need not agree on a sharding. Every
    use gets its own copy of the operations that make the value, down to scalars.

    **Requires**: nothing. **Ensures**: every constant expression of rank 1 or more has one use; values are unchanged.

    ```mlir
    %0 = tessera.broadcast %c dims = [] : tensor<f32> -> tensor<8xf32>
    %1 = arith.addf %a, %0 : tensor<8xf32>
    %2 = arith.addf %b, %0 : tensor<8xf32>
    ```
    becomes
    ```mlir
    %0 = tessera.broadcast %c dims = [] : tensor<f32> -> tensor<8xf32>
    %1 = arith.addf %a, %0 : tensor<8xf32>
    %2 = tessera.broadcast %c dims = [] : tensor<f32> -> tensor<8xf32>
    %3 = arith.addf %b, %2 : tensor<8xf32>
    ```
  }];
}

def PropagateShardings : Pass<"tessera-propagate-shardings", "::mlir::ModuleOp"> {
  let summary = "spreads the user's shardings over all values";
  let description = [{
    Annotations on arguments, results and `tessera.constrain` spread along the factors of every operation, forward and backward, until nothing
    changes: user priority before operation priority before strategy (docs/rationale/sharding.md).

    **Requires**: canonical Tessera IR with at most one mesh. **Ensures**: every tensor has a `tessera.sharding`, closed and free of priorities;
    values that control flow hands over have the sharding of the region argument or result that takes them.

    ```mlir
    func.func @main(%a: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) -> tensor<8x16xf32> {
      %0 = math.tanh %a : tensor<8x16xf32>
    ```
    becomes
    ```mlir
      %0 = math.tanh %a {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} : tensor<8x16xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def ComputeParts : Pass<"tessera-compute-parts", "::mlir::ModuleOp"> {
  let summary = "computes part by part what is taken apart or put together along split dimensions";
  let description = [{
    One matrix may stand for several (queries, keys and values; a gate and what it lets through). If its columns are split, slices of the product and, in the
    backward pass, gradients that are put together cannot stay split. Slices move up and concatenations down, along factors that an operation computes part by
    part, until what has to be moved is smallest: the matrix, as a rule, instead of activations.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures**: the same values up to rounding.

    ```mlir
    %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x24xf32>) -> tensor<64x24xf32>
    %q = tessera.slice %0 [0, 0] to [64, 12] by [1, 1] : tensor<64x24xf32> -> tensor<64x12xf32>
    %k = tessera.slice %0 [0, 12] to [64, 24] by [1, 1] : tensor<64x24xf32> -> tensor<64x12xf32>
    ```
    becomes, where the columns of `%w` are split,
    ```mlir
    %1 = tessera.slice %w [0, 0] to [8, 12] by [1, 1] : tensor<8x24xf32> -> tensor<8x12xf32>
    %2 = tessera.slice %w [0, 12] to [8, 24] by [1, 1] : tensor<8x24xf32> -> tensor<8x12xf32>
    %q = tessera.dot_general %x, %1 batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x12xf32>) -> tensor<64x12xf32>
    %k = tessera.dot_general %x, %2 batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x12xf32>) -> tensor<64x12xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def ReduceSlices : Pass<"tessera-reduce-slices", "::mlir::ModuleOp"> {
  let summary = "takes single elements of split dimensions by sums over devices";
  let description = [{
    A slice of one element of a split dimension lies on one device. As a `tessera.dynamic_slice` at a constant place it is a sum over all devices, to which the
    others contribute zero: it may stay pending, and is reduced instead of its operand being gathered.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures**: the same; no `tessera.slice` takes one of several elements of a split dimension.

    ```mlir
    %0 = tessera.slice %x [0, 15] to [8, 16] by [1, 1] : tensor<8x16xf32> -> tensor<8x1xf32>
    ```
    becomes, where dimension 1 is split,
    ```mlir
    %0 = tessera.dynamic_slice %x[%zero, %fifteen] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x1xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def SplitReductions : Pass<"tessera-split-reductions", "::mlir::ModuleOp"> {
  let summary = "reduces what is split in two steps, where no sum could be left pending";
  let description = [{
    A reduction by a region (the place of the largest element, say) leaves no pending sum that a collective could complete. Where a reduced dimension is
    split into n parts, it is reduced within the parts first, and the n results afterwards: only these have to be gathered. Split updates that a `tessera.scatter` adds
    to a tensor are added to zeros first, which leaves a pending sum, and then to the tensor, unless that is larger than the updates.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures**: the same; no `tessera.variadic_reduce` reduces a split dimension of more elements than parts, and
    no `tessera.scatter` adds more split updates than its tensor has elements to what is not zero.

    ```mlir
    %0:2 = tessera.variadic_reduce %a, %i inits %x, %y dims = [1] : (tensor<8x16xf32>, tensor<8x16xi32>, ...) -> (tensor<8xf32>, tensor<8xi32>) ...
    ```
    becomes, where dimension 1 is in 4 parts,
    ```mlir
    %1 = tessera.reshape %a : tensor<8x16xf32> -> tensor<8x4x4xf32>
    %2 = tessera.reshape %i : tensor<8x16xi32> -> tensor<8x4x4xi32>
    %3:2 = tessera.variadic_reduce %1, %2 inits %x, %y dims = [2] : (...) -> (tensor<8x4xf32>, tensor<8x4xi32>) ...
    %0:2 = tessera.variadic_reduce %3#0, %3#1 inits %x, %y dims = [1] : (...) -> (tensor<8xf32>, tensor<8xi32>) ...
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def SplitSorts : Pass<"tessera-split-sorts", "::mlir::ModuleOp"> {
  let summary = "sorts that keep few elements of a split dimension, in two steps";
  let description = [{
    What comes first in an order comes first in its part, too. Where the sorted dimension is split into n parts, and fewer elements are kept than a part has
    (`top_k`), the parts are sorted first, and then what they kept: only this has to be gathered. The split dimension may also be one of several that a
    `tessera.reshape` merges to the sorted one (beams and a split vocabulary), and the last part may be smaller than the others; then the order is told by the
    elements' places as well.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures**: the same; no `tessera.sort` along a split dimension, or one merged from such, keeps
    fewer elements than a part has.

    ```mlir
    %0 = tessera.sort %x dim = 1 : (tensor<8x64xf32>) -> tensor<8x3xf32> ...
    ```
    becomes, where dimension 1 is in 4 parts,
    ```mlir
    %1 = tessera.reshape %x : tensor<8x64xf32> -> tensor<8x4x16xf32>
    %2 = tessera.sort %1 dim = 2 : (tensor<8x4x16xf32>) -> tensor<8x4x3xf32> ...
    %3 = tessera.reshape %2 : tensor<8x4x3xf32> -> tensor<8x12xf32>
    %0 = tessera.sort %3 dim = 1 : (tensor<8x12xf32>) -> tensor<8x3xf32> ...
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def InsertReshards : Pass<"tessera-insert-reshards", "::mlir::ModuleOp"> {
  let summary = "chooses each operation's own sharding and reshards where producer and consumer disagree";
  let description = [{
    An operation whose operands and results agree on the axes of every factor of its rule runs with these. Where they disagree, the
    sharding that moves the fewest bytes (operands in, results out) and wastes the least computation wins.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures**: operands and results of every operation follow from one list of axes per factor
    of its rule; a split reduction factor leaves the results unreduced; no `tessera.constrain` remains; one `tessera.reshard` per value and target.

    ```mlir
    %0 = tessera.dot_general %x, %w {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} ...
    ```
    becomes, where `%x` and `%w` are split in the contracted dimension,
    ```mlir
    %0 = tessera.dot_general %x, %w {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ], unreduced={"model"}>} ...
    %1 = tessera.reshard %0 to <@mesh, [{}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def PlaceReductions : Pass<"tessera-place-reductions", "::mlir::ModuleOp"> {
  let summary = "moves pending reductions to where they cost least";
  let description = [{
    A pending sum may pass through operations that are linear in it, a pending maximum (or minimum) through those that move elements or choose
    the larger (the smaller) of two: sums are formed before they are reduced, a value that is about to shrink is reduced afterwards, and what a
    loop adds up is reduced once behind it. Where each reduction happens is a minimum cut through these operations and the control flow
    (docs/rationale/sharding.md), in which what happens in a loop costs as often as the loop runs.

    **Requires** and **Ensures**: what `tessera-insert-reshards` ensures; the bytes sent do not grow.

    ```mlir
    %r0 = tessera.reshard %0 to <@mesh, [{}, {} ]> ...
    %r1 = tessera.reshard %1 to <@mesh, [{}, {} ]> ...
    %2 = arith.addf %r0, %r1 : tensor<8x16xf32>
    ```
    becomes
    ```mlir
    %2 = arith.addf %0, %1 {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ], unreduced={"model"}>} : tensor<8x16xf32>
    %r = tessera.reshard %2 to <@mesh, [{}, {} ]> ...
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def ScatterUpdates : Pass<"tessera-scatter-updates", "::mlir::ModuleOp"> {
  let summary = "computes in shards what follows the reduction of a gradient";
  let description = [{
    Behind a sum over devices that leads to results of the function alone, every device would compute the same. Where it costs less in all, the sum is reduce-scattered,
    the operations on elements behind it (and what enters them) work on shards, and what the function returns whole is gathered: the same bytes, a fraction of the work.
    An argument without annotation whose memory a result takes over stays in shards with it, if only the update uses it. A minimum cut decides (docs/rationale/sharding.md);
    `collective-seconds` is what one collective more costs beside what it sends.

    **Requires** and **Ensures**: what `tessera-insert-reshards` ensures; the bytes sent do not grow by more than the work that is saved. No `tessera.propagated` remains.

    ```mlir
    %g = tessera.reshard %partial to <@mesh, [{}, {} ]> ...
    %1 = arith.subf %p, %g {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : tensor<1024x1024xf32>
    return %1 : tensor<1024x1024xf32>
    ```
    becomes
    ```mlir
    %g = tessera.reshard %partial to <@mesh, [{"data"}, {} ]> ...
    %shard = tessera.reshard %p to <@mesh, [{"data"}, {} ]> ...
    %1 = arith.subf %shard, %g {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<1024x1024xf32>
    %2 = tessera.reshard %1 to <@mesh, [{}, {} ]> ...
    return %2 : tensor<1024x1024xf32>
    ```
  }];
  let options = [Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6",
                        "what one collective more costs beside what it sends">];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def RecordProvenance : Pass<"tessera-record-provenance", "::mlir::ModuleOp"> {
  let summary = "writes into every reshard's location why it is there";
  let description = [{
    The location of every `tessera.reshard`, and of operations that may communicate by themselves, gets a `#tessera.provenance`: who made the value and who takes
    it, in which shardings, and for each axis concerned the annotation that brought it there and the operations on the way. Collectives that come of it keep the
    location through all phases (docs/explain.md).

    **Requires**: what `tessera-insert-reshards` ensures; annotations are known if `tessera-propagate-shardings` ran in the same pipeline.
    **Ensures**: nothing but locations has changed.

    ```mlir
    %1 = tessera.reshard %0 to <@mesh, [{}, {} ]> ... loc("gpt.py":12:4)
    ```
    becomes
    ```mlir
    %1 = tessera.reshard %0 to <@mesh, [{}, {} ]> ... loc(fused<#tessera.provenance<"pending sum" ...>>["gpt.py":12:4])
    ```
  }];
  let options = [Option<"values", "values", "bool", /*default=*/"false",
                        "say of every value, too, why it is sharded as it is">];
}

def VerifySharded : Pass<"tessera-verify-sharded", "::mlir::ModuleOp"> {
  let summary = "checks what the phase `shard` promises";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made. Changes nothing.

    **Ensures** every tensor has a sharding; operands and results of every operation follow from one list of axes per factor of its rule; control flow and returns hand
    over values in the sharding of what receives them; no `tessera.constrain` remains.
  }];
}

#endif
