//===- ScheduleGenerators.cpp - The published schedules, by name ----------===//

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include "Schedules/ScheduleFamilies.h"
#include "tessera/Stages/ScheduleCheck.h"
#include "tessera/Support/NearestName.h"

using namespace tessera;

//===----------------------------------------------------------------------===//
// What each schedule takes
//===----------------------------------------------------------------------===//

static bool takesOneChunk(const ScheduleRequest &request) {
  return request.chunks == 1;
}

static bool takesTwoChunks(const ScheduleRequest &request) {
  return request.chunks == 2;
}

static bool takesAnyChunks(const ScheduleRequest &) { return true; }

static bool takesEqualGroups(const ScheduleRequest &request) {
  return request.chunks >= 2 &&
         request.microbatches % interleavedGroups(request) == 0;
}

static bool takesTwoWays(const ScheduleRequest &request) {
  return request.chunks == 1 && request.ranks % 2 == 0 &&
         request.microbatches % 2 == 0;
}

static bool takesTwoWaysShaped(const ScheduleRequest &request) {
  return request.chunks == 2 && request.ranks % 2 == 0 &&
         request.microbatches % 2 == 0;
}

static bool takesDualPipe(const ScheduleRequest &request) {
  return request.chunks == 1 && request.ranks % 2 == 0 &&
         request.microbatches % 2 == 0 &&
         request.microbatches >= 2 * request.ranks;
}

