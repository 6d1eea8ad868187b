//===- ScheduleReplay.cpp - What a schedule takes in time and memory ------===//
//
// Ranks are advanced one after the other as far as they get. A rank that waits
// for a task is queued with the task, and is taken up again when it has an end.
// The order in which ranks are advanced does not matter, because each task's
// begin follows from the ends of others alone.
//
//===----------------------------------------------------------------------===//

#include "tessera/Stages/ScheduleReplay.h"

#include "tessera/Stages/StageDependencies.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace tessera;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

namespace {

/// Runs every rank as far as it gets: one that waits for a task of another rank
/// goes on when that has run. Linear in tasks and dependencies.
class Replay {
public:
  Replay(const StageSchedule &schedule, const StageCosts &costs)
      : schedule(schedule), costs(costs), dependencies(schedule),
        ends(dependencies.size(), -1), firstWaiting(dependencies.size(), -1),
        nextWaiting(schedule.ranks.size(), -1) {
    timeline.ranks.resize(schedule.ranks.size());
    for (size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
      timeline.ranks[rank].tasks.reserve(schedule.ranks[rank].size());
      runnable.push_back(static_cast<int32_t>(rank));
    }
  }

  Fallible<Timeline> run(ScheduleWait *wait) {
    while (!runnable.empty()) {
      int32_t rank = runnable.back();
      runnable.pop_back();
      advance(rank);
    }
    for (size_t rank = 0; rank < schedule.ranks.size(); ++rank)
      if (timeline.ranks[rank].tasks.size() < schedule.ranks[rank].size()) {
        if (wait)
          *wait = {static_cast<int32_t>(rank),
                   static_cast<int32_t>(timeline.ranks[rank].tasks.size())};
        return explainWait(static_cast<int32_t>(rank));
      }
    return std::move(timeline);
  }

private:
  /// Runs the tasks of `rank` until one has to wait for a task that has not
  /// run yet.
  void advance(int32_t rank) {
    RankTimeline &line = timeline.ranks[rank];
    const std::vector<StageTask> &tasks = schedule.ranks[rank];
    while (line.tasks.size() < tasks.size()) {
      size_t at = line.tasks.size();
      double begin = line.end();
      bool isPair = runsPair(tasks, at);
      int32_t missing = waitFor(tasks[at], begin);
      if (missing < 0 && isPair)
        missing = waitFor(tasks[at + 1], begin);
      if (missing >= 0) {
        nextWaiting[rank] = std::exchange(firstWaiting[missing], rank);
        return;
      }
      double middle = begin + costs.seconds(tasks[at]);
      if (!isPair) {
        finish(line, {tasks[at], begin, middle}, middle);
        continue;
      }
      // Drawn one after the other; both have their results at the end.
      double end = middle + costs.seconds(tasks[at + 1]);
      middle = begin + *costs.overlap * (middle - begin);
      end = begin + *costs.overlap * (end - begin);
      finish(line, {tasks[at], begin, middle}, end);
      finish(line, {tasks[at + 1], middle, end}, end);
    }
  }

  /// Whether the task at `at` of a rank and the next run side by side. Where
  /// the second waits for the first they cannot.
  bool runsPair(const std::vector<StageTask> &tasks, size_t at) const {
    if (!costs.overlap || !tasks[at].besideNext || at + 1 == tasks.size())
      return false;
    bool waits = false;
    dependencies.forEachInput(tasks[at + 1], [&](const StageTask &input) {
      waits |= input == tasks[at];
    });
    return !waits;
  }

  /// Moves `begin` to when the inputs of `task` are there; returns the number
  /// of one that has not run, or -1.
  int32_t waitFor(const StageTask &task, double &begin) const {
    int32_t missing = -1;
    dependencies.forEachInput(task, [&](const StageTask &input) {
      int32_t number = dependencies.numberOf(input);
      if (ends[number] < 0)
        missing = number;
      else
        begin = std::max(begin, ends[number] + dependencies.transferSeconds(
                                                   input, task, costs));
    });
    return missing;
  }

