//===- ScheduleSearchGreedy.cpp - Schedules made in the order of time -----===//
//
// List scheduling, after the heuristic of Zero Bubble Pipeline Parallelism (Qi
// et al., ICLR 2024): the rank whose clock is least decides what it runs next.
// It takes a task of the output layer, where that is spread over the ranks, for
// all ranks wait for those; else a forward task or input gradient whose inputs
// are there; if there is none, a weight gradient, provided that the gap until
// the next input arrives is long enough; else it waits. What rules differ in:
//
// - how many microbatches a stage may have in flight: a multiple of the time
//   that one of them takes to come back, in units of the busiest rank's time
//   per microbatch;
// - whether forward tasks or input gradients go first;
// - which part of a weight gradient the gap must hold;
// - with several stages per rank, whether the deepest stage goes first, or
//   groups of as many microbatches as there are ranks.
//
// - with several stages per rank, whether a forward task leaves room for one
//   microbatch in all deeper stages of its rank. If so, the microbatch that is
//   furthest can always go on; if not, ranks may end up waiting for each
//   other's memory, and the schedule is given up.
//
//===----------------------------------------------------------------------===//

#include "Search/ScheduleSearchGraph.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>

using namespace tessera;

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

struct GreedyRule {
  double inFlight = 1;
  bool forwardFirst = false;
  double gap = 1;
  bool deepestFirst = true;
  bool reserves = true;
};

/// Tasks of one rank that keep their order.
struct TaskQueue {
  llvm::ArrayRef<int32_t> tasks;
  size_t next = 0;
  bool isForward = false;
  /// Whether it is of the output layer, which is spread over the ranks.
  bool isOfVocabulary = false;
  /// Room that one of its forward tasks leaves, in bytes.
  double reserve = 0;
  /// Time from a forward task to the end of its input gradient.
  int64_t roundTrip = 0;
  /// Forward tasks begun, input gradients begun.
  int32_t inFlight = 0;
  /// Of input gradients: the queue of their forward tasks.
  int32_t forwardQueue = -1;
};

struct RankState {
  std::vector<TaskQueue> queues;
  std::vector<int32_t> weightGradients;
  size_t nextWeightGradient = 0;
  /// When it is free, and when it decides again; kNever: when it is told to.
  int64_t free = 0;
  int64_t clock = 0;
  double held = 0;
  int64_t busy = 0;
};

/// Which of some clocks is least, of several the first: a tree of winners.
class LeastClock {
public:
  /// All clocks stand at 0.
  explicit LeastClock(int32_t count) : first(1) {
    while (first < count)
      first *= 2;
    times.assign(2 * first, kNever);
    for (int32_t clock = 0; clock < count; ++clock)
      set(clock, 0);
  }

  void set(int32_t clock, int64_t time) {
    int32_t node = first + clock;
    times[node] = time;
    while (node /= 2) {
      int64_t least = std::min(times[2 * node], times[2 * node + 1]);
      if (times[node] == least)
        return;
      times[node] = least;
    }
  }
  /// -1 if none ever comes.
  int32_t find() const {
    if (times[1] == kNever)
      return -1;
    int32_t node = 1;
    while (node < first)
      node = 2 * node + (times[2 * node] != times[1]);
    return node - first;
  }

private:
  int32_t first;
  /// Node i has the least of the nodes 2 i and 2 i + 1; the leaves are clocks.
  std::vector<int64_t> times;
};

/// Makes one order of all tasks per rule; see the top of this file.
class GreedyMaker {
public:
  GreedyMaker(const TaskGraph &graph, double memoryLimit,
              const TaskOrder *fixed);

  bool hasWeightGradients() const { return splits; }
  bool hasChunks() const { return chunks; }
  std::optional<TaskOrder> make(const GreedyRule &rule);

private:
  void addQueues(int32_t rank);
  void addFixedQueue(int32_t rank, const std::vector<int32_t> &order);
  void decide(int32_t rank);
  void run(int32_t rank, int32_t task);
  bool mayRun(const RankState &state, const TaskQueue &queue) const;
  bool isBefore(const TaskQueue &a, const TaskQueue &b) const;
  /// When the inputs of `task` are there; kNever if one has not been begun.
  int64_t arrival(int32_t task) const;
  void setClock(int32_t rank, int64_t time) {
    states[rank].clock = time;
    clocks.set(rank, time);
  }

  const TaskGraph &graph;
  double memoryLimit;
  bool splits = false, chunks = false;
  std::vector<RankState> initial;
  /// What the queues hold.
  std::deque<std::vector<int32_t>> storage;
  int64_t period = 1;

  GreedyRule rule;
  std::vector<RankState> states;
  LeastClock clocks;
  std::vector<int64_t> ends;
  TaskOrder order;
};

} // namespace

