//===- CallKey.h - what collectives of one call have in common ------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_CALLKEY_H
#define TESSERA_TRANSFORMS_COMMUNICATE_CALLKEY_H

#include "tessera/Dialect/Spmd/Combined.h"

namespace tessera::communicate {

/// Collectives may be parts of one call if their keys are equal. Element types,
/// dimensions, roots and targets may differ. Reductions may not, though back
/// ends could do it: one that a library does not have would keep all others
/// from being one of its calls.
struct CallKey {
  mlir::StringAttr kind;
  AxesAttr axes;
  /// Null where nothing is reduced.
  mlir::Attribute reduction;

  static CallKey of(spmd::CollectiveOpInterface op) {
    mlir::Attribute reduction;
    if (collectiveInfo(op.getCollectiveKind()).isReduction)
      reduction = op->getAttr("kind");
    return {op->getName().getIdentifier(), op.getAxes(), reduction};
  }
  friend bool operator==(const CallKey &, const CallKey &) = default;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_CALLKEY_H