  /// Adds `timed`, the result of which is there at `ready`.
  void finish(RankTimeline &line, const TimedTask &timed, double ready) {
    line.tasks.push_back(timed);
    line.busy += timed.end - timed.begin;
    int32_t number = dependencies.numberOf(timed.task);
    ends[number] = ready;
    for (int32_t rank = std::exchange(firstWaiting[number], -1); rank >= 0;
         rank = nextWaiting[rank])
      runnable.push_back(rank);
  }

  /// The failure of a replay that got stuck: follows what `rank` waits for to a
  /// task that is nowhere, or once around the circle.
  Failure explainWait(int32_t rank) const {
    std::vector<bool> seen(schedule.ranks.size());
    std::string chain;
    while (true) {
      const std::vector<StageTask> &tasks = schedule.ranks[rank];
      size_t at = timeline.ranks[rank].tasks.size();
      double begin = 0;
      if (runsPair(tasks, at) && waitFor(tasks[at], begin) < 0)
        ++at;
      const StageTask &task = tasks[at];
      StageTask missing = task;
      dependencies.forEachInput(task, [&](const StageTask &input) {
        if (ends[dependencies.numberOf(input)] < 0)
          missing = input;
      });
      TaskPosition position = dependencies.positionOf(missing);
      chain += (chain.empty() ? "" : ", ") + toString(task) + " on rank " +
               std::to_string(rank) + " waits for " + toString(missing);
      if (!position)
        return Failure{chain + ", which no rank runs"};
      chain += " on rank " + std::to_string(position.rank);
      if (seen[position.rank])
        return Failure{"the ranks wait for each other: " + chain};
      seen[rank] = true;
      if (position.rank == rank)
        return Failure{chain + ", which comes later"};
      rank = position.rank;
    }
  }