static bool isWeightGradient(const SearchTask &task) {
  return task.task.kind == TaskKind::WeightGradient;
}

static bool isOfVocabulary(const SearchTask &task) {
  return task.task.kind == TaskKind::VocabularyForward ||
         task.task.kind == TaskKind::VocabularyBackward;
}

GreedyMaker::GreedyMaker(const TaskGraph &graph, double memoryLimit,
                         const TaskOrder *fixed)
    : graph(graph), memoryLimit(memoryLimit), initial(graph.ranks()),
      clocks(graph.ranks()) {
  for (int32_t rank = 0; rank < graph.ranks(); ++rank) {
    initial[rank].held = graph.parametersOf(rank);
    if (fixed)
      addFixedQueue(rank, (*fixed)[rank]);
    else
      addQueues(rank);
    int64_t busy = 0;
    int32_t microbatches = 0;
    for (int32_t task : graph.order()[rank]) {
      busy += graph[task].duration;
      microbatches = std::max(microbatches, graph[task].task.microbatch + 1);
      splits |= isWeightGradient(graph[task]);
    }
    if (microbatches > 0)
      period = std::max(period, busy / microbatches);
    chunks |= llvm::count_if(initial[rank].queues, [](const TaskQueue &queue) {
                return queue.isForward;
              }) > 1;
  }
}

void GreedyMaker::addFixedQueue(int32_t rank,
                                const std::vector<int32_t> &order) {
  std::vector<int32_t> &tasks = storage.emplace_back();
  for (int32_t task : order)
    if (!isWeightGradient(graph[task]))
      tasks.push_back(task);
  initial[rank].queues.emplace_back().tasks = tasks;
}

/// One queue for each stage's forward tasks and one for its input gradients,
/// and one for either kind of task of the output layer, by microbatch.
void GreedyMaker::addQueues(int32_t rank) {
  std::map<std::pair<int32_t, TaskKind>, TaskQueue> queues;
  std::map<std::pair<int32_t, TaskKind>, std::vector<int32_t>> tasks;
  std::map<int32_t, double> takes;
  for (int32_t task : graph.order()[rank]) {
    if (isWeightGradient(graph[task]))
      continue;
    bool isForward = graph[task].task.kind == TaskKind::Forward;
    std::pair key{graph[task].task.stage, graph[task].task.kind};
    TaskQueue &queue = queues[key];
    queue.isForward = isForward;
    queue.isOfVocabulary = isOfVocabulary(graph[task]);
    tasks[key].push_back(task);
    if (isForward)
      takes[graph[task].task.stage] = graph[task].memory.takes;
  }
  std::map<int32_t, int32_t> forwardQueues;
  std::vector<TaskQueue> &made = initial[rank].queues;
  for (auto &[key, queue] : queues) {
    std::vector<int32_t> &sorted = storage.emplace_back(std::move(tasks[key]));
    std::sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
      return graph[a].task.microbatch < graph[b].task.microbatch;
    });
    queue.tasks = sorted;
    if (queue.isForward) {
      forwardQueues[key.first] = static_cast<int32_t>(made.size());
      for (auto deeper = takes.upper_bound(key.first); deeper != takes.end();
           ++deeper)
        queue.reserve += deeper->second;
    }
    made.push_back(queue);
  }
  for (TaskQueue &queue : made) {
    if (queue.isForward || queue.isOfVocabulary)
      continue;
    int32_t first = queue.tasks.front();
    queue.forwardQueue = forwardQueues[graph[first].task.stage];
    TaskQueue &forward = made[queue.forwardQueue];
    forward.roundTrip = graph.earliest(first) + graph[first].duration -
                        graph.earliest(forward.tasks.front());
  }
}

std::optional<TaskOrder> GreedyMaker::make(const GreedyRule &chosen) {
  rule = chosen;
  states = initial;
  ends.assign(graph.size(), -1);
  order.assign(graph.ranks(), {});
  clocks = LeastClock(graph.ranks());
  for (int32_t rank = clocks.find(); rank >= 0; rank = clocks.find())
    decide(rank);
  size_t count = 0;
  for (const std::vector<int32_t> &rank : order)
    count += rank.size();
  if (count < static_cast<size_t>(graph.size()))
    return std::nullopt;
  return std::move(order);
}

int64_t GreedyMaker::arrival(int32_t task) const {
  int64_t time = 0;
  for (const TaskLink &input : graph[task].inputs) {
    if (ends[input.task] < 0)
      return kNever;
    time = std::max(time, ends[input.task] + input.delay);
  }
  return time;
}