static bool takesDualPipeV(const ScheduleRequest &request) {
  return request.chunks == 2 && request.microbatches >= 2 * request.ranks;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr std::string_view kOneChunk = "1 chunk a rank";
static constexpr std::string_view kTwoChunks = "2 chunks a rank";

const std::vector<PublishedSchedule> &tessera::listSchedules() {
  using enum StagePlacement;
  static const std::vector<PublishedSchedule> schedules = {
      {"gpipe",
       "all forward tasks, then all backward tasks (GPipe, Huang et al. 2019)",
       kOneChunk, Looped, 1, false, false, takesOneChunk, makeGPipe},
      {"1f1b",
       "forward and backward tasks take turns as early as possible (PipeDream, "
       "Narayanan et al. 2019; DAPPLE, Fan et al. 2021)",
       kOneChunk, Looped, 1, false, false, takesOneChunk,
       makeOneForwardOneBackward},
      {"eager-1f1b",
       "1f1b with up to twice the forward tasks ahead, which hides transfers "
       "(Zhuang et al. 2023)",
       kOneChunk, Looped, 1, false, false, takesOneChunk,
       makeEagerOneForwardOneBackward},
      {"interleaved-1f1b",
       "1f1b over several stages a rank, visited in turn (Megatron-LM, "
       "Narayanan et al. 2021)",
       "2 or more chunks a rank, and microbatches that divide into max(1, "
       "microbatches / ranks) equal groups",
       Looped, 2, false, false, takesEqualGroups, makeInterleaved},
      {"breadth-first",
       "gpipe over several stages a rank: all microbatches of one stage, then "
       "of the next (Lamy-Poirier 2023)",
       "", Looped, 2, false, false, takesAnyChunks, makeBreadthFirst},
      {"zb-h1",
       "1f1b with delayed weight gradients in its bubbles, in the memory of "
       "1f1b (Zero Bubble, Qi et al. 2024)",
       kOneChunk, Looped, 1, true, false, takesOneChunk, makeZeroBubbleH1},
      {"zb-h2",
       "zb-h1 with more forward tasks ahead: no bubbles if all tasks take the "
       "same time, in twice the memory (Zero Bubble, Qi et al. 2024)",
       kOneChunk, Looped, 1, true, false, takesOneChunk, makeZeroBubbleH2},
      {"zb-v",
       "two stages a rank, there and back: no bubbles if all tasks take the "
       "same time, in the memory of 1f1b (Zero Bubble, Qi et al. 2024)",
       kTwoChunks, VShaped, 2, true, false, takesTwoChunks, makeZeroBubbleV},
      {"v-half", "zb-v in half the memory of 1f1b (Qi, Wan, Amar, Lin 2024)",
       kTwoChunks, VShaped, 2, true, true, takesTwoChunks, makeVHalf},
      {"v-min",
       "zb-v in a third of the memory of 1f1b (Qi, Wan, Amar, Lin 2024)",
       kTwoChunks, VShaped, 2, true, true, takesTwoChunks, makeVMin},
      {"chimera",
       "two copies of the model in opposite directions, half of the "
       "microbatches each (Chimera, Li and Hoefler 2021)",
       "an even number of ranks, 1 chunk a rank, and an even number of "
       "microbatches",
       TwoWayLooped, 1, false, false, takesTwoWays, makeChimera},
      {"bitpipe",
       "chimera with two stages a rank and direction, there and back (BitPipe, "
       "Wu et al. 2024)",
       "an even number of ranks, 2 chunks a rank, and an even number of "
       "microbatches",
       TwoWayVShaped, 2, false, false, takesTwoWaysShaped, makeBitPipe},
      {"dualpipe",
       "two copies of the model fed from both ends, F of one paired with B of "
       "the other (DeepSeek-V3 2024)",
       "an even number of ranks, 1 chunk a rank, and an even number of "
       "microbatches, at least two per rank",
       TwoWayLooped, 1, true, false, takesDualPipe, makeDualPipe},
      {"dualpipev",
       "dualpipe cut in half: there and back, without a second copy (Qi et al. "
       "2025)",
       "2 chunks a rank, and at least two microbatches per rank", VShaped, 2,
       true, false, takesDualPipeV, makeDualPipeV},
      {"2bp",
       "1f1b with all weight gradients at the end (2BP, Rae et al. 2024)",
       kOneChunk, Looped, 1, true, false, takesOneChunk, makeTwoStageBackward},
      {"zeropp",
       "units of microbatches, blockwise by stage, filled with weight "
       "gradients (ZeroPP, Tang et al. 2024)",
       "", Looped, 2, true, true, takesAnyChunks, makeZeroPP},
      {"vocabulary-1",
       "1f1b with the output layer spread over all ranks, which meet twice per "
       "microbatch (Yeung et al. 2024)",
       kOneChunk, Looped, 1, false, true, takesOneChunk, makeVocabulary1, true},
      {"vocabulary-2", "vocabulary-1 with one meeting (Yeung et al. 2024)",
       kOneChunk, Looped, 1, false, true, takesOneChunk, makeVocabulary2, true},
  };
  return schedules;
}

const PublishedSchedule *tessera::findSchedule(std::string_view name) {
  for (const PublishedSchedule &schedule : listSchedules())
    if (schedule.name == name)
      return &schedule;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

std::vector<int32_t> tessera::ranksOfStage(StagePlacement placement,
                                           int32_t ranks, int32_t stage) {
  int32_t looped = stage % ranks;
  int32_t shaped = (stage / ranks) % 2 ? ranks - 1 - looped : looped;
  switch (placement) {
  case StagePlacement::Looped:
    return {looped};
  case StagePlacement::VShaped:
    return {shaped};
  case StagePlacement::TwoWayLooped:
    return {looped, ranks - 1 - looped};
  case StagePlacement::TwoWayVShaped:
    return {shaped, ranks - 1 - shaped};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static std::string describe(const ScheduleRequest &request) {
  auto count = [](int32_t number, const char *one, const char *many) {
    return std::to_string(number) + " " + (number == 1 ? one : many);
  };
  return count(request.ranks, "rank", "ranks") + ", " +
         count(request.microbatches, "microbatch", "microbatches") + " and " +
         count(request.chunks, "chunk", "chunks") + " a rank";
}

/// The request next to `asked` that `schedule` accepts: another number of
/// microbatches if that is enough, then of ranks, then of chunks.
static std::optional<ScheduleRequest>
findNearest(const PublishedSchedule &schedule, const ScheduleRequest &asked) {
  for (int32_t chunks : {asked.chunks, schedule.defaultChunks})
    for (int32_t more : {0, 1, -1, 2, -2})
      for (int32_t distance = 0;
           distance <= asked.microbatches + 8 * asked.ranks; ++distance)
        for (int32_t sign : {-1, 1}) {
          ScheduleRequest near = asked;
          near.chunks = chunks;
          near.ranks += more;
          near.microbatches += sign * distance;
          if (near.ranks >= 1 && near.microbatches >= 1 &&
              schedule.accepts(near))
            return near;
        }
  return std::nullopt;
}

StageSchedule tessera::emptySchedule(const ScheduleRequest &request) {
  StageSchedule schedule;
  schedule.stages = request.ranks * request.chunks;
  schedule.microbatches = request.microbatches;
  schedule.ranks.resize(request.ranks);
  return schedule;
}

static Failure unknownSchedule(std::string_view name) {
  std::string known;
  std::vector<std::string> names = {"auto"};
  for (const PublishedSchedule &schedule : listSchedules()) {
    known += (known.empty() ? "" : ", ") + std::string(schedule.name);
    names.emplace_back(schedule.name);
  }
  return Failure{"expected a schedule's name (" + known + "), got '" +
                 std::string(name) + "'" + didYouMean(name, names)};
}

/// `request` with the schedule's own number of chunks where it says none; fails
/// where `published` does not take it.
static Fallible<ScheduleRequest> settle(const PublishedSchedule &published,
                                        const ScheduleRequest &request) {
  ScheduleRequest settled = request;
  if (!settled.chunks)
    settled.chunks = published.defaultChunks;
  if (settled.ranks < 1 || settled.microbatches < 1 || settled.chunks < 1)
    return Failure{"expected at least 1 rank, 1 microbatch and 1 chunk a rank, "
                   "got " +
                   describe(settled)};
  if (!published.accepts(settled)) {
    std::string message = "schedule '" + std::string(published.name) +
                          "' expects " + std::string(published.requirement) +
                          ", got " + describe(settled);
    if (std::optional<ScheduleRequest> near = findNearest(published, settled))
      message += "; the nearest that it takes is " + describe(*near);
    return Failure{message};
  }
  if (settled.costs)
    if (std::string error =
            settled.costs->verify(settled.ranks * settled.chunks);
        !error.empty())
      return Failure{error};
  return settled;
}

Fallible<void> tessera::checkRequest(std::string_view name,
                                     const ScheduleRequest &request) {
  const PublishedSchedule *published = findSchedule(name);
  if (!published)
    return unknownSchedule(name);
  if (auto settled = settle(*published, request); !settled)
    return settled.failure();
  return {};
}

Fallible<StageSchedule> tessera::makeSchedule(std::string_view name,
                                              const ScheduleRequest &request) {
  const PublishedSchedule *published = findSchedule(name);
  if (!published)
    return unknownSchedule(name);
  Fallible<ScheduleRequest> settled = settle(*published, request);
  if (!settled)
    return settled.failure();
  StageSchedule schedule = published->generate(*settled);
  schedule.name = name;
  // Orders that are woven by costs could get stuck on costs nobody thought of.
  if (Fallible<void> checked = checkSchedule(schedule); !checked)
    return Failure{"schedule '" + schedule.name +
                   "' fails for these costs: " + checked.message()};
  return schedule;
}
