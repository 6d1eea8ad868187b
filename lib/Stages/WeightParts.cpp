//===- WeightParts.cpp - Weight gradients in several tasks ----------------===//

#include "tessera/Stages/WeightParts.h"

using namespace tessera;

StageSchedule tessera::splitBackward(const StageSchedule &schedule) {
  StageSchedule split = schedule;
  for (std::vector<StageTask> &tasks : split.ranks) {
    std::vector<StageTask> made;
    for (const StageTask &task : tasks) {
      if (task.kind != TaskKind::Backward) {
        made.push_back(task);
        continue;
      }
      made.push_back({TaskKind::InputGradient, task.stage, task.microbatch});
      made.push_back({TaskKind::WeightGradient, task.stage, task.microbatch});
    }
    tasks = std::move(made);
  }
  return split;
}

StageSchedule tessera::takeWeightsApart(const StageSchedule &schedule,
                                        const StageCosts &costs) {
  StageSchedule apart = schedule;
  for (std::vector<StageTask> &tasks : apart.ranks) {
    std::vector<StageTask> made;
    for (StageTask task : tasks) {
      size_t parts = costs.stages[task.stage].weightParts.size();
      if (task.kind != TaskKind::WeightGradient ||
          task.part != StageTask::kWhole || parts == 0) {
        made.push_back(task);
        continue;
      }
      for (task.part = 0; task.part < static_cast<int32_t>(parts); ++task.part)
        made.push_back(task);
    }
    tasks = std::move(made);
  }
  return apart;
}

/// How many tasks from `first` on are the parts, in order, of one weight
/// gradient of `parts` parts; 0 unless all of them are there.
static int32_t findParts(const std::vector<StageTask> &tasks, size_t first,
                         int32_t parts) {
  StageTask expected = tasks[first];
  for (expected.part = 0; expected.part < parts; ++expected.part)
    if (first + expected.part >= tasks.size() ||
        !(tasks[first + expected.part] == expected))
      return 0;
  return parts;
}

StageSchedule tessera::joinWeights(const StageSchedule &schedule) {
  StageSchedule joined = schedule;
  std::vector<int32_t> parts = schedule.weightParts();
  for (std::vector<StageTask> &tasks : joined.ranks) {
    std::vector<StageTask> made;
    for (size_t i = 0; i < tasks.size(); ++i) {
      made.push_back(tasks[i]);
      if (int32_t count = findParts(tasks, i, parts[tasks[i].stage])) {
        made.back().part = StageTask::kWhole;
        i += count - 1;
      }
    }
    tasks = std::move(made);
  }
  return joined;
}
