//===- SearchedSimulation.cpp - The schedule auto, played through ---------===//

#include "SimulationSteps.h"

#include "tessera/Stages/Search/ScheduleSearch.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// What stages cost with the whole output layer on the last one, instead of a
/// part, which takes S and T, on every rank.
static StageCosts withWholeVocabulary(StageCosts costs,
                                      const SimulationRequest &request) {
  StageCost &last = costs.stages.back();
  last.forward += double(request.ranks) * request.times.vocabularyForward;
  last.inputGradient +=
      double(request.ranks) * request.times.vocabularyBackward;
  for (StageCost &stage : costs.stages)
    stage.vocabularyForward = stage.vocabularyBackward = 0;
  return costs;
}

/// Every placement that a published schedule has for such numbers: the chunks
/// that are asked for or those of the schedule. Where S or T take time, the
/// output layer is spread over the ranks or whole.
static std::vector<SearchPlacement>
placementsFor(const SimulationRequest &request) {
  std::vector<SearchPlacement> placements;
  bool hasVocabulary = request.times.vocabularyForward > 0 ||
                       request.times.vocabularyBackward > 0;
  for (const PublishedSchedule &published : listSchedules()) {
    ScheduleRequest asked;
    asked.ranks = request.ranks;
    asked.microbatches = request.microbatches;
    asked.chunks = request.chunks ? request.chunks : published.defaultChunks;
    int32_t stages = asked.ranks * asked.chunks;
    int32_t meetings = 0;
    if (published.spreadsVocabulary) {
      Fallible<StageSchedule> made = makeSchedule(published.name, asked);
      if (!made || !hasVocabulary)
        continue;
      meetings = made->vocabularyMeetings;
    }
    bool isKnown = llvm::any_of(placements, [&](const SearchPlacement &other) {
      return other.placement == published.placement &&
             other.chunks == asked.chunks &&
             other.vocabularyMeetings == meetings;
    });
    if (published.isTwoWay() && !request.mayCopyStages)
      continue;
    if (isKnown || !published.accepts(asked) || !checkScales(request, stages))
      continue;
    StageCosts costs =
        costsFor(request.times, asked.ranks, stages, request.stageScales);
    if (!meetings)
      costs = withWholeVocabulary(std::move(costs), request);
    placements.push_back(
        {published.placement, asked.chunks, std::move(costs), meetings});
  }
  return placements;
}

Fallible<Simulation>
tessera::simulateSearched(const SimulationRequest &request) {
  int64_t chunks = std::max<int64_t>(request.chunks, 1);
  if (Fallible<void> numbers = checkNumbers(request, chunks); !numbers)
    return numbers.failure();
  ScheduleSearchRequest search;
  search.ranks = request.ranks;
  search.microbatches = request.microbatches;
  search.placements = placementsFor(request);
  if (search.placements.empty())
    return Failure{"no schedule has as many stages as there are "
                   "--stage-scales or --chunks"};
  if (request.memoryLimit)
    search.memoryLimit = withTolerance(*request.memoryLimit);
  Fallible<ScheduleSearchResult> found = searchSchedule(search);
  if (!found)
    return found.failure();
  Simulation simulation;
  simulation.schedule = std::move(found->schedule);
  simulation.costs = search.placements[found->placement].costs;
  simulation.comparison = {found->published, found->publishedMakespan,
                           found->bound};
  return replayed(std::move(simulation));
}
