//===- Passes.td - passes of the phase `import` ------------*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PASSES
#define TESSERA_TRANSFORMS_IMPORT_PASSES

include "mlir/Pass/PassBase.td"

def SplitComplex : Pass<"tessera-split-complex", "::mlir::ModuleOp"> {
  let summary = "makes pairs of real tensors of complex ones";
  let description = [{
    **Requires** a module as the parser left it: StableHLO in generic form.

    **Ensures** that each complex value is two real ones of its shape and sharding (docs/rationale/complex.md). An argument or result of `@main` stays one tensor, with
    both parts in a last dimension of 2 that is not split, and has the attribute `tessera.complex`. What cannot be done with parts keeps complex operands, for
    `tessera-convert-stablehlo` to refuse.

    <!-- example: split-complex.mlir @main -->
    ```mlir
    func.func @main(%z: tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> (tensor<4xcomplex<f32>> {jax.result_info = "w"}) {
      %0 = "stablehlo.negate"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
      "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {} ]>, tessera.complex}) -> (tensor<4x2xf32> {jax.result_info = "w", tessera.complex}) {
      %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %1 = "stablehlo.reshape"(%0) : (tensor<4x1xf32>) -> tensor<4xf32>
      %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4, 2>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<4x2xf32>) -> tensor<4x1xf32>
      %3 = "stablehlo.reshape"(%2) : (tensor<4x1xf32>) -> tensor<4xf32>
      %4 = "stablehlo.negate"(%1) : (tensor<4xf32>) -> tensor<4xf32>
      %5 = "stablehlo.negate"(%3) : (tensor<4xf32>) -> tensor<4xf32>
      %6 = "stablehlo.reshape"(%4) : (tensor<4xf32>) -> tensor<4x1xf32>
      %7 = "stablehlo.reshape"(%5) : (tensor<4xf32>) -> tensor<4x1xf32>
      %8 = "stablehlo.concatenate"(%6, %7) <{dimension = 1 : i64}> : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
      return %8 : tensor<4x2xf32>
    }
    ```
  }];
}

def LegalizeShortTypes : Pass<"tessera-legalize-short-types", "::mlir::ModuleOp"> {
  let summary = "stores numbers of eight bits and fewer in bytes";
  let description = [{
    **Requires** a module as the parser left it: StableHLO in generic form.

    **Ensures** that no value is of floats of 4, 6 or 8 bits, nor of integers of 2 or 4: their elements are bytes, what moves them moves bytes, and what computes with them does so in `f32` or
    `i8` (docs/rationale/short-types.md). An argument or result of `@main` has the attribute `tessera.short_type`.

    <!-- example: legalize-short-types.mlir @main -->
    ```mlir
    func.func @main(%x: tensor<4xf8E4M3FN> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<4xf8E4M3FN> {
      %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
      "func.return"(%0) : (tensor<4xf8E4M3FN>) -> ()
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<4xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>, tessera.short_type = "f8E4M3FN"}) -> (tensor<4xui8> {tessera.short_type = "f8E4M3FN"}) {
      %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> : (tensor<4xui8>) -> tensor<4xui8>
      return %0 : tensor<4xui8>
    }
    ```
  }];
}