  const StageSchedule &schedule;
  const StageCosts &costs;
  StageDependencies dependencies;
  Timeline timeline;
  /// By task number: seconds at which it ended; -1 if it has not run.
  std::vector<double> ends;
  /// By task number the first rank that waits for it, by rank the next one that
  /// waits for the same task; -1 for none.
  std::vector<int32_t> firstWaiting, nextWaiting;
  std::vector<int32_t> runnable;
};

/// Why `schedule` cannot be replayed: tasks beyond its stages and microbatches,
/// or so few that its numbers must be a slip (tables have their size), or more
/// parts of a weight gradient than it has. An empty string if it can.
std::string findMisfit(const StageSchedule &schedule, const StageCosts &costs) {
  const std::string numbers = std::to_string(schedule.stages) + " stages and " +
                              std::to_string(schedule.microbatches) +
                              " microbatches";
  int64_t tasks = 0;
  for (size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    for (const StageTask &task : schedule.ranks[rank]) {
      ++tasks;
      if (task.stage < 0 || task.stage >= schedule.stages ||
          task.microbatch < 0 || task.microbatch >= schedule.microbatches)
        return "expected tasks of " + numbers + ", got " + toString(task) +
               " on rank " + std::to_string(rank);
      size_t parts = costs.stages[task.stage].weightParts.size();
      if (task.part >= static_cast<int32_t>(parts))
        return "expected costs of " + toString(task) + ", got those of " +
               std::to_string(parts) + " parts";
    }
  if (tasks < int64_t(schedule.stages) * schedule.microbatches)
    return "expected at least one task for each of " + numbers + ", got " +
           std::to_string(tasks);
  return "";
}

/// Adds to every rank's line the parameters of the stages that it runs.
void addParameters(Timeline &timeline, const StageSchedule &schedule,
                   const StageCosts &costs) {
  for (size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    std::vector<bool> isHeld(schedule.stages);
    for (const StageTask &task : schedule.ranks[rank]) {
      bool isVocabulary = task.kind == TaskKind::VocabularyForward ||
                          task.kind == TaskKind::VocabularyBackward;
      if (isVocabulary || isHeld[task.stage])
        continue;
      isHeld[task.stage] = true;
      timeline.ranks[rank].parameters += costs.stages[task.stage].parameters;
    }
  }
}

} // namespace

Fallible<Timeline> tessera::replayTimes(const StageSchedule &schedule,
                                        const StageCosts &costs,
                                        ScheduleWait *wait) {
  if (std::string error = costs.verify(schedule.stages); !error.empty())
    return Failure{error};
  if (std::string error = findMisfit(schedule, costs); !error.empty())
    return Failure{error};
  Fallible<Timeline> timeline = Replay(schedule, costs).run(wait);
  if (timeline)
    addParameters(*timeline, schedule, costs);
  return timeline;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

double tessera::peakActivation(const StageSchedule &schedule,
                               const StageCosts &costs, int32_t rank,
                               std::vector<double> *perTask) {
  double held = 0, peak = 0;
  for (const StageTask &task : schedule.ranks[rank]) {
    TaskMemory memory = costs.memory(task);
    held += memory.takes;
    if (perTask)
      perTask->push_back(held);
    peak = std::max(peak, held);
    held -= memory.releases;
    peak = std::max(peak, held);
  }
  return peak;
}

/// The bytes of activations that a rank holds over time, from its tasks.
static void addActivations(RankTimeline &line, const StageCosts &costs) {
  double held = 0;
  line.activations.push_back({0, 0});
  auto add = [&](double time, double bytes) {
    if (bytes == 0)
      return;
    held += bytes;
    if (line.activations.back().time == time)
      line.activations.back().bytes = held;
    else
      line.activations.push_back({time, held});
  };
  for (const TimedTask &timed : line.tasks) {
    TaskMemory memory = costs.memory(timed.task);
    add(timed.begin, memory.takes);
    add(timed.end, -memory.releases);
  }
  // Rounding must not leave a trace of memory behind.
  if (std::abs(held) <= 1e-9 * line.peakActivation)
    line.activations.back().bytes = 0;
}

Fallible<Timeline> tessera::replay(const StageSchedule &schedule,
                                   const StageCosts &costs) {
  Fallible<Timeline> timeline = replayTimes(schedule, costs);
  if (!timeline)
    return timeline;
  for (size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    RankTimeline &line = timeline->ranks[rank];
    line.peakActivation =
        peakActivation(schedule, costs, static_cast<int32_t>(rank));
    addActivations(line, costs);
  }
  return timeline;
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

/// The largest of `figure` over all ranks; 0 if there are none.
template <typename Figure>
static double largest(const Timeline &timeline, Figure figure) {
  double found = 0;
  for (const RankTimeline &rank : timeline.ranks)
    found = std::max(found, figure(rank));
  return found;
}

double Timeline::makespan() const {
  return largest(*this, [](const RankTimeline &rank) { return rank.end(); });
}

double Timeline::longestStage() const {
  return largest(*this, [](const RankTimeline &rank) {
    return rank.end() - rank.begin();
  });
}

double Timeline::meanBusy() const {
  double sum = 0;
  for (const RankTimeline &rank : ranks)
    sum += rank.busy;
  return ranks.empty() ? 0 : sum / static_cast<double>(ranks.size());
}

double Timeline::bubbleRate() const {
  double total = makespan();
  return total > 0 ? 1 - meanBusy() / total : 0;
}

double Timeline::longestStageBubbleRate() const {
  double total = longestStage();
  return total > 0 ? 1 - meanBusy() / total : 0;
}

double Timeline::peakMemory() const {
  return largest(*this,
                 [](const RankTimeline &rank) { return rank.peakMemory(); });
}

double Timeline::peakActivation() const {
  return largest(*this,
                 [](const RankTimeline &rank) { return rank.peakActivation; });
}
