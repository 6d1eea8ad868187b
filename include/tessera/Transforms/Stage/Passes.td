//===- Passes.td - the phase that cuts a step into stages --*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_STAGE_PASSES
#define TESSERA_TRANSFORMS_STAGE_PASSES

include "mlir/Pass/PassBase.td"

def CutStages : Pass<"tessera-cut-stages", "::mlir::ModuleOp"> {
  let summary = "puts every operation of a step into a fragment of one stage";
  let description = [{
    **Requires** what the phase `shard` ensures. **Ensures** the same; with more than one stage all operations of `@main` stand in `pipe.fragment`s.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", "1", "the number of pipeline ranks">
  ];
}

#endif
