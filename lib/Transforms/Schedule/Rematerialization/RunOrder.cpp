//===- RunOrder.cpp - an order of runs, and what it holds when ------------===//

#include "RunOrder.h"

#include <algorithm>

using namespace tessera::schedule;

RunOrder::RunOrder(const RecomputationProblem &problem)
    : described(problem), resultNumbers(problem.values.size(), 0),
      isRead(problem.operations.size(), false), byValue(problem.values.size()) {
  for (const RecomputationProblem::Operation &operation : problem.operations) {
    bool isCopy = operation.copy != RecomputationProblem::Copy::None;
    if (isCopy) {
      isRead[&operation - problem.operations.data()] = true;
      continue;
    }
    for (unsigned i = 0; i < operation.results.size(); ++i)
      resultNumbers[operation.results[i]] = i;
    for (unsigned operand : operation.operands)
      if (problem.values[operand].producer != kNone)
        isRead[problem.values[operand].producer] = true;
  }
  RecomputationPlan original = RecomputationPlan::original(problem);
  for (RecomputationPlan::Step &step : original.steps)
    numbers.push_back(add({step.operation, std::move(step.sources)}));
  refresh();
}

//===----------------------------------------------------------------------===//
// What is held when
//===----------------------------------------------------------------------===//

void RunOrder::findUses() {
  for (Instance &instance : held)
    instance.uses.clear();
  for (unsigned position = 0; position < numbers.size(); ++position) {
    unsigned number = numbers[position];
    positions[number] = position;
    const auto &operands = operationOf(number).operands;
    for (unsigned i = 0; i < operands.size(); ++i)
      if (unsigned source = runs[number].sources[i]; source != kNone)
        held[instanceOf(source, operands[i])].uses.push_back(position);
  }
}

/// Removes the runs of operations that nobody reads any more; whether there are
/// any.
bool RunOrder::dropUnused() {
  bool isAny = false;
  for (unsigned number : numbers) {
    const RecomputationProblem::Operation &operation = operationOf(number);
    bool isUnused = operation.mayRepeat && isRead[runs[number].operation];
    for (unsigned i = 0; isUnused && i < operation.results.size(); ++i)
      isUnused = held[firstInstances[number] + i].uses.empty();
    runs[number].isGone = isUnused;
    isAny |= isUnused;
  }
  std::erase_if(numbers, [&](unsigned number) { return runs[number].isGone; });
  return isAny;
}

/// Ends operands that the run at `position` overwrites before it.
void RunOrder::overwrite(unsigned position) {
  unsigned number = numbers[position];
  const RecomputationProblem::Operation &operation = operationOf(number);
  std::vector<unsigned> taken;
  for (const auto &[operand, result] : operation.overwrites) {
    size_t index = std::find(operation.operands.begin(),
                             operation.operands.end(), operand) -
                   operation.operands.begin();
    unsigned source = runs[number].sources[index];
    if (source == kNone || described.values[result].bytes == 0)
      continue;
    Instance &instance = held[instanceOf(source, operand)];
    if (instance.end != position || instance.begin >= position ||
        std::find(taken.begin(), taken.end(), result) != taken.end())
      continue;
    --instance.end;
    taken.push_back(result);
  }
}

/// After a change of `live` from the position `from` to `to`, which is
/// excluded.
void RunOrder::findMost(unsigned from, unsigned to) {
  if (from >= to)
    return;
  size_t size = live.size();
  std::copy(live.begin() + from, live.begin() + to,
            mostBelow.begin() + size + from);
  for (size_t left = (from + size) / 2, right = (to - 1 + size) / 2; right > 0;
       left /= 2, right /= 2)
    for (size_t node = std::max<size_t>(left, 1); node <= right; ++node)
      mostBelow[node] = std::max(mostBelow[2 * node], mostBelow[2 * node + 1]);
}

void RunOrder::findLive() {
  live.assign(numbers.size() + 1, 0);
  begun.assign(numbers.size(), 0);
  for (unsigned position = 0; position < numbers.size(); ++position)
    overwrite(position);
  for (unsigned i = 0; i < held.size(); ++i) {
    const Instance &instance = held[i];
    if (runs[instance.run].isGone)
      continue;
    begun[instance.begin] += bytesOf(i);
    live[instance.begin] += bytesOf(i);
    live[instance.end + 1] -= bytesOf(i);
  }
  for (unsigned position = 1; position < live.size(); ++position)
    live[position] += live[position - 1];
  live.pop_back();
  for (unsigned position = 0; position < live.size(); ++position) {
    int64_t own = operationOf(numbers[position]).ownBytes;
    live[position] += own;
    begun[position] += own;
  }
  mostBelow.assign(2 * live.size(), 0);
  findMost(0, live.size());
  auto most = std::max_element(live.begin(), live.end());
  mostLive = most == live.end() ? 0 : *most;
  firstPeak = most - live.begin();
}

