//===- StagePartitionTerms.h - Integer costs of stages ----------*- C++ -*-===//
//
// What the solvers of StagePartitionProblem add up. Times are integers, so that
// equal costs compare equal in whatever order they were added.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_CUTS_STAGEPARTITIONTERMS_H
#define TESSERA_STAGES_CUTS_STAGEPARTITIONTERMS_H

#include "tessera/Stages/Cuts/StagePartition.h"
#include "tessera/Stages/Cuts/StagePartitioner.h"

#include <limits>

namespace tessera {

/// Times in ticks.
struct TransferTerms {
  int64_t fill = 0;
  int64_t in = 0;
  int64_t out = 0;

  void add(const TransferTerms &other, int64_t times) {
    fill += other.fill * times;
    in += other.in * times;
    out += other.out * times;
  }
};

/// What the blocks of one stage cost, if everything from outside comes from
/// another rank.
struct StageTerms {
  int64_t compute = 0;
  TransferTerms transfer;
  int64_t residentBytes = 0;
  int64_t activationBytes = 0;
  int64_t weightGradientBytes = 0;
  /// Ticks per step for the gradients of tied parameters, one copy each.
  int64_t once = 0;
};

/// A use of a value by a block.
struct ValueUse {
  int32_t from;
  /// The use before this one, else `from`.
  int32_t previous;
  TransferTerms terms;
};

/// A block's part in a tied parameter.
struct TiedUse {
  int32_t group;
  /// The block before this one in the group, else -1.
  int32_t previous;
};

/// The problem in integers.
///
/// The objective is the estimated step, in ticks / (chunks * totalWeight):
///   bottleneckFactor * max_r busy_r + sum_r extra_r
/// where busy and extra are sums over the routes of weight * terms; extra is
/// the computation, the transfers' `fill` and `chunks * once`.
class PartitionTerms {
public:
  /// `problem` must outlive this.
  explicit PartitionTerms(const StagePartitionProblem &problem);

  int32_t blocks() const { return static_cast<int32_t>(compute.size()) - 1; }
  int64_t computeOf(int32_t begin, int32_t end) const {
    return compute[end] - compute[begin];
  }
  int64_t residentOf(int32_t begin, int32_t end) const {
    return resident[end] - resident[begin];
  }
  /// The terms of a stage with the blocks [begin, end). Computed once for each
  /// pair asked for.
  const StageTerms &stage(int32_t begin, int32_t end);

  /// Adds `block` to the terms of a stage that has the blocks before it from
  /// `begin` on.
  void append(StageTerms &terms, int32_t begin, int32_t block) const;

  int64_t objective(int64_t busiest, int64_t extra) const {
    return bottleneckFactor * busiest + extra;
  }

  const StagePartitionProblem &problem;
  int64_t chunks = 1;
  int64_t totalWeight = 1;
  int64_t bottleneckFactor = 1;
  int64_t memoryLimit = std::numeric_limits<int64_t>::max();
  std::vector<std::vector<ValueUse>> usesOf;
  std::vector<std::vector<TiedUse>> tiedOf;
  /// Per value and per tied parameter.
  std::vector<TransferTerms> transferOf;
  std::vector<int64_t> onceOf;

private:
  void chooseScale();
  int64_t ticks(double seconds) const;
  TransferTerms transferTerms(const ChainValue &value) const;

  double ticksPerSecond = 1;
  std::vector<int64_t> compute, resident;
  std::vector<std::vector<StageTerms>> rows;
};

/// A partition with its cost in the terms above.
struct SolvedPartition {
  int64_t extra = 0;
  int64_t busiest = 0;
  int64_t memory = 0;
  StagePartition partition;
};

/// Whether the dynamic program solves problems with this assignment: every rank
/// has one stage, or the stages s and S - 1 - s.
bool isNested(const StageAssignment &assignment);

/// Sets partition, exact, feasibleMemory of the result for a nested assignment
/// with enough blocks.
void solveNested(PartitionTerms &terms, StagePartitionResult &result);

/// The same for any assignment.
void searchPartition(PartitionTerms &terms,
                     const StagePartitionOptions &options,
                     StagePartitionResult &result);

} // namespace tessera

#endif // TESSERA_STAGES_CUTS_STAGEPARTITIONTERMS_H
