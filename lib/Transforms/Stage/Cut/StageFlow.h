//===- StageFlow.h - which stage the backward pass and the rest belong to -===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_STAGEFLOW_H
#define TESSERA_TRANSFORMS_STAGE_CUT_STAGEFLOW_H

#include "Costs/OperationCosts.h"
#include "Cut/Checkpoints.h"
#include "Step/StepProgram.h"

namespace tessera::stage {

/// The stages of a step's operations and of what its loop carries.
struct StageLabels {
  int64_t stages = 1;
  /// Of forward, backward and once-operations.
  llvm::DenseMap<mlir::Operation *, int64_t> stageOf;
  /// Of matmuls in the backward pass: the stage of the matmul in the
  /// forward pass that they seem to be the derivative of, which is where their
  /// work belongs.
  llvm::DenseMap<mlir::Operation *, int64_t> derivedFrom;
  /// Per value that the loop carries: the stage that accumulates it.
  llvm::SmallVector<int64_t> carriedBy;
};

/// Completes an assignment that knows the stages of the forward pass, by what
/// flows between operations (FlowCuts).
///
/// Every operation of the backward pass or around the loop, every carried value
/// and every argument that the forward pass does not use is a variable: its
/// stage. A value costs its bytes: times the number of microbatches in the
/// loop, once around it. Constraints are flows that never cross a boundary:
///
/// - What the backward pass computes flows from later stages to earlier ones
///   only, so that one task per stage and microbatch has no cycles.
/// - What is repeated is where the forward pass has it, and whoever uses it may
///   also use the forward pass.
/// - What the forward pass uses a value for, it has there: a value is free on
///   every stage that has it.
/// - A parameter is where the forward pass uses it. Elsewhere it costs as much
///   as a transfer for every microbatch many times over, so the products with
///   it are where it is, and thus the cotangents in between.
/// - So does a matmul away from the one that it is the derivative of.
/// - So does what is added to the gradient of a parameter of one stage, where
///   the sum leads to the new value of a donated argument, or of a part of it.
/// - The new value of a donated argument costs its bytes on a stage that does
///   not have the argument.
void assignStages(const StepProgram &program, const Checkpoints &checkpoints,
                  OperationCosts &costs, StageLabels &assignment);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_STAGEFLOW_H