bool GreedyMaker::mayRun(const RankState &state, const TaskQueue &queue) const {
  const SearchTask &task = graph[queue.tasks[queue.next]];
  double held = state.held + task.memory.takes;
  double reserve = rule.reserves ? queue.reserve : 0;
  if (std::max(held + reserve, held - task.memory.releases) > memoryLimit)
    return false;
  if (!queue.isForward || rule.inFlight == 0)
    return true;
  double most = std::ceil(rule.inFlight * static_cast<double>(queue.roundTrip) /
                          static_cast<double>(period));
  return queue.inFlight < std::max(most, 1.0);
}

/// Whether the next task of `a` goes before that of `b`, if both can run.
bool GreedyMaker::isBefore(const TaskQueue &a, const TaskQueue &b) const {
  if (a.isOfVocabulary != b.isOfVocabulary)
    return a.isOfVocabulary;
  if (a.isForward != b.isForward)
    return a.isForward == rule.forwardFirst;
  const StageTask &first = graph[a.tasks[a.next]].task;
  const StageTask &second = graph[b.tasks[b.next]].task;
  if (!rule.deepestFirst) {
    int32_t group = first.microbatch / graph.ranks();
    int32_t other = second.microbatch / graph.ranks();
    if (group != other)
      return group < other;
    return a.isForward ? first.stage < second.stage
                       : first.stage > second.stage;
  }
  return a.isForward ? first.stage > second.stage : first.stage < second.stage;
}

/// Runs a task on `rank`, or sets its clock to when it decides again.
void GreedyMaker::decide(int32_t rank) {
  RankState &state = states[rank];
  TaskQueue *best = nullptr;
  int64_t nextArrival = kNever;
  for (TaskQueue &queue : state.queues) {
    if (queue.next == queue.tasks.size() || !mayRun(state, queue))
      continue;
    int64_t time = arrival(queue.tasks[queue.next]);
    if (time > state.clock)
      nextArrival = std::min(nextArrival, time);
    else if (!best || isBefore(queue, *best))
      best = &queue;
  }
  if (best) {
    int32_t task = best->tasks[best->next++];
    if (best->isForward)
      ++best->inFlight;
    else if (best->forwardQueue >= 0)
      --state.queues[best->forwardQueue].inFlight;
    run(rank, task);
    return;
  }
  if (state.nextWeightGradient < state.weightGradients.size()) {
    int32_t task = state.weightGradients[state.nextWeightGradient];
    auto needed = static_cast<int64_t>(
        rule.gap * static_cast<double>(graph[task].duration));
    if (nextArrival == kNever || state.clock + needed <= nextArrival) {
      ++state.nextWeightGradient;
      run(rank, task);
      return;
    }
  }
  setClock(rank, nextArrival);
}

void GreedyMaker::run(int32_t rank, int32_t task) {
  RankState &state = states[rank];
  const SearchTask &costs = graph[task];
  state.held += costs.memory.takes - costs.memory.releases;
  state.free = state.clock + costs.duration;
  setClock(rank, state.free);
  ends[task] = state.free;
  order[rank].push_back(task);
  for (const TaskLink &output : costs.outputs) {
    if (isWeightGradient(graph[output.task])) {
      // The next part of one that has been begun comes first.
      bool isBegun = isWeightGradient(costs);
      state.weightGradients.insert(isBegun ? state.weightGradients.begin() +
                                                 state.nextWeightGradient
                                           : state.weightGradients.end(),
                                   output.task);
      continue;
    }
    const RankState &other = states[graph[output.task].rank];
    setClock(
        graph[output.task].rank,
        std::min(other.clock, std::max(other.free, state.free + output.delay)));
  }
}

//===----------------------------------------------------------------------===//
// All rules
//===----------------------------------------------------------------------===//

void tessera::forEachGreedyOrder(const TaskGraph &graph, double memoryLimit,
                                 const TaskOrder *fixed,
                                 const std::function<void(TaskOrder)> &found) {
  GreedyMaker maker(graph, memoryLimit, fixed);
  std::vector<double> gaps = {1};
  if (maker.hasWeightGradients())
    gaps = {1, 0.5, 0.2, 0};
  auto tryRule = [&](const GreedyRule &rule) {
    for (double gap : gaps) {
      GreedyRule complete = rule;
      complete.gap = gap;
      if (std::optional<TaskOrder> order = maker.make(complete))
        if (graph.fits(*order, memoryLimit))
          found(std::move(*order));
    }
  };
  // No limit to what is in flight, and multiples of what fills the way.
  if (fixed)
    return tryRule({0});
  for (double inFlight : {0.0, 0.7, 1.0, 1.2, 1.4, 1.7, 2.0, 2.5, 3.5})
    for (bool forwardFirst : {false, true})
      for (bool deepestFirst : {true, false})
        for (bool reserves : {true, false})
          if ((deepestFirst && reserves) || maker.hasChunks())
            tryRule({inFlight, forwardFirst, 1, deepestFirst, reserves});
}
