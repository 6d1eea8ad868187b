//===- StageSchedule.cpp - Who computes which task in which order ---------===//

#include "tessera/Stages/StageSchedule.h"

#include <algorithm>

using namespace tessera;

char tessera::letterOf(TaskKind kind) {
  return "FIWBST"[static_cast<int>(kind)];
}

std::string tessera::toString(const StageTask &task) {
  return std::to_string(task.stage) + letterOf(task.kind) +
         std::to_string(task.microbatch);
}

std::vector<int32_t> StageSchedule::ranksOf(int32_t stage) const {
  std::vector<int32_t> found;
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    if (std::any_of(ranks[rank].begin(), ranks[rank].end(),
                    [&](const StageTask &task) { return task.stage == stage; }))
      found.push_back(static_cast<int32_t>(rank));
  return found;
}

int32_t StageSchedule::rankOf(int32_t stage, int32_t microbatch) const {
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    for (const StageTask &task : ranks[rank])
      if (task.stage == stage && task.microbatch == microbatch)
        return static_cast<int32_t>(rank);
  return -1;
}
