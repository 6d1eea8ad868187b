//===- Passes.td - the phase fuse: which operations form a kernel -*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_FUSE_PASSES
#define TESSERA_TRANSFORMS_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def FormAttention : Pass<"tessera-form-attention", "::mlir::func::FuncOp"> {
  let summary = "makes one operation of scaled dot-product attention, forward and backward";
  let description = [{
    Where a softmax stands between two contractions, and nothing else needs the scores, `tessera.attention` takes their place, and `tessera.attention_gradient` that of the
    contractions in the backward pass, however the program has written them ([rationale](../rationale/attention.md)). Masks that only compare the places of queries and keys become
    `causal`; others are read in the shape in which the program makes them. Whatever else reads the scores leaves all as it is; a remark says what it is.

    Where a loop over layers stacks what follows from scores for another loop with the backward pass, that loop computes it again, and both have attention; what the forward loop stacks is then the
    output and the maxima and sums of rows.

    **Requires** operations on one device's tensors that no kernel holds yet.
    **Ensures** that values are unchanged but for rounding.

    ```mlir
    %1 = tessera.dot_general %q, %k batching = [0, 1] x [0, 1] contracting = [3] x [3] : …
    … // softmax of %1
    %7 = tessera.dot_general %6, %v batching = [0, 1] x [0, 1] contracting = [3] x [2] : …
    // becomes
    %7, %maximum, %sum = tessera.attention %q, %k, %v scale = 1.000000e+00 : …
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numFormed", "formed", "softmaxes that became attention">,
    Statistic<"numGradients", "gradients", "backward passes among them">
  ];
}

def ShareAttention : Pass<"tessera-share-attention", "::mlir::ModuleOp"> {
  let summary = "lets a backward task read what the forward task's attention gave";
  let description = [{
    With pipeline stages, forward and backward pass of a microbatch are functions, both of which have attention. Where they compute the same, the forward one returns output, maximum and
    sum, in the form in which it returns the output already if it does, and the backward one takes them as arguments.

    **Requires** operations on one device's tensors that no kernel holds yet.
    **Ensures** that values are unchanged but for the rounding of an output that is kept in a narrower type.

    ```mlir
    func.func private @backward(%q: …, %k: …, %v: …, %d: …) {
      %output, %maximum, %sum = tessera.attention %q, %k, %v …
      tessera.attention_gradient %q, %k, %v output %output maximum %maximum sum %sum gradient %d …
    // becomes
    func.func private @backward(%q: …, %k: …, %v: …, %d: …, %output: …, %maximum: …, %sum: …) {
      tessera.attention_gradient %q, %k, %v output %output maximum %maximum sum %sum gradient %d …
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
  let statistics = [Statistic<"numShared", "shared", "attention that is not computed again">];
}

def DecomposeAttention : Pass<"tessera-decompose-attention", "::mlir::func::FuncOp"> {
  let summary = "writes attention out in single operations";
  let description = [{
    The reverse of `tessera-form-attention`, for devices that have no kernel for attention, or none for this one (f64, more than 256 features).

    **Requires** attention that no kernel holds yet.
    **Ensures** that none is left but, with `keep-supported`, what a GPU kernel can do; values are unchanged but for rounding.

    ```mlir
    %output, %maximum, %sum = tessera.attention %q, %k, %v scale = 1.000000e+00 : …
    // becomes
    %1 = tessera.dot_general %q, %k batching = [0, 1] x [0, 1] contracting = [3] x [3] : …
    … // softmax of %1
    %output = tessera.dot_general %6, %v batching = [0, 1] x [0, 1] contracting = [3] x [2] : …
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let options = [
    Option<"keepSupported", "keep-supported", "bool", /*default=*/"false", "whether to keep what a GPU kernel can do">
  ];
}

def FlattenCollectives : Pass<"tessera-flatten-collectives", "::mlir::func::FuncOp"> {
  let summary = "brings collectives into the form that moves contiguous memory";
  let description = [{
    A runtime moves contiguous parts: an `all_gather`, `reduce_scatter` or `all_to_all` along an inner dimension becomes one along
    dimension 0 with a transpose before or after it, which then fuses with its neighbours. Dimensions of size 1 in front of the
    dimension need no transpose.

    **Requires** what `tessera-verify-partitioned` checks.
    **Ensures** every `all_gather` and `reduce_scatter` works on dimension 0, every `all_to_all` splits and joins dimension 0.

    ```mlir
    %1 = spmd.all_gather %0 dim = 1 over <@mesh, ["model"]> : tensor<8x4xf32> -> tensor<8x16xf32>
    // becomes
    %1 = spmd.all_gather %0 dim = 0 over <@mesh, ["model"]> : tensor<8x4xf32> -> tensor<32x4xf32>
    %2 = tessera.reshape %1 : tensor<32x4xf32> -> tensor<4x8x4xf32>
    %3 = tessera.transpose %2 permutation = [1, 0, 2] : tensor<4x8x4xf32> -> tensor<8x4x4xf32>
    %4 = tessera.reshape %3 : tensor<8x4x4xf32> -> tensor<8x16xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect"];
}

def SimplifyShapes : Pass<"tessera-simplify-shapes", "::mlir::func::FuncOp"> {
  let summary = "rewrites operations that only relabel memory as reshapes, and folds chains of them";
  let description = [{
    Broadcasts that add dimensions of size 1, reductions and transposes over dimensions of size 1 move no element: they become
    `tessera.reshape`, and a reshape of a reshape becomes one. Kernels then see through all of them in one way.

    **Requires** nothing. **Ensures** that no reshape has a reshape as operand; values are unchanged.

    ```mlir
    %1 = tessera.broadcast %0 dims = [0] : tensor<8xf32> -> tensor<8x1xf32>
    // becomes
    %1 = tessera.reshape %0 : tensor<8xf32> -> tensor<8x1xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def FoldTransposes : Pass<"tessera-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "folds transposes into the dimension numbers of contractions";
  let description = [{
    A contraction reads its operands through strides, so a transposed operand costs nothing when the dimension numbers say it; and
    a transpose that swaps the two groups of free dimensions of a result is the contraction with its operands swapped.

    **Requires** nothing. **Ensures** that values are unchanged and no transpose is added.

    ```mlir
    %1 = tessera.dot_general %a, %b batching = [] x [] contracting = [0] x [0]
         : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    %2 = tessera.transpose %1 permutation = [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
    // becomes
    %2 = tessera.dot_general %b, %a batching = [] x [] contracting = [0] x [0]
         : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def AlignReductions : Pass<"tessera-align-reductions", "::mlir::func::FuncOp"> {
  let summary = "makes every reduction one over the leading or over the trailing dimensions";
  let description = [{
    Kernels reduce along rows (trailing dimensions) or across rows (leading dimensions). Any other set of dimensions is first
    transposed to the end. A large tensor that is reduced to one element is reduced along its rows first, so that the work can
    be shared among threads.

    A contraction in which every element of both operands is needed once, as a dot product or a batch of them, is a reduction too, of products: so it takes on what makes its
    operands and shares a kernel with other sums of the same values. Sums are formed in f32 where the result has 16 bits.

    **Requires** nothing.
    **Ensures** the dimensions (larger than 1) of every `tessera.reduce` are the leading or the trailing ones; every `tessera.dot_general` has a free dimension larger than 1, or
    computes with booleans.

    ```mlir
    %1 = tessera.dot_general %a, %b batching = [0] x [0] contracting = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    // becomes
    %0 = arith.mulf %a, %b : tensor<4x8xf32>
    %1 = tessera.reduce sum %0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def FormKernels : Pass<"tessera-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "clusters operations into kernels";
  let description = [{
    Greedy fusion of producers into consumers, then of element-wise clusters into the contractions that feed them, under the
    kinds of kernels in `docs/rationale/kernels.md`. Operations that only move elements, constants and what follows from them
    are copied into each kernel that needs them; nothing else is computed twice.

    **Requires** what `tessera-align-reductions` ensures.
    **Ensures** every operation on tensors of the dialects `tessera`, `arith` and `math` stands in a `spmd.kernel`.

    ```mlir
    %1 = arith.mulf %0, %0 : tensor<8xf32>
    %2 = math.exp %1 : tensor<8xf32>
    // becomes
    %2 = spmd.kernel(%0) : (tensor<8xf32>) -> tensor<8xf32> {
    ^bb0(%a: tensor<8xf32>):
      %b = arith.mulf %a, %a : tensor<8xf32>
      %c = math.exp %b : tensor<8xf32>
      spmd.yield %c : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "kernels formed">,
    Statistic<"numFused", "fused", "operations that joined another's kernel">
  ];
}

def RecomputeValues : Pass<"tessera-recompute-values", "::mlir::func::FuncOp"> {
  let summary = "computes cheap values again instead of storing them";
  let description = [{
    If results of a kernel follow from each other, or from one value, by a few cheap operations, only that one is stored; the kernels that
    need the others compute them from it.

    **Requires** what `tessera-form-kernels` ensures. **Ensures** the same; values are unchanged.

    ```mlir
    %1:2 = spmd.kernel(%0) : … {
    ^bb0(%a: tensor<8xf32>):
      %e = math.exp %a : tensor<8xf32>
      %n = arith.negf %e : tensor<8xf32>
      spmd.yield %e, %n : tensor<8xf32>, tensor<8xf32>
    }
    // becomes
    %1 = spmd.kernel(%0) : … {
    ^bb0(%a: tensor<8xf32>):
      %e = math.exp %a : tensor<8xf32>
      spmd.yield %e : tensor<8xf32>
    }
    // and a kernel that reads %1#1 computes it from %1
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect"];
  let statistics = [Statistic<"numRecomputed", "recomputed", "values that are computed again instead of being stored">];
}

def VerifyKernels : Pass<"tessera-verify-kernels", "::mlir::func::FuncOp"> {
  let summary = "checks the contract of the phase fuse";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made. Changes nothing.
    **Ensures** every operation on tensors of the dialects `tessera`, `arith` and `math` stands in a `spmd.kernel`; every kernel is of one of the
    kinds in `docs/rationale/kernels.md`; collectives are flat.
  }];
}

#endif
