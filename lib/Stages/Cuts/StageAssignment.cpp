//===- StageAssignment.cpp - Which ranks run which stages -----------------===//

#include "tessera/Stages/Cuts/StagePartition.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace tessera;

using Moment = std::vector<StageLoad>;

static StageAssignment onOneRoute(int32_t ranks, std::vector<int32_t> route) {
  StageAssignment assignment;
  assignment.stages = static_cast<int32_t>(route.size());
  assignment.ranks = ranks;
  assignment.routes = {{std::move(route), 1}};
  assignment.moments.resize(ranks);
  return assignment;
}

StageAssignment StageAssignment::contiguous(int32_t ranks,
                                            int32_t microbatches) {
  return interleaved(ranks, 1, microbatches);
}

StageAssignment StageAssignment::interleaved(int32_t ranks, int32_t chunks,
                                             int32_t microbatches) {
  std::vector<int32_t> route(ranks * chunks);
  for (size_t stage = 0; stage < route.size(); ++stage)
    route[stage] = static_cast<int32_t>(stage) % ranks;
  StageAssignment assignment = onOneRoute(ranks, route);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    // Forward tasks before the first backward one, and the one after them.
    int32_t held = chunks == 1
                       ? ranks - rank
                       : 2 * (ranks - rank - 1) + (chunks - 1) * ranks + 1;
    int32_t share = (held + chunks - 1) / chunks;
    Moment moment;
    for (int32_t stage = rank; stage < assignment.stages; stage += ranks)
      moment.push_back({stage, std::min(share, microbatches), 0});
    assignment.moments[rank] = {moment};
  }
  return assignment;
}

StageAssignment StageAssignment::vShaped(int32_t ranks, int32_t microbatches) {
  std::vector<int32_t> route(2 * ranks);
  for (int32_t stage = 0; stage < 2 * ranks; ++stage)
    route[stage] = stage < ranks ? stage : 2 * ranks - 1 - stage;
  StageAssignment assignment = onOneRoute(ranks, route);
  for (int32_t rank = 0; rank < ranks; ++rank) {
    int32_t first = std::min(2 * (ranks - rank) - 1, microbatches);
    int32_t second = std::min(2 * rank + 1, microbatches);
    assignment.moments[rank] = {
        {{rank, first, 0}, {2 * ranks - 1 - rank, second, 0}}};
  }
  return assignment;
}

StageAssignment StageAssignment::bidirectional(int32_t ranks,
                                               int32_t microbatches) {
  std::vector<int32_t> down(ranks);
  std::iota(down.begin(), down.end(), 0);
  StageAssignment assignment = onOneRoute(ranks, down);
  assignment.routes.push_back({{down.rbegin(), down.rend()}, 1});
  int32_t share = (microbatches + 1) / 2;
  for (int32_t rank = 0; rank < ranks; ++rank) {
    int32_t mirrored = ranks - 1 - rank;
    Moment moment = {{rank, std::min(ranks - rank, share), 0},
                     {mirrored, std::min(rank + 1, share), 0}};
    if (rank == mirrored)
      moment = {{rank, std::min(ranks + 1, microbatches), 0}};
    assignment.moments[rank] = {moment};
  }
  return assignment;
}

//===----------------------------------------------------------------------===//
// From a schedule
//===----------------------------------------------------------------------===//

namespace {

/// Whether `a` holds at least as much as `b` of everything. Both list the same
/// stages.
bool covers(const Moment &a, const Moment &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].activations < b[i].activations ||
        a[i].weightGradients < b[i].weightGradients)
      return false;
  return true;
}

void apply(TaskKind kind, StageLoad &load) {
  switch (kind) {
  case TaskKind::Forward:
    ++load.activations;
    break;
  case TaskKind::InputGradient:
    --load.activations;
    ++load.weightGradients;
    break;
  case TaskKind::WeightGradient:
    --load.weightGradients;
    break;
  case TaskKind::Backward:
    --load.activations;
    break;
  case TaskKind::VocabularyForward:
  case TaskKind::VocabularyBackward:
    break;
  }
}

/// The moments of a rank that no other moment of it covers.
std::vector<Moment> worstMoments(const std::vector<StageTask> &tasks) {
  std::map<int32_t, StageLoad> loads;
  for (const StageTask &task : tasks)
    loads[task.stage].stage = task.stage;
  std::vector<Moment> worst;
  for (const StageTask &task : tasks) {
    apply(task.kind, loads[task.stage]);
    Moment now;
    for (const auto &[stage, load] : loads)
      now.push_back(load);
    auto isCovered = [&](const Moment &other) { return covers(other, now); };
    if (std::any_of(worst.begin(), worst.end(), isCovered))
      continue;
    auto isLess = [&](const Moment &other) { return covers(now, other); };
    worst.erase(std::remove_if(worst.begin(), worst.end(), isLess),
                worst.end());
    worst.push_back(std::move(now));
  }
  return worst;
}

} // namespace

StageAssignment StageAssignment::of(const StageSchedule &schedule) {
  std::vector<std::vector<int32_t>> rankOf(
      schedule.microbatches, std::vector<int32_t>(schedule.stages, -1));
  StageAssignment assignment;
  assignment.stages = schedule.stages;
  assignment.ranks = static_cast<int32_t>(schedule.ranks.size());
  for (int32_t rank = 0; rank < assignment.ranks; ++rank) {
    for (const StageTask &task : schedule.ranks[rank])
      if (task.kind == TaskKind::Forward)
        rankOf[task.microbatch][task.stage] = rank;
    assignment.moments.push_back(worstMoments(schedule.ranks[rank]));
  }
  std::map<std::vector<int32_t>, int32_t> routes;
  int32_t common = 0;
  for (const std::vector<int32_t> &route : rankOf)
    ++routes[route];
  for (const auto &[route, weight] : routes)
    common = std::gcd(common, weight);
  for (const auto &[route, weight] : routes)
    assignment.routes.push_back({route, weight / common});
  return assignment;
}

std::vector<std::vector<int32_t>> StageAssignment::stagesOfRanks() const {
  std::vector<std::vector<int32_t>> stagesOf(ranks);
  for (int32_t stage = 0; stage < stages; ++stage)
    for (const StageRoute &route : routes) {
      std::vector<int32_t> &found = stagesOf[route.ranks[stage]];
      if (found.empty() || found.back() != stage)
        found.push_back(stage);
    }
  return stagesOf;
}

int32_t StageAssignment::chunks() const {
  size_t most = 1;
  for (const std::vector<int32_t> &found : stagesOfRanks())
    most = std::max(most, found.size());
  return static_cast<int32_t>(most);
}
