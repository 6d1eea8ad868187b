//===- OverlapSearch.cpp - an order that hides collectives ----------------===//

#include "OverlapSearch.h"

#include "EventOrder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace tessera::schedule;

/// Events that an operation may move over to hide a collective.
static constexpr unsigned kWindow = 128;
/// How much earlier than its own time a collective starts: what it and the
/// kernels beside it slow each other down by (1.1 to 1.3 are measured).
static constexpr double kSlack = 1.2;
static constexpr double infinity = std::numeric_limits<double>::infinity();
/// Peaks that are tried, as parts of that without overlap.
static constexpr double kPeaks[] = {1, 1.02, 1.05, 1.1, 1.25, 1.5};

namespace {

/// One plan: the sweeps under one limit.
class Sweeps {
public:
  Sweeps(const OverlapProblem &problem, int64_t limit, bool hasSeconds)
      : problem(problem), order(problem, OverlapPlan::original(problem)),
        limit(std::max(limit, order.peak())), hasSeconds(hasSeconds),
        untilEnd(2 * problem.block.operations.size(), 0) {}

  void awaitReloads();
  bool hurryUpdates();
  void sweepBack();
  void sweepForth();
  OverlapPlan plan() const { return order.plan(); }

private:
  void startAtOnce();
  void startInTime(unsigned start, unsigned wait);
  double firstReaderUntilEnd(unsigned start) const;
  void coverBehind(unsigned position, double missing);
  bool awaitLater(unsigned position, double seconds);
  bool coverBefore(unsigned position);
  bool isCover(unsigned event) const {
    return !order.isWait(event) && !order.isStart(event) &&
           order.secondsOf(event) > 0;
  }

  /// What the event keeps the device busy for.
  double runSeconds(unsigned event) const {
    return order.isStart(event) ? 0 : order.secondsOf(event);
  }

  const OverlapProblem &problem;
  EventOrder order;
  int64_t limit;
  bool hasSeconds;
  /// From the beginning of an event that the sweep has passed to the end of the
  /// program; and to the moment when each stream has to be free at the latest.
  std::vector<double> untilEnd;
  double now = 0, streamsUntilEnd[OverlapProblem::kStreams] = {};

  double &streamUntilEnd(unsigned start) {
    return streamsUntilEnd[problem.streamOf(start)];
  }
};

} // namespace

/// What comes back from the host is awaited where it is read first, not where
/// it begins to come.
void Sweeps::awaitReloads() {
  for (unsigned position = order.size(); position-- > 0;)
    if (unsigned event = order.at(position);
        order.isWait(event) &&
        problem.streamOf(order.operationOf(event)) == OverlapProblem::FromHost)
      order.move(position, order.latest(event), limit);
}

/// Which operations read what a collective makes, and make what only
/// collectives read, or the caller.
static std::vector<bool> findUpdates(const OverlapProblem &problem) {
  const auto &operations = problem.block.operations;
  std::vector<bool> isSent(problem.block.values.size()),
      isRead(problem.block.values.size()), isUpdate(operations.size());
  for (unsigned number = 0; number + 1 < operations.size(); ++number)
    for (unsigned operand : operations[number].operands)
      (problem.isCollective[number] ? isSent : isRead)[operand] = true;
  for (unsigned number = 0; number < operations.size(); ++number) {
    const auto &operation = operations[number];
    auto isReduced = [&](unsigned operand) {
      unsigned producer = problem.block.values[operand].producer;
      return producer != OverlapProblem::kNone &&
             problem.isCollective[producer] &&
             problem.streamOf(producer) == OverlapProblem::Links;
    };
    isUpdate[number] =
        !problem.isCollective[number] &&
        llvm::any_of(operation.operands, isReduced) &&
        llvm::any_of(operation.results,
                     [&](unsigned result) { return isSent[result]; }) &&
        llvm::none_of(operation.results,
                      [&](unsigned result) { return isRead[result]; });
  }
  return isUpdate;
}

