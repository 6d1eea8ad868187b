//===- ScheduleSearchImprove.cpp - Improve a schedule by moving tasks -----===//
//
// A schedule is a job shop with ranks for machines: its makespan is the longest
// path through the tasks, along their dependencies and the orders of the ranks,
// and a delivery time after each rank's last task (see OrderGoal).
// Only a move on a longest (critical) path can shorten it, and there only one
// that takes a task to the end or the beginning of a *block*, a run of the path
// that stays on one rank: within the block the path does not care. This is the
// tabu search of Nowicki and Smutnicki (1996) with the moves of Balas and
// Vazacopoulos (1998), who also say how to estimate a move from the times
// before and after the tasks that it passes, without timing the whole order.
//
// Each round takes the move on one critical path that promises most and that
// the memory allows, even if it makes the step longer; tasks that moved then
// rest for some rounds. After many rounds without a better order the search
// goes on from the best one with some tasks swapped at random (iterated local
// search), ever more of them.
//
//===----------------------------------------------------------------------===//

#include "Search/ScheduleSearchGraph.h"

#include <algorithm>

using namespace tessera;

namespace {

/// How far from the ends of a block tasks are moved to them.
constexpr int32_t kMoveReach = 12;
/// Rounds without a better order before the search goes back to the best one,
/// and how often it may do so in vain.
constexpr int32_t kPatience = 600;
constexpr int32_t kReturns = 24;
/// Rounds in a row in which the path that was tried had no move, for the same.
constexpr int32_t kMoveless = 20;

/// Moves the task at `from` of a rank's order to `to`.
struct Move {
  int32_t rank;
  int32_t from;
  int32_t to;
};

/// Improves one order by moving tasks that delay its end; see the top of this
/// file.
class OrderImprover {
public:
  OrderImprover(const TaskGraph &graph, TaskOrder start, const OrderGoal &goal,
                double memoryLimit)
      : graph(graph), goal(goal), memoryLimit(memoryLimit),
        order(std::move(start)), times(graph, goal),
        restsUntil(graph.size(), 0), held(graph.ranks()),
        enough(std::max(goal.enough, graph.bound(goal))) {
    for (int32_t rank = 0; rank < graph.ranks(); ++rank)
      updateHeld(rank);
  }

  TaskOrder run(int64_t &replays);

private:
  void updateHeld(int32_t rank);
  void traceCriticalPath();
  void addMoves();
  void addBlockMoves(size_t first, size_t last);
  void consider(const Move &move);
  int64_t estimate(const Move &move);
  bool isPossible(const Move &move) const;
  bool fitsMemory(const Move &move) const;
  void apply(const Move &move);
  void tryMove(const Move &move, int64_t &replays);
  void shake(int32_t count, int64_t &replays);
  uint32_t random() {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
  }

  const TaskGraph &graph;
  const OrderGoal &goal;
  double memoryLimit;
  TaskOrder order;
  OrderTimes times;
  /// By task the round until which it rests.
  std::vector<int64_t> restsUntil;
  /// By rank and position the bytes held before the task there.
  std::vector<std::vector<double>> held;
  /// A value that needs no improvement.
  int64_t enough;
  int64_t round = 0;
  uint32_t seed = 2463534242u;

  /// From the end of the step to its beginning.
  std::vector<int32_t> path;
  std::vector<int32_t> segment;
  std::vector<int64_t> segmentBegins;
  std::optional<Move> bestMove;
  int64_t bestEstimate = 0;
  uint32_t bestTie = 0;
  int64_t bestValue = 0;
};

} // namespace

