//===- Passes.td - the phase fuse: which operations form a kernel -*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_FUSE_PASSES
#define TESSERA_TRANSFORMS_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def FormAttention : Pass<"tessera-form-attention", "::mlir::func::FuncOp"> {
  let summary = "makes one operation of scaled dot-product attention, forward and backward";
  let description = [{
    Where a softmax stands between two matmuls, and nothing else needs the scores, `tessera.attention` takes their place, and `tessera.attention_gradient` that of the
    matmuls in the backward pass, however the program has written them ([rationale](../rationale/attention.md)). Masks that only compare the places of queries and keys become
    `causal`; others are read in the shape in which the program makes them. Whatever else reads the scores leaves all as it is; a remark says what it is.

    Where a loop over layers stacks what follows from scores for another loop with the backward pass, that loop computes it again, and both have attention; what the forward loop stacks is then the
    output and the maxima and sums of rows.

    **Requires** operations on one device's tensors that no kernel holds yet. **Ensures** attention that it knows is one operation of queries, keys and values;
    values are unchanged but for rounding.

    <!-- example: form-attention-divided-output.mlir @main -->
    ```mlir
    func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "q"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "k"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "v"}) -> (tensor<2x16x4x16xf32> {tessera.name = "result"}) {
      %cst = arith.constant dense<4.000000e+00> : tensor<2x4x16x24xf32>
      %0 = tessera.dot_general %arg0, %arg1 batching = [0, 2] x [0, 2] contracting = [3] x [3] : (tensor<2x16x4x16xf32>, tensor<2x24x4x16xf32>) -> tensor<2x4x16x24xf32>
      %1 = arith.divf %0, %cst : tensor<2x4x16x24xf32>
      %2 = tessera.reduce max %1 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
      %3 = tessera.broadcast %2 dims = [0, 1, 2] : tensor<2x4x16xf32> -> tensor<2x4x16x24xf32>
      %4 = arith.subf %1, %3 : tensor<2x4x16x24xf32>
      %5 = math.exp %4 : tensor<2x4x16x24xf32>
      %6 = tessera.reduce sum %5 dims = [3] : tensor<2x4x16x24xf32> -> tensor<2x4x16xf32>
      %7 = tessera.dot_general %arg2, %5 batching = [0, 2] x [0, 1] contracting = [1] x [3] : (tensor<2x24x4x16xf32>, tensor<2x4x16x24xf32>) -> tensor<2x4x16x16xf32>
      %8 = tessera.transpose %7 permutation = [0, 3, 1, 2] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
      %9 = tessera.transpose %6 permutation = [0, 2, 1] : tensor<2x4x16xf32> -> tensor<2x16x4xf32>
      %10 = tessera.broadcast %9 dims = [0, 1, 2] : tensor<2x16x4xf32> -> tensor<2x16x4x16xf32>
      %11 = arith.divf %8, %10 : tensor<2x16x4x16xf32>
      return %11 : tensor<2x16x4x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<2x16x4x16xf32> {tessera.name = "q"}, %arg1: tensor<2x24x4x16xf32> {tessera.name = "k"}, %arg2: tensor<2x24x4x16xf32> {tessera.name = "v"}) -> (tensor<2x16x4x16xf32> {tessera.name = "result"}) {
      %0 = tessera.transpose %arg0 permutation = [0, 2, 1, 3] : tensor<2x16x4x16xf32> -> tensor<2x4x16x16xf32>
      %1 = tessera.transpose %arg1 permutation = [0, 2, 1, 3] : tensor<2x24x4x16xf32> -> tensor<2x4x24x16xf32>
      %2 = tessera.transpose %arg2 permutation = [0, 2, 1, 3] : tensor<2x24x4x16xf32> -> tensor<2x4x24x16xf32>
      %output, %maximum, %sum = tessera.attention %0, %1, %2 scale = 2.500000e-01 : (tensor<2x4x16x16xf32>, tensor<2x4x24x16xf32>, tensor<2x4x24x16xf32>) -> (tensor<2x4x16x16xf32>, tensor<2x4x16xf32>, tensor<2x4x16xf32>)
      %3 = tessera.transpose %output permutation = [0, 2, 1, 3] : tensor<2x4x16x16xf32> -> tensor<2x16x4x16xf32>
      return %3 : tensor<2x16x4x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ShareAttention : Pass<"tessera-share-attention", "::mlir::ModuleOp"> {
  let summary = "lets a backward task read what the forward task's attention gave";
  let description = [{
    With pipeline stages, forward and backward pass of a microbatch are functions, both of which have attention. Where they compute the same, the forward one returns output, maximum and
    sum, in the form in which it returns the output already if it does, and the backward one takes them as arguments.

    **Requires** operations on one device's tensors that no kernel holds yet.
    **Ensures** that values are unchanged but for the rounding of an output that is kept in a narrower type.

    <!-- example: share-attention.mlir @backward -->
    ```mlir
    func.func private @backward(%w: tensor<2x1x8x16xf32>, %q: tensor<2x1x8x16xf32>, %v: tensor<2x1x8x16xf32>) -> tensor<2x1x8x16xf32> {
      %k = math.sin %q : tensor<2x1x8x16xf32>
      %o, %m, %s = tessera.attention %q, %k, %v scale = 2.500000e-01 causal = 0 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
      %dq, %dk, %dv = tessera.attention_gradient %q, %k, %v output %o maximum %m sum %s gradient %w scale = 2.500000e-01 causal = 0 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
      %sum = arith.addf %dq, %dk : tensor<2x1x8x16xf32>
      return %sum : tensor<2x1x8x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func private @backward(%arg0: tensor<2x1x8x16xf32>, %arg1: tensor<2x1x8x16xf32>, %arg2: tensor<2x1x8x16xf32>, %arg3: tensor<2x8x16xbf16>, %arg4: tensor<2x1x8xf32>, %arg5: tensor<2x1x8xf32>) -> tensor<2x1x8x16xf32> {
      %0 = math.sin %arg1 : tensor<2x1x8x16xf32>
      %1 = tessera.reshape %arg3 : tensor<2x8x16xbf16> -> tensor<2x1x8x16xbf16>
      %query_gradient, %key_gradient, %value_gradient = tessera.attention_gradient %arg1, %0, %arg2 output %1 maximum %arg4 sum %arg5 gradient %arg0 scale = 2.500000e-01 causal = 0 : (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xbf16>, tensor<2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8x16xf32>) -> (tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>, tensor<2x1x8x16xf32>)
      %2 = arith.addf %query_gradient, %key_gradient : tensor<2x1x8x16xf32>
      return %2 : tensor<2x1x8x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def DecomposeAttention : Pass<"tessera-decompose-attention", "::mlir::func::FuncOp"> {
  let summary = "writes attention out in single operations";
  let description = [{
    The reverse of `tessera-form-attention`, for devices that have no kernel for attention, or none for this one (f64, more than 256 features).

    **Requires** attention that no kernel holds yet. **Ensures** no attention is left but, with `keep-supported`, what a GPU kernel can do.

    <!-- example: decompose-attention-plain.mlir @plain -->
    ```mlir
    func.func @plain(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x6x8xf32>, %v: tensor<1x1x6x8xf32>) -> tensor<1x1x4x8xf32> {
      %output, %maximum, %sum = tessera.attention %q, %k, %v scale = 0.5
          : (tensor<1x1x4x8xf32>, tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>) -> (tensor<1x1x4x8xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
      return %output : tensor<1x1x4x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @plain(%arg0: tensor<1x1x4x8xf32>, %arg1: tensor<1x1x6x8xf32>, %arg2: tensor<1x1x6x8xf32>) -> tensor<1x1x4x8xf32> {
      %0 = tessera.reshape %arg0 : tensor<1x1x4x8xf32> -> tensor<1x1x1x4x8xf32>
      %1 = tessera.dot_general %0, %arg1 batching = [0, 1] x [0, 1] contracting = [4] x [3] : (tensor<1x1x1x4x8xf32>, tensor<1x1x6x8xf32>) -> tensor<1x1x1x4x6xf32>
      %2 = tessera.reshape %1 : tensor<1x1x1x4x6xf32> -> tensor<1x1x4x6xf32>
      %cst = arith.constant dense<5.000000e-01> : tensor<1x1x4x6xf32>
      %3 = arith.mulf %2, %cst : tensor<1x1x4x6xf32>
      %4 = tessera.reduce max %3 dims = [3] : tensor<1x1x4x6xf32> -> tensor<1x1x4xf32>
      %5 = tessera.broadcast %4 dims = [0, 1, 2] : tensor<1x1x4xf32> -> tensor<1x1x4x6xf32>
      %6 = arith.subf %3, %5 : tensor<1x1x4x6xf32>
      %7 = math.exp %6 : tensor<1x1x4x6xf32>
      %8 = tessera.reduce sum %7 dims = [3] : tensor<1x1x4x6xf32> -> tensor<1x1x4xf32>
      %9 = tessera.broadcast %8 dims = [0, 1, 2] : tensor<1x1x4xf32> -> tensor<1x1x4x6xf32>
      %10 = arith.divf %7, %9 : tensor<1x1x4x6xf32>
      %11 = tessera.reshape %10 : tensor<1x1x4x6xf32> -> tensor<1x1x1x4x6xf32>
      %12 = tessera.dot_general %11, %arg2 batching = [0, 1] x [0, 1] contracting = [4] x [2] : (tensor<1x1x1x4x6xf32>, tensor<1x1x6x8xf32>) -> tensor<1x1x1x4x8xf32>
      %13 = tessera.reshape %12 : tensor<1x1x1x4x8xf32> -> tensor<1x1x4x8xf32>
      return %13 : tensor<1x1x4x8xf32>
    }
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

    <!-- example: flatten-collectives.mlir @gather_columns -->
    ```mlir
    func.func @gather_columns(%x: tensor<8x4xf32>) -> tensor<8x16xf32> {
      %0 = spmd.all_gather %x dim = 1 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @gather_columns(%arg0: tensor<8x4xf32>) -> tensor<8x16xf32> {
      %0 = spmd.all_gather %arg0 dim = 0 over <@mesh, ["y"]> : tensor<8x4xf32> -> tensor<32x4xf32>
      %1 = tessera.reshape %0 : tensor<32x4xf32> -> tensor<4x8x4xf32>
      %2 = tessera.transpose %1 permutation = [1, 0, 2] : tensor<4x8x4xf32> -> tensor<8x4x4xf32>
      %3 = tessera.reshape %2 : tensor<8x4x4xf32> -> tensor<8x16xf32>
      return %3 : tensor<8x16xf32>
    }
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

    <!-- example: simplify-shapes.mlir @relabelling -->
    ```mlir
    func.func @relabelling(%x: tensor<8x1xf32>) -> tensor<1x8xf32> {
      %0 = tessera.broadcast %x dims = [0, 2] : tensor<8x1xf32> -> tensor<8x1x1xf32>
      %1 = tessera.reduce sum %0 dims = [1] : tensor<8x1x1xf32> -> tensor<8x1xf32>
      %2 = tessera.transpose %1 permutation = [1, 0] : tensor<8x1xf32> -> tensor<1x8xf32>
      return %2 : tensor<1x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @relabelling(%arg0: tensor<8x1xf32>) -> tensor<1x8xf32> {
      %0 = tessera.reshape %arg0 : tensor<8x1xf32> -> tensor<8x1x1xf32>
      %1 = tessera.reshape %arg0 : tensor<8x1xf32> -> tensor<1x8xf32>
      return %1 : tensor<1x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def FoldTransposes : Pass<"tessera-fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "folds transposes into the dimension numbers of matmuls";
  let description = [{
    A matmul reads its operands through strides, so a transposed operand costs nothing when the dimension numbers say it; and
    a transpose that swaps the two groups of free dimensions of a result is the matmul with its operands swapped.

    **Requires** nothing. **Ensures** that values are unchanged and no transpose is added.

    <!-- example: fold-transposes.mlir @transposed_result -->
    ```mlir
    func.func @transposed_result(%a: tensor<8x4xf32>, %b: tensor<8x16xf32>) -> tensor<16x4xf32> {
      %d = tessera.dot_general %a, %b batching = [] x [] contracting = [0] x [0] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      %t = tessera.transpose %d permutation = [1, 0] : tensor<4x16xf32> -> tensor<16x4xf32>
      return %t : tensor<16x4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @transposed_result(%arg0: tensor<8x4xf32>, %arg1: tensor<8x16xf32>) -> tensor<16x4xf32> {
      %0 = tessera.dot_general %arg1, %arg0 batching = [] x [] contracting = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
      return %0 : tensor<16x4xf32>
    }
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

    A matmul in which every element of both operands is needed once, as a dot product or a batch of them, is a reduction too, of products: so it takes on what makes its
    operands and shares a kernel with other sums of the same values. Sums are formed in f32 where the result has 16 bits, and
    square by square where the operands' elements lie in other orders.

    **Requires** nothing.
    **Ensures** the dimensions (larger than 1) of every `tessera.reduce` are the leading or the trailing ones; every `tessera.dot_general` has a free dimension larger than 1, or
    computes with booleans.

    <!-- example: align-reductions.mlir @dot_product -->
    ```mlir
    func.func @dot_product(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> tensor<f32> {
      %0 = tessera.dot_general %x, %y batching = [] x [] contracting = [0, 1] x [0, 1] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func @dot_product(%arg0: tensor<256x256xf32>, %arg1: tensor<256x256xf32>) -> tensor<f32> {
      %0 = arith.mulf %arg0, %arg1 : tensor<256x256xf32>
      %1 = tessera.reduce sum %0 dims = [1] : tensor<256x256xf32> -> tensor<256xf32>
      %2 = tessera.reduce sum %1 dims = [0] : tensor<256xf32> -> tensor<f32>
      return %2 : tensor<f32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::mlir::arith::ArithDialect"];
}

def FormKernels : Pass<"tessera-form-kernels", "::mlir::func::FuncOp"> {
  let summary = "clusters operations into kernels";
  let description = [{
    Greedy fusion of producers into consumers, then of element-wise clusters into the matmuls that feed them, under the
    kinds of kernels in `docs/rationale/kernels.md`. Operations that only move elements, constants and what follows from them
    are copied into each kernel that needs them; nothing else is computed twice.

    **Requires** what `tessera-align-reductions` ensures.
    **Ensures** every operation on tensors of the dialects `tessera`, `arith` and `math` stands in a `spmd.kernel`.

    <!-- example: form-kernels.mlir @chain -->
    ```mlir
    func.func @chain(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
      %c = arith.constant dense<2.0> : tensor<f32>
      %b = tessera.broadcast %c dims = [] : tensor<f32> -> tensor<8x16xf32>
      %0 = arith.mulf %x, %b : tensor<8x16xf32>
      %1 = math.exp %0 : tensor<8x16xf32>
      return %1 : tensor<8x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @chain(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
      %0 = spmd.kernel(%arg0) : (tensor<8x16xf32>) -> tensor<8x16xf32> {
      ^bb0(%arg1: tensor<8x16xf32>):
        %cst = arith.constant dense<2.000000e+00> : tensor<f32>
        %1 = tessera.broadcast %cst dims = [] : tensor<f32> -> tensor<8x16xf32>
        %2 = arith.mulf %arg1, %1 : tensor<8x16xf32>
        %3 = math.exp %2 : tensor<8x16xf32>
        spmd.yield %3 : tensor<8x16xf32>
      }
      return %0 : tensor<8x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect"];
}

def RecomputeValues : Pass<"tessera-recompute-values", "::mlir::func::FuncOp"> {
  let summary = "computes cheap values again instead of storing them";
  let description = [{
    If results of a kernel follow from each other, or from one value, by a few cheap operations, only that one is stored; the kernels that
    need the others compute them from it.

    **Requires** what `tessera-form-kernels` ensures. **Ensures** a kernel stores no result that follows from another one, or from one value, by a few cheap
    operations; values are unchanged.

    <!-- example: recompute-values.mlir @along_a_row -->
    ```mlir
    func.func @along_a_row(%x: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
      %0:2 = spmd.kernel(%x) : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
      ^bb0(%a: tensor<8x16xf32>):
        %e = math.exp %a : tensor<8x16xf32>
        %s = tessera.reduce sum %e dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
        %b = tessera.broadcast %s dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
        %m = arith.mulf %e, %b : tensor<8x16xf32>
        spmd.yield %e, %m : tensor<8x16xf32>, tensor<8x16xf32>
      }
      %1 = spmd.kernel(%0#1) : (tensor<8x16xf32>) -> tensor<16xf32> {
      ^bb0(%a: tensor<8x16xf32>):
        %s = tessera.reduce sum %a dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
        spmd.yield %s : tensor<16xf32>
      }
      return %0#0, %1 : tensor<8x16xf32>, tensor<16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @along_a_row(%arg0: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
      %0:2 = spmd.kernel(%arg0) : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
      ^bb0(%arg1: tensor<8x16xf32>):
        %2 = math.exp %arg1 : tensor<8x16xf32>
        %3 = tessera.reduce sum %2 dims = [1] : tensor<8x16xf32> -> tensor<8xf32>
        spmd.yield %2, %3 : tensor<8x16xf32>, tensor<8xf32>
      }
      %1 = spmd.kernel(%0#0, %0#1) : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<16xf32> {
      ^bb0(%arg1: tensor<8x16xf32>, %arg2: tensor<8xf32>):
        %2 = tessera.broadcast %arg2 dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
        %3 = arith.mulf %arg1, %2 : tensor<8x16xf32>
        %4 = tessera.reduce sum %3 dims = [0] : tensor<8x16xf32> -> tensor<16xf32>
        spmd.yield %4 : tensor<16xf32>
      }
      return %0#0, %1 : tensor<8x16xf32>, tensor<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect"];
}

def VerifyKernels : Pass<"tessera-verify-kernels", "::mlir::func::FuncOp"> {
  let summary = "checks the contract of the phase fuse";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made. Changes nothing. **Ensures** nothing computes with tensors outside of kernels;
    every kernel is of one of the kinds in `docs/rationale/kernels.md`; collectives are flat.

    <!-- example: verify-kernels-errors.mlir @middle -->
    ```mlir
    func.func @middle(%x: tensor<2x4x8xf32>) -> tensor<2x8xf32> {
      %0 = spmd.kernel(%x) : (tensor<2x4x8xf32>) -> tensor<2x8xf32> {
      ^bb0(%a: tensor<2x4x8xf32>):
        // expected-error @+1 {{expected a reduction over leading or over trailing dimensions}}
        %r = tessera.reduce sum %a dims = [1] : tensor<2x4x8xf32> -> tensor<2x8xf32>
        spmd.yield %r : tensor<2x8xf32>
      }
      return %0 : tensor<2x8xf32>
    }
    ```
  }];
}

#endif
