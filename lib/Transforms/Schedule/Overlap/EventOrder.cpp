//===- EventOrder.cpp - an order of events, and what is held meanwhile ----===//

#include "EventOrder.h"

#include <algorithm>

using namespace tessera::schedule;

static bool contains(const std::vector<unsigned> &values, unsigned value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

EventOrder::EventOrder(const OverlapProblem &problem, const OverlapPlan &plan)
    : problem(problem), count(problem.block.operations.size()),
      positions(2 * count, kNone), seconds(2 * count, 0), before(2 * count),
      behind(2 * count), readers(problem.block.values.size()),
      last(problem.block.values.size(), kNone), reads(2 * count),
      makes(2 * count) {
  for (const OverlapPlan::Event &event : plan.events) {
    unsigned number = event.isWait ? wait(event.operation) : event.operation;
    positions[number] = order.size();
    order.push_back(number);
  }
  for (unsigned number = 0; number < count; ++number)
    addOperation(number);
  for (unsigned value = 0; value < readers.size(); ++value)
    findLast(value);
  hold.resize(order.size() + 1, 0);
  live.resize(order.size(), 0);
  recount(0, order.size(), std::numeric_limits<int64_t>::max());
}

unsigned EventOrder::endOf(unsigned operation) const {
  return problem.isCollective[operation] ? wait(operation) : operation;
}

void EventOrder::addEdge(unsigned first, unsigned second) {
  if (first == second)
    return;
  behind[first].push_back(second);
  before[second].push_back(first);
}

void EventOrder::addOperation(unsigned number) {
  const auto &operation = problem.block.operations[number];
  unsigned start = number, end = endOf(number);
  seconds[start] = operation.seconds;
  auto read = [&](unsigned value, unsigned event) {
    if (problem.block.values[value].bytes == 0 ||
        problem.block.values[value].producer == kNone ||
        contains(reads[event], value))
      return;
    reads[event].push_back(value);
    readers[value].push_back(event);
  };
  for (unsigned operand : operation.operands) {
    if (unsigned producer = problem.block.values[operand].producer;
        producer != kNone)
      addEdge(endOf(producer), start);
    read(operand, start);
    if (end != start)
      read(operand, end);
  }
  for (unsigned other : problem.after[number])
    addEdge(endOf(other), start);
  for (unsigned result : operation.results) {
    if (problem.block.values[result].bytes > 0)
      makes[start].push_back(result);
    if (end != start)
      read(result, end);
  }
  if (end != start)
    addEdge(start, end);
}

unsigned EventOrder::earliest(unsigned event) const {
  unsigned position = 0;
  for (unsigned other : before[event])
    position = std::max(position, positions[other] + 1);
  return position;
}

/// Nothing moves behind what comes last, the terminator.
unsigned EventOrder::latest(unsigned event) const {
  unsigned position = order.size() - 1;
  if (positions[event] < position)
    --position;
  for (unsigned other : behind[event])
    position = std::min(position, positions[other] - 1);
  return position;
}

//===----------------------------------------------------------------------===//
// What is held
//===----------------------------------------------------------------------===//

void EventOrder::findLast(unsigned value) {
  unsigned producer = problem.block.values[value].producer;
  if (producer == kNone)
    return;
  last[value] = producer;
  for (unsigned reader : readers[value])
    if (positions[reader] > positions[last[value]])
      last[value] = reader;
}

/// Whether nothing reads `value` once `operation` has begun but itself.
bool EventOrder::endsWith(unsigned value, unsigned operation) const {
  unsigned start = operation, end = endOf(operation);
  if (problem.block.values[value].producer == kNone || last[value] != end)
    return false;
  return start == end ||
         std::all_of(readers[value].begin(), readers[value].end(),
                     [&](unsigned reader) {
                       return reader == end ||
                              positions[reader] <= positions[start];
                     });
}

/// What the operation writes over holds nothing of its own from then on.
void EventOrder::findTaken(unsigned operation) const {
  takenOperands.clear();
  takenResults.clear();
  for (const auto &[operand, result] :
       problem.block.operations[operation].overwrites)
    if (!contains(takenOperands, operand) && !contains(takenResults, result) &&
        endsWith(operand, operation)) {
      takenOperands.push_back(operand);
      takenResults.push_back(result);
    }
}

int64_t EventOrder::takenBytes(unsigned operation) const {
  findTaken(operation);
  int64_t bytes = 0;
  for (unsigned result : takenResults)
    bytes += problem.block.values[result].bytes;
  return bytes;
}

int64_t EventOrder::allocated(unsigned event) const {
  int64_t bytes = 0;
  for (unsigned value : makes[event])
    bytes += problem.block.values[value].bytes;
  return isWait(event) ? 0 : bytes - takenBytes(event);
}

int64_t EventOrder::freed(unsigned event) const {
  int64_t bytes = 0;
  for (const Values *values : {&reads[event], &makes[event]})
    for (unsigned value : *values)
      if (last[value] == event)
        bytes += problem.block.values[value].bytes;
  // What a collective writes over is read last by its wait.
  return isStart(event) ? bytes : bytes - takenBytes(operationOf(event));
}

/// Counts the bytes of the events from `begin` to `end`, and on while they are
/// others than before.
bool EventOrder::recount(unsigned begin, unsigned end, int64_t limit) {
  oldHold.clear();
  oldLive.clear();
  for (unsigned position = begin; position < order.size(); ++position) {
    if (position >= end && position > begin && !oldHold.empty() &&
        oldHold.back() == hold[position])
      break;
    unsigned event = order[position];
    int64_t own = isWait(event) ? 0 : problem.block.operations[event].ownBytes;
    int64_t held = hold[position] + allocated(event);
    oldLive.push_back(live[position]);
    oldHold.push_back(hold[position + 1]);
    live[position] = held + own;
    hold[position + 1] = held - freed(event);
    if (live[position] > limit && live[position] > oldLive.back())
      return false;
  }
  return true;
}

void EventOrder::rotate(unsigned from, unsigned to) {
  auto first = order.begin();
  if (from < to)
    std::rotate(first + from, first + from + 1, first + to + 1);
  else
    std::rotate(first + to, first + from, first + from + 1);
  auto [begin, end] = std::minmax(from, to);
  for (unsigned position = begin; position <= end; ++position)
    positions[order[position]] = position;
  unsigned event = order[to];
  for (const Values *values : {&reads[event], &makes[event]})
    for (unsigned value : *values)
      findLast(value);
}

bool EventOrder::move(unsigned from, unsigned to, int64_t limit) {
  if (from == to)
    return true;
  unsigned begin = std::min(from, to);
  rotate(from, to);
  if (recount(begin, std::max(from, to) + 1, limit))
    return true;
  rotate(to, from);
  std::copy(oldLive.begin(), oldLive.end(), live.begin() + begin);
  std::copy(oldHold.begin(), oldHold.end(), hold.begin() + begin + 1);
  return false;
}

int64_t EventOrder::peak() const {
  return live.empty() ? 0 : *std::max_element(live.begin(), live.end());
}

bool EventOrder::isGrowing(unsigned start) const {
  return allocated(start) > freed(wait(start));
}

OverlapPlan EventOrder::plan() const {
  OverlapPlan plan;
  for (unsigned event : order)
    plan.events.push_back({operationOf(event), isWait(event)});
  return plan;
}
