//===- StagePartition.h - Where a model is cut into stages ----------------===//
//
// The model along its forward direction is a chain of *blocks*, the smallest
// pieces that nobody wants to cut. A partition puts consecutive blocks into
// stages; an assignment says which pipeline ranks run which stages. This file
// describes the problem, says whether an instance makes sense (`check`), what a
// partition costs (`evaluate`) and whether it is one (`verify`);
// StagePartitioner.h solves it. Why the cost is what it is stands in
// docs/rationale/stage-partition.md.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_CUTS_STAGEPARTITION_H
#define TESSERA_STAGES_CUTS_STAGEPARTITION_H

#include "tessera/Stages/StageCosts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// A piece of the model that stays whole. All numbers are per device of the
/// rank that runs it, times in seconds for one microbatch.
struct ChainBlock {
  double forward = 0;
  double inputGradient = 0;
  double weightGradient = 0;
  /// Bytes that live for the whole step: parameters that no other block has,
  /// their gradients and the optimizer's state.
  int64_t residentBytes = 0;
  /// Bytes per microbatch that are kept from the forward task to the input
  /// gradient, ...
  int64_t activationBytes = 0;
  /// ... and from the input gradient to the weight gradient.
  int64_t weightGradientBytes = 0;

  double seconds() const { return forward + inputGradient + weightGradient; }
};

/// A value that one block makes and later blocks use: the boundary between two
/// neighbours, or a skip connection. It is sent once to every stage that uses
/// it and is not on its maker's rank; such a stage sends one cotangent back.
struct ChainValue {
  int32_t from = 0;
  /// Blocks after `from`, ascending.
  std::vector<int32_t> uses;
  int64_t forwardBytes = 0;
  int64_t backwardBytes = 0;
};

/// A parameter that several blocks share (an embedding that is also the output
/// layer). Every rank that has one of the blocks holds a copy of it, and the
/// copies exchange their gradients once per step.
struct TiedParameter {
  /// Ascending, at least two.
  std::vector<int32_t> blocks;
  int64_t residentBytes = 0;
  /// What one more copy sends and receives per step.
  int64_t gradientBytes = 0;
};

/// One stage on one rank at one moment of a schedule.
struct StageLoad {
  int32_t stage = 0;
  /// Microbatches whose forward task ran and whose input gradient did not.
  int32_t activations = 0;
  /// Microbatches whose input gradient ran and whose weight gradient did not.
  int32_t weightGradients = 0;
};

/// One way through the ranks: the rank that runs each stage.
struct StageRoute {
  std::vector<int32_t> ranks;
  /// How many of a step's microbatches take it, relative to the other routes.
  int32_t weight = 1;
};

/// Which ranks run which stages, and what they hold.
struct StageAssignment {
  int32_t stages = 1;
  int32_t ranks = 1;
  /// One, or several if stages are replicated.
  std::vector<StageRoute> routes;
  /// Per rank what it holds at the moments that may be its worst. Empty:
  /// activations take no memory.
  std::vector<std::vector<std::vector<StageLoad>>> moments;

  /// Stage r on rank r, with the activations of 1F1B: min(p - r, m).
  static StageAssignment contiguous(int32_t ranks, int32_t microbatches);
  /// Stage s on rank s mod p, `chunks` stages per rank, with the activations of
  /// interleaved 1F1B in equal shares for every stage.
  static StageAssignment interleaved(int32_t ranks, int32_t chunks,
                                     int32_t microbatches);
  /// Stages r and 2p - 1 - r on rank r, with the activations of ZB-V: those of
  /// p whole microbatches.
  static StageAssignment vShaped(int32_t ranks, int32_t microbatches);
  /// Half of the microbatches have stage s on rank s, half on rank p - 1 - s,
  /// with the activations of 1F1B in both directions.
  static StageAssignment bidirectional(int32_t ranks, int32_t microbatches);
  /// The assignment of any schedule, with exactly the moments at which a rank
  /// may hold most: for every other moment there is one that holds at least as
  /// much of everything.
  static StageAssignment of(const StageSchedule &schedule);

  /// Per rank its stages, ascending.
  std::vector<std::vector<int32_t>> stagesOfRanks() const;
  /// The largest number of stages on a rank.
  int32_t chunks() const;
};

/// Consecutive blocks in stages: stage s has the blocks
/// begins[s] .. begins[s + 1] - 1, at least one. The last entry is the number
/// of blocks.
struct StagePartition {
  std::vector<int32_t> begins;

  int32_t stages() const { return static_cast<int32_t>(begins.size()) - 1; }
};

/// What a partition costs.
struct PartitionCost {
  /// Seconds of computation per rank for the mean microbatch: a replicated
  /// stage counts with its share.
  std::vector<double> compute;
  /// Seconds per microbatch that a rank cannot be faster than: its computation,
  /// or what it receives, or what it sends.
  std::vector<double> busy;
  /// Peak bytes per rank.
  std::vector<int64_t> memory;
  /// Seconds per microbatch spent in transfers between ranks, if none overlaps.
  double transfer = 0;
  /// Seconds per step for the gradients of tied parameters.
  double once = 0;
  /// The estimated time of a step, see StagePartitionProblem.
  double step = 0;

  double busiest() const;
  int64_t peakMemory() const;
  /// Mean over largest computation of a rank: 1 is perfect balance, and 1 minus
  /// it the part of the ranks' time that no schedule can fill.
  double balance() const;
};

/// Which cut makes a step fastest within the memory of a rank?
///
/// The time of a step with m microbatches is estimated as
///
///   step = (m - 1/v) max_r busy_r + (1/v) sum_r fill_r + once
///
/// with v the largest number of stages on a rank and fill_r the computation of
/// rank r for one microbatch plus the transfers to and from the users on it:
/// the busiest rank works all the time, and waits for the others once, with
/// chunks of 1/v of their work. For v = 1 this is the sum + (m - 1) max of
/// Alpa (Zheng et al., OSDI 2022), for equal ranks it is m T + (p - 1) T / v,
/// which 1F1B and interleaved 1F1B reach. A schedule that fills its bubble with
/// weight gradients is faster by much the same for all partitions.
struct StagePartitionProblem {
  std::vector<ChainBlock> blocks;
  std::vector<ChainValue> values;
  std::vector<TiedParameter> tied;
  StageAssignment assignment;
  int32_t microbatches = 1;
  /// Bytes per rank; none: as much as needed.
  std::optional<int64_t> memoryLimit;
  double secondsPerByte = 0;
  /// Seconds per transfer, whatever its size.
  double latency = 0;

  /// Why this is no problem to solve (a value that goes backwards, a stage
  /// without rank, ...); nothing if it is one. More stages than blocks is a
  /// problem, without solution.
  std::optional<std::string> check() const;
  /// Why `partition` does not solve the problem: its form, or the memory of a
  /// rank; nothing if it does.
  std::optional<std::string> verify(const StagePartition &partition) const;
  /// What `partition`, which has the right form, costs.
  PartitionCost evaluate(const StagePartition &partition) const;
  /// What its stages cost, for schedules. A boundary has what one stage sends
  /// to the next; what skips a stage arrives before that, and counts for
  /// nothing.
  StageCosts stageCosts(const StagePartition &partition) const;
};

} // namespace tessera

#endif // TESSERA_STAGES_CUTS_STAGEPARTITION_H
