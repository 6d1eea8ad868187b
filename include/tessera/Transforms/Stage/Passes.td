//===- Passes.td - the phase that cuts a step into stages --*- tablegen -*-===//
#ifndef TESSERA_TRANSFORMS_STAGE_PASSES
#define TESSERA_TRANSFORMS_STAGE_PASSES

include "mlir/Pass/PassBase.td"

def ChoosePlacement : Pass<"tessera-choose-placement", "::mlir::ModuleOp"> {
  let summary = "cuts a step into stages as the fastest schedule that can be found wants it";
  let description = [{
    What `--schedule=auto` is. Cuts copies of the module for one published schedule of each kind that the step admits and that may be the fastest by an estimate: with so many stages on a rank, in one direction or there and back, once or in two
    copies, with the output layer on the last stage or on all ranks. Searches the schedule among all of them, and becomes the copy that it is of. An error where a step cannot be cut, or nothing fits `memory-limit`.

    **Requires** what `tessera-cut-stages` requires. **Ensures** the step is cut as the fastest schedule that was found wants it, and has that schedule.

    <!-- example: split-vocabulary.mlir @main run --tessera-shard-phase --tessera-choose-placement=stages=2 lines pipe.schedule|scf.for|fragment|transfer -->
    ```mlir
    func.func @main(%w1: tensor<16x8xf32> {tessera.donated = 0 : i32, tessera.name = "w1"}, %w2: tensor<8x7xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
        %x: tensor<16x16xf32> {tessera.name = "x"}, %labels: tensor<16x1xi32> {tessera.name = "labels"})
        -> (tensor<16x8xf32> {tessera.name = "new1"}, tensor<8x7xf32> {tessera.name = "new2"}, tensor<f32> {tessera.name = "loss"}) {
      ...
      %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %zeros1, %a2 = %zeros2, %l = %zero) -> (tensor<16x8xf32>, tensor<8x7xf32>, tensor<f32>) {
        ...
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<16x8xf32> {tessera.donated = 0 : i32, tessera.name = "w1", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg1: tensor<8x7xf32> {tessera.donated = 1 : i32, tessera.name = "w2", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg2: tensor<16x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg3: tensor<16x1xi32> {tessera.name = "labels", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}) -> (tensor<16x8xf32> {tessera.name = "new1", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, tensor<8x7xf32> {tessera.name = "new2", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, tensor<f32> {tessera.name = "loss", tessera.sharding = #tessera.sharding<@mesh, []>}) {
      ...
      %0:2 = pipe.fragment  once stage 0 -> tensor<16x8xf32>, tensor<8x7xf32> attributes {pipe.bytes = 0 : i64, pipe.flops = 0 : i64, pipe.seconds = 0.000000e+00 : f64, tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>]} {
        ...
      %1 = pipe.fragment  once stage 1 -> tensor<f32> attributes {pipe.bytes = 0 : i64, pipe.flops = 0 : i64, pipe.seconds = 0.000000e+00 : f64, tessera.sharding = #tessera.sharding<@mesh, []>} {
        ...
      %2:3 = scf.for %arg4 = %c0 to %c4 step %c1 iter_args(%arg5 = %0#0, %arg6 = %0#1, %arg7 = %1) -> (tensor<16x8xf32>, tensor<8x7xf32>, tensor<f32>) {
        ...
        %5:4 = pipe.fragment  forward stage 0 -> tensor<4x8xf32>, tensor<4x7xf32>, tensor<4xf32>, tensor<f32> attributes {pipe.bytes = 5556 : i64, pipe.flops = 2100 : i64, pipe.seconds = 5.5600000000000008E-8 : f64, tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, []>]} {
          ...
        %6 = pipe.transfer %5#3 from 0 to 1 {tessera.sharding = #tessera.sharding<@mesh, []>} : tensor<f32>
        %7 = pipe.fragment  forward stage 1 -> tensor<f32> attributes {pipe.bytes = 12 : i64, pipe.flops = 1 : i64, pipe.seconds = 1.200000e-10 : f64, tessera.sharding = #tessera.sharding<@mesh, []>} {
          ...
        pipe.fragment  weight_gradient stage 1 attributes {pipe.bytes = 0 : i64, pipe.flops = 0 : i64, pipe.seconds = 0.000000e+00 : f64} {
          ...
        %8:2 = pipe.fragment  weight_gradient stage 0 -> tensor<16x8xf32>, tensor<8x7xf32> attributes {pipe.bytes = 8464 : i64, pipe.flops = 2348 : i64, pipe.seconds = 8.4679999999999987E-8 : f64, tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>]} {
          ...
      } {pipe.bubble = 0.000000e+00 : f64, pipe.memory = array<i64: 3076, 3076>, pipe.microbatches, pipe.schedule = #pipe.schedule<"auto", stages = 2, microbatches = 4, ["0F0 0F2 1F1 1B1 0B0 1F3 1B3 0B2", "0F1 0F3 1F0 1B0 0B1 1F2 1B2 0B3"]>, pipe.seconds = 2.808000e-07 : f64, tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, []>]}
      %3:2 = pipe.fragment  once stage 0 -> tensor<16x8xf32>, tensor<8x7xf32> attributes {pipe.bytes = 2208 : i64, pipe.flops = 184 : i64, pipe.seconds = 2.208000e-08 : f64, tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>]} {
        ...
    }
    ```
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

    **Ensures** with more than one stage, every operation that computes stands in a fragment: in the loop one `forward` per stage and, if there is a backward
    pass, one `input_gradient`. There are no marks left.

    <!-- example: cut-stages-tied.mlir @main run --tessera-shard-phase --tessera-cut-stages=stages=2 lines fragment|transfer|scf|dot_general -->
    ```mlir
    func.func @main(%w: tensor<64x256xf32> {tessera.donated = 0 : i32, tessera.name = "w"}, %x: tensor<16x64xf32> {tessera.name = "x"})
        -> (tensor<64x256xf32> {tessera.name = "new"}, tensor<f32> {tessera.name = "loss"}) {
      ...
      %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zeros, %l = %zero) -> (tensor<64x256xf32>, tensor<f32>) {
        ...
        %h = tessera.dot_general %xb, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
        ...
        %o = tessera.dot_general %e, %w batching = [] x [] contracting = [1] x [1] : (tensor<4x256xf32>, tensor<64x256xf32>) -> tensor<4x64xf32>
        ...
        %dw2 = tessera.dot_general %do, %e batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
        %dt = tessera.dot_general %do, %w batching = [] x [] contracting = [1] x [0] : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
        ...
        %dw1 = tessera.dot_general %xb, %dh batching = [] x [] contracting = [0] x [0] : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
        ...
        scf.yield %a2, %l2 : tensor<64x256xf32>, tensor<f32>
      ...
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<64x256xf32> {tessera.donated = 0 : i32, tessera.name = "w", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg1: tensor<16x64xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}) -> (tensor<64x256xf32> {tessera.name = "new", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, tensor<f32> {tessera.name = "loss", tessera.sharding = #tessera.sharding<@mesh, []>}) {
      ...
      %0:2 = pipe.fragment  once stage 1 -> tensor<64x256xf32>, tensor<f32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, []>]} {
        ...
      %1 = pipe.fragment  once stage 0 -> tensor<64x256xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} {
        ...
      %2:3 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %0#0, %arg4 = %0#1, %arg5 = %1) -> (tensor<64x256xf32>, tensor<f32>, tensor<64x256xf32>) {
        ...
        %7:2 = pipe.fragment  forward stage 0 -> tensor<4x256xf32>, tensor<4x256xf32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{"data"}, {} ]>]} {
          ...
          %16 = tessera.dot_general %15, %arg0 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
          ...
        %8 = pipe.transfer %7#1 from 0 to 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<4x256xf32>
        %9:3 = pipe.fragment  forward stage 1 -> tensor<4x256xf32>, tensor<4x64xf32>, tensor<f32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, []>]} {
          ...
          %14 = tessera.dot_general %13, %arg0 batching = [] x [] contracting = [1] x [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x256xf32>, tensor<64x256xf32>) -> tensor<4x64xf32>
          ...
        %10:2 = pipe.fragment  input_gradient stage 1 -> tensor<64x256xf32>, tensor<4x256xf32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{"data"}, {} ]>]} {
          ...
          %14 = tessera.dot_general %13, %9#0 batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
          %15 = tessera.dot_general %13, %arg0 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x64xf32>, tensor<64x256xf32>) -> tensor<4x256xf32>
          ...
        %11 = pipe.transfer %10#1 from 1 to 0 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<4x256xf32>
        %12 = pipe.fragment  input_gradient stage 0 -> tensor<64x256xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} {
          ...
          %20 = tessera.dot_general %16, %19 batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x64xf32>, tensor<4x256xf32>) -> tensor<64x256xf32>
          ...
        scf.yield %10#0, %9#2, %12 : tensor<64x256xf32>, tensor<f32>, tensor<64x256xf32>
      ...
      %3 = pipe.fragment  once stage 0 -> tensor<64x256xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} {
        ...
      %4 = pipe.transfer %3 from 0 to 1 {tessera.sharding = #tessera.sharding<@mesh, [{"data"}, {} ]>} : tensor<64x256xf32>
      %5 = pipe.fragment  once stage 1 -> tensor<64x256xf32> attributes {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} {
        ...
    }
    ```
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

    **Requires** what `tessera-cut-stages` requires. **Ensures** the fragments of the output layer are the only ones and read each other's results; the parts of
    parameters are slices before the loop, and gradients are put together after it.

    <!-- example: split-vocabulary.mlir @main run --tessera-shard-phase '--tessera-split-vocabulary=stages=2 schedule=vocabulary-1' lines scf.for|fragment|dot_general -->
    ```mlir
    func.func @main(%w1: tensor<16x8xf32> {tessera.donated = 0 : i32, tessera.name = "w1"}, %w2: tensor<8x7xf32> {tessera.donated = 1 : i32, tessera.name = "w2"},
        %x: tensor<16x16xf32> {tessera.name = "x"}, %labels: tensor<16x1xi32> {tessera.name = "labels"})
        -> (tensor<16x8xf32> {tessera.name = "new1"}, tensor<8x7xf32> {tessera.name = "new2"}, tensor<f32> {tessera.name = "loss"}) {
      ...
      %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a1 = %zeros1, %a2 = %zeros2, %l = %zero) -> (tensor<16x8xf32>, tensor<8x7xf32>, tensor<f32>) {
        ...
        %h = tessera.dot_general %xb, %w1 batching = [] x [] contracting = [1] x [0] : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
        ...
        %y = tessera.dot_general %t, %w2 batching = [] x [] contracting = [1] x [0] : (tensor<4x8xf32>, tensor<8x7xf32>) -> tensor<4x7xf32>
        ...
        %dw2 = tessera.dot_general %t, %dy batching = [] x [] contracting = [0] x [0] : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x7xf32>
        %dt = tessera.dot_general %dy, %w2 batching = [] x [] contracting = [1] x [1] : (tensor<4x7xf32>, tensor<8x7xf32>) -> tensor<4x8xf32>
        ...
        %dw1 = tessera.dot_general %xb, %dh batching = [] x [] contracting = [0] x [0] : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
        ...
    }
    ```
    becomes
    ```mlir
    func.func @main(%arg0: tensor<16x8xf32> {tessera.donated = 0 : i32, tessera.name = "w1", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg1: tensor<8x7xf32> {tessera.donated = 1 : i32, tessera.name = "w2", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg2: tensor<16x16xf32> {tessera.name = "x", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, %arg3: tensor<16x1xi32> {tessera.name = "labels", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}) -> (tensor<16x8xf32> {tessera.name = "new1", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, tensor<8x7xf32> {tessera.name = "new2", tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>}, tensor<f32> {tessera.name = "loss", tessera.sharding = #tessera.sharding<@mesh, []>}) {
      ...
      %4:4 = scf.for %arg4 = %c0 to %c4 step %c1 iter_args(%arg5 = %cst_0, %arg6 = %cst, %arg7 = %cst_6, %arg8 = %cst_7) -> (tensor<16x8xf32>, tensor<f32>, tensor<8x3xf32>, tensor<8x4xf32>) {
        ...
        %13 = tessera.dot_general %10, %arg0 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
        ...
        %17:6 = pipe.fragment  vocabulary_forward stage 0 -> tensor<4xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{} ]>]} {
          ...
          %34 = tessera.dot_general %14, %2 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
          ...
        %18:6 = pipe.fragment  vocabulary_forward stage 1 -> tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{} ]>]} {
          ...
          %34 = tessera.dot_general %14, %3 batching = [] x [] contracting = [1] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
          ...
        %19:3 = pipe.fragment  vocabulary_backward stage 0 -> tensor<4xf32>, tensor<4x8xf32>, tensor<8x3xf32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>]} {
          ...
          %49 = tessera.dot_general %14, %48 batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x8xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
          ...
          %63 = tessera.dot_general %48, %2 batching = [] x [] contracting = [1] x [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x3xf32>, tensor<8x3xf32>) -> tensor<4x8xf32>
          ...
        %20:3 = pipe.fragment  vocabulary_backward stage 1 -> tensor<4xf32>, tensor<4x8xf32>, tensor<8x4xf32> attributes {tessera.sharding = [#tessera.sharding<@mesh, [{} ]>, #tessera.sharding<@mesh, [{}, {} ]>, #tessera.sharding<@mesh, [{}, {} ]>]} {
          ...
          %49 = tessera.dot_general %14, %48 batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
          ...
          %63 = tessera.dot_general %48, %3 batching = [] x [] contracting = [1] x [1] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x4xf32>, tensor<8x4xf32>) -> tensor<4x8xf32>
          ...
        %25 = tessera.dot_general %10, %24 batching = [] x [] contracting = [0] x [0] {tessera.sharding = #tessera.sharding<@mesh, [{}, {} ]>} : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
        ...
    }
    ```
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

    <!-- example: verify-stages-errors.mlir @main -->
    ```mlir
    // expected-error @+1 {{expected a loop over microbatches}}
    func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
      %0 = pipe.fragment once stage 0 -> tensor<8xf32> {
        %1 = arith.addf %a, %a : tensor<8xf32>
        pipe.yield %1 : tensor<8xf32>
      }
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

def RecomputeResiduals : Pass<"tessera-recompute-residuals", "::mlir::ModuleOp"> {
  let summary = "decides what a microbatch keeps for its backward pass, and what is computed again";
  let description = [{
    A minimum cut over bytes and time per forward fragment (`RecomputeResiduals.cpp`): cheap operations whose results would be kept are repeated in the backward pass where that
    takes less time than writing and reading them. Under a memory limit also what takes more, until every pipeline rank fits; matmuls and collectives only when nothing else helps.
    With `attention-kernels`, the scores of attention and what a softmax makes of them cost nothing to repeat: what computes the gradient does so anyway.

    **Requires** what `tessera-cut-stages` ensures. **Ensures** a backward fragment reads of its forward fragment only what is kept; where there is a memory
    limit that something helps to meet, every pipeline rank meets it.

    <!-- example: recompute-residuals.mlir @cheap_work_is_repeated -->
    ```mlir
    func.func @cheap_work_is_repeated(%x: tensor<256x256xf32>, %zero: tensor<256x256xf32>) -> tensor<256x256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<256x256xf32>) {
        %f:3 = pipe.fragment forward stage 0 -> tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32> {
          %0 = tessera.dot_general %x, %x batching = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
          %two = arith.constant dense<2.0> : tensor<256x256xf32>
          %1 = arith.mulf %0, %two : tensor<256x256xf32>
          %2 = arith.addf %1, %0 : tensor<256x256xf32>
          pipe.yield %0, %1, %2 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
        }
        %b = pipe.fragment input_gradient stage 0 -> tensor<256x256xf32> {
          %0 = arith.mulf %f#1, %f#2 : tensor<256x256xf32>
          %1 = arith.addf %acc, %0 : tensor<256x256xf32>
          pipe.yield %1 : tensor<256x256xf32>
        }
        scf.yield %b : tensor<256x256xf32>
      }
      return %sum : tensor<256x256xf32>
    }
    ```
    becomes
    ```mlir
    func.func @cheap_work_is_repeated(%arg0: tensor<256x256xf32>, %arg1: tensor<256x256xf32>) -> tensor<256x256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %0 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %arg1) -> (tensor<256x256xf32>) {
        %1 = pipe.fragment  forward stage 0 -> tensor<256x256xf32> {
          %3 = tessera.dot_general %arg0, %arg0 batching = [] x [] contracting = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
          pipe.yield %3 : tensor<256x256xf32>
        }
        %2 = pipe.fragment  input_gradient stage 0 -> tensor<256x256xf32> {
          %cst = arith.constant dense<2.000000e+00> : tensor<256x256xf32>
          %3 = arith.mulf %1, %cst : tensor<256x256xf32>
          %4 = arith.addf %3, %1 : tensor<256x256xf32>
          %5 = arith.mulf %3, %4 : tensor<256x256xf32>
          %6 = arith.addf %arg3, %5 : tensor<256x256xf32>
          pipe.yield %6 : tensor<256x256xf32>
        }
        scf.yield %2 : tensor<256x256xf32>
      }
      return %0 : tensor<256x256xf32>
    }
    ```
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "0", "the number of pipeline ranks; 0 for one per stage">,
    Option<"schedule", "schedule", "std::string", "\"auto\"", "the schedule that says how many microbatches are under way: a name, auto, or FILE.csv">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that one device may use; 0 for no limit">,
    Option<"attentionKernels", "attention-kernels", "bool", "false", "whether scores of attention cost nothing to repeat">
  ];
}

def SplitWeightGradients : Pass<"tessera-split-weight-gradients", "::mlir::ModuleOp"> {
  let summary = "splits the backward pass of a stage into what earlier stages wait for, and the rest";
  let description = [{
    Every fragment `input_gradient`, which holds a whole backward pass, becomes two: what the values sent to earlier stages depend on, and `weight_gradient`, which may run any time
    later. What goes where besides, and what is kept in between, is a minimum cut (`SplitWeightGradients.cpp`). A stage that sends nothing has a weight gradient only. Schedules whose
    backward task is one run both parts in turn, so the split is made for all.

    **Requires** what `tessera-cut-stages` ensures. **Ensures** values other stages use, and what later microbatches need for such values, do not depend on
    fragments `weight_gradient`.

    <!-- example: split-weight-gradients.mlir @what_is_sent_comes_first -->
    ```mlir
    func.func @what_is_sent_comes_first(%x: tensor<64x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = pipe.fragment once stage 1 -> tensor<128x128xf32> {
        %0 = arith.constant dense<0.0> : tensor<128x128xf32>
        pipe.yield %0 : tensor<128x128xf32>
      }
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) {
        %a = pipe.fragment forward stage 0 -> tensor<64x128xf32> {
          %0 = math.exp %x : tensor<64x128xf32>
          pipe.yield %0 : tensor<64x128xf32>
        }
        %input = pipe.transfer %a from 0 to 1 : tensor<64x128xf32>
        %y = pipe.fragment forward stage 1 -> tensor<64x128xf32> {
          %0 = tessera.dot_general %input, %w batching = [] x [] contracting = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
          pipe.yield %0 : tensor<64x128xf32>
        }
        %b:2 = pipe.fragment input_gradient stage 1 -> tensor<64x128xf32>, tensor<128x128xf32> {
          %dy = math.exp %y : tensor<64x128xf32>
          %dx = tessera.dot_general %dy, %w batching = [] x [] contracting = [1] x [1] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
          %dw = tessera.dot_general %input, %dy batching = [] x [] contracting = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
          %next = arith.addf %acc, %dw : tensor<128x128xf32>
          pipe.yield %dx, %next : tensor<64x128xf32>, tensor<128x128xf32>
        }
        %back = pipe.transfer %b#0 from 1 to 0 : tensor<64x128xf32>
        scf.yield %b#1 : tensor<128x128xf32>
      }
      return %sum : tensor<128x128xf32>
    }
    ```
    becomes
    ```mlir
    func.func @what_is_sent_comes_first(%arg0: tensor<64x128xf32>, %arg1: tensor<128x128xf32>) -> tensor<128x128xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %0 = pipe.fragment  once stage 1 -> tensor<128x128xf32> {
        %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
        pipe.yield %cst : tensor<128x128xf32>
      }
      %1 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %0) -> (tensor<128x128xf32>) {
        %2 = pipe.fragment  forward stage 0 -> tensor<64x128xf32> {
          %8 = math.exp %arg0 : tensor<64x128xf32>
          pipe.yield %8 : tensor<64x128xf32>
        }
        %3 = pipe.transfer %2 from 0 to 1 : tensor<64x128xf32>
        %4 = pipe.fragment  forward stage 1 -> tensor<64x128xf32> {
          %8 = tessera.dot_general %3, %arg1 batching = [] x [] contracting = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
          pipe.yield %8 : tensor<64x128xf32>
        }
        %5:2 = pipe.fragment  input_gradient stage 1 -> tensor<64x128xf32>, tensor<64x128xf32> {
          %8 = math.exp %4 : tensor<64x128xf32>
          %9 = tessera.dot_general %8, %arg1 batching = [] x [] contracting = [1] x [1] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
          pipe.yield %9, %8 : tensor<64x128xf32>, tensor<64x128xf32>
        }
        %6 = pipe.fragment  weight_gradient stage 1 -> tensor<128x128xf32> {
          %8 = tessera.dot_general %3, %5#1 batching = [] x [] contracting = [0] x [0] : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<128x128xf32>
          %9 = arith.addf %arg3, %8 : tensor<128x128xf32>
          pipe.yield %9 : tensor<128x128xf32>
        }
        %7 = pipe.transfer %5#0 from 1 to 0 : tensor<64x128xf32>
        scf.yield %6 : tensor<128x128xf32>
      }
      return %1 : tensor<128x128xf32>
    }
    ```
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "0", "the number of pipeline ranks; 0 for one per stage">
  ];
}

def ChooseSchedule : Pass<"tessera-choose-schedule", "::mlir::ModuleOp"> {
  let summary = "decides which pipeline rank runs which task when";
  let description = [{
    Measures the fragments from sharding rules, shardings and the machine, makes (by name), reads (`FILE.csv`) or searches (`auto`) the schedule, checks it, replays it, and writes it
    with what is predicted on the loop over microbatches. An error where the schedule does not exist, does not take these numbers, or needs more memory than `memory-limit`, each with
    the nearest that would do.

    Where the schedule takes weight gradients of a stage apart (`2W5.0`, `2W5.1`, …), the fragment becomes as many (`GradientParts.h`).

    **Requires** what `tessera-cut-stages` ensures. **Ensures** the loop has `pipe.schedule`, `pipe.seconds`, `pipe.bubble` and `pipe.memory`, fragments have
    `pipe.seconds`, `pipe.flops` and `pipe.bytes`.

    <!-- example: choose-schedule-links.mlir @chain run --tessera-choose-schedule=schedule=gpipe lines fragment|transfer|scf|} -->
    ```mlir
    func.func @chain(%x: tensor<1000xf32> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      ...
      scf.for %i = %c0 to %c1 step %c1 {
        %0 = pipe.fragment forward stage 0 -> tensor<1000xf32> {
          %a = math.exp %x {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
        %1 = pipe.transfer %0 from 0 to 1 : tensor<1000xf32>
        %2 = pipe.fragment forward stage 1 -> tensor<1000xf32> {
          %a = math.exp %1 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
        %3 = pipe.transfer %2 from 1 to 2 : tensor<1000xf32>
        %4 = pipe.fragment forward stage 2 -> tensor<1000xf32> {
          %a = math.exp %3 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
        %5 = pipe.transfer %4 from 2 to 3 : tensor<1000xf32>
        %6 = pipe.fragment forward stage 3 -> tensor<1000xf32> {
          %a = math.exp %5 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
      }
      ...
    }
    ```
    becomes
    ```mlir
    func.func @chain(%arg0: tensor<1000xf32> {tessera.sharding = #tessera.sharding<@mesh, [{} ]>}) {
      ...
      scf.for %arg1 = %c0 to %c1 step %c1 {
        %0 = pipe.fragment  forward stage 0 -> tensor<1000xf32> attributes {pipe.bytes = 8000 : i64, pipe.flops = 8000 : i64, pipe.seconds = 8.000000e-12 : f64} {
          %7 = math.exp %arg0 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
        %1 = pipe.transfer %0 from 0 to 1 : tensor<1000xf32>
        %2 = pipe.fragment  forward stage 1 -> tensor<1000xf32> attributes {pipe.bytes = 8000 : i64, pipe.flops = 8000 : i64, pipe.seconds = 8.000000e-12 : f64} {
          %7 = math.exp %1 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
        %3 = pipe.transfer %2 from 1 to 2 : tensor<1000xf32>
        %4 = pipe.fragment  forward stage 2 -> tensor<1000xf32> attributes {pipe.bytes = 8000 : i64, pipe.flops = 8000 : i64, pipe.seconds = 8.000000e-12 : f64} {
          %7 = math.exp %3 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
        %5 = pipe.transfer %4 from 2 to 3 : tensor<1000xf32>
        %6 = pipe.fragment  forward stage 3 -> tensor<1000xf32> attributes {pipe.bytes = 8000 : i64, pipe.flops = 8000 : i64, pipe.seconds = 8.000000e-12 : f64} {
          %7 = math.exp %5 {tessera.sharding = #tessera.sharding<@mesh, [{} ]>} : tensor<1000xf32>
          ...
        }
      } {pipe.bubble = 0.9999999998095238 : f64, pipe.memory = array<i64: 4000, 0, 0, 0>, pipe.schedule = #pipe.schedule<"gpipe", stages = 4, microbatches = 1, ["0F0 0B0", "1F0 1B0", "2F0 2B0", "3F0 3B0"]>, pipe.seconds = 0.042000000032000009 : f64}
      ...
    }
    ```
  }];
  let options = [
    Option<"ranks", "ranks", "int64_t", "0", "the number of pipeline ranks; 0 for one per stage">,
    Option<"schedule", "schedule", "std::string", "\"auto\"", "a name, auto, or FILE.csv">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0", "bytes that one device may use; 0 for no limit">
  ];
}

#endif
