//===- FlowCuts.h - stages that send each other little --------------------===//
#ifndef TESSERA_STAGES_CUTS_FLOWCUTS_H
#define TESSERA_STAGES_CUTS_FLOWCUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tessera {

class MinimumCut;

/// Chooses a stage for each of many variables, so that what flows between them
/// costs little.
///
/// For one boundary between stages the variables fall in two sides, and every
/// flow with users on the side that does not have it pays its cost, once: a
/// minimum cut. The boundaries are cut by halves: first the one in the middle,
/// then those on either side among the variables that fell there. So the cuts
/// nest, each variable takes part in log S of them, and the choice is optimal
/// for two stages, and for each boundary given those above it.
class FlowCuts {
public:
  using Variable = unsigned;
  /// The cost of a flow that crosses no boundary.
  static const int64_t kNever;

  /// Stages from `first` to `last`.
  struct Range {
    int64_t first = 0, last = 0;
  };

  /// Something that is made once and used by variables.
  struct Flow {
    /// Who makes it, if that is a variable; otherwise it is `available` on
    /// these stages from the start: on a single one that makes it, or on all
    /// that have it anyway.
    std::optional<Variable> maker;
    Range available;
    llvm::SmallVector<Variable, 2> users;
    /// At least 1.
    int64_t cost = 1;
    /// Whether users must not be on later stages than the maker.
    bool goesDown = false;
  };

  /// For `stages` stages, at least 1.
  explicit FlowCuts(int64_t stages) : stages(stages) {}

  /// A new variable, which may have any stage, or only `stage`.
  Variable addVariable(std::optional<int64_t> stage = std::nullopt);
  void add(Flow flow);

  /// Chooses the stages. Call once, when all has been added.
  void solve();
  /// The stage chosen for `variable`.
  int64_t stageOf(Variable variable) const { return ranges[variable].first; }

private:
  enum class Side { Low, High, Both, Open };

  Side sideOf(Variable variable, int64_t boundary) const;
  Side sideOf(const Flow &flow, int64_t boundary) const;
  void addToNetwork(MinimumCut &network, const Flow &flow, int64_t boundary);
  void cut(llvm::ArrayRef<Variable> open, int64_t first, int64_t last);

  int64_t stages;
  llvm::SmallVector<Flow, 0> flows;
  /// Per variable its possible stages, and the flows that it takes part in.
  llvm::SmallVector<Range, 0> ranges;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 0> flowsOf;
  /// Per variable, while one boundary is cut: its node of the network.
  llvm::SmallVector<unsigned, 0> nodes;
};

} // namespace tessera

#endif // TESSERA_STAGES_CUTS_FLOWCUTS_H
