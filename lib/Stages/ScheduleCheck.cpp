//===- ScheduleCheck.cpp - Whether a schedule is one that can run ---------===//

#include "tessera/Stages/ScheduleCheck.h"

#include "tessera/Stages/ScheduleReplay.h"
#include "tessera/Stages/StageDependencies.h"

using namespace tessera;

namespace {

/// Looks for the first thing that is wrong with a schedule; `origin` says where
/// in a file its tasks stand.
class ScheduleChecker {
public:
  ScheduleChecker(const StageSchedule &schedule, const ScheduleOrigin *origin)
      : schedule(schedule), origin(origin) {}

  Fallible<void> run(const ScheduleLimits &limits) {
    if (Fallible<void> checked = checkNumbers(); !checked)
      return checked;
    StageDependencies dependencies(schedule);
    positions = &dependencies;
    for (auto check :
         {&ScheduleChecker::checkOnce, &ScheduleChecker::checkStages,
          &ScheduleChecker::checkVocabulary, &ScheduleChecker::checkOrder})
      if (Fallible<void> checked = (this->*check)(); !checked)
        return checked;
    return limits.costs ? checkMemory(limits) : Fallible<void>();
  }

private:
  Failure failAt(int32_t rank, size_t position, const std::string &message) {
    if (!origin)
      return Failure{message};
    const TaskOrigin &place = origin->ranks[rank][position];
    return Failure{origin->file + ":" + std::to_string(place.line) + ":" +
                   std::to_string(place.column) + ": error: " + message};
  }
  Failure failAt(TaskPosition position, const std::string &message) {
    return failAt(position.rank, position.index, message);
  }

  /// `2F5 on rank 1`.
  static std::string describe(const StageTask &task, int32_t rank) {
    return toString(task) + " on rank " + std::to_string(rank);
  }

  /// Calls `check(rank, position, task)` for all tasks until one fails.
  template <typename Check> Fallible<void> forEachTask(Check check) {
    for (size_t rank = 0; rank < schedule.ranks.size(); ++rank)
      for (size_t i = 0; i < schedule.ranks[rank].size(); ++i)
        if (Fallible<void> checked =
                check(static_cast<int32_t>(rank), i, schedule.ranks[rank][i]);
            !checked)
          return checked;
    return {};
  }

  Fallible<void> checkNumbers() {
    int64_t tasks = 0;
    Fallible<void> checked = forEachTask(
        [&](int32_t rank, size_t i, const StageTask &task) -> Fallible<void> {
          ++tasks;
          if (task.part != StageTask::kWhole &&
              (task.kind != TaskKind::WeightGradient || task.part < 0 ||
               task.part >= StageTask::kMostParts))
            return failAt(rank, i,
                          "expected parts 0 to " +
                              std::to_string(StageTask::kMostParts - 1) +
                              " of weight gradients only, got " +
                              describe(task, rank));
          if (task.stage >= 0 && task.stage < schedule.stages &&
              task.microbatch >= 0 && task.microbatch < schedule.microbatches)
            return {};
          return failAt(rank, i,
                        "expected stages below " +
                            std::to_string(schedule.stages) +
                            " and microbatches below " +
                            std::to_string(schedule.microbatches) + ", got " +
                            describe(task, rank));
        });
    // Also keeps what follows from making tables for tasks that are not there.
    int64_t least = int64_t(2) * schedule.stages * schedule.microbatches;
    if (!checked || tasks >= least)
      return checked;
    return fail("expected at least " + std::to_string(least) + " tasks for " +
                std::to_string(schedule.stages) + " stages and " +
                std::to_string(schedule.microbatches) + " microbatches, got " +
                std::to_string(tasks));
  }

  Fallible<void> checkOnce() {
    return forEachTask(
        [&](int32_t rank, size_t i, const StageTask &task) -> Fallible<void> {
          TaskPosition last = positions->positionOf(task);
          if (last.rank == rank && last.index == static_cast<int32_t>(i))
            return {};
          return failAt(last, "expected " + toString(task) + " once, got " +
                                  describe(task, rank) + " and " +
                                  describe(task, last.rank));
        });
  }

  /// Every stage has for every microbatch the tasks of one pass there and back.
  Fallible<void> checkStages() {
    std::vector<int32_t> parts = schedule.weightParts();
    for (int32_t stage = 0; stage < schedule.stages; ++stage)
      for (int32_t i = 0; i < schedule.microbatches; ++i)
        if (Fallible<void> checked = checkPass(stage, i, parts[stage]);
            !checked)
          return checked;
    return {};
  }

