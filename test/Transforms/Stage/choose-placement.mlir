// How the stages lie follows from what the step costs: a step whose output layer has seven columns, and one in which it is most of the work.
// RUN: tessera-opt %S/split-vocabulary.mlir --tessera-shard-phase --tessera-choose-placement=stages=2 --tessera-verify-stages -o %t.small.mlir
// RUN: FileCheck %s --check-prefix=SMALL < %t.small.mlir
// RUN: tesserac %S/../../Integration/JAX/large_vocabulary.mlir --stages=2 --microbatches=4 --compile-to=shard -o %t.many.mlir
// RUN: tessera-opt %t.many.mlir --tessera-choose-placement=stages=2 --tessera-verify-stages -o %t.large.mlir
// RUN: FileCheck %s --check-prefix=LARGE < %t.large.mlir

// It still means the same, and is one module again.
// RUN: tessera-interpret %t.many.mlir --random=1 --outputs=%t.expected.safetensors
// RUN: tessera-interpret %t.large.mlir --random=1 --expect=%t.expected.safetensors --tolerance=1e-5
// SMALL-COUNT-1: module
// SMALL-NOT: module
// LARGE-COUNT-1: module
// LARGE-NOT: module

// SMALL-NOT: pipe.fragment {{ ?}}vocabulary_forward
// SMALL: pipe.schedule = #pipe.schedule<"auto", stages = 2, microbatches = 4,
// LARGE: pipe.fragment {{ ?}}vocabulary_forward stage 0
// LARGE: pipe.schedule = #pipe.schedule<"auto", stages = 2, microbatches = 4, meetings = {{[12]}}, ["{{[^"]*}}0S0{{[^"]*}}", "{{[^"]*}}1S0

// What cannot be cut is refused as by the passes that cut.
// RUN: not tessera-opt %t.many.mlir --tessera-choose-placement=stages=1000 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: expected at most {{[0-9]+}} stages, for so many blocks has the model, got 1000
// RUN: not tessera-opt %t.many.mlir --tessera-choose-placement="stages=2 memory-limit=1000" 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: expected at most 1000 bytes on a device, got {{[0-9]+}} on pipeline rank
// MEMORY: note: no schedule of these stages needs less than

// One stage is all of the step.
// RUN: tessera-opt %t.many.mlir --tessera-choose-placement=stages=1 | FileCheck %s --check-prefix=ONE
// ONE-NOT: pipe.fragment
