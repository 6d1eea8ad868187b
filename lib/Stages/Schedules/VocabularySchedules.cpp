//===- VocabularySchedules.cpp - 1F1B with the output layer spread --------===//
//
// A large vocabulary makes the last stage the slowest. Vocabulary parallelism
// (Yeung, Qi, Lin, Wan: Balancing Pipeline Parallelism with Vocabulary
// Parallelism, 2024) spreads the output layer over all ranks: of every
// microbatch, each rank computes S (its part of the logits and of their
// softmax), the ranks meet, and each computes T (its part of the gradients).
// Where T gives the last stage's cotangent (two meetings), its backward task
// comes two turns after its forward task; where S does (one meeting; the
// softmax is corrected afterwards), one turn.
//
// Every task gets a nominal time, in turns. The last stage runs F of microbatch
// i in turn i, all ranks S in turn i and T in turn i + 1, and the last stage B
// in turn i + meetings; F of the stages before comes earlier, and B later, by
// their share of a turn per stage. A rank's order is that of nominal times.
// Because no task's time lies before that of its inputs, there is no deadlock,
// whatever the tasks cost.
//
//===----------------------------------------------------------------------===//

#include "Schedules/ScheduleFamilies.h"

#include <algorithm>

using namespace tessera;

/// Parts of a turn by which S, B and T come after F. S must not come so late
/// that a rank's next F waits for it, for the next S waits for that F.
static constexpr double kScores = 0.25, kBackward = 0.3, kGradients = 0.6;

/// F's share of F and B: of all stages by `costs`, otherwise a third.
static double forwardShare(const ScheduleRequest &request) {
  double forward = 0, backward = 0;
  if (request.costs)
    for (const StageCost &cost : request.costs->stages) {
      forward += cost.forward;
      backward += cost.seconds({TaskKind::Backward, 0, 0});
    }
  return forward + backward > 0 ? forward / (forward + backward) : 1.0 / 3;
}

static StageSchedule makeVocabulary(const ScheduleRequest &request,
                                    int32_t meetings) {
  StageSchedule schedule = emptySchedule(request);
  schedule.vocabularyMeetings = meetings;
  const double share = forwardShare(request);
  for (int32_t rank = 0; rank < request.ranks; ++rank) {
    const int32_t behind = request.ranks - 1 - rank;
    std::vector<std::pair<double, StageTask>> timed;
    for (int32_t i = 0; i < request.microbatches; ++i) {
      timed.push_back({i - behind * share, {TaskKind::Forward, rank, i}});
      timed.push_back({i + kScores, {TaskKind::VocabularyForward, rank, i}});
      timed.push_back(
          {i + 1 + kGradients, {TaskKind::VocabularyBackward, rank, i}});
      timed.push_back({i + meetings + behind * (1 - share) + kBackward,
                       {TaskKind::Backward, rank, i}});
    }
    std::sort(timed.begin(), timed.end(), [](const auto &a, const auto &b) {
      return std::pair(a.first, a.second.kind) <
             std::pair(b.first, b.second.kind);
    });
    for (const auto &[time, task] : timed)
      schedule.ranks[rank].push_back(task);
  }
  return schedule;
}

StageSchedule tessera::makeVocabulary1(const ScheduleRequest &request) {
  return makeVocabulary(request, 2);
}

StageSchedule tessera::makeVocabulary2(const ScheduleRequest &request) {
  return makeVocabulary(request, 1);
}
