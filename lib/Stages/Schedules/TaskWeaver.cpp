//===- TaskWeaver.cpp - Lists of tasks laid side by side in time ----------===//

#include "Schedules/TaskWeaver.h"

#include <algorithm>

using namespace tessera;

/// Of two times that differ by less than this part, neither is earlier.
static constexpr double kRounding = 1e-9;

static bool isEarlier(double a, double b) { return a < b * (1 - kRounding); }

TaskWeaver::TaskWeaver(const StageSchedule &schedule, const StageCosts &costs)
    : costs(costs), stages(schedule.stages), dependencies(schedule),
      ends(dependencies.size(), -1), ranks(schedule.ranks.size()) {}

void TaskWeaver::addLane(int32_t rank, std::vector<StageTask> tasks,
                         int32_t reach) {
  auto forwards = static_cast<int32_t>(
      std::count_if(tasks.begin(), tasks.end(), [](const StageTask &task) {
        return task.kind == TaskKind::Forward;
      }));
  ranks[rank].lanes.push_back({{tasks.begin(), tasks.end()}, forwards, reach});
}

double TaskWeaver::arrival(const StageTask &task) const {
  double latest = 0;
  bool isReady = true;
  dependencies.forEachInput(task, [&](const StageTask &input) {
    double end = ends[dependencies.numberOf(input)];
    isReady &= end >= 0;
    latest = std::max(latest,
                      end + dependencies.transferSeconds(input, task, costs));
  });
  return isReady ? latest : -1;
}

//===----------------------------------------------------------------------===//
// What comes next on a rank
//===----------------------------------------------------------------------===//

/// Whether `choice`, which would end at `end`, comes before what `rank` has
/// chosen so far.
bool TaskWeaver::isBetter(const Rank &rank, const Choice &choice,
                          double end) const {
  const Choice &best = rank.choice;
  if (!best)
    return true;
  if (choice.position > 0) // Overtakes only what it does not delay.
    return !isEarlier(best.start, end) && isEarlier(choice.start, best.start);
  if (isEarlier(choice.start, best.start) ||
      isEarlier(best.start, choice.start))
    return choice.start < best.start;
  return rank.lanes[choice.lane].tasks.size() >
         rank.lanes[best.lane].tasks.size();
}

/// Takes a task of the lane as the rank's choice if it starts earlier than the
/// one it has. Returns whether a forward task has to wait for memory alone.
bool TaskWeaver::chooseFrom(Rank &rank, int32_t number) {
  const Lane &lane = rank.lanes[number];
  const bool isSteady = rank.hasGradients && lane.forwards > 0;
  const auto reach =
      std::min<size_t>(lane.tasks.size(), isSteady ? 1 : lane.reach + 1);
  // What the rank holds, at the most, until the task at `i` had its turn, when
  // weight gradients are run as soon as memory is short.
  int32_t held = rank.live - static_cast<int32_t>(rank.weights.size());
  int32_t most = held;
  bool isHeldBack = false;
  for (size_t i = 0; i < reach; ++i) {
    const StageTask &task = lane.tasks[i];
    const bool isForward = task.kind == TaskKind::Forward;
    double arrives = arrival(task);
    if (arrives >= 0 && isForward && rank.live >= rank.liveLimit) {
      isHeldBack |= i == 0;
    } else if (arrives >= 0 && (!isForward || most < rank.liveLimit)) {
      Choice choice{number, static_cast<int32_t>(i),
                    std::max(rank.free, arrives)};
      if (isBetter(rank, choice, choice.start + costs.seconds(task)))
        rank.choice = choice;
    }
    held += isForward ? 1 : -1;
    most = std::max(most, held);
  }
  return isHeldBack;
}

/// Settles what `rank` runs next. If it could only run a forward task for which
/// it lacks memory, weight gradients make room.
void TaskWeaver::settle(Rank &rank) {
  while (!rank.isSettled) {
    rank.choice = {};
    bool isHeldBack = false;
    for (size_t lane = 0; lane < rank.lanes.size(); ++lane)
      isHeldBack |= chooseFrom(rank, static_cast<int32_t>(lane));
    bool waits = !rank.choice || rank.choice.start > rank.free;
    rank.isSettled = !isHeldBack || !waits || rank.weights.empty();
    if (!rank.isSettled)
      runWeight(rank);
  }
}

//===----------------------------------------------------------------------===//
// Giving tasks their positions
//===----------------------------------------------------------------------===//

void TaskWeaver::append(Rank &rank, const StageTask &task, double start) {
  rank.order.push_back(task);
  rank.free = start + costs.seconds(task);
  ends[dependencies.numberOf(task)] = rank.free;
  rank.hasGradients |= task.kind != TaskKind::Forward;
  rank.live += task.kind == TaskKind::Forward;
  rank.live -=
      task.kind == TaskKind::Backward || task.kind == TaskKind::WeightGradient;
}

void TaskWeaver::runWeight(Rank &rank) {
  append(rank, rank.weights.front(), rank.free);
  rank.weights.pop_front();
}

/// Ranks that may wait for `task` have to choose again.
void TaskWeaver::unsettleUsers(const StageTask &task) {
  auto unsettle = [&](TaskKind kind, int32_t stage) {
    if (stage >= 0 && stage < stages)
      if (TaskPosition user =
              dependencies.positionOf({kind, stage, task.microbatch}))
        ranks[user.rank].isSettled = false;
  };
  if (task.kind == TaskKind::Forward)
    unsettle(TaskKind::Forward, task.stage + 1);
  else if (task.stage > 0)
    unsettle(dependencies.cotangentKind(task.stage - 1, task.microbatch),
             task.stage - 1);
}

/// Gives the task that `rank` has chosen its position, behind the weight
/// gradients that fit before it.
void TaskWeaver::place(Rank &rank) {
  const double start = rank.choice.start;
  while (!rank.weights.empty() &&
         !isEarlier(start, rank.free + costs.seconds(rank.weights.front())))
    runWeight(rank);
  Lane &lane = rank.lanes[rank.choice.lane];
  const StageTask task = lane.tasks[rank.choice.position];
  lane.tasks.erase(lane.tasks.begin() + rank.choice.position);
  lane.forwards -= task.kind == TaskKind::Forward;
  append(rank, task, std::max(start, rank.free));
  if (task.kind == TaskKind::InputGradient)
    rank.weights.push_back(
        {TaskKind::WeightGradient, task.stage, task.microbatch});
  rank.isSettled = false;
  unsettleUsers(task);
}

std::vector<std::vector<StageTask>> TaskWeaver::run() {
  while (true) {
    Rank *next = nullptr;
    for (Rank &rank : ranks) {
      settle(rank);
      if (rank.choice && (!next || rank.choice.start < next->choice.start))
        next = &rank;
    }
    if (!next)
      break;
    place(*next);
  }
  std::vector<std::vector<StageTask>> orders;
  for (Rank &rank : ranks) {
    while (!rank.weights.empty())
      runWeight(rank);
    orders.push_back(std::move(rank.order));
  }
  return orders;
}
