//===- ScheduleChart.cpp - A replayed schedule to look at -----------------===//

#include "tessera/Simulator/Simulation.h"
#include "tessera/Stages/StageDependencies.h"

#include <algorithm>

using namespace tessera;

static SliceKind sliceKindOf(TaskKind kind) {
  switch (kind) {
  case TaskKind::Forward:
    return SliceKind::Forward;
  case TaskKind::InputGradient:
    return SliceKind::InputGradient;
  case TaskKind::WeightGradient:
    return SliceKind::WeightGradient;
  case TaskKind::Backward:
    return SliceKind::Backward;
  case TaskKind::VocabularyForward:
    return SliceKind::VocabularyForward;
  case TaskKind::VocabularyBackward:
    return SliceKind::VocabularyBackward;
  }
  return SliceKind::Once;
}

static bool isVocabulary(TaskKind kind) {
  return kind == TaskKind::VocabularyForward ||
         kind == TaskKind::VocabularyBackward;
}

/// The stages that a rank runs, ascending; a stage's position is its chunk.
static std::vector<int32_t> stagesOf(const RankTimeline &rank) {
  std::vector<int32_t> stages;
  for (const TimedTask &timed : rank.tasks)
    if (!isVocabulary(timed.task.kind))
      stages.push_back(timed.task.stage);
  std::sort(stages.begin(), stages.end());
  stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
  return stages;
}

static ChartTrack trackOf(const RankTimeline &rank, size_t number) {
  ChartTrack track;
  track.name = "rank " + std::to_string(number);
  std::vector<int32_t> stages = stagesOf(rank);
  for (const TimedTask &timed : rank.tasks) {
    const StageTask &task = timed.task;
    unsigned chunk = 0;
    if (!isVocabulary(task.kind))
      chunk = std::lower_bound(stages.begin(), stages.end(), task.stage) -
              stages.begin();
    std::string name = toString(task);
    std::string label = name.substr(name.find(letterOf(task.kind)) + 1);
    track.slices.push_back({sliceKindOf(task.kind), chunk, std::move(name),
                            std::move(label), timed.begin, timed.end});
  }
  for (const MemoryStep &step : rank.activations)
    track.memory.push_back({step.time, rank.parameters + step.bytes});
  return track;
}

/// An arrow from the task at `place` to each task on another rank that waits
/// for it to arrive.
static void addArrows(Chart &chart, const StageSchedule &schedule) {
  StageDependencies dependencies(schedule);
  for (unsigned rank = 0; rank < schedule.ranks.size(); ++rank)
    for (unsigned position = 0; position < schedule.ranks[rank].size();
         ++position)
      dependencies.forEachInput(
          schedule.ranks[rank][position], [&](const StageTask &input) {
            TaskPosition from = dependencies.positionOf(input);
            if (from && from.rank != static_cast<int32_t>(rank))
              chart.arrows.push_back({static_cast<unsigned>(from.rank), rank,
                                      static_cast<unsigned>(from.index),
                                      position});
          });
}

/// `1 rank`, `2 ranks`
static std::string count(int64_t number, const char *what,
                         const char *plural = "s") {
  return std::to_string(number) + " " + what + (number == 1 ? "" : plural);
}

Chart tessera::chartOf(const StageSchedule &schedule, const Timeline &timeline,
                       std::string memoryUnit) {
  Chart chart;
  chart.title = schedule.name + ": " + count(schedule.ranks.size(), "rank") +
                ", " + count(schedule.stages, "stage") + ", " +
                count(schedule.microbatches, "microbatch", "es");
  if (schedule.ranksOf(0).size() > 1)
    chart.title += ", two copies of each stage";
  chart.memoryUnit = std::move(memoryUnit);
  for (size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    chart.tracks.push_back(trackOf(timeline.ranks[rank], rank));
  addArrows(chart, schedule);
  return chart;
}
