//===- PlanTable.h - what a plan has decided --------------------*- C++ -*-===//
#ifndef TESSERA_TRANSFORMS_IMPORT_PLANS_PLANTABLE_H
#define TESSERA_TRANSFORMS_IMPORT_PLANS_PLANTABLE_H

#include "ParameterRoles.h"

#include "tessera/Sharding/Algebra/TensorSharding.h"

namespace tessera::importer {

/// What has been decided of one tensor.
struct PlannedRow {
  const PlannedTensor *tensor = nullptr;
  /// None where it is left to propagation.
  std::optional<TensorSharding> sharding;
  /// Who decided: a line of the plan with what it asks for, or the parameter
  /// of a state.
  std::string by;
  /// Whether it is sharded as its parameter.
  bool follows = false;
};

/// A sharding as a spec of a plan: `[-, model]`.
std::string printSpec(const TensorSharding &sharding);

/// A table of `rows` with a line for each, but that names which differ in
/// numbers only, and of which all else is the same, share one: `layers[*]`.
std::string printPlanTable(llvm::ArrayRef<PlannedRow> rows);

/// The bytes of weights and state, and those that a device holds of them, in
/// all and of tensors that no axis splits.
struct PlannedBytes {
  int64_t all = 0, onDevice = 0, whole = 0;
};
PlannedBytes countBytes(llvm::ArrayRef<PlannedRow> rows, const Mesh &mesh);

} // namespace tessera::importer

#endif // TESSERA_TRANSFORMS_IMPORT_PLANS_PLANTABLE_H