/// Moves the update of a parameter's shard, which stands where the text has all
/// of them, up to where the sum of its gradient is done. So the gather behind
/// it finds kernels that run meanwhile. Returns whether there is one to move.
bool Sweeps::hurryUpdates() {
  std::vector<bool> isUpdate = findUpdates(problem);
  bool moved = false;
  for (unsigned position = 0; position < order.size(); ++position) {
    unsigned event = order.at(position);
    if (order.isWait(event) || !isUpdate[event])
      continue;
    double asked = 0, passed = 0;
    for (unsigned operand : problem.block.operations[event].operands)
      if (unsigned producer = problem.block.values[operand].producer;
          producer != OverlapProblem::kNone && problem.isCollective[producer])
        asked += kSlack * order.secondsOf(producer);
    unsigned target = order.earliest(event);
    while (target < position && passed < asked)
      passed += runSeconds(order.at(target++));
    while (target < position && !order.move(position, target, limit))
      target += (position - target + 1) / 2;
  }
  return true;
}

/// Moves the start of what lets go of no less than it holds up to what makes
/// its operands, as long as it writes over them.
void Sweeps::startAtOnce() {
  for (unsigned position = 0; position < order.size(); ++position) {
    unsigned event = order.at(position);
    if (!order.isStart(event) || order.isGrowing(event))
      continue;
    unsigned earliest =
        std::max(order.earliest(event), position - std::min(position, kWindow));
    for (unsigned at = position; at > earliest; --at) {
      if (!order.move(at, at - 1, limit))
        break;
      if (order.isGrowing(event)) {
        order.move(at - 1, at, std::numeric_limits<int64_t>::max());
        break;
      }
    }
  }
}

/// Moves the start of a gather, whose wait stands at its first reader, up.
void Sweeps::startInTime(unsigned start, unsigned wait) {
  unsigned from = order.positionOf(start), target = from;
  double done = std::max(now, streamUntilEnd(start));
  streamUntilEnd(start) = done + order.secondsOf(start);
  double asked = hasSeconds ? done + kSlack * order.secondsOf(start) : infinity;
  double reached = now;
  for (unsigned other = from + 1; other < order.positionOf(wait); ++other)
    reached += runSeconds(order.at(other));
  unsigned earliest = order.earliest(start);
  while (target > earliest && reached < asked)
    reached += runSeconds(order.at(--target));
  while (!order.move(from, target, limit))
    target = from - (from - target) / 2;
}

/// From the first reader of what a collective makes to the end.
double Sweeps::firstReaderUntilEnd(unsigned start) const {
  return untilEnd[order.at(order.latest(order.wait(start)) + 1)];
}

/// Moves operations from before the start at `position` behind it, until they
/// take `missing` seconds.
void Sweeps::coverBehind(unsigned position, double missing) {
  double asked = now + missing;
  unsigned target = position;
  for (unsigned candidate = position;
       candidate-- > 0 && position - candidate <= kWindow && now < asked;) {
    unsigned event = order.at(candidate);
    if (!isCover(event) || order.latest(event) < target ||
        !order.move(candidate, target, limit))
      continue;
    --target;
    now += order.secondsOf(event);
    untilEnd[event] = now;
  }
}

void Sweeps::sweepBack() {
  startAtOnce();
  now = 0;
  std::fill(std::begin(streamsUntilEnd), std::end(streamsUntilEnd), 0);
  for (unsigned position = order.size(); position-- > 0;) {
    unsigned event = order.at(position);
    if (order.isStart(event)) {
      // A gather has asked for links at its wait.
      if (untilEnd[event] == 0)
        untilEnd[event] = streamUntilEnd(event) =
            std::max(firstReaderUntilEnd(event), streamUntilEnd(event)) +
            order.secondsOf(event);
      if (hasSeconds) {
        coverBehind(position, untilEnd[event] - now);
        position = order.positionOf(event);
        now = std::max(now, untilEnd[event]);
      }
      continue;
    }
    untilEnd[event] = now += order.secondsOf(event);
    if (!order.isWait(event))
      continue;
    unsigned start = order.operationOf(event);
    if (order.isGrowing(start)) {
      startInTime(start, event);
      untilEnd[start] = streamUntilEnd(start);
    }
  }
}

