//===- Passes.td - passes of the phase `import` ------------*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PASSES
#define TESSERA_TRANSFORMS_IMPORT_PASSES

include "mlir/Pass/PassBase.td"

def ConvertStablehlo : Pass<"tessera-convert-stablehlo", "::mlir::ModuleOp"> {
  let summary = "turns StableHLO, CHLO and Shardy into Tessera, arith, math, scf and func";
  let description = [{
    **Requires** a module as the parser left it: StableHLO in generic form, as unregistered operations with opaque
    attributes. A module without any such operation is left alone.

    **Ensures** that no foreign operation or attribute remains. Element-wise operations are `arith` and `math` on tensors,
    integers are signless (the original types chose between signed and unsigned operations), `while`, `if` and `case` are
    `scf`, a manual computation is `tessera.manual_computation` with `spmd` collectives that name mesh axes, everything else is `tessera`. Arguments and results of `@main` carry their names, shardings, donations and
    unsignedness. What has no counterpart is an error at its place.

    ```mlir
    %0 = "stablehlo.divide"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x4xui8>) -> tensor<4x2xui8>
    ```
    becomes
    ```mlir
    %0 = arith.divf %a, %b : tensor<4xf32>
    %1 = tessera.transpose %x permutation = [1, 0] : tensor<2x4xi8> -> tensor<4x2xi8>
    ```
  }];
  let dependentDialects = [
    "::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def InlineCalls : Pass<"tessera-inline-calls", "::mlir::ModuleOp"> {
  let summary = "puts the body of every called function in the place of the call";
  let description = [{
    **Requires** functions of one block. Recursion is an error.

    **Ensures** that no call and no private function remains. The location of a copied operation is a call site: its own
    place, then that of the call. What a private function says of the shardings of its arguments and results becomes constraints.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = arith.mulf %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = arith.mulf %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

def FoldTrivialOps : Pass<"tessera-fold-trivial-ops", "::mlir::ModuleOp"> {
  let summary = "folds what inlining made trivial, without computing large constants";
  let description = [{
    **Requires** that operations stand behind what they use, as `tessera-inline-calls` leaves them.

    One walk in program order applies every operation's own folder (a broadcast of a broadcast, `x * 1`, a reshape to the
    same shape); constants take part only where one value fills them. Values without elements become constants, operations without users are removed.

    **Ensures** that every constant it makes is filled by one value.

    ```mlir
    %one = arith.constant dense<1.0> : tensor<f32>
    %0 = tessera.broadcast %one dims = [] : tensor<f32> -> tensor<4xf32>
    %1 = tessera.reshape %x : tensor<4xf32> -> tensor<4xf32>
    %2 = arith.addf %1, %0 : tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = arith.constant dense<1.0> : tensor<4xf32>
    %1 = arith.addf %x, %0 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PairBatches : Pass<"tessera-pair-batches", "::mlir::ModuleOp"> {
  let summary = "says by batching dimensions that a look-up counts its rows";
  let description = [{
    A gather or scatter may name row i of its operand for row i of its indices, as `cache.at[arange(batch), position].set(row)` does. Where a component of the index
    vectors is the place along a dimension of the indices that is as long as the operand's dimension it addresses, the two become a pair of batching dimensions, and the
    component goes. At least one is left.

    **Requires** folded broadcasts, as `tessera-fold-trivial-ops` leaves them. **Ensures** the same values.

    ```mlir
    %rows = tessera.iota dim = 0 : tensor<4x1xi32>
    %places = tessera.concatenate %rows, %position dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %0 = tessera.gather %cache at %places offset = [] collapsed = [0, 1] batching = [] x [] map = [0, 1] vector = 1 sizes = [1, 1] : (tensor<4x8xf32>, tensor<4x2xi32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    %0 = tessera.gather %cache at %position offset = [] collapsed = [1] batching = [0] x [0] map = [1] vector = 1 sizes = [1, 1] : (tensor<4x8xf32>, tensor<4x1xi32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def VerifyImport : Pass<"tessera-verify-import", "::mlir::ModuleOp"> {
  let summary = "checks what the phase `import` promises";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made.

    **Ensures** one function, the public `@main`, of one block, on tensors of static shape whose elements are bool, signless
    integers of 8 to 64 bits, or f16, bf16, f32, f64; only
    operations of `tessera`, `arith`, `math`, `scf` and `func` (and `tensor.extract` and `tensor.from_elements`, between
    `scf`'s scalars and tensors of rank 0); names of arguments and of results that are different; donated arguments of
    their result's type, with each result donated to once at most.
  }];
}

#endif
