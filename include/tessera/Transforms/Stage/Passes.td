//===- Passes.td - the phase that cuts a step into stages --*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_STAGE_PASSES
#define TESSERA_TRANSFORMS_STAGE_PASSES

include "mlir/Pass/PassBase.td"

def ChoosePlacement : Pass<"tessera-choose-placement", "::mlir::ModuleOp"> {
  let summary = "cuts a step into stages as the fastest schedule that can be found wants it";
  let description = [{
    What `--schedule=auto` is. Cuts copies of the module for one published schedule of each kind that the step admits and that may be the fastest by an estimate: with so many stages on a rank, in one direction or there and back, once or in two
    copies, with the output layer on the last stage or on all ranks. Searches the schedule among all of them, and becomes the copy that it is of. An error where a step cannot be cut, or nothing fits `memory-limit`.

    **Requires** what `tessera-cut-stages` requires. **Ensures** what `tessera-choose-schedule` ensures.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", "1", "the number of pipeline ranks">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that a device may use; 0 for no limit">,
    Option<"attentionKernels", "attention-kernels", "bool", "false", "whether scores of attention cost nothing to repeat">
  ];
  let dependentDialects = ["::tessera::pipe::PipeDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def CutStages : Pass<"tessera-cut-stages", "::mlir::ModuleOp"> {
  let summary = "puts every operation of a step into a fragment of one stage";
  let description = [{
    Cuts the forward pass where `tessera.stage_end` stands or, without marks, such that the most expensive stage is cheapest; infers the stages of the backward pass and of
    what runs once per step from what they use and what it costs to send it.

    An argument with a row for every layer, as a `scan` over layers needs it, is taken apart: its rows are `tessera.slice`s at the beginning of `@main`, results made of rows a `tessera.concatenate` at the end.

    **Requires** what the phase `shard` ensures and, with more than one stage, a loop over microbatches in `@main` (`pipe.microbatches`).

    **Ensures** the same and, with more than one stage, what `tessera-verify-stages` checks, with one `forward` fragment per stage in the loop and, if there is a backward pass, one
    `input_gradient`. There are no marks left.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", "1", "the number of pipeline ranks">,
    Option<"schedule", "schedule", "std::string", "\"auto\"", "the schedule that stages are cut for: a name, `auto`, or a CSV file">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that a device may use; 0 for no limit">
  ];
  let dependentDialects = ["::tessera::pipe::PipeDialect", "::mlir::arith::ArithDialect"];
}

def SplitVocabulary : Pass<"tessera-split-vocabulary", "::mlir::ModuleOp"> {
  let summary = "gives every pipeline rank a part of the output layer";
  let description = [{
    For schedules with S and T tasks. Finds the output layer by what it computes (`VocabularyLayer.h`), and cuts everything with the vocabulary as a dimension into one part per rank: up to
    what has to be known of all parts (`vocabulary_forward`), and the rest (`vocabulary_backward`). An error where there is no such layer, or one that needs more meetings of the ranks than the schedule has.

    **Requires** what `tessera-cut-stages` requires. **Ensures** the same, where the fragments of the output layer are the only ones and read each other's results; the parts of parameters are slices before
    the loop, and gradients are put together after it.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", "1", "the number of pipeline ranks">,
    Option<"schedule", "schedule", "std::string", "\"auto\"", "the schedule: a name, `auto`, or a CSV file">
  ];
  let dependentDialects = ["::tessera::pipe::PipeDialect", "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def VerifyStages : Pass<"tessera-verify-stages", "::mlir::ModuleOp"> {
  let summary = "checks the contract of the phase";
  let description = [{
    **Requires** nothing; a function without fragments is not looked at.

    **Ensures** that around the one loop over microbatches there are only `once` fragments, transfers, the loop's bounds and slices of rows of arguments and concatenations to results, and in it only other fragments, transfers and the
    microbatch's number; that a stage has one fragment of a kind in the loop, or the parts of one in order, and `forward` fragments are numbered without gaps; that fragments read only what their stage has:
    function arguments, results of fragments of their stage, transfers to it, and carried values that a fragment of the stage yields, whose initial values are made there too.
  }];
}

def RecomputeResiduals : Pass<"tessera-recompute-residuals", "::mlir::ModuleOp"> {
  let summary = "decides what a microbatch keeps for its backward pass, and what is computed again";
  let description = [{
    A minimum cut over bytes and time per forward fragment (`RecomputeResiduals.cpp`): cheap operations whose results would be kept are repeated in the backward pass where that
    takes less time than writing and reading them. Under a memory limit also what takes more, until every pipeline rank fits; contractions and collectives only when nothing else helps.
    With `attention-kernels`, the scores of attention and what a softmax makes of them cost nothing to repeat: what computes the gradient does so anyway.

    ```mlir
    %0:2 = pipe.fragment forward stage 0 -> tensor<64xf32>, tensor<64xf32> {
      %2 = arith.addf %x, %x : tensor<64xf32>
      %3 = arith.mulf %2, %2 : tensor<64xf32>
      pipe.yield %2, %3 : tensor<64xf32>, tensor<64xf32>
    }
    // %0#1 is read by a backward fragment. After: that computes arith.mulf %0#0, %0#0
    ```

    **Requires** what `tessera-cut-stages` ensures. **Ensures** the same.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "0", "the number of pipeline ranks; 0 for one per stage">,
    Option<"schedule", "schedule", "std::string", "\"auto\"", "the schedule that says how many microbatches are under way: a name, auto, or FILE.csv">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that one device may use; 0 for no limit">,
    Option<"attentionKernels", "attention-kernels", "bool", "false", "whether scores of attention cost nothing to repeat">
  ];
  let statistics = [Statistic<"numRecomputed", "recomputed", "values that are computed again instead of being kept">];
}

def SplitWeightGradients : Pass<"tessera-split-weight-gradients", "::mlir::ModuleOp"> {
  let summary = "splits the backward pass of a stage into what earlier stages wait for, and the rest";
  let description = [{
    Every fragment `input_gradient`, which holds a whole backward pass, becomes two: what the values sent to earlier stages depend on, and `weight_gradient`, which may run any time
    later. What goes where besides, and what is kept in between, is a minimum cut (`SplitWeightGradients.cpp`). A stage that sends nothing has a weight gradient only. Schedules whose
    backward task is one run both parts in turn, so the split is made for all.

    **Requires** what `tessera-cut-stages` ensures. **Ensures** the same; values other stages use, and what later microbatches need for such values, do not depend on fragments
    `weight_gradient`.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "0", "the number of pipeline ranks; 0 for one per stage">
  ];
  let statistics = [Statistic<"numSplit", "split", "backward passes looked at">];
}

def ChooseSchedule : Pass<"tessera-choose-schedule", "::mlir::ModuleOp"> {
  let summary = "decides which pipeline rank runs which task when";
  let description = [{
    Measures the fragments from sharding rules, shardings and the machine, makes (by name), reads (`FILE.csv`) or searches (`auto`) the schedule, checks it, replays it, and writes it
    with what is predicted on the loop over microbatches. An error where the schedule does not exist, does not take these numbers, or needs more memory than `memory-limit`, each with
    the nearest that would do.

    Where the schedule takes weight gradients of a stage apart (`2W5.0`, `2W5.1`, …), the fragment becomes as many (`GradientParts.h`).

    **Requires** what `tessera-cut-stages` ensures. **Ensures** the same; the loop has `pipe.schedule`, `pipe.seconds`, `pipe.bubble` and `pipe.memory`, fragments have `pipe.seconds`,
    `pipe.flops` and `pipe.bytes`.
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "0", "the number of pipeline ranks; 0 for one per stage">,
    Option<"schedule", "schedule", "std::string", "\"auto\"", "a name, auto, or FILE.csv">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that one device may use; 0 for no limit">
  ];
}

#endif