//===----------------------------------------------------------------------===//
// From the beginning to the end
//===----------------------------------------------------------------------===//

/// Moves the wait at `position` down over what takes `seconds`, or less.
bool Sweeps::awaitLater(unsigned position, double seconds) {
  unsigned latest = order.latest(order.at(position)), target = position;
  for (double passed = 0; target < latest && passed < seconds;)
    passed += runSeconds(order.at(++target));
  while (true) {
    // Waits do not move over each other alone: they would for ever.
    while (target > position && order.isWait(order.at(target)))
      --target;
    if (target == position)
      return false;
    if (order.move(position, target, limit))
      return true;
    target = position + (target - position) / 2;
  }
}

/// Lets an operation from behind the wait at `position` run before it.
bool Sweeps::coverBefore(unsigned position) {
  unsigned end = std::min(order.size() - 1, position + 1 + kWindow);
  for (unsigned candidate = position + 1; candidate < end; ++candidate)
    if (unsigned event = order.at(candidate);
        isCover(event) && order.earliest(event) <= position &&
        order.move(candidate, position, limit))
      return true;
  return false;
}

void Sweeps::sweepForth() {
  std::vector<double> ends(problem.block.operations.size(), 0);
  double time = 0, frees[OverlapProblem::kStreams] = {};
  for (unsigned position = 0; position < order.size();) {
    unsigned event = order.at(position);
    if (order.isWait(event)) {
      double end = ends[order.operationOf(event)];
      double late = hasSeconds ? end - time : infinity;
      if (late > 0 &&
          (awaitLater(position, late) || (hasSeconds && coverBefore(position))))
        continue;
      time = std::max(time, end);
    } else if (order.isStart(event)) {
      double &free = frees[problem.streamOf(event)];
      free = std::max(time, free) + order.secondsOf(event);
      ends[event] = free;
    } else {
      time += order.secondsOf(event);
    }
    ++position;
  }
}

//===----------------------------------------------------------------------===//
// Which plan
//===----------------------------------------------------------------------===//

namespace {

/// Of several plans the one with the smallest product of seconds and bytes.
class PlanChoice {
public:
  PlanChoice(const OverlapProblem &problem, int64_t otherBytes)
      : problem(problem), otherBytes(otherBytes) {}

  void offer(OverlapPlan plan) {
    OverlapCosts costs = measureOverlap(problem, plan);
    double product = costs.seconds * double(costs.peak + otherBytes);
    if (isFirst || product < least) {
      best = std::move(plan);
      least = product;
    }
    isFirst = false;
  }

  OverlapPlan best;

private:
  const OverlapProblem &problem;
  int64_t otherBytes;
  double least = 0;
  bool isFirst = true;
};

} // namespace

OverlapPlan tessera::schedule::findOverlap(const OverlapProblem &problem,
                                           const OverlapMemory &memory) {
  OverlapPlan original = OverlapPlan::original(problem);
  if (std::count(problem.isCollective.begin(), problem.isCollective.end(),
                 true) == 0)
    return original;
  bool hasUpdates = true;
  auto sweep = [&](int64_t limit, bool back, bool hurried = false) {
    Sweeps sweeps(problem, limit, memory.hasSeconds);
    sweeps.awaitReloads();
    if (hurried)
      hasUpdates = sweeps.hurryUpdates();
    if (back)
      sweeps.sweepBack();
    sweeps.sweepForth();
    return sweeps.plan();
  };
  if (!memory.hasSeconds)
    return sweep(0, true);
  int64_t peak = measureOverlap(problem, original).peak;
  PlanChoice choice(problem, memory.otherBytes);
  choice.offer(original);
  choice.offer(sweep(peak, false));
  for (double part : kPeaks) {
    int64_t limit = std::min(int64_t(part * double(peak)), memory.limit);
    if (limit < peak && part > 1)
      break;
    choice.offer(sweep(limit, true));
    if (hasUpdates)
      choice.offer(sweep(limit, true, /*hurried=*/true));
    if (limit == memory.limit)
      break;
  }
  return choice.best;
}
