//===- PlannedModel.h - a plan laid over a model ----------------*- C++ -*-===//
//
// The order of events: what the arguments are for (ParameterUses,
// ParameterRoles); for each the first rule that matches, and the sharding that
// it asks for (PlanResolver); state after its parameters; what no rule matches
// by the plan's default. Then annotations, and the table of what was decided
// (PlanTable). What the model says itself is never changed.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANNEDMODEL_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANNEDMODEL_H

#include "PlanResolver.h"
#include "PlanTable.h"

namespace tessera::importer {

/// The function of one model, and what a plan makes of it.
class PlannedModel {
public:
  /// `mesh` is called `meshName` in the module.
  PlannedModel(mlir::func::FuncOp function, const ShardingPlan &plan,
               const Mesh &mesh, mlir::FlatSymbolRefAttr meshName);

  /// Decides and annotates. What is wrong in the plan is reported.
  mlir::LogicalResult apply();

private:
  mlir::LogicalResult matchRules();
  mlir::LogicalResult matchRule(PlannedRow &row);
  mlir::LogicalResult followParameters();
  mlir::LogicalResult applyDefault(PlannedRow &row);
  void warnOfUnusedRules();
  void annotate();
  void report();
  const ParameterUse *useOf(const PlannedTensor &tensor) const;
  ShardingAttr annotationOf(const PlannedTensor &tensor);

  mlir::func::FuncOp function;
  const ShardingPlan &plan;
  const Mesh &mesh;
  mlir::FlatSymbolRefAttr meshName;
  PlanResolver resolver;
  llvm::SmallVector<ParameterUse> uses;
  std::vector<PlannedTensor> tensors;
  /// One per tensor.
  std::vector<PlannedRow> rows;
  /// Per rule how many tensors match it, and for how many it is the first.
  std::vector<unsigned> matched, applied;
};

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANNEDMODEL_H
