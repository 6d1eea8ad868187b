//===- Simulation.cpp - A schedule by itself, played through --------------===//

#include "SimulationSteps.h"

#include "tessera/Stages/ScheduleCsv.h"
#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace tessera;

/// More tasks than this fit no picture, and hardly memory.
static constexpr int64_t kMaxTasks = 1 << 22;

/// Fails if `flag` says something of `got` stages, and not of all `stages`.
static Fallible<void> checkCount(const char *flag, const char *what,
                                 int64_t stages, size_t got) {
  if (got == size_t(stages))
    return {};
  return Failure{std::string(flag) + ": expected " + std::to_string(stages) +
                 " " + what + ", one per stage, got " + std::to_string(got)};
}

Fallible<StageCosts> tessera::costsFor(const SimulationRequest &request,
                                       int64_t ranks, int64_t stages) {
  if (request.stageCosts) {
    if (Fallible<void> count = checkCount("--times", "rows", stages,
                                          request.stageCosts->stages.size());
        !count)
      return count.failure();
    return *request.stageCosts;
  }
  const std::vector<double> &stageScales = request.stageScales;
  if (!stageScales.empty())
    if (Fallible<void> count =
            checkCount("--stage-scales", "numbers", stages, stageScales.size());
        !count)
      return count.failure();
  const TaskTimes &times = request.times;
  double share = double(ranks) / double(stages);
  StageCost cost;
  cost.forward = times.forward * share;
  cost.inputGradient = times.inputGradient * share;
  cost.weightGradient = times.weightGradient * share;
  cost.vocabularyForward = times.vocabularyForward;
  cost.vocabularyBackward = times.vocabularyBackward;
  cost.activation = share;
  cost.weightInput = share * times.weightInput;
  for (double part : times.weightParts)
    cost.weightParts.push_back(
        {part * share, 0, cost.weightInput / double(times.weightParts.size())});
  StageCosts costs = StageCosts::uniform(static_cast<int32_t>(stages), cost,
                                         {times.transfer, times.transfer});
  if (times.pair)
    costs.overlap = *times.pair / (times.forward + times.inputGradient +
                                   times.weightGradient);
  for (size_t i = 0; i < stageScales.size(); ++i) {
    StageCost &stage = costs.stages[i];
    for (double *field :
         {&stage.forward, &stage.inputGradient, &stage.weightGradient,
          &stage.activation, &stage.weightInput})
      *field *= stageScales[i];
    for (WeightPart &part : stage.weightParts) {
      part.seconds *= stageScales[i];
      part.releases *= stageScales[i];
    }
  }
  return costs;
}

