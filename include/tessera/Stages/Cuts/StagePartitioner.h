//===- StagePartitioner.h - Cut a model into stages -----------------------===//
#ifndef TESSERA_STAGES_CUTS_STAGEPARTITIONER_H
#define TESSERA_STAGES_CUTS_STAGEPARTITIONER_H

#include "tessera/Stages/Cuts/StagePartition.h"

namespace tessera {

struct StagePartitionOptions {
  /// Where no dynamic program solves the placement: how many blocks the search
  /// for the best may put into stages, ...
  int64_t nodes = 2'000'000;
  /// ... and how many neighbours the improvement of a first partition may look
  /// at before it.
  int64_t neighbours = 200'000;
};

/// The answer to a StagePartitionProblem.
struct StagePartitionResult {
  /// The best partition found; none if there is none, or none was found.
  std::optional<StagePartition> partition;
  /// What it costs.
  PartitionCost cost;
  /// Nothing better (or, without a partition, nothing at all) exists.
  bool exact = false;
  /// Without a partition: why, in one sentence with the nearest request that
  /// has one, ...
  std::string infeasible;
  /// ... the largest number of stages that the chain has, if it is less than
  /// asked for, ...
  std::optional<int32_t> feasibleStages;
  /// ... or the least memory limit under which this placement has a partition
  /// (if not `exact`, one under which it has).
  std::optional<int64_t> feasibleMemory;
};

/// Solves `problem`, which passes its check(). Deterministic.
///
/// Exact for contiguous placements, and for those whose ranks hold the stages s
/// and S - 1 - s (V-shaped, bidirectional); for others (interleaved) exact on
/// small chains, else the best of a bounded search.
StagePartitionResult solve(const StagePartitionProblem &problem,
                           const StagePartitionOptions &options = {});

} // namespace tessera

#endif // TESSERA_STAGES_CUTS_STAGEPARTITIONER_H
