//===- NestedProgram.h - Nested placements under one threshold ------------===//
//
// The dynamic program of StagePartitionNested.cpp, which has the idea: a
// partition grown from both ends of the chain, step by step, whose ranks are
// busy and full up to given limits.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_CUTS_NESTEDPROGRAM_H
#define TESSERA_STAGES_CUTS_NESTEDPROGRAM_H

#include "Cuts/StagePartitionTerms.h"

#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace tessera {

/// A rank of a step: with which weights its routes run the step's stages, and
/// how many microbatches it holds at its worst moments.
struct NestedRank {
  int64_t frontWeight = 0;
  int64_t backWeight = 0;
  /// Of routes that have both stages here, between which nothing is sent.
  int64_t bothWeight = 0;
  struct Held {
    int64_t frontActivations = 0, frontWeightGradients = 0;
    int64_t backActivations = 0, backWeightGradients = 0;
  };
  std::vector<Held> moments;
};

/// A step: the ranks of the stage that it decides in front, and of its
/// counterpart behind, if that is another one.
struct NestedStep {
  bool hasBack = false;
  std::vector<NestedRank> ranks;
};

/// What the stages of a rank need not send to each other, and hold once.
struct NestedSavings {
  TransferTerms transfer;
  int64_t residentBytes = 0;
  int64_t once = 0;

  void add(const NestedSavings &other) {
    transfer.add(other.transfer, 1);
    residentBytes += other.residentBytes;
    once += other.once;
  }
};

/// What a step costs.
struct NestedCost {
  int64_t busiest = 0;
  int64_t extra = 0;
  int64_t memory = 0;
};

/// A partition of what lies outside of [begin, end).
struct NestedState {
  int32_t begin, end;
  int64_t extra, busiest, memory;
  /// In the level before.
  int32_t parent;
};

/// Solutions under thresholds for time and memory.
class NestedProgram {
public:
  explicit NestedProgram(PartitionTerms &terms);

  /// The partition of least extra, and then least busiest, whose ranks are busy
  /// for at most `busiest` and hold at most `memory`, if that extra is less
  /// than `extra`.
  std::optional<SolvedPartition>
  solve(int64_t busiest, int64_t memory,
        int64_t extra = std::numeric_limits<int64_t>::max());

private:
  void expand(size_t step, int32_t parent);
  void expandFront(size_t step, int32_t parent, int32_t begin);
  void addState(size_t step, int32_t parent, int32_t begin, int32_t end,
                const NestedSavings &savings);
  NestedCost costOf(const NestedStep &step, const StageTerms &front,
                    const StageTerms *back, const NestedSavings &savings) const;
  void addShared(int32_t block, int32_t begin, int32_t end, bool closes);
  bool fitsLater(int32_t begin, int32_t end) const;
  const StageTerms &backStage(int32_t begin, int32_t end);
  int32_t lastEnd(int32_t begin, int32_t limit) const;

  PartitionTerms &terms;
  std::vector<NestedStep> steps;
  std::vector<int32_t> last;
  std::vector<std::vector<int32_t>> valuesFrom;
  /// The terms of stages by their end, for one end's are visited together.
  std::vector<std::vector<StageTerms>> columns;

  int64_t busyLimit = 0, memoryLimit = 0, extraLimit = 0;
  /// Stages and ranks after the step at hand.
  int32_t stagesLeft = 0;
  int64_t ranksLeft = 0;
  /// The limits of all those ranks together.
  int64_t busyCapacity = 0, memoryCapacity = 0;
  std::vector<std::vector<NestedState>> levels;
  llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t> index;
  /// What the values and tied parameters of the front stage save, by the last
  /// block before the back stage's end that has them too.
  std::vector<NestedSavings> shared;
};

} // namespace tessera

#endif // TESSERA_STAGES_CUTS_NESTEDPROGRAM_H
