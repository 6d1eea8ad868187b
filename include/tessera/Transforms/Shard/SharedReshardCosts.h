//===- SharedReshardCosts.h - what moves cost, asked once -----------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_SHAREDRESHARDCOSTS_H
#define TESSERA_TRANSFORMS_SHARD_SHAREDRESHARDCOSTS_H

#include "tessera/Dialect/Tessera/ReshardCosts.h"

#include "mlir/Pass/AnalysisManager.h"

#include <memory>

namespace tessera::shard {

/// The costs on the mesh that was asked for last.
class KnownReshardCosts {
public:
  /// The costs on `mesh`. Valid until another mesh is asked for.
  ReshardCosts &on(MeshOp mesh) {
    mlir::DictionaryAttr asked = mesh->getAttrDictionary();
    if (asked != description) {
      description = asked;
      costs.emplace(mesh);
    }
    return *costs;
  }

private:
  /// The mesh that the costs are for, with its links.
  mlir::DictionaryAttr description;
  std::optional<ReshardCosts> costs;
};

/// An analysis of a module: what one pass has asked the planner, the next one
/// knows. Costs follow from the mesh alone, so no pass invalidates them.
class SharedReshardCosts {
public:
  explicit SharedReshardCosts(mlir::Operation *)
      : known(std::make_shared<KnownReshardCosts>()) {}

  /// From now on knows what `others` do, and tells them: for those who send
  /// versions of one program through the same passes, one after the other.
  void shareWith(std::shared_ptr<KnownReshardCosts> others) {
    known = std::move(others);
  }

  /// The costs on `mesh`. Valid until another mesh is asked for.
  ReshardCosts &on(MeshOp mesh) { return known->on(mesh); }

  bool isInvalidated(const mlir::AnalysisManager::PreservedAnalyses &) {
    return false;
  }

private:
  std::shared_ptr<KnownReshardCosts> known;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_SHAREDRESHARDCOSTS_H