  /// The tasks of a stage for microbatch `i`; its weight gradient is whole or
  /// in `parts` parts.
  Fallible<void> checkPass(int32_t stage, int32_t i, int32_t parts) {
    StageTask forward{TaskKind::Forward, stage, i};
    StageTask input{TaskKind::InputGradient, stage, i};
    StageTask weight{TaskKind::WeightGradient, stage, i};
    StageTask backward{TaskKind::Backward, stage, i};
    if (!positions->positionOf(forward))
      return fail("expected " + toString(forward) + ", got none");
    TaskPosition part = findPart(weight, parts);
    if (part && positions->positionOf(weight))
      return failAt(part,
                    "expected " + toString(weight) + " or its parts, got both");
    bool isSplit =
        part || positions->positionOf(input) || positions->positionOf(weight);
    if (isSplit && positions->positionOf(backward))
      return failAt(positions->positionOf(backward),
                    "expected " + toString(backward) + " or " +
                        toString(input) + " and " + toString(weight) +
                        ", got both");
    if (!isSplit)
      return checkFollows(forward, backward);
    Fallible<void> checked = checkFollows(forward, input);
    if (!part)
      return checked ? checkFollows(input, weight) : checked;
    StageTask last = input;
    for (weight.part = 0; checked && weight.part < parts; ++weight.part) {
      checked = checkFollows(last, weight);
      last = weight;
    }
    return checked;
  }

  /// The position of any of the parts of `weight`.
  TaskPosition findPart(StageTask weight, int32_t parts) const {
    for (weight.part = 0; weight.part < parts; ++weight.part)
      if (TaskPosition position = positions->positionOf(weight))
        return position;
    return {};
  }

  /// That `second` follows `first`, which is in the schedule, on its rank.
  Fallible<void> checkFollows(const StageTask &first, const StageTask &second) {
    TaskPosition before = positions->positionOf(first),
                 after = positions->positionOf(second);
    std::string expected = "expected " + toString(second) + " after " +
                           describe(first, before.rank) + ", got ";
    if (!after)
      return failAt(before, expected + "none");
    if (after.rank != before.rank)
      return failAt(after,
                    expected + "it on rank " + std::to_string(after.rank));
    if (after.index < before.index)
      return failAt(after, expected + "it before");
    return {};
  }

  Fallible<void> checkVocabulary() {
    bool isUsed = false;
    Fallible<void> checked = forEachTask(
        [&](int32_t rank, size_t i, const StageTask &task) -> Fallible<void> {
          if (task.kind != TaskKind::VocabularyForward &&
              task.kind != TaskKind::VocabularyBackward)
            return {};
          isUsed = true;
          if (task.stage == rank)
            return {};
          return failAt(rank, i,
                        "expected a rank's S and T tasks to have its number, "
                        "got " +
                            describe(task, rank));
        });
    if (!checked || isUsed != (schedule.vocabularyMeetings > 0))
      return checked ? fail("expected S and T tasks exactly where the ranks "
                            "meet over the output layer")
                     : checked;
    for (size_t rank = 0; isUsed && rank < schedule.ranks.size(); ++rank)
      for (int32_t i = 0; i < schedule.microbatches; ++i)
        for (TaskKind kind :
             {TaskKind::VocabularyForward, TaskKind::VocabularyBackward}) {
          StageTask task{kind, static_cast<int32_t>(rank), i};
          if (task.stage >= schedule.stages || !positions->positionOf(task))
            return fail("expected " + describe(task, task.stage) +
                        ", got none");
        }
    return {};
  }

  /// That in-order execution ends.
  Fallible<void> checkOrder() {
    ScheduleWait wait;
    StageCosts costs = StageCosts::uniform(schedule.stages);
    costs.addEqualParts(schedule);
    Fallible<Timeline> timeline = replayTimes(schedule, costs, &wait);
    if (timeline)
      return {};
    return failAt(wait.rank, wait.position, timeline.message());
  }

  Fallible<void> checkMemory(const ScheduleLimits &limits) {
    Fallible<Timeline> timeline = replayTimes(schedule, *limits.costs);
    if (!timeline)
      return fail(timeline.message());
    for (size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      const double parameters = timeline->ranks[rank].parameters;
      std::vector<double> held;
      peakActivation(schedule, *limits.costs, static_cast<int32_t>(rank),
                     &held);
      for (size_t i = 0; i < held.size(); ++i)
        if (parameters + held[i] > limits.memory * (1 + 1e-9))
          return failAt(static_cast<int32_t>(rank), i,
                        "expected to hold at most " + format(limits.memory) +
                            " bytes, got " + format(parameters + held[i]) +
                            " at " +
                            describe(schedule.ranks[rank][i],
                                     static_cast<int32_t>(rank)));
    }
    return {};
  }

  /// At most six digits where that is exact enough.
  static std::string format(double bytes) {
    char text[32];
    snprintf(text, sizeof text, bytes < 1e6 ? "%g" : "%.0f", bytes);
    return text;
  }

  /// A failure that belongs to no task.
  Failure fail(const std::string &message) {
    return Failure{origin ? origin->file + ":1:1: error: " + message : message};
  }

  const StageSchedule &schedule;
  const ScheduleOrigin *origin;
  const StageDependencies *positions = nullptr;
};

} // namespace

Fallible<void> tessera::checkSchedule(const StageSchedule &schedule,
                                      const ScheduleLimits &limits,
                                      const ScheduleOrigin *origin) {
  return ScheduleChecker(schedule, origin).run(limits);
}
