//===- SharedReshardCosts.h - what moves cost, asked once -----------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_SHAREDRESHARDCOSTS_H
#define TESSERA_TRANSFORMS_SHARD_SHAREDRESHARDCOSTS_H

#include "tessera/Dialect/Tessera/ReshardCosts.h"

#include "mlir/Pass/AnalysisManager.h"

namespace tessera {

/// An analysis of a module: what one pass has asked the planner, the next one
/// knows. Costs follow from the mesh alone, so no pass invalidates them.
class SharedReshardCosts {
public:
  explicit SharedReshardCosts(mlir::Operation *) {}

  /// The costs on `mesh`. Valid until another mesh is asked for.
  ReshardCosts &on(MeshOp mesh) {
    mlir::DictionaryAttr asked = mesh->getAttrDictionary();
    if (asked != description) {
      description = asked;
      costs.emplace(mesh);
    }
    return *costs;
  }

  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) {
    return false;
  }

private:
  /// The mesh that the costs are for, with its links.
  mlir::DictionaryAttr description;
  std::optional<ReshardCosts> costs;
};

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SHARD_SHAREDRESHARDCOSTS_H
