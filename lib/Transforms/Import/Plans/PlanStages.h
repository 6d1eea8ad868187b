//===- PlanStages.h - where parameters say that stages end ------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANSTAGES_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANSTAGES_H

#include "PlanResolver.h"

namespace tessera::importer {

/// Marks the forward pass of `function` with a `tessera.stage_end` wherever the
/// stages of `plan` end: between the last operation that is the first to take a
/// parameter of one stage and the first of the next stage, where the fewest
/// bytes cross. Parameters without a stage go with what is around them. What
/// has no such place is reported.
mlir::LogicalResult markStages(mlir::func::FuncOp function,
                               const ShardingPlan &plan,
                               const PlanResolver &resolver,
                               llvm::ArrayRef<PlannedTensor> tensors,
                               llvm::ArrayRef<ParameterUse> uses);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANSTAGES_H
