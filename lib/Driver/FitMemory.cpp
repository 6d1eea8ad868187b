//===- FitMemory.cpp - programs that fit a limit of memory
//-----------------===//

#include "Compilation.h"

#include "tessera/Dialect/Pipe/RankPrograms.h"

using namespace mlir;
using namespace tessera;

/// What the program, whose code has been made, needs.
FailureOr<ProgramNeeds> Compilation::measureNeeds() {
  FailureOr<LargestProgram> largest = findLargestProgram(*module);
  FailureOr<MemoryUse> use =
      memoryUse ? FailureOr<MemoryUse>(*memoryUse) : findMemoryUse(*module);
  if (failed(largest) || failed(use))
    return failure();
  return ProgramNeeds{ProgramMemory::of(largest->function), largest->rank,
                      std::move(*use)};
}

/// What the programs of the module, whose code has been made, need, by pipeline
/// rank.
FailureOr<SmallVector<int64_t>> Compilation::measurePeaks() {
  FailureOr<SmallVector<RankProgram>> ranks = getRankPrograms(*module);
  if (failed(ranks))
    return failure();
  SmallVector<int64_t> peaks;
  for (const RankProgram &rank : *ranks)
    peaks.push_back(ProgramMemory::of(rank.function).peak());
  if (peaks.empty())
    peaks.push_back(
        ProgramMemory::of(module->lookupSymbol<func::FuncOp>("main")).peak());
  return peaks;
}

namespace {

/// Of one pipeline rank: what its program needed in the trial before, and by
/// how much less of the limit it was told to take then.
struct RankTrial {
  int64_t peak = std::numeric_limits<int64_t>::max(), more = 0;

  /// What it is to leave beside `reserved`, where it needs `found`: what is too
  /// much, or twice as much as before where that was no better.
  int64_t next(int64_t reserved, int64_t found, int64_t limit) {
    if (found > limit) {
      more = found < peak ? found - limit : std::max(found - limit, 2 * more);
      peak = found;
      reserved = std::min(reserved + more, limit);
    }
    return reserved;
  }
};

} // namespace

/// Schedules the program, which needs `needs`, again until it fits `limit`. The
/// phase `schedule` keeps to a limit by what values take; what gaps between
/// them and kernels take besides is left out of it, for each pipeline rank by
/// itself. Where that does not help, the program becomes the one that needs
/// least, whatever the limit is: a limit of what that needs works.
LogicalResult Compilation::fitSchedule(const MemoryLimit &limit,
                                       ProgramNeeds &needs) {
  const PhaseLoop &loop = getPhaseLoop(Trials::Rematerialization);
  reserved.reset();
  std::vector<RankTrial> trials;
  for (int i = 1;
       i <= loop.most && unscheduled && needs.memory.peak() > limit.bytes;
       ++i) {
    FailureOr<SmallVector<int64_t>> peaks = measurePeaks();
    if (failed(peaks))
      return failure();
    std::vector<int64_t> before =
        reserved.value_or(std::vector<int64_t>(peaks->size(), 0));
    trials.resize(peaks->size());
    std::vector<int64_t> next = before;
    // Nothing is left at first; at last, all by those that need too much.
    for (size_t rank = 0; reserved && rank < next.size(); ++rank)
      if ((*peaks)[rank] > limit.bytes)
        next[rank] =
            i == loop.most
                ? limit.bytes
                : trials[rank].next(before[rank], (*peaks)[rank], limit.bytes);
    if (reserved && next == before)
      break;
    reserved = std::move(next);
    module = unscheduled->clone();
    if (runPhases(loop.first, loop.last) != kDone)
      return failure();
    FailureOr<ProgramNeeds> found = measureNeeds();
    if (failed(found))
      return failure();
    needs = *found;
  }
  return success();
}

/// Makes the program, whose code has been made, fit what a device has, or
/// refuses it. The phase `stage` keeps to a limit by what passes between tasks;
/// what they need while they run is known at the end only, so it tries again
/// with less.
LogicalResult Compilation::fitMemory() {
  std::optional<MemoryLimit> limit =
      findMemoryLimit(*module, options.memoryLimit);
  if (!limit || options.to < Phase::Codegen)
    return success();
  FailureOr<ProgramNeeds> found = measureNeeds();
  if (failed(found))
    return failure();
  unlimitedBytes = found->memory.peak();
  if (failed(fitSchedule(*limit, *found)))
    return failure();
  const PhaseLoop &loop = getPhaseLoop(Trials::Memory);
  ProgramNeeds nearest = *found;
  int64_t made = stageMemory ? stageMemory : limit->bytes, refused = 0;
  for (int i = 0; i < loop.most && uncut && found->memory.peak() > limit->bytes;
       ++i) {
    stageMemory = refused ? (made + refused) / 2
                          : double(made) * limit->bytes / found->memory.peak();
    module = uncut->clone();
    reserved.reset();
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    if (runPhases(loop.first, loop.last) != kDone) {
      refused = stageMemory;
      continue;
    }
    made = stageMemory;
    found = measureNeeds();
    if (succeeded(found))
      unlimitedBytes = found->memory.peak();
    if (failed(found) || failed(fitSchedule(*limit, *found)))
      return failure();
    if (found->memory.peak() < nearest.memory.peak())
      nearest = *found;
  }
  if (found->memory.peak() <= limit->bytes)
    return success();
  reportTooMuchMemory(context, *limit, nearest, options.microbatches);
  return failure();
}