TaskOrder OrderImprover::run(int64_t &replays) {
  TaskOrder best = order;
  times.compute(order);
  --replays;
  bestValue = times.value;
  int64_t lastGain = 0;
  int32_t returns = 0, moveless = 0;
  while (replays > 0 && bestValue > enough) {
    ++round;
    traceCriticalPath();
    bestMove.reset();
    addMoves();
    if (bestMove)
      tryMove(*bestMove, replays);
    moveless = bestMove ? 0 : moveless + 1;
    if (times.value < bestValue) {
      bestValue = times.value;
      best = order;
      lastGain = round;
      returns = 0;
    }
    if (moveless < kMoveless && round - lastGain <= kPatience)
      continue;
    if (++returns > kReturns)
      break;
    order = best;
    for (int32_t rank = 0; rank < graph.ranks(); ++rank)
      updateHeld(rank);
    times.compute(order);
    --replays;
    shake(2 * returns, replays);
    std::fill(restsUntil.begin(), restsUntil.end(), 0);
    lastGain = round;
    moveless = 0;
  }
  return best;
}

/// Makes a move, unless ranks would wait for each other after it.
void OrderImprover::tryMove(const Move &move, int64_t &replays) {
  apply(move);
  --replays;
  if (times.compute(order))
    return;
  apply({move.rank, move.to, move.from});
  times.compute(order);
  --replays;
}

/// Swaps neighbouring tasks at `count` positions, as far as that is possible.
void OrderImprover::shake(int32_t count, int64_t &replays) {
  for (int32_t i = 0; i < count && replays > 0; ++i) {
    auto rank = static_cast<int32_t>(random() % order.size());
    auto size = static_cast<uint32_t>(order[rank].size());
    if (size < 2)
      continue;
    auto at = static_cast<int32_t>(random() % (size - 1));
    Move move{rank, at, at + 1};
    if (!isPossible(move))
      continue;
    estimate(move);
    if (fitsMemory(move))
      tryMove(move, replays);
  }
}

void OrderImprover::updateHeld(int32_t rank) {
  held[rank].clear();
  double bytes = graph.parametersOf(rank);
  for (int32_t task : order[rank]) {
    held[rank].push_back(bytes);
    bytes += graph[task].memory.takes - graph[task].memory.releases;
  }
}

/// Follows a longest path back from the end of the step, choosing among equals
/// at random.
void OrderImprover::traceCriticalPath() {
  path.clear();
  int32_t last = -1;
  uint32_t count = 0;
  for (int32_t rank = 0; rank < graph.ranks(); ++rank)
    if (!order[rank].empty() &&
        times.end(order[rank].back()) + goal.deliveries[rank] == times.value &&
        random() % ++count == 0)
      last = order[rank].back();
  while (last >= 0) {
    path.push_back(last);
    int32_t previous = -1;
    count = 0;
    int32_t before = times.before[last];
    if (before >= 0 && times.end(before) == times.begin[last]) {
      previous = before;
      ++count;
    }
    for (const TaskLink &input : graph[last].inputs)
      if (input.task != before &&
          times.end(input.task) + input.delay == times.begin[last] &&
          random() % ++count == 0)
        previous = input.task;
    last = previous;
  }
}

/// Considers the moves on all blocks of the path.
void OrderImprover::addMoves() {
  for (size_t last = 0; last < path.size();) {
    size_t first = last;
    while (first + 1 < path.size() &&
           path[first + 1] == times.before[path[first]])
      ++first;
    if (first > last)
      addBlockMoves(first, last);
    last = first + 1;
  }
}

/// The block from path[first] to path[last], which comes later in time.
void OrderImprover::addBlockMoves(size_t first, size_t last) {
  int32_t rank = graph[path[first]].rank;
  int32_t begin = times.position[path[first]];
  int32_t end = times.position[path[last]];
  // What comes first in the first block does not matter, nor does what comes
  // last in the last one.
  if (first + 1 < path.size())
    for (int32_t i = begin + 1; i <= std::min(end, begin + kMoveReach); ++i)
      consider({rank, i, begin});
  if (last > 0)
    for (int32_t i = std::max(begin, end - kMoveReach); i < end; ++i)
      consider({rank, i, end});
}