void RunOrder::refresh() {
  do
    findUses();
  while (dropUnused());
  for (Instance &instance : held) {
    if (runs[instance.run].isGone)
      continue;
    instance.begin = positions[instance.run];
    instance.end =
        instance.uses.empty() ? instance.begin : instance.uses.back();
  }
  findLive();
  findTimes();
}

bool RunOrder::fits(unsigned from, unsigned to, int64_t bytes,
                    int64_t bound) const {
  size_t size = live.size();
  for (size_t left = from + size, right = to + size; left < right;
       left /= 2, right /= 2) {
    if (left % 2 && mostBelow[left++] + bytes > bound)
      return false;
    if (right % 2 && mostBelow[--right] + bytes > bound)
      return false;
  }
  return true;
}

std::pair<int64_t, int64_t> RunOrder::height() const {
  return {mostLive, std::count(live.begin(), live.end(), mostLive)};
}

/// When runs begin, and which of them wait for copies.
void RunOrder::findTimes() {
  using Copy = RecomputationProblem::Copy;
  CopyClock clock;
  duration = 0;
  std::vector<double> ends(runs.size(), 0);
  // By run, the copies of what it makes.
  std::vector<std::vector<unsigned>> copies;
  bytesOnHost = 0;
  for (unsigned number : numbers)
    if (operationOf(number).copy == Copy::ToHost) {
      copies.resize(runs.size());
      copies[runs[number].sources.front()].push_back(number);
      unsigned value = operationOf(number).operands.front();
      bytesOnHost += described.values[value].bytes;
    }
  begins.assign(numbers.size(), 0);
  toHostFree.assign(numbers.size(), 0);
  for (unsigned position = 0; position < numbers.size(); ++position) {
    unsigned number = numbers[position];
    const RecomputationProblem::Operation &operation = operationOf(number);
    for (unsigned source : runs[number].sources)
      if (source != kNone && operationOf(source).copy == Copy::FromHost)
        clock.await(ends[source]);
    if (operation.copy == Copy::ToHost)
      clock.await(ends[number]);
    begins[position] = clock.time;
    if (operation.copy == Copy::FromHost)
      ends[number] = clock.start(operation);
    duration += operation.seconds;
    clock.run(operation);
    if (!copies.empty())
      for (unsigned copy : copies[number])
        ends[copy] = clock.start(operationOf(copy));
    toHostFree[position] = clock.toHost;
  }
  duration += clock.waited;
}

RecomputationPlan RunOrder::plan() const {
  RecomputationPlan plan;
  for (unsigned number : numbers) {
    RecomputationPlan::Step step{runs[number].operation, {}};
    for (unsigned source : runs[number].sources)
      step.sources.push_back(source == kNone ? kNone : positions[source]);
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

unsigned RunOrder::add(Run run) {
  unsigned number = runs.size();
  firstInstances.push_back(held.size());
  for (unsigned result : described.operations[run.operation].results) {
    byValue[result].push_back(held.size());
    held.push_back({number, result, {}});
  }
  runs.push_back(std::move(run));
  positions.push_back(0);
  return number;
}

void RunOrder::redirect(unsigned instance, unsigned first, unsigned run) {
  Instance &from = held[instance];
  Instance &to = held[instanceOf(run, from.value)];
  auto moved = std::lower_bound(from.uses.begin(), from.uses.end(), first);
  for (auto use = moved; use != from.uses.end(); ++use) {
    Run &reader = runs[numbers[*use]];
    const auto &operands = described.operations[reader.operation].operands;
    for (unsigned i = 0; i < operands.size(); ++i)
      if (operands[i] == from.value && reader.sources[i] == from.run)
        reader.sources[i] = run;
  }
  size_t middle = to.uses.size();
  to.uses.insert(to.uses.end(), moved, from.uses.end());
  std::inplace_merge(to.uses.begin(), to.uses.begin() + middle, to.uses.end());
  to.end = std::max(to.end, from.end);
  from.uses.erase(moved, from.uses.end());
}

void RunOrder::hold(unsigned from, unsigned to, int64_t bytes) {
  for (unsigned position = from; position < to; ++position)
    live[position] += bytes;
  findMost(from, to);
}

void RunOrder::refresh(std::vector<unsigned> order) {
  numbers = std::move(order);
  refresh();
}

void RunOrder::restore(const State &state) {
  while (runs.size() > state.runs.size()) {
    for (unsigned result : described.operations[runs.back().operation].results)
      byValue[result].pop_back();
    held.resize(firstInstances.back());
    firstInstances.pop_back();
    positions.pop_back();
    runs.pop_back();
  }
  runs = state.runs;
  refresh(state.order);
}
