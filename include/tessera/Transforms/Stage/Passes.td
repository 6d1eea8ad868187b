//===- Passes.td - the phase that cuts a step into stages --*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_STAGE_PASSES
#define TESSERA_TRANSFORMS_STAGE_PASSES

include "mlir/Pass/PassBase.td"

def CutStages : Pass<"tessera-cut-stages", "::mlir::ModuleOp"> {
  let summary = "puts every operation of a step into a fragment of one stage";
  let description = [{
    Cuts the forward pass where `tessera.stage_end` stands or, without marks, such that the most expensive stage is cheapest; infers the stages of the backward pass and of
    what runs once per step from what they use and what it costs to send it.

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

def VerifyStages : Pass<"tessera-verify-stages", "::mlir::ModuleOp"> {
  let summary = "checks the contract of the phase";
  let description = [{
    **Requires** nothing; a function without fragments is not looked at.

    **Ensures** that around the one loop over microbatches there are only `once` fragments, transfers and the loop's bounds, and in it only other fragments, transfers and the
    microbatch's number; that a stage has one fragment of a kind in the loop, and `forward` fragments are numbered without gaps; that fragments read only what their stage has:
    function arguments, results of fragments of their stage, transfers to it, and carried values that a fragment of the stage yields, whose initial values are made there too.
  }];
}

#endif
