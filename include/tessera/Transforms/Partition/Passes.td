//===- Passes.td - the phase from whole tensors to parts ---*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PASSES
#define TESSERA_TRANSFORMS_PARTITION_PASSES

include "mlir/Pass/PassBase.td"

def PadDimensions : Pass<"tessera-pad-dimensions", "::mlir::ModuleOp"> {
  let summary = "makes every split dimension divide into equal parts";
  let description = [{
    A dimension of 10 over 4 devices, blocks of 3, 3, 3 and 1, becomes one of 12. The padding may hold anything: it is filled with neutral elements only where an operation
    would reduce it, and places given as data are kept from naming it. Arguments and results of functions stay as they are; the operations that pad the former and crop the
    latter change nothing on a device, for these dimensions are padded just so far that blocks keep their size.

    **Requires**: what the phase `shard` ensures. **Ensures**: the number of shards divides every dimension, but for those of arguments and of what is returned.

    <!-- example: pad-dimensions.mlir @reduced -->
    ```mlir
    func.func @reduced(%a: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>})
        -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>}, tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) {
      %0 = math.exp %a {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<10xf32>
      %1 = tessera.reduce max %0 dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [], unreduced=max{"x"}>} : tensor<10xf32> -> tensor<f32>
      %2 = tessera.reshard %1 to <@mesh, []> {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
      return %2, %0 : tensor<f32>, tensor<10xf32>
    }
    ```
    becomes
    ```mlir
    func.func @reduced(%arg0: tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> (tensor<f32> {tessera.sharding = #tessera.sharding<@mesh, []>}, tensor<10xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) {
      %0 = ub.poison {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
      %1 = tessera.pad %arg0 with %0 low = [0] high = [2] interior = [0] {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : (tensor<10xf32>, tensor<f32>) -> tensor<12xf32>
      %2 = math.exp %1 {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<12xf32>
      %cst = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} dense<0xFF800000> : tensor<12xf32>
      %3 = tessera.iota dim = 0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<12xi32>
      %cst_0 = arith.constant {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} dense<10> : tensor<12xi32>
      %4 = arith.cmpi slt, %3, %cst_0 {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<12xi32>
      %5 = arith.select %4, %2, %cst {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : tensor<12xi1>, tensor<12xf32>
      %6 = tessera.reduce max %5 dims = [0] {tessera.sharding = #tessera.sharding<@mesh, [], unreduced=max{"x"}>} : tensor<12xf32> -> tensor<f32>
      %7 = tessera.reshard %6 to <@mesh, []> {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
      %8 = ub.poison {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
      %9 = tessera.pad %2 with %8 low = [0] high = [-2] interior = [0] {tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>} : (tensor<12xf32>, tensor<f32>) -> tensor<10xf32>
      return %7, %9 : tensor<f32>, tensor<10xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::ub::UBDialect"];
}

def Partition : Pass<"tessera-partition", "::mlir::ModuleOp"> {
  let summary = "makes the program that every device runs on its parts of the tensors";
  let description = [{
    Every tensor becomes one device's part of it, every `tessera.reshard` the cheapest sequence of collectives. The body of a `tessera.manual_computation`
    takes the operation's place; inside, reshards use the free axes only. Operations keep their kind; those that depend
    on which part they compute get index arithmetic.

    **Requires**: what `tessera-pad-dimensions` ensures. **Ensures**: local types everywhere, no shardings but those of the arguments and results of functions, which also say
    the types of the whole tensors.

    <!-- example: partition.mlir @moves -->
    ```mlir
    func.func @moves(%a: tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>})
        -> (tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>},
            tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>},
            tensor<8x8xf32> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) {
      %0 = tessera.reshard %a to <@mesh, [{}, {"x"} ]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>} : tensor<8x8xf32>
      %1 = tessera.reshard %a to <@mesh, [{}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : tensor<8x8xf32>
      %2 = tessera.reshard %1 to <@mesh, [{"x"}, {} ]> {tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>} : tensor<8x8xf32>
      return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    }
    ```
    becomes
    ```mlir
    func.func @moves(%arg0: tensor<2x8xf32> {tessera.global_type = tensor<8x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) -> (tensor<8x2xf32> {tessera.global_type = tensor<8x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {"x"} ]>}, tensor<8x8xf32> {tessera.global_type = tensor<8x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, tensor<2x8xf32> {tessera.global_type = tensor<8x8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"}, {} ]>}) {
      %0 = spmd.all_to_all %arg0 split = 1 concat = 0 over <@mesh, ["x"]> : tensor<2x8xf32> -> tensor<8x2xf32>
      %1 = spmd.all_gather %arg0 dim = 0 over <@mesh, ["x"]> : tensor<2x8xf32> -> tensor<8x8xf32>
      %cst = arith.constant dense<0> : tensor<i32>
      %2 = spmd.axis_index <@mesh, ["x"]> : tensor<i32>
      %cst_0 = arith.constant dense<2> : tensor<i32>
      %3 = arith.muli %2, %cst_0 : tensor<i32>
      %4 = tessera.dynamic_slice %1[%3, %cst] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
      return %0, %1, %4 : tensor<8x2xf32>, tensor<8x8xf32>, tensor<2x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect"];
}

def SplitPrograms : Pass<"tessera-split-programs", "::mlir::ModuleOp"> {
  let summary = "makes a program for every pipeline rank of a step with a schedule";
  let description = [{
    Does nothing where no loop has `pipe.schedule`.

    Every `pipe.fragment` becomes a private function named after its kind and stage (`@forward_0`, `@once_2`; a second one of the same kind and stage `@once_2_1`), whose arguments are the
    tensors that it used from around it, with the attributes `pipe.stage`, `pipe.kind` and those of the fragment. `tessera.donated = j` on an argument says that result `j` may be written over it: wherever the function is called, nobody needs that operand
    afterwards.

    Every pipeline rank gets a public function `@rank_N` with the attribute `pipe.rank`. It takes and gives a part of what `@main` does, in the same order (`pipe.argument` and `pipe.result`
    say which, `tessera.donated` counts the function's own results), and holds, with no control flow:

    - what stands before the loop for its stages: calls, without an attribute;
    - its tasks in order: calls with `pipe.task`, of one or several fragments each; the number of the microbatch is an `arith.constant` of type `tensor<i32>`;
    - for the accumulators of a stage that several ranks have: an exchange of their parts, and `arith` operations that combine them in the order of the ranks;
    - what stands behind the loop for its stages.

    A value that another rank makes is received right before the first call that needs it (`spmd.recv`), and sent right after the call that makes it (`spmd.send`), whichever transfers
    stood in between. All messages of one value from one rank to another have one tag, unless they are received in another order than sent. `@main` is only declared: the boundary
    of all ranks together, with the schedule.

    An argument is on every rank that uses it (on rank 0 if none does), a result on every rank that has its stage and on all that hold the argument donated to it. Rows of an argument
    (`tessera.slice` of it outside of fragments) are placed like arguments of their own, and what `@main` concatenates to a result like results; `pipe.first_row` says which they are.

    **Requires**: what `tessera-partition` ensures; around the loop with the schedule and in it only fragments, transfers, rows of arguments and results, what is computed from no tensor, and what fills up results of fragments for other fragments (it goes into these); one task in the schedule
    for every fragment of the loop and every microbatch. **Ensures**: no fragments and no transfers.

    <!-- example: split-programs-between.mlir @main -> @rank_0 -->
    ```mlir
    func.func @main(%x: tensor<4xf32> {tessera.global_type = tensor<4xf32>}) -> (tensor<4xf32> {tessera.global_type = tensor<4xf32>}) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %prepared = pipe.fragment once stage 0 -> tensor<4xf32> {
        %0 = math.exp %x : tensor<4xf32>
        pipe.yield %0 : tensor<4xf32>
      }
      %sent = pipe.transfer %prepared from 0 to 1 : tensor<4xf32>
      %twice = arith.addf %prepared, %prepared : tensor<4xf32>
      %four_times = arith.addf %twice, %twice : tensor<4xf32>
      %twice_there = arith.addf %sent, %sent : tensor<4xf32>
      %zero = pipe.fragment once stage 1 -> tensor<4xf32> {
        %0 = arith.constant dense<0.0> : tensor<4xf32>
        pipe.yield %0 : tensor<4xf32>
      }
      %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %zero) -> tensor<4xf32> {
        %a = pipe.fragment forward stage 0 -> tensor<4xf32> {
          %0 = arith.mulf %four_times, %x : tensor<4xf32>
          pipe.yield %0 : tensor<4xf32>
        }
        %b = pipe.transfer %a from 0 to 1 : tensor<4xf32>
        %c = pipe.fragment forward stage 1 -> tensor<4xf32> {
          %0 = arith.mulf %b, %twice_there : tensor<4xf32>
          %1 = arith.addf %s, %0 : tensor<4xf32>
          pipe.yield %1 : tensor<4xf32>
        }
        scf.yield %c : tensor<4xf32>
      } {pipe.schedule = #pipe.schedule<"1f1b", stages = 2, microbatches = 2, ["0F0 0F1", "1F0 1F1"]>}
      return %sum : tensor<4xf32>
    }
    ```
    becomes, on the first pipeline rank,
    ```mlir
    func.func @rank_0(%arg0: tensor<4xf32> {pipe.argument = 0 : i64, tessera.global_type = tensor<4xf32>}) attributes {pipe.rank = 0 : i64} {
      %0 = call @once_0(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
      spmd.send %0 to 1 tag 0 : tensor<4xf32>
      %1 = call @forward_0(%0, %arg0) {pipe.task = "0F0"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      spmd.send %1 to 1 tag 1 : tensor<4xf32>
      %2 = call @forward_0(%0, %arg0) {pipe.task = "0F1"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      spmd.send %2 to 1 tag 1 : tensor<4xf32>
      return
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}

def ExchangeBoundary : Pass<"tessera-exchange-boundary", "::mlir::ModuleOp"> {
  let summary = "brings arguments and results from and to devices in another order";
  let description = [{
    An argument or result with `tessera.device_order` lies on the devices in an order that is not the mesh's. The parts of such an argument are exchanged before anything uses
    them, those of such a result before it is returned: one `spmd.permute`, along as few axes as possible, or nothing where every device has what it should.

    **Requires**: what `tessera-split-programs` ensures, and that it has not run before. **Ensures**: what devices hold at the boundary is in the order that the attribute says.

    <!-- example: exchange-boundary.mlir @arguments -->
    ```mlir
    func.func @arguments(
        %a: tensor<2xf32> {tessera.device_order = array<i64: 0, 3, 1, 2>, tessera.global_type = tensor<8xf32>, tessera.name = "w", tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"} ]>},
        %b: tensor<4xf32> {tessera.device_order = array<i64: 1, 0, 3, 2>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y"} ]>},
        %c: tensor<4xf32> {tessera.device_order = array<i64: 1, 0, 3, 2>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>})
        -> (tensor<2xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"} ]>},
            tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y"} ]>},
            tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) {
      %0 = arith.addf %a, %a : tensor<2xf32>
      return %0, %b, %c : tensor<2xf32>, tensor<4xf32>, tensor<4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @arguments(%arg0: tensor<2xf32> {tessera.device_order = array<i64: 0, 3, 1, 2>, tessera.global_type = tensor<8xf32>, tessera.name = "w", tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"} ]>}, %arg1: tensor<4xf32> {tessera.device_order = array<i64: 1, 0, 3, 2>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y"} ]>}, %arg2: tensor<4xf32> {tessera.device_order = array<i64: 1, 0, 3, 2>, tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) -> (tensor<2xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x", "y"} ]>}, tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"y"} ]>}, tensor<4xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{"x"} ]>}) {
      %0 = spmd.permute %arg0 to [0, 2, 3, 1] over <@mesh, ["x", "y"]> : tensor<2xf32>
      %1 = spmd.permute %arg1 to [1, 0] over <@mesh, ["y"]> : tensor<4xf32>
      %2 = arith.addf %0, %0 : tensor<2xf32>
      return %2, %1, %arg2 : tensor<2xf32>, tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tessera::spmd::SpmdDialect"];
}

def VerifyPartitioned : Pass<"tessera-verify-partitioned", "::mlir::ModuleOp"> {
  let summary = "checks what the phase `partition` promises";
  let description = [{
    **Requires** nothing: it judges what the passes before it, or a user, made. Changes nothing.

    **Ensures** no sharding is left on operations, no `tessera.reshard`, annotation or `tessera.manual_computation`; arguments and results of functions have the local type that follows from their
    sharding and their `tessera.global_type`. Of programs of pipeline ranks: each takes and gives a part of what `@main` does; no fragment or transfer is left; a call gives away
    only what nobody needs afterwards; all ranks reach their end, with every message received, as what it was sent as.

    <!-- example: verify-partitioned-errors.mlir @reshard -->
    ```mlir
    func.func @reshard(%a: tensor<8xf32> {tessera.global_type = tensor<8xf32>, tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      // expected-error @below {{is left over after the phase 'partition'}}
      %0 = tessera.reshard %a to <@mesh, [{} ]> : tensor<8xf32>
      return
    }
    ```
  }];
}

#endif
