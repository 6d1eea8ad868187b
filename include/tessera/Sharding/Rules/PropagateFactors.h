//===- PropagateFactors.h - One step of sharding propagation --------------===//
#ifndef TESSERA_SHARDING_RULES_PROPAGATEFACTORS_H
#define TESSERA_SHARDING_RULES_PROPAGATEFACTORS_H

#include "tessera/Sharding/Rules/FactorShardings.h"

namespace tessera {

/// Which way shardings move through an operation.
enum class PropagationDirection {
  None,
  /// From operands to results.
  Forward,
  /// From results to operands.
  Backward,
  /// Between all operands and results.
  Both,
};

/// How far one propagation step goes.
struct PropagationOptions {
  PropagationDirection direction = PropagationDirection::Both;
  /// Resolve conflicts in favour of the larger source instead of leaving both
  /// sides alone.
  bool aggressive = false;
  /// Move along pass-through factors only.
  bool passThroughOnly = false;
  /// Annotations of a higher priority number do not take part yet.
  int64_t maxPriority = std::numeric_limits<int64_t>::max();
};

/// Extends the shardings of an operation's operands and results along the
/// factors of its rule, and returns whether any was extended.
///
/// Axes are only ever added, at the minor end of open dimensions; closed
/// dimensions, explicitly replicated and unreduced axes are respected, and
/// dimensions are split into equal parts only. The *basic* strategy gives all
/// tensors of a factor the longest major prefix that all of them can take, and
/// leaves out axes that two factors of the operation want. The *aggressive*
/// strategy lets each tensor take the longest prefix it can by itself; where
/// two sources compete, the one with more elements wins, then the first tensor,
/// then the first factor. The result is a fixed point: a second call changes
/// nothing.
bool propagateFactors(const ShardingRule &rule, Shapes operandShapes,
                      Shapes resultShapes, const Mesh &mesh,
                      llvm::MutableArrayRef<TensorSharding> operands,
                      llvm::MutableArrayRef<TensorSharding> results,
                      const PropagationOptions &options = {});

} // namespace tessera

#endif // TESSERA_SHARDING_RULES_PROPAGATEFACTORS_H
