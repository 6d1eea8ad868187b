//===- SearchedSimulation.cpp - The schedule auto, played through ---------===//

#include "SimulationSteps.h"

#include "tessera/Stages/Search/ScheduleSearch.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

/// What stages cost with the whole output layer on the last one, instead of a
/// part, which takes S and T, on every rank.
static StageCosts withWholeVocabulary(StageCosts costs, int64_t ranks) {
  StageCost &last = costs.stages.back();
  for (StageCost &stage :
       llvm::MutableArrayRef(costs.stages).take_front(ranks)) {
    last.forward += stage.vocabularyForward;
    last.inputGradient += stage.vocabularyBackward;
  }
  for (StageCost &stage : costs.stages)
    stage.vocabularyForward = stage.vocabularyBackward = 0;
  return costs;
}

/// Whether the output layer's passes take time.
static bool hasVocabulary(const StageCosts &costs) {
  return llvm::any_of(costs.stages, [](const StageCost &stage) {
    return stage.vocabularyForward > 0 || stage.vocabularyBackward > 0;
  });
}

/// Every placement that a published schedule has for such numbers: the chunks
/// that are asked for or those of the schedule. Where S or T take time, the
/// output layer is spread over the ranks or whole.
static std::vector<SearchPlacement>
placementsFor(const SimulationRequest &request) {
  std::vector<SearchPlacement> placements;
  for (const PublishedSchedule &published : listSchedules()) {
    ScheduleRequest asked;
    asked.ranks = request.ranks;
    asked.microbatches = request.microbatches;
    asked.chunks = request.chunks ? request.chunks : published.defaultChunks;
    int32_t stages = asked.ranks * asked.chunks;
    Fallible<StageCosts> costs = costsFor(request, asked.ranks, stages);
    if (!costs)
      continue;
    int32_t meetings = 0;
    if (published.spreadsVocabulary) {
      Fallible<StageSchedule> made = makeSchedule(published.name, asked);
      if (!made || !hasVocabulary(*costs))
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
    if (isKnown || !published.accepts(asked))
      continue;
    if (!meetings)
      costs = withWholeVocabulary(*std::move(costs), request.ranks);
    placements.push_back(
        {published.placement, asked.chunks, *std::move(costs), meetings});
  }
  return placements;
}

Fallible<Simulation>
tessera::simulateSearched(const SimulationRequest &request) {
  int64_t chunks = std::max<int64_t>(request.chunks, 1);
  if (Fallible<void> numbers = checkNumbers(request, chunks); !numbers)
    return numbers.failure();
  if (request.times.pair)
    return Failure{"--times: FB: expected a schedule with tasks side by side "
                   "(dualpipe, dualpipev, a file), got auto, which runs one "
                   "after the other"};
  ScheduleSearchRequest search;
  search.ranks = request.ranks;
  search.microbatches = request.microbatches;
  search.placements = placementsFor(request);
  if (search.placements.empty())
    return Failure{
        request.stageCosts
            ? "no schedule has as many stages as there are rows of --times"
            : "no schedule has as many stages as there are --stage-scales or "
              "--chunks"};
  search.minimizes = request.minimizes;
  search.breaksTies = true;
  if (request.memoryLimit)
    search.memoryLimit = withTolerance(*request.memoryLimit);
  Fallible<ScheduleSearchResult> found = searchSchedule(search);
  if (!found)
    return found.failure();
  Simulation simulation;
  simulation.schedule = std::move(found->schedule);
  simulation.costs = search.placements[found->placement].costs;
  simulation.comparison = {request.minimizes, found->published,
                           found->publishedSeconds, found->bound};
  return replayed(std::move(simulation));
}