def ConvertStablehlo : Pass<"tessera-convert-stablehlo", "::mlir::ModuleOp"> {
  let summary = "turns StableHLO, CHLO and Shardy into Tessera, arith, math, scf and func";
  let description = [{
    **Requires** a module as the parser left it: StableHLO in generic form, as unregistered operations with opaque
    attributes. A module without any such operation is left alone.

    **Ensures** that no foreign operation or attribute remains. Element-wise operations are `arith` and `math` on tensors,
    integers are signless (the original types chose between signed and unsigned operations), `while`, `if` and `case` are
    `scf`, a manual computation is `tessera.manual_computation` with `spmd` collectives that name mesh axes, everything else is `tessera`. Arguments and results of `@main` carry their names, shardings, donations and
    unsignedness. What has no counterpart is an error at its place.

    <!-- example: convert-stablehlo-converts.mlir @total_order -->
    ```mlir
    func.func @total_order(%f: tensor<4xf32>) -> tensor<4xi1> {
      %0 = "stablehlo.compare"(%f, %f) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
      "func.return"(%0) : (tensor<4xi1>) -> ()
    }
    ```
    becomes
    ```mlir
    func.func @total_order(%arg0: tensor<4xf32>) -> tensor<4xi1> {
      %0 = arith.bitcast %arg0 : tensor<4xf32> to tensor<4xi32>
      %cst = arith.constant dense<31> : tensor<4xi32>
      %1 = arith.shrsi %0, %cst : tensor<4xi32>
      %cst_0 = arith.constant dense<2147483647> : tensor<4xi32>
      %2 = arith.andi %1, %cst_0 : tensor<4xi32>
      %3 = arith.xori %0, %2 : tensor<4xi32>
      %4 = arith.bitcast %arg0 : tensor<4xf32> to tensor<4xi32>
      %cst_1 = arith.constant dense<31> : tensor<4xi32>
      %5 = arith.shrsi %4, %cst_1 : tensor<4xi32>
      %cst_2 = arith.constant dense<2147483647> : tensor<4xi32>
      %6 = arith.andi %5, %cst_2 : tensor<4xi32>
      %7 = arith.xori %4, %6 : tensor<4xi32>
      %8 = arith.cmpi slt, %3, %7 : tensor<4xi32>
      return %8 : tensor<4xi1>
    }
    ```
  }];
  let dependentDialects = [
    "::tessera::TesseraDialect", "::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def SpecializeShapes : Pass<"tessera-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "makes open shapes static, for given shapes of arguments";
  let description = [{
    **Requires** StableHLO in generic form, without tuples and tokens.

    **Ensures** that every shape is static. Those of the arguments of `@main` are the ones in the file, or given; all others follow from them, from attributes and from integers that are computed from constants
    and sizes, which become constants. A function is copied for each list of shapes that it is called with. A shape that does not follow, or an argument without sizes, is an error at its place.

    <!-- example: specialize-shapes.mlir @main run --tessera-specialize-shapes=shapes=x=6x4 -->
    ```mlir
    func.func @main(%x: tensor<?x4xf32> loc("x")) -> tensor<?xf32> {
      %four = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x4xf32>) -> tensor<i32>
      %1 = "stablehlo.multiply"(%0, %four) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %2 = "stablehlo.reshape"(%1) : (tensor<i32>) -> tensor<1xi32>
      %3 = "stablehlo.dynamic_reshape"(%x, %2) : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
      return %3 : tensor<?xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<6x4xf32>) -> tensor<24xf32> {
      %0 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
      %1 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
      %2 = "stablehlo.constant"() <{value = dense<24> : tensor<i32>}> : () -> tensor<i32>
      %3 = "stablehlo.constant"() <{value = dense<24> : tensor<1xi32>}> : () -> tensor<1xi32>
      %4 = "stablehlo.dynamic_reshape"(%arg0, %3) : (tensor<6x4xf32>, tensor<1xi32>) -> tensor<24xf32>
      return %4 : tensor<24xf32>
    }
    ```
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string", "shapes of arguments of `@main`, as NAME=8x128">
  ];
}

def FlattenTuples : Pass<"tessera-flatten-tuples", "::mlir::ModuleOp"> {
  let summary = "passes the parts of tuples one by one, and no tokens";
  let description = [{
    **Requires** a module as the parser left it. Types of tuples and tokens stand at the boundaries of functions, among
    operands and results, and as arguments of regions.

    **Ensures** that no tuple's or token's type remains: their parts stand in their place, also those of nested ones, and
    `tuple`, `get_tuple_element`, `create_token` and `after_all` are gone. What has effects that tokens would order is
    not supported anyway, so their order need not be kept.

    <!-- example: flatten-tuples.mlir @parts -->
    ```mlir
    func.func @parts(%t: tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32> {
      %0 = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<4xf32>, tensor<2xi32>>) -> tensor<2xi32>
      "func.return"(%0) : (tensor<2xi32>) -> ()
    }
    ```
    becomes
    ```mlir
    func.func @parts(%arg0: tensor<4xf32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      return %arg1 : tensor<2xi32>
    }
    ```
  }];
}

def InlineCalls : Pass<"tessera-inline-calls", "::mlir::ModuleOp"> {
  let summary = "puts the body of every called function in the place of the call";
  let description = [{
    **Requires** functions of one block. Recursion is an error.

    **Ensures** that no call and no private function remains. The location of a copied operation is a call site: its own
    place, then that of the call. What a private function says of the shardings of its arguments and results becomes constraints.

    <!-- example: inline-calls.mlir @regions -->
    ```mlir
    func.func @regions(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = scf.if %c -> tensor<4xf32> {
        %1 = func.call @square(%x) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      } else {
        %1 = func.call @identity(%x) : (tensor<4xf32>) -> tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @regions(%arg0: i1, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %0 = scf.if %arg0 -> (tensor<4xf32>) {
        %1 = arith.mulf %arg1, %arg1 : tensor<4xf32>
        scf.yield %1 : tensor<4xf32>
      } else {
        scf.yield %arg1 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
  }];
}

def ThreadEffects : Pass<"tessera-thread-effects", "::mlir::ModuleOp"> {
  let summary = "numbers effects, and makes the number a result";
  let description = [{
    **Requires** functions without calls of others. Effects in the condition of a loop, or in per-device code by hand, are an error.

    **Ensures** that calls with an effect (`tessera.effect` among their parameters) take the number of effects before them and give the next one, as their last operand and
    result, in program order. The function returns the last number, as its last result, `effects`.

    <!-- example: thread-effects.mlir @loop -->
    ```mlir
    func.func @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> (tensor<4xf32>) {
        %none = arith.constant dense<0> : tensor<i32>
        %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%y, %none) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<4xf32>, tensor<i32>) -> tensor<i32>
        %2 = arith.addf %y, %y : tensor<4xf32>
        scf.yield %2 : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @loop(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32> {tessera.name = "effects"}) {
      %cst = arith.constant dense<0> : tensor<i32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %0:2 = scf.for %arg1 = %c0 to %c3 step %c1 iter_args(%arg2 = %arg0, %arg3 = %cst) -> (tensor<4xf32>, tensor<i32>) {
        %cst_0 = arith.constant dense<0> : tensor<i32>
        %1 = tessera.library_call "xla_ffi_python_cpu_callback"(%arg2, %arg3) with {index = 0 : ui64, tessera.effect = 1 : i32} buffers = [#tessera.routine_buffer<f32 [*]>, #tessera.routine_buffer<i32 []>, #tessera.routine_buffer<i32 []>] : (tensor<4xf32>, tensor<i32>) -> tensor<i32>
        %2 = arith.addf %arg2, %arg2 : tensor<4xf32>
        scf.yield %2, %1 : tensor<4xf32>, tensor<i32>
      }
      return %0#0, %0#1 : tensor<4xf32>, tensor<i32>
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

    <!-- example: fold-trivial-ops.mlir @constants -->
    ```mlir
    func.func @constants(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<3x2xf32>) {
      %one = arith.constant dense<1.0> : tensor<f32>
      %two = arith.addf %one, %one : tensor<f32>
      %0 = tessera.broadcast %two dims = [] : tensor<f32> -> tensor<2x2xf32>
      %1 = tessera.reshape %0 : tensor<2x2xf32> -> tensor<4xf32>
      %2 = arith.mulf %1, %x : tensor<4xf32>
      %ones = tessera.broadcast %one dims = [] : tensor<f32> -> tensor<4xf32>
      %3 = arith.mulf %2, %ones : tensor<4xf32>
      %table = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %4 = tessera.broadcast %table dims = [1] : tensor<2xf32> -> tensor<3x2xf32>
      return %3, %4 : tensor<4xf32>, tensor<3x2xf32>
    }
    ```
    becomes
    ```mlir
    func.func @constants(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<3x2xf32>) {
      %cst = arith.constant dense<2.000000e+00> : tensor<4xf32>
      %0 = arith.mulf %arg0, %cst : tensor<4xf32>
      %cst_0 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
      %1 = tessera.broadcast %cst_0 dims = [1] : tensor<2xf32> -> tensor<3x2xf32>
      return %0, %1 : tensor<4xf32>, tensor<3x2xf32>
    }
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

    **Requires** folded broadcasts, as `tessera-fold-trivial-ops` leaves them. **Ensures** no component of an index vector that only counts the rows of a batch
    is left beside another one; values are the same.

    <!-- example: pair-batches.mlir @main lines concatenate|scatter|gather|: \(tensor -->
    ```mlir
    func.func @main(%cache: tensor<4x8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {} ]>},
                    %place: tensor<4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>},
                    %row: tensor<4x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>})
        -> (tensor<4x8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {} ]>}, tensor<4x2xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>},
            tensor<4x3xf32>) {
      ...
      %2 = tessera.concatenate %0, %1 dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      %new = tessera.scatter %cache, %row at %2 window = [1] inserted = [0, 1] batching = [] x [] map = [0, 1] vector = 1
          : (tensor<4x8x3xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> tensor<4x8x3xf32>
      ...
      %places = tessera.concatenate %i2, %p2, %k2 dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x3xi32>
      %taken = tessera.gather %new at %places offset = [] collapsed = [0, 1, 2] batching = [] x [] map = [0, 1, 2] vector = 2 sizes = [1, 1, 1]
          : (tensor<4x8x3xf32>, tensor<4x2x3xi32>) -> tensor<4x2xf32>
      ...
      %jk = tessera.concatenate %half, %j dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      ...
      %other = tessera.gather %constant at %jk offset = [1] collapsed = [0, 1] batching = [] x [] map = [0, 1] vector = 1 sizes = [1, 1, 3]
          : (tensor<4x8x3xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
      ...
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<4x8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {} ]>}, %arg1: tensor<4xi32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}, %arg2: tensor<4x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) -> (tensor<4x8x3xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {}, {} ]>}, tensor<4x2xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}, tensor<4x3xf32>) {
      ...
      %6 = tessera.concatenate %4, %5 dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      %7 = tessera.scatter  %arg0, %arg2 at %5 window = [1] inserted = [1] batching = [0] x [0] map = [1] vector = 1 : (tensor<4x8x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<4x8x3xf32>
      ...
      %12 = tessera.concatenate %9, %10, %11 dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x3xi32>
      %13 = tessera.concatenate %10, %11 dim = 2 : (tensor<4x2x1xi32>, tensor<4x2x1xi32>) -> tensor<4x2x2xi32>
      %14 = tessera.gather %7 at %13 offset = [] collapsed = [1, 2] batching = [0] x [0] map = [1, 2] vector = 2 sizes = [1, 1, 1] : (tensor<4x8x3xf32>, tensor<4x2x2xi32>) -> tensor<4x2xf32>
      ...
      %17 = tessera.concatenate %16, %15 dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      ...
      %18 = tessera.gather %cst_2 at %17 offset = [1] collapsed = [0, 1] batching = [] x [] map = [0, 1] vector = 1 sizes = [1, 1, 3] : (tensor<4x8x3xf32>, tensor<4x2xi32>) -> tensor<4x3xf32>
      ...
    }
    ```
  }];
  let dependentDialects = ["::tessera::TesseraDialect"];
}

def ApplyPlan : Pass<"tessera-apply-plan", "::mlir::ModuleOp"> {
  let summary = "annotates a model as a plan file says";
  let description = [{
    A plan (docs/plans.md) has rules by the names of arguments; the first that matches holds. A style (`colwise`, `rowwise`) is about the dimension that the first product with the
    argument leaves free, or sums over. State follows its parameter by name and shape. Annotations that are there stay.

    **Requires** what the pass before has left: one function `@main` of Tessera's operations. Without a plan nothing changes.

    **Ensures** that each argument for which the plan decides has a `tessera.sharding` on the module's mesh, which the plan may bring, and that what leaves the plan's scopes
    is constrained. What has been decided is a remark, what was in vain a warning, what is wrong in the plan an error at its place there.

    With a plan of the rules `w1: colwise(model)`, `w2: rowwise(model)` and `x: [data]` on a mesh of two by four:

    <!-- example: apply-plan-small.mlir @main run --tessera-apply-plan=plan=test/Transforms/Import/Inputs/apply-plan-small.yaml -->
    ```mlir
    func.func @main(%x: tensor<8x16xf32> {tessera.name = "x"}, %w1: tensor<16x32xf32> {tessera.name = "p['w1']"}, %w2: tensor<16x32xf32> {tessera.name = "p['w2']"}) -> (tensor<8x16xf32> {tessera.name = "y"}) {
      %h = tessera.dot_general %x, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
      %a = math.tanh %h : tensor<8x32xf32>
      %y = tessera.dot_general %a, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<8x32xf32>, tensor<16x32xf32>) -> tensor<8x16xf32>
      return %y : tensor<8x16xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<8x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>}, %arg1: tensor<16x32xf32> {tessera.name = "p['w1']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"} ]>}, %arg2: tensor<16x32xf32> {tessera.name = "p['w2']", tessera.sharding = #tessera.sharding<@mesh, [{}, {"model"} ]>}) -> (tensor<8x16xf32> {tessera.name = "y"}) {
      %0 = tessera.dot_general %arg0, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
      %1 = math.tanh %0 : tensor<8x32xf32>
      %2 = tessera.dot_general %1, %arg2 batching = [] x [] contracting = [1] x [1] : (tensor<8x32xf32>, tensor<16x32xf32>) -> tensor<8x16xf32>
      return %2 : tensor<8x16xf32>
    }
    ```
  }];
  let options = [
    Option<"plan", "plan", "std::string", /*default=*/"", "the plan's file">,
    Option<"mesh", "mesh", "std::string", /*default=*/"", "mesh sizes that hold in place of the plan's, as data=2,model=4">
  ];
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

    <!-- example: verify-import-errors.mlir @step -->
    ```mlir
    func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    ```
  }];
}

#endif
