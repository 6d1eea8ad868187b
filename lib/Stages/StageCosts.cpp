//===- StageCosts.cpp - What the tasks of each stage cost -----------------===//

#include "tessera/Stages/StageCosts.h"

#include <cmath>

using namespace tessera;

double StageCost::seconds(const StageTask &task) const {
  if (task.part != StageTask::kWhole)
    return weightParts[task.part].seconds;
  switch (task.kind) {
  case TaskKind::Forward:
    return forward;
  case TaskKind::InputGradient:
    return inputGradient;
  case TaskKind::WeightGradient:
    return weightGradient;
  case TaskKind::Backward:
    return backward.value_or(inputGradient + weightGradient);
  case TaskKind::VocabularyForward:
    return vocabularyForward;
  case TaskKind::VocabularyBackward:
    return vocabularyBackward;
  }
  return 0;
}

TaskMemory StageCost::memory(const StageTask &task) const {
  if (task.part != StageTask::kWhole)
    return {weightParts[task.part].makes, weightParts[task.part].releases};
  switch (task.kind) {
  case TaskKind::Forward:
    return {activation, 0};
  case TaskKind::InputGradient:
    return {0, activation - weightInput};
  case TaskKind::WeightGradient:
    return {0, weightInput};
  case TaskKind::Backward:
    return {0, activation};
  case TaskKind::VocabularyForward:
    return {vocabularyActivation, 0};
  case TaskKind::VocabularyBackward:
    return {0, vocabularyActivation};
  }
  return {};
}

void StageCosts::addEqualParts(const StageSchedule &schedule) {
  std::vector<int32_t> parts = schedule.weightParts();
  for (size_t stage = 0; stage < parts.size(); ++stage) {
    StageCost &cost = stages[stage];
    if (parts[stage] > 0 && cost.weightParts.empty())
      cost.weightParts.assign(parts[stage],
                              {cost.weightGradient / parts[stage], 0,
                               cost.weightInput / parts[stage]});
  }
}

StageCosts StageCosts::uniform(int32_t stages, const StageCost &cost,
                               const BoundaryCost &boundary) {
  StageCosts costs;
  costs.stages.assign(stages, cost);
  costs.boundaries.assign(stages > 0 ? stages - 1 : 0, boundary);
  return costs;
}

void StageCosts::addEmptyParts(const StageSchedule &schedule) {
  std::vector<int32_t> parts = schedule.weightParts();
  for (size_t stage = 0; stage < parts.size(); ++stage) {
    StageCost &cost = stages[stage];
    if (parts[stage] > 0 && cost.weightParts.empty())
      cost.weightParts = {{cost.weightGradient, 0, cost.weightInput}};
    if (parts[stage] > static_cast<int32_t>(cost.weightParts.size()))
      cost.weightParts.resize(parts[stage]);
  }
}

std::string StageCosts::verify(int32_t expected) const {
  auto count = static_cast<int32_t>(stages.size());
  if (count != expected)
    return "expected costs of " + std::to_string(expected) + " stages, got " +
           std::to_string(count);
  if (boundaries.size() + 1 != stages.size())
    return "expected costs of " + std::to_string(expected - 1) +
           " boundaries between stages, got " +
           std::to_string(boundaries.size());
  auto isCost = [](double cost) { return std::isfinite(cost) && cost >= 0; };
  for (int32_t stage = 0; stage < count; ++stage) {
    const StageCost &cost = stages[stage];
    for (double part : {cost.forward, cost.inputGradient, cost.weightGradient,
                        cost.backward.value_or(0), cost.vocabularyForward,
                        cost.vocabularyBackward, cost.vocabularyActivation,
                        cost.activation, cost.weightInput, cost.parameters})
      if (!isCost(part))
        return "expected costs of at least 0, got " + std::to_string(part) +
               " for stage " + std::to_string(stage);
    for (const WeightPart &part : cost.weightParts)
      if (!isCost(part.seconds) || !isCost(part.makes) ||
          !isCost(part.releases))
        return "expected parts of weight gradients to cost at least 0";
  }
  if (overlap && !(*overlap > 0 && *overlap <= 1))
    return "expected tasks side by side to take a part of their times above 0 "
           "and up to 1, got " +
           std::to_string(*overlap);
  for (const BoundaryCost &boundary : boundaries)
    if (!isCost(boundary.forward) || !isCost(boundary.backward))
      return "expected transfers to take 0 seconds or longer";
  return isCost(vocabularyMeeting)
             ? ""
             : "expected meetings of the ranks to take 0 seconds or longer";
}
