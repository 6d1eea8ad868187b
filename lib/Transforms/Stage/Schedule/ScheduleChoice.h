//===- ScheduleChoice.h - which schedule a step runs by -------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_SCHEDULE_SCHEDULECHOICE_H
#define TESSERA_TRANSFORMS_STAGE_SCHEDULE_SCHEDULECHOICE_H

#include "Schedule/StageMeasures.h"

#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Stages/Search/ScheduleSearch.h"

namespace tessera::stage {

/// A schedule and what it takes.
struct ChosenSchedule {
  StageSchedule schedule;
  /// Of the tasks.
  Timeline timeline;
  /// Seconds of what runs once per step.
  double once = 0;
  /// Of a schedule that was searched, the fastest published one and the
  /// seconds of its step.
  std::string published;
  double publishedSeconds = 0;
  /// The seconds of the best one that takes no weight gradient apart; 0 where
  /// the schedule takes none apart either.
  double wholeSeconds = 0;

  /// Seconds of a step.
  double seconds() const { return timeline.makespan() + once; }
};

/// What schedules take of memory.
struct MemoryBounds {
  /// The bytes that a user allows a device; 0 for no limit.
  int64_t limit = 0;
  /// The bytes that a device has, where the machine is described.
  std::optional<int64_t> device;

  MemoryBounds(int64_t limit, MeshOp mesh);
};

/// The fastest schedule under any of `placements`, which are of one step.
///
/// Keeps to the limit, or to what a device has. Where neither is known, a rank
/// may hold what it would with one copy of its stages and all microbatches
/// under way: who wants to pay for speed with more memory than any schedule
/// with one copy takes, says so. If nothing fits what a device has, there is
/// a result nevertheless, with one copy of each stage. Where starts are not
/// improved (`improves`), it tells little more than what placements are worth.
Fallible<ScheduleSearchResult>
searchSchedule(std::vector<SearchPlacement> placements, int32_t ranks,
               int32_t microbatches, const MemoryBounds &memory,
               bool improves = true);

/// Which schedule a step runs by, and what is known of the alternatives.
class ScheduleChoice {
public:
  /// For a step that has been cut into fragments, on `ranks` pipeline ranks,
  /// with 0 one per stage, of which `name`, a name, a file or `auto`, is asked.
  ScheduleChoice(const pipe::Step &step, OperationCosts &costs,
                 const RankLinks &links, int64_t ranks, MemoryBounds memory,
                 llvm::StringRef name);

  /// The schedule that is asked for; a diagnostic on the loop where there is
  /// none, or where it needs more memory than there is.
  mlir::FailureOr<ChosenSchedule> choose() const;

  /// Where the stages of the step may lie for published schedules with as many
  /// stages per rank, and what they cost if they do.
  std::vector<SearchPlacement> placements() const;
  /// What they cost if they lie as `placement` says.
  SearchPlacement placed(StagePlacement placement) const;
  /// The schedule that was found among placements of this step, and perhaps of
  /// others.
  Fallible<ChosenSchedule> take(ScheduleSearchResult found) const;
  /// The least memory that a published schedule needs on a rank; infinity if
  /// there is none.
  double leastMemory() const;
  const ScheduleRequest &getRequest() const { return request; }

private:
  void measureParts();
  StageCosts costsOf(llvm::ArrayRef<StageRoute> routes) const;
  double activationLimit(const StageSchedule &schedule) const;
  Fallible<ChosenSchedule> replayed(StageSchedule schedule) const;
  Fallible<ChosenSchedule> tryOut(llvm::StringRef name) const;
  Fallible<ChosenSchedule> search() const;
  std::vector<ChosenSchedule> published() const;
  const ChosenSchedule *
  fastest(const std::vector<ChosenSchedule> &schedules) const;
  mlir::LogicalResult checkNumbers() const;
  mlir::LogicalResult checkTasks(const StageSchedule &schedule) const;
  mlir::LogicalResult checkMemory(const ChosenSchedule &chosen) const;
  void suggest(mlir::Diagnostic &note) const;
  mlir::InFlightDiagnostic error() const { return step.getLoop().emitError(); }

  const pipe::Step &step;
  OperationCosts &costs;
  const RankLinks &links;
  MemoryBounds memory;
  std::string name;
  /// Without transfers.
  StageCosts measures;
  ScheduleRequest request;
};

/// Takes weight gradients of `step` apart as `chosen` does. Writes the schedule
/// and what is predicted of it onto the loop, and onto fragments what each
/// takes; tells those who listen (`--remarks`).
void recordSchedule(const pipe::Step &step, OperationCosts &costs,
                    const ChosenSchedule &chosen);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_SCHEDULE_SCHEDULECHOICE_H
