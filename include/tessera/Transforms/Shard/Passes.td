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

    <!-- example: split-microbatches.mlir @gradients_only run --tessera-split-microbatches=count=2 -->
    ```mlir
    func.func @gradients_only(%w: tensor<4x4xf32> {tessera.name = "p['w']"}, %x: tensor<4x4xf32> {tessera.name = "x"})
        -> (tensor<4x4xf32> {tessera.name = "result['w']"}) {
      %h = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %t = math.tanh %h : tensor<4x4xf32>
      %g = tessera.dot_general %x, %t batching = [] x [] contracting = [0] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %g : tensor<4x4xf32>
    }
    ```
    becomes, for two microbatches,
    ```mlir
    func.func @gradients_only(%arg0: tensor<4x4xf32> {tessera.name = "p['w']"}, %arg1: tensor<4x4xf32> {tessera.name = "x"}) -> (tensor<4x4xf32> {tessera.name = "result['w']"}) {
      %cst = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
      %c0_i32 = arith.constant 0 : i32
      %c2_i32 = arith.constant 2 : i32
      %c1_i32 = arith.constant 1 : i32
      %0 = tessera.reshape %arg1 : tensor<4x4xf32> -> tensor<2x2x4xf32>
      %1 = scf.for %arg2 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<4x4xf32>)  : i32 {
        %from_elements = tensor.from_elements %arg2 : tensor<i32>
        %cst_0 = arith.constant dense<0> : tensor<i32>
        %2 = tessera.dynamic_slice %0[%from_elements, %cst_0, %cst_0] : (tensor<2x2x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4xf32>
        %3 = tessera.reshape %2 : tensor<1x2x4xf32> -> tensor<2x4xf32>
        %4 = tessera.dot_general %3, %arg0 batching = [] x [] contracting = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
        %5 = math.tanh %4 : tensor<2x4xf32>
        %6 = tessera.dot_general %3, %5 batching = [] x [] contracting = [0] x [0] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
        %7 = arith.addf %arg3, %6 : tensor<4x4xf32>
        scf.yield %7 : tensor<4x4xf32>
      } {pipe.microbatches}
      return %1 : tensor<4x4xf32>
    }
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

    <!-- example: unify-meshes.mlir @one_mesh -->
    ```mlir
    func.func @one_mesh(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@names, [{"u"}, {"v", ?}p1]>})
        -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@cube, [{"r", "p"}, {} ], unreduced=max{"q"}>}) {
      %0 = tessera.constrain %a to <@line, [{"z"}, {} ]> : tensor<8x8xf32>
      %1 = tessera.constrain %0 to <@line, [{"z":(2)2}, {"z":(4)2} ], replicated={"z":(1)2}> : tensor<8x8xf32>
      %2 = tessera.constrain %1 to <@transposed, [{"s"}, {"t"} ]> : tensor<8x8xf32>
      %3 = tessera.constrain %2 to <@a, [{"y"}, {"x"} ]> : tensor<8x8xf32>
      return %3 : tensor<8x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @one_mesh(%arg0: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@a, [{"x"}, {"y", ?}p1]>}) -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@a, [{"y":(2)2, "x"}, {} ], unreduced=max{"y":(1)2}>}) {
      %0 = tessera.constrain %arg0 to <@a, [{"x", "y"}, {} ]> : tensor<8x8xf32>
      %1 = tessera.constrain %0 to <@a, [{"y":(1)2}, {"y":(2)2} ], replicated={"x"}> : tensor<8x8xf32>
      %2 = tessera.constrain %1 to <@a, [{"y"}, {"x"} ]> : tensor<8x8xf32>
      %3 = tessera.constrain %2 to <@a, [{"y"}, {"x"} ]> : tensor<8x8xf32>
      return %3 : tensor<8x8xf32>
    }
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

    <!-- example: compose-moves.mlir @rotation -->
    ```mlir
    func.func @rotation(%a: tensor<16x4xf32>) -> tensor<16x4xf32> {
      %0 = tessera.slice %a [15, 0] to [16, 4] by [1, 1] : tensor<16x4xf32> -> tensor<1x4xf32>
      %1 = tessera.slice %a [0, 0] to [15, 4] by [1, 1] : tensor<16x4xf32> -> tensor<15x4xf32>
      %2 = tessera.concatenate %0, %1 dim = 0 : (tensor<1x4xf32>, tensor<15x4xf32>) -> tensor<16x4xf32>
      return %2 : tensor<16x4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @rotation(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
      %0 = ub.poison : tensor<f32>
      %1 = tessera.pad %arg0 with %0 low = [1, 0] high = [-1, 0] interior = [0, 0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
      %2 = tessera.iota dim = 0 : tensor<16x4xi32>
      %cst = arith.constant dense<1> : tensor<16x4xi32>
      %3 = arith.cmpi slt, %2, %cst : tensor<16x4xi32>
      %4 = ub.poison : tensor<f32>
      %5 = tessera.pad %arg0 with %4 low = [-15, 0] high = [15, 0] interior = [0, 0] : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
      %6 = arith.select %3, %5, %1 : tensor<16x4xi1>, tensor<16x4xf32>
      return %6 : tensor<16x4xf32>
    }
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

    <!-- example: split-constants.mlir @every_use_has_its_own_copy -->
    ```mlir
    func.func @every_use_has_its_own_copy(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %one = arith.constant dense<1.0> : tensor<f32>
      %ones = tessera.broadcast %one dims = [] : tensor<f32> -> tensor<8xf32>
      %0 = arith.addf %a, %ones : tensor<8xf32>
      %1 = arith.addf %b, %ones : tensor<8xf32>
      return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @every_use_has_its_own_copy(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %cst = arith.constant dense<1.000000e+00> : tensor<f32>
      %0 = tessera.broadcast %cst dims = [] : tensor<f32> -> tensor<8xf32>
      %1 = tessera.broadcast %cst dims = [] : tensor<f32> -> tensor<8xf32>
      %2 = arith.addf %arg0, %1 : tensor<8xf32>
      %3 = arith.addf %arg1, %0 : tensor<8xf32>
      return %2, %3 : tensor<8xf32>, tensor<8xf32>
    }
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

    <!-- example: propagate-shardings.mlir @shardings_flow_backward -->
    ```mlir
    func.func @shardings_flow_backward(%a: tensor<8x16xf32>)
        -> (tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) {
      %0 = tessera.transpose %a permutation = [1, 0] : tensor<8x16xf32> -> tensor<16x8xf32>
      return %0 : tensor<16x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @shardings_flow_backward(%arg0: tensor<8x16xf32> {tessera.propagated, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}) -> (tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) {
      %0 = tessera.transpose %arg0 permutation = [1, 0] {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} : tensor<8x16xf32> -> tensor<16x8xf32>
      return %0 : tensor<16x8xf32>
    }
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

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures** slices and concatenations along split dimensions stand where they move the fewest
    bytes; values are the same up to rounding.

    <!-- example: compute-parts.mlir @columns_are_taken_apart run --tessera-propagate-shardings --tessera-compute-parts -->
    ```mlir
    func.func @columns_are_taken_apart(
        %x: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>},
        %w: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>},
        %b: tensor<24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>})
        -> (tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}, tensor<64x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}) {
      %0 = tessera.dot_general %x, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x8xf32>, tensor<8x24xf32>) -> tensor<64x24xf32>
      %1 = tessera.broadcast %b dims = [1] : tensor<24xf32> -> tensor<64x24xf32>
      %2 = arith.addf %0, %1 : tensor<64x24xf32>
      %3 = tessera.slice %2 [0, 0] to [64, 8] by [1, 1] : tensor<64x24xf32> -> tensor<64x8xf32>
      %4 = tessera.slice %2 [0, 8] to [64, 24] by [1, 1] : tensor<64x24xf32> -> tensor<64x16xf32>
      return %3, %4 : tensor<64x8xf32>, tensor<64x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @columns_are_taken_apart(%arg0: tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg1: tensor<8x24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}, %arg2: tensor<24xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> (tensor<64x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}, tensor<64x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}) {
      %0 = tessera.slice %arg2 [8] to [24] by [1] {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<24xf32> -> tensor<16xf32>
      %1 = tessera.slice %arg1 [0, 8] to [8, 24] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<8x24xf32> -> tensor<8x16xf32>
      %2 = tessera.slice %arg2 [0] to [8] by [1] {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<24xf32> -> tensor<8xf32>
      %3 = tessera.slice %arg1 [0, 0] to [8, 8] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<8x24xf32> -> tensor<8x8xf32>
      %4 = tessera.dot_general %arg0, %3 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : (tensor<64x8xf32>, tensor<8x8xf32>) -> tensor<64x8xf32>
      %5 = tessera.dot_general %arg0, %1 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : (tensor<64x8xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
      %6 = tessera.broadcast %2 dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<8xf32> -> tensor<64x8xf32>
      %7 = tessera.broadcast %0 dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<16xf32> -> tensor<64x16xf32>
      %8 = arith.addf %4, %6 {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<64x8xf32>
      %9 = arith.addf %5, %7 {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<64x16xf32>
      return %8, %9 : tensor<64x8xf32>, tensor<64x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def ReduceSlices : Pass<"tessera-reduce-slices", "::mlir::ModuleOp"> {
  let summary = "takes single elements of split dimensions by sums over devices";
  let description = [{
    A slice of one element of a split dimension lies on one device. As a `tessera.dynamic_slice` at a constant place it is a sum over all devices, to which the
    others contribute zero: it may stay pending, and is reduced instead of its operand being gathered.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures** no `tessera.slice` takes one of several elements of a split dimension.

    <!-- example: reduce-slices.mlir @contested -->
    ```mlir
    func.func private @contested(%x: tensor<4x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {} ]>}) -> tensor<1x16xf32> {
      %0 = tessera.slice %x [3, 0] to [4, 16] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"} ]>} : tensor<4x64xf32> -> tensor<1x16xf32>
      return %0 : tensor<1x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func private @contested(%arg0: tensor<4x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {} ]>}) -> tensor<1x16xf32> {
      %0 = tessera.slice %arg0 [0, 0] to [4, 16] by [1, 1] {tessera.sharding = #tessera.sharding<@mesh, [{"y"}, {} ]>} : tensor<4x64xf32> -> tensor<4x16xf32>
      %cst = arith.constant {tessera.sharding = #tessera.sharding<@mesh, []>} dense<3> : tensor<i32>
      %cst_0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, []>} dense<0> : tensor<i32>
      %1 = tessera.dynamic_slice %0[%cst, %cst_0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"y"} ]>} : (tensor<4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
      return %1 : tensor<1x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def SplitReductions : Pass<"tessera-split-reductions", "::mlir::ModuleOp"> {
  let summary = "reduces what is split in two steps, where no sum could be left pending";
  let description = [{
    A reduction by a region (the place of the largest element, say) leaves no pending sum that a collective could complete. Where a reduced dimension is
    split into n parts, it is reduced within the parts first, and the n results afterwards: only these have to be gathered. Parts start from the initial
    values if these, combined with themselves, are seen to give themselves (by folding the region); else from their first elements, so that the initial values count once. Split updates that a `tessera.scatter` adds
    to a tensor are added to zeros first, which leaves a pending sum, and then to the tensor, unless that is larger than the updates.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures** no `tessera.variadic_reduce` reduces a split dimension of more elements than parts,
    and no `tessera.scatter` adds more split updates than its tensor has elements to what is not zero.

    <!-- example: split-reductions-values.mlir @main run --tessera-propagate-shardings --tessera-split-reductions -->
    ```mlir
    func.func @main(%table: tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>},
                    %updates: tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>})
        -> (tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      %i = tessera.iota dim = 0 : tensor<1024x1xi32>
      %five = arith.constant dense<5> : tensor<1024x1xi32>
      %places = arith.shrui %i, %five : tensor<1024x1xi32>
      %0 = tessera.scatter sum %table, %updates at %places window = [] inserted = [0] batching = [] x [] map = [0] vector = 1
          : (tensor<16xf32>, tensor<1024x1xi32>, tensor<1024xf32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>}, %arg1: tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> (tensor<16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      %0 = tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} : tensor<1024x1xi32>
      %cst = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} dense<5> : tensor<1024x1xi32>
      %1 = arith.shrui %0, %cst {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} : tensor<1024x1xi32>
      %cst_0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} dense<0.000000e+00> : tensor<16xf32>
      %2 = tessera.scatter sum %cst_0, %arg1 at %1 window = [] inserted = [0] batching = [] x [] map = [0] vector = 1 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : (tensor<16xf32>, tensor<1024x1xi32>, tensor<1024xf32>) -> tensor<16xf32>
      %3 = arith.addf %arg0, %2 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<16xf32>
      return %3 : tensor<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def SplitLibraryCalls : Pass<"tessera-split-library-calls", "::mlir::ModuleOp"> {
  let summary = "routines of libraries, where dimensions that they need whole are split";
  let description = [{
    A routine gets the dimensions of its own, those of a transform or a matrix, whole. Where they are split, and gathering them is not better:

    - a Fourier transform of several dimensions becomes one transform along each, while the axes that split it split another dimension: these are exchanged, and
      nothing is gathered;
    - Cholesky's factor of a real matrix and the solution of a system with a real triangle are computed by blocks, on rows that are dealt out to the devices
      in rounds: what is gathered at a time is one round's columns. So are the factors L and U of a real square matrix, on dealt columns.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures** no `tessera.library_call` of a transform has several dimensions of which some are split.

    <!-- example: split-library-calls.mlir @transform lines library_call|return -->
    ```mlir
    func.func @transform(%x: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"} ]>}, %y: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"} ]>}) -> tensor<8x16xf32> {
      %0:2 = tessera.library_call "tessera_fft_f32"(%x, %y) with {kind = "FFT", length = array<i64: 8, 16>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [0, 1] {tessera.sharding = [#tessera.sharding<@mesh, [{}, {"x", "y"} ]>, #tessera.sharding<@mesh, [{}, {"x", "y"} ]>]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
      return %0#0 : tensor<8x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @transform(%arg0: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"} ]>}, %arg1: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {"y"} ]>}) -> tensor<8x16xf32> {
      %0:2 = tessera.library_call "tessera_fft_f32"(%arg0, %arg1) with {kind = "FFT", length = array<i64: 16>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [1] {tessera.sharding = [#tessera.sharding<@mesh, [{"x", "y"}, {} ]>, #tessera.sharding<@mesh, [{"x", "y"}, {} ]>]} : (tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
      ...
      %7:2 = tessera.library_call "tessera_fft_f32"(%4, %6) with {kind = "FFT", length = array<i64: 8>} buffers = [#tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>, #tessera.routine_buffer<f32 [0, 1]>] whole = [1] {tessera.sharding = [#tessera.sharding<@mesh, [{"x", "y"}, {} ]>, #tessera.sharding<@mesh, [{"x", "y"}, {} ]>]} : (tensor<16x8xf32>, tensor<16x8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>)
      ...
      return %10 : tensor<8x16xf32>
    }
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

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures** no `tessera.sort` along a split dimension, or one merged from such, keeps fewer
    elements than a part has.

    <!-- example: split-sorts.mlir @largest -->
    ```mlir
    func.func @largest(%x: tensor<8x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"} ]>}) -> (tensor<8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>}) {
      %0 = tessera.sort %x dim = 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : (tensor<8x64xf32>) -> tensor<8x3xf32> {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = arith.cmpf ogt, %a, %b : tensor<f32>
        tessera.yield %1 : tensor<i1>
      }
      return %0 : tensor<8x3xf32>
    }
    ```
    becomes
    ```mlir
    func.func @largest(%arg0: tensor<8x64xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"} ]>}) -> (tensor<8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>}) {
      %0 = tessera.reshape %arg0 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {} ]>} : tensor<8x64xf32> -> tensor<8x4x16xf32>
      %1 = tessera.sort %0 dim = 2 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"}, {} ]>} : (tensor<8x4x16xf32>) -> tensor<8x4x3xf32> {
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %4 = arith.cmpf ogt, %arg1, %arg2 : tensor<f32>
        tessera.yield %4 : tensor<i1>
      }
      %2 = tessera.reshape %1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {"model"} ]>} : tensor<8x4x3xf32> -> tensor<8x12xf32>
      %3 = tessera.sort %2 dim = 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : (tensor<8x12xf32>) -> tensor<8x3xf32> {
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %4 = arith.cmpf ogt, %arg1, %arg2 : tensor<f32>
        tessera.yield %4 : tensor<i1>
      }
      return %3 : tensor<8x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def InsertReshards : Pass<"tessera-insert-reshards", "::mlir::ModuleOp"> {
  let summary = "chooses each operation's own sharding and reshards where producer and consumer disagree";
  let description = [{
    An operation whose operands and results agree on the axes of every factor of its rule runs with these. Where they disagree, the
    sharding that moves the fewest bytes (operands in, results out) and wastes the least computation wins.

    **Requires**: what `tessera-propagate-shardings` ensures. **Ensures** every operation has one list of axes per factor of its rule; a split reduction factor
    leaves the results unreduced; where a user wants another sharding than a value has stands one `tessera.reshard` per value and target, and nowhere a
    `tessera.constrain`.

    <!-- example: insert-reshards.mlir @constraint_becomes_reshard run --tessera-propagate-shardings --tessera-insert-reshards -->
    ```mlir
    func.func @constraint_becomes_reshard(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>})
        -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}) {
      %0 = tessera.constrain %a to <@mesh, [{}, {"x"} ]> : tensor<8x8xf32>
      %1 = math.tanh %0 : tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @constraint_becomes_reshard(%arg0: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}) {
      %0 = tessera.reshard %arg0 to <@mesh, [{}, {"x"} ]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<8x8xf32>
      %1 = math.tanh %0 {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
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

    **Requires** what `tessera-insert-reshards` ensures. **Ensures** the reductions of pending values stand where a minimum cut of the bytes has them, which do
    not grow.

    <!-- example: place-reductions.mlir @split_sums_are_formed_first_too run --tessera-propagate-shardings --tessera-insert-reshards --tessera-place-reductions -->
    ```mlir
    func.func @split_sums_are_formed_first_too(
        %q: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>},
        %k: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>},
        %w: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>})
        -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) {
      %0 = tessera.dot_general %q, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %1 = tessera.dot_general %k, %w batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %2 = arith.addf %0, %1 : tensor<8x8xf32>
      return %2 : tensor<8x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @split_sums_are_formed_first_too(%arg0: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}, %arg1: tensor<8x16xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}, %arg2: tensor<16x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) {
      %0 = tessera.dot_general %arg0, %arg2 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ], unreduced={"x"}>} : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %1 = tessera.dot_general %arg1, %arg2 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ], unreduced={"x"}>} : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
      %2 = arith.addf %0, %1 {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ], unreduced={"x"}>} : tensor<8x8xf32>
      %3 = tessera.reshard %2 to <@mesh, [{"x"}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} : tensor<8x8xf32>
      return %3 : tensor<8x8xf32>
    }
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

    **Requires** what `tessera-insert-reshards` ensures. **Ensures** the bytes sent grow by no more than the work that is saved is worth; no
    `tessera.propagated` remains.

    <!-- example: scatter-updates.mlir @gradient_descent run --tessera-split-constants --tessera-propagate-shardings --tessera-insert-reshards --tessera-place-reductions --tessera-scatter-updates -->
    ```mlir
    func.func @gradient_descent(
        %p: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>},
        %x: tensor<64x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>},
        %y: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>}) -> tensor<2048x1024xf32> {
      %g = tessera.dot_general %x, %y batching = [] x [] contracting = [0] x [0] : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
      %rate = arith.constant dense<0.1> : tensor<2048x1024xf32>
      %0 = arith.mulf %g, %rate : tensor<2048x1024xf32>
      %1 = arith.subf %p, %0 : tensor<2048x1024xf32>
      return %1 : tensor<2048x1024xf32>
    }
    ```
    becomes
    ```mlir
    func.func @gradient_descent(%arg0: tensor<2048x1024xf32> {tessera.donated = 0 : i32, tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg1: tensor<64x2048xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>}, %arg2: tensor<64x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>}) -> (tensor<2048x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}) {
      %0 = tessera.dot_general %arg1, %arg2 batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ], unreduced={"data"}>} : (tensor<64x2048xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
      %1 = tessera.reshard %0 to <@mesh, [{"data"}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<2048x1024xf32>
      %cst = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} dense<1.000000e-01> : tensor<2048x1024xf32>
      %2 = arith.mulf %1, %cst {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<2048x1024xf32>
      %3 = tessera.reshard %arg0 to <@mesh, [{"data"}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<2048x1024xf32>
      %4 = arith.subf %3, %2 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<2048x1024xf32>
      %5 = tessera.reshard %4 to <@mesh, [{}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : tensor<2048x1024xf32>
      return %5 : tensor<2048x1024xf32>
    }
    ```
  }];
  let options = [Option<"collectiveSeconds", "collective-seconds", "double", /*default=*/"5e-6",
                        "what one collective more costs beside what it sends">];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def RematerializeValues : Pass<"tessera-rematerialize-values", "::mlir::ModuleOp"> {
  let summary = "makes values again that it costs more to move";
  let description = [{
    A value that is resharded, computed element by element, is made again in the sharding that is needed where it costs less to move what it is made of, or what that is made of in turn:
    lengths instead of a mask, a row and a column instead of their sum, a narrow type instead of a wide one, nothing where each device can count for itself. A minimum cut decides for the whole
    function (docs/rationale/sharding.md), by the time of moves and of work that is done again.

    **Requires** what `tessera-insert-reshards` ensures. **Ensures** no reshard takes longer than making the value again; the same sharding for every other value.

    <!-- example: rematerialize-values.mlir @row_instead_of_matrix -->
    ```mlir
    func.func @row_instead_of_matrix(%row: tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>})
        -> (tensor<512x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}) {
      %0 = tessera.broadcast %row dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<1024xf32> -> tensor<512x1024xf32>
      %1 = tessera.reshard %0 to <@mesh, [{}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : tensor<512x1024xf32>
      return %1 : tensor<512x1024xf32>
    }
    ```
    becomes
    ```mlir
    func.func @row_instead_of_matrix(%arg0: tensor<1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> (tensor<512x1024xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}) {
      %0 = tessera.reshard %arg0 to <@mesh, [{} ]> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1024xf32>
      %1 = tessera.broadcast %0 dims = [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : tensor<1024xf32> -> tensor<512x1024xf32>
      return %1 : tensor<512x1024xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def RecordProvenance : Pass<"tessera-record-provenance", "::mlir::ModuleOp"> {
  let summary = "writes into every reshard's location why it is there";
  let description = [{
    The location of every `tessera.reshard`, and of operations that may communicate by themselves, gets a `#tessera.provenance`: who made the value and who takes
    it, in which shardings, and for each axis concerned the annotation that brought it there and the operations on the way. Collectives that come of it keep the
    location through all phases (docs/explain.md).

    **Requires**: what `tessera-insert-reshards` ensures; annotations are known if `tessera-propagate-shardings` ran in the same pipeline.
    **Ensures**: nothing but locations has changed.

    <!-- example: record-provenance.mlir @whole_result run --mlir-print-debuginfo --mlir-print-local-scope --tessera-propagate-shardings --tessera-insert-reshards --tessera-record-provenance lines reshard|tanh -->
    ```mlir
    func.func @whole_result(%a: tensor<8xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>})
        -> (tensor<8xf32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      %0 = math.tanh %a : tensor<8xf32>
      ...
    }
    ```
    becomes
    ```mlir
    func.func @whole_result(%arg0: tensor<8xf32> {tessera.name = "a", tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} loc("<stdin>":4:25)) -> (tensor<8xf32> {tessera.name = "b", tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      %0 = math.tanh %arg0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<8xf32> loc("<stdin>":6:8)
      %1 = tessera.reshard %0 to <@mesh, [{} ]> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<8xf32> loc(fused<#tessera.provenance<"result" from #tessera.sharding<@mesh, [{"x"} ]> to #tessera.sharding<@mesh, [{} ]> producer #tessera.place<"math.tanh" at loc("<stdin>":6:8)> consumer #tessera.place<"result 'b'" at loc("<stdin>":7:3)> origins [#tessera.origin<"x" of "producer" from #tessera.place<"argument 'a'" at loc("<stdin>":4:25)> as #tessera.sharding<@mesh, [{"x"} ]> via [#tessera.place<"math.tanh" at loc("<stdin>":6:8)>] skipping 0>, #tessera.origin<"x" of "consumer" from #tessera.place<"result 'b'" at loc("<stdin>":4:1)> as #tessera.sharding<@mesh, [{} ]> via [] skipping 0>]>>["<stdin>":7:3])
      ...
    } loc("<stdin>":4:1)
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

    <!-- example: verify-sharded-errors.mlir @disagreement -->
    ```mlir
    func.func @disagreement(%a: tensor<8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) {
      // expected-error @below {{expected operands and results to agree on the axes of every factor, got tensors 0 and 1 (operands first) that give one factor different axes}}
      %0 = math.tanh %a {tessera.sharding = #tessera.sharding<@mesh, [{"y"} ]>} : tensor<8xf32>
      return
    }
    ```
  }];
}

#endif
