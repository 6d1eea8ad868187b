//===- StageDependencies.cpp - Which tasks need which ---------------------===//

#include "tessera/Stages/StageDependencies.h"

#include <algorithm>

using namespace tessera;

StageDependencies::StageDependencies(const StageSchedule &schedule)
    : stages(schedule.stages), microbatches(schedule.microbatches),
      meetings(schedule.vocabularyMeetings),
      parts(meetings ? static_cast<int32_t>(schedule.ranks.size()) : 0) {
  int32_t mostParts = 0;
  for (int32_t count : schedule.weightParts())
    mostParts = std::max(mostParts, count);
  positions.resize(static_cast<size_t>(kKinds + mostParts) * stages *
                   microbatches);
  for (size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    for (size_t position = 0; position < schedule.ranks[rank].size();
         ++position)
      positions[numberOf(schedule.ranks[rank][position])] = {
          static_cast<int32_t>(rank), static_cast<int32_t>(position)};
}

double StageDependencies::transferSeconds(const StageTask &input,
                                          const StageTask &task,
                                          const StageCosts &costs) const {
  bool meets = input.kind == TaskKind::VocabularyForward ||
               input.kind == TaskKind::VocabularyBackward ||
               task.kind == TaskKind::VocabularyForward;
  if (meets)
    return costs.vocabularyMeeting;
  if (input.stage == task.stage ||
      positionOf(input).rank == positionOf(task).rank)
    return 0;
  const BoundaryCost &boundary =
      costs.boundaries[std::min(input.stage, task.stage)];
  return task.kind == TaskKind::Forward ? boundary.forward : boundary.backward;
}