static std::string number(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

Fallible<void> tessera::checkNumbers(const SimulationRequest &request,
                                     int64_t chunks) {
  auto check = [](const char *flag, int64_t value) -> Fallible<void> {
    if (value >= 1)
      return {};
    return Failure{std::string("--") + flag + ": expected at least 1, got " +
                   std::to_string(value)};
  };
  if (Fallible<void> ranks = check("stages", request.ranks); !ranks)
    return ranks;
  if (Fallible<void> count = check("microbatches", request.microbatches);
      !count)
    return count;
  if (Fallible<void> count = check("chunks", chunks); !count)
    return count;
  if (request.ranks > kMaxTasks || request.microbatches > kMaxTasks ||
      chunks > kMaxTasks ||
      request.ranks * chunks > kMaxTasks / request.microbatches)
    return Failure{"expected at most " + std::to_string(kMaxTasks) +
                   " stages x microbatches x chunks"};
  return {};
}

Fallible<Simulation> tessera::replayed(Simulation simulation) {
  Fallible<Timeline> timeline = replay(simulation.schedule, simulation.costs);
  if (!timeline)
    return timeline.failure();
  simulation.timeline = *std::move(timeline);
  return simulation;
}

/// `published` for this request, played through.
static Fallible<Simulation> simulateNamed(const PublishedSchedule &published,
                                          const SimulationRequest &request) {
  int64_t chunks = request.chunks ? request.chunks : published.defaultChunks;
  if (Fallible<void> numbers = checkNumbers(request, chunks); !numbers)
    return numbers.failure();
  Fallible<StageCosts> costs =
      costsFor(request, request.ranks, request.ranks * chunks);
  if (!costs)
    return costs.failure();
  Simulation simulation;
  ScheduleRequest asked;
  asked.ranks = request.ranks;
  asked.microbatches = request.microbatches;
  asked.chunks = chunks;
  asked.costs = simulation.costs = *std::move(costs);
  if (request.memoryLimit)
    asked.memoryLimit = *request.memoryLimit;
  Fallible<StageSchedule> schedule = makeSchedule(published.name, asked);
  if (!schedule)
    return schedule.failure();
  simulation.schedule = *std::move(schedule);
  return replayed(std::move(simulation));
}

/// That `flag`, if it is given, says what the file does.
static Fallible<void> checkAgrees(const char *flag, int64_t given,
                                  const std::string &file, int64_t found) {
  if (given == 0 || given == found)
    return {};
  return Failure{std::string("--") + flag + "=" + std::to_string(given) +
                 ": expected " + std::to_string(found) + ", as in " + file};
}

/// The schedule in a file.
static Fallible<Simulation> simulateFile(const SimulationRequest &request) {
  const std::string &path = request.schedule;
  Fallible<ScheduleFromFile> file = readScheduleFile(path);
  if (!file)
    return file.failure();
  int64_t ranks = file->schedule.ranks.size(), stages = file->schedule.stages;
  for (const Fallible<void> &agrees :
       {checkAgrees("stages", request.ranks, path, ranks),
        checkAgrees("microbatches", request.microbatches, path,
                    file->schedule.microbatches),
        checkAgrees("chunks", request.chunks * ranks, path, stages)})
    if (!agrees)
      return agrees.failure();
  Fallible<StageCosts> costs = costsFor(request, ranks, stages);
  if (!costs)
    return costs.failure();
  Simulation simulation;
  simulation.costs = *std::move(costs);
  simulation.costs.addEqualParts(file->schedule);
  ScheduleLimits limits;
  if (request.memoryLimit)
    limits = {&simulation.costs, withTolerance(*request.memoryLimit)};
  if (Fallible<void> valid =
          checkSchedule(file->schedule, limits, &file->origin);
      !valid)
    return valid.failure();
  simulation.schedule = std::move(file->schedule);
  return replayed(std::move(simulation));
}

/// What could be asked for instead where a schedule needs more than the limit:
/// the fastest published schedule within it, or the limit that the most
/// frugal one needs.
static std::string suggestWithin(double limit,
                                 const SimulationRequest &request) {
  std::string fastest, frugal;
  double bestMakespan = 0, leastMemory = 0;
  SimulationRequest other = request;
  if (request.stageScales.empty() && !request.stageCosts)
    other.chunks = 0;
  for (const PublishedSchedule &published : listSchedules()) {
    Fallible<Simulation> simulation = simulateNamed(published, other);
    if (!simulation)
      continue;
    double makespan = simulation->timeline.makespan();
    double memory = simulation->timeline.peakMemory();
    if (memory <= limit && (fastest.empty() || makespan < bestMakespan)) {
      fastest = published.name;
      bestMakespan = makespan;
    }
    if (frugal.empty() || memory < leastMemory) {
      frugal = published.name;
      leastMemory = memory;
    }
  }
  if (!fastest.empty())
    return "the fastest schedule within it is " + fastest;
  return "the least that a published schedule needs is " + number(leastMemory) +
         " (" + frugal + ")";
}

static Fallible<void> checkMemory(const Simulation &simulation,
                                  const SimulationRequest &request) {
  if (!request.memoryLimit)
    return {};
  double limit = withTolerance(*request.memoryLimit);
  for (size_t rank = 0; rank < simulation.timeline.ranks.size(); ++rank) {
    double peak = simulation.timeline.ranks[rank].peakMemory();
    if (peak > limit)
      return Failure{
          "schedule '" + simulation.schedule.name + "' needs " + number(peak) +
          " activations on rank " + std::to_string(rank) +
          ", which is above --memory-limit=" + number(*request.memoryLimit) +
          "; " + suggestWithin(limit, request)};
  }
  return {};
}

Fallible<Simulation> tessera::simulate(const SimulationRequest &request) {
  if (isScheduleFile(request.schedule))
    return simulateFile(request);
  if (request.schedule == "auto")
    return simulateSearched(request);
  const PublishedSchedule *published = findSchedule(request.schedule);
  if (!published) // makeSchedule says which there are
    return makeSchedule(request.schedule, ScheduleRequest()).failure();
  Fallible<Simulation> simulation = simulateNamed(*published, request);
  if (!simulation)
    return simulation;
  if (Fallible<void> memory = checkMemory(*simulation, request); !memory)
    return memory.failure();
  return simulation;
}
