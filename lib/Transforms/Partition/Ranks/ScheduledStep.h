//===- ScheduledStep.h - one step and who runs which part of it -----------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_RANKS_SCHEDULEDSTEP_H
#define TESSERA_TRANSFORMS_PARTITION_RANKS_SCHEDULEDSTEP_H

#include "tessera/Dialect/Pipe/Accumulators.h"
#include "tessera/Dialect/Pipe/BoundaryRows.h"
#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Pipe/Step.h"

namespace tessera::partition {

/// A value at one moment of the step: what it is while the loop works on
/// `microbatch`, or, of a value that is not the loop's, once.
struct StepValue {
  static constexpr int64_t kOnce = -1;

  mlir::Value value;
  int64_t microbatch = kOnce;

  std::pair<mlir::Value, int64_t> key() const { return {value, microbatch}; }
};

/// A step that has been cut and whose loop has a schedule, as `stage` and
/// `tessera-partition` leave it. Only reads.
///
/// A fragment in the loop is run once for every microbatch, by the pipeline
/// rank that has the task; one around the loop by all ranks that have its
/// stage. Everything else is either a transfer, which only hands a value over,
/// or *free*: computed from nothing (but the number of the microbatch) and
/// therefore by whoever needs it.
class ScheduledStep : public pipe::Step {
public:
  /// The step of `module`; a null `getFunction()` where no loop has a schedule.
  /// A diagnostic where the program is not as described, or the schedule does
  /// not run each fragment once per microbatch.
  static mlir::FailureOr<ScheduledStep> of(mlir::ModuleOp module);

  StageSchedule schedule;
  /// What `@main` takes and gives: whole tensors or rows of them.
  llvm::SmallVector<ArgumentRows> arguments;
  llvm::SmallVector<ResultRows> results;
  /// What the loop sums up, by the number of the value that it carries; nothing
  /// for values that it carries in another way.
  llvm::SmallVector<std::optional<pipe::LoopAccumulator>> accumulators;

  int64_t numRanks() const { return schedule.ranks.size(); }
  /// The fragments that `task` runs, in the order of the text.
  llvm::SmallVector<pipe::FragmentOp> fragmentsOf(const StageTask &task) const;
  /// The loop's variable for `microbatch`.
  int64_t variableAt(int64_t microbatch) const {
    return lower + microbatch * width;
  }

  /// The number in `arguments` of `value`; nothing if it is none.
  std::optional<unsigned> argumentNumber(mlir::Value value) const;
  /// The number in `results` of what takes the memory of argument number
  /// `argument`; nothing unless it is donated.
  std::optional<unsigned> donatedResult(unsigned argument) const;
  /// Whether `value` is free.
  bool isFree(mlir::Value value) const;
  /// Follows `value` through transfers and through what the loop carries (but
  /// for accumulators) to where it is made: an argument, a free value, the
  /// result of a fragment, or an accumulator as the loop's argument or result.
  StepValue trace(StepValue value) const;
  /// The ranks, ascending, that have `value`, as `trace` gives it, without
  /// having received it; none where every rank can have it.
  llvm::SmallVector<int32_t> ranksWith(StepValue value) const;
  /// The ranks, ascending, that run `fragment` for `microbatch`.
  llvm::SmallVector<int32_t> ranksRunning(pipe::FragmentOp fragment,
                                          int64_t microbatch) const;
  /// The part of an accumulator that a segment of its chain sums up.
  struct AccumulatorPart {
    unsigned accumulator;
    unsigned segment;
  };
  /// The part that `value`, as `trace` gives it, stands for in the fragment
  /// that adds to it: the loop's argument, or what the segment before gives.
  std::optional<AccumulatorPart> partOf(mlir::Value value) const;
  /// The part that `value`, the result of a fragment, is once the fragment has
  /// run: what the last link of a segment gives.
  std::optional<AccumulatorPart> partGivenBy(mlir::Value value) const;
  /// The value of which `partOf` is `part`.
  mlir::Value inputOf(AccumulatorPart part) const;
  /// The ranks, ascending, that add to `part`.
  llvm::SmallVector<int32_t> ranksAccumulating(AccumulatorPart part) const;

private:
  mlir::LogicalResult readLoop();
  mlir::LogicalResult readBoundary();
  void sinkIntoFragments(mlir::Block &block);
  mlir::LogicalResult checkOperations();
  mlir::LogicalResult checkOperation(mlir::Operation *op, bool isInLoop) const;
  mlir::LogicalResult assignTasks();
  mlir::LogicalResult checkAllAssigned();
  mlir::LogicalResult findAccumulators();

  int64_t lower = 0, width = 1;
  /// By the values of `partOf` and `partGivenBy`.
  llvm::DenseMap<mlir::Value, AccumulatorPart> partsByInput, partsByResult;
  /// Which rank runs a fragment of the loop for a microbatch.
  llvm::DenseMap<std::pair<mlir::Operation *, int64_t>, int32_t> rankOfTask;
};

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_RANKS_SCHEDULEDSTEP_H