void OrderImprover::consider(const Move &move) {
  int32_t task = order[move.rank][move.from];
  bool rests = restsUntil[task] > round;
  if (!isPossible(move))
    return;
  int64_t value = estimate(move);
  if (rests && value >= bestValue)
    return;
  uint32_t tie = random();
  if (bestMove &&
      (value > bestEstimate || (value == bestEstimate && tie > bestTie)))
    return;
  if (!fitsMemory(move))
    return;
  bestMove = move;
  bestEstimate = value;
  bestTie = tie;
}

/// Whether the move breaks no dependency. Times rule out those on longer ways
/// around: what begins before a task's successor ends does not depend on it.
bool OrderImprover::isPossible(const Move &move) const {
  const std::vector<int32_t> &tasks = order[move.rank];
  int32_t moved = tasks[move.from];
  if (move.to > move.from) {
    for (const TaskLink &output : graph[moved].outputs)
      for (int32_t i = move.from + 1; i <= move.to; ++i)
        if (tasks[i] == output.task ||
            times.begin[tasks[i]] >= times.end(output.task))
          return false;
    return true;
  }
  for (const TaskLink &input : graph[moved].inputs)
    for (int32_t i = move.to; i < move.from; ++i)
      if (tasks[i] == input.task ||
          times.end(tasks[i]) <= times.begin[input.task])
        return false;
  return true;
}

/// The longest path through the tasks that the move passes, if all others keep
/// their times.
int64_t OrderImprover::estimate(const Move &move) {
  const std::vector<int32_t> &tasks = order[move.rank];
  int32_t first = std::min(move.from, move.to);
  int32_t last = std::max(move.from, move.to);
  segment.assign(tasks.begin() + first, tasks.begin() + last + 1);
  if (move.to > move.from)
    std::rotate(segment.begin(), segment.begin() + 1, segment.end());
  else
    std::rotate(segment.begin(), segment.end() - 1, segment.end());

  int64_t time = first > 0 ? times.end(tasks[first - 1]) : 0;
  segmentBegins.clear();
  for (int32_t task : segment) {
    for (const TaskLink &input : graph[task].inputs)
      if (graph[input.task].rank != move.rank ||
          times.position[input.task] < first)
        time = std::max(time, times.end(input.task) + input.delay);
    segmentBegins.push_back(time);
    time += graph[task].duration;
  }
  int64_t longest = 0, rest = goal.deliveries[move.rank];
  if (last + 1 < static_cast<int32_t>(tasks.size()))
    rest = graph[tasks[last + 1]].duration + times.tail[tasks[last + 1]];
  for (size_t i = segment.size(); i-- > 0;) {
    int32_t task = segment[i];
    for (const TaskLink &output : graph[task].outputs)
      if (graph[output.task].rank != move.rank ||
          times.position[output.task] > last)
        rest = std::max(rest, output.delay + graph[output.task].duration +
                                  times.tail[output.task]);
    rest += graph[task].duration;
    longest = std::max(longest, segmentBegins[i] + rest);
  }
  return longest;
}

/// Whether the rank's memory suffices for the order that estimate() made last.
bool OrderImprover::fitsMemory(const Move &move) const {
  double bytes = held[move.rank][std::min(move.from, move.to)];
  for (int32_t task : segment) {
    bytes += graph[task].memory.takes;
    if (bytes > memoryLimit)
      return false;
    bytes -= graph[task].memory.releases;
    if (bytes > memoryLimit)
      return false;
  }
  return true;
}

void OrderImprover::apply(const Move &move) {
  std::vector<int32_t> &tasks = order[move.rank];
  restsUntil[tasks[move.from]] = round + 6 + random() % 8;
  auto begin = tasks.begin();
  if (move.to > move.from)
    std::rotate(begin + move.from, begin + move.from + 1, begin + move.to + 1);
  else
    std::rotate(begin + move.to, begin + move.from, begin + move.from + 1);
  updateHeld(move.rank);
}

TaskOrder tessera::improveOrder(const TaskGraph &graph, TaskOrder order,
                                const OrderGoal &goal, double memoryLimit,
                                int64_t &replays) {
  return OrderImprover(graph, std::move(order), goal, memoryLimit).run(replays);
}
