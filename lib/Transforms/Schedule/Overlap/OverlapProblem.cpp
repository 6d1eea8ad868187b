//===- OverlapProblem.cpp -------------------------------------------------===//

#include "OverlapProblem.h"

#include "EventOrder.h"

#include <algorithm>

using namespace tessera::schedule;

OverlapPlan OverlapPlan::original(const OverlapProblem &problem) {
  OverlapPlan plan;
  for (unsigned i = 0; i < problem.block.operations.size(); ++i) {
    plan.events.push_back({i});
    if (problem.isCollective[i])
      plan.events.push_back({i, true});
  }
  return plan;
}

OverlapCosts tessera::schedule::measureOverlap(const OverlapProblem &problem,
                                               const OverlapPlan &plan) {
  OverlapCosts costs;
  costs.exposed.resize(problem.block.operations.size(), 0);
  std::vector<double> ends(problem.block.operations.size(), 0);
  double frees[OverlapProblem::kStreams] = {};
  for (const OverlapPlan::Event &event : plan.events) {
    unsigned number = event.operation;
    double seconds = problem.block.operations[number].seconds;
    if (event.isWait) {
      costs.exposed[number] = std::max(0.0, ends[number] - costs.seconds);
      costs.seconds = std::max(costs.seconds, ends[number]);
    } else if (problem.isCollective[number]) {
      double &free = frees[problem.streamOf(number)];
      free = std::max(costs.seconds, free) + seconds;
      ends[number] = free;
    } else {
      costs.seconds += seconds;
    }
  }
  costs.peak = EventOrder(problem, plan).peak();
  return costs;
}

/// Why the events are not those that the operations need, or an empty string.
static std::string verifyEvents(const OverlapProblem &problem,
                                const OverlapPlan &plan) {
  std::vector<unsigned> runs(problem.block.operations.size(), 0),
      waits(problem.block.operations.size(), 0);
  for (const OverlapPlan::Event &event : plan.events)
    ++(event.isWait ? waits : runs)[event.operation];
  for (unsigned number = 0; number < runs.size(); ++number)
    if (runs[number] != 1 || waits[number] != problem.isCollective[number])
      return "expected operation " + std::to_string(number) +
             " to run once, and to be awaited if it is a collective";
  return "";
}

std::string tessera::schedule::verifyOverlap(const OverlapProblem &problem,
                                             const OverlapPlan &plan) {
  if (std::string wrong = verifyEvents(problem, plan); !wrong.empty())
    return wrong;
  std::vector<bool> isStarted(problem.block.operations.size(), false),
      isDone(problem.block.operations.size(), false);
  for (const OverlapPlan::Event &event : plan.events) {
    unsigned number = event.operation;
    std::string who = "operation " + std::to_string(number);
    if (event.isWait) {
      if (!isStarted[number])
        return who + " is awaited before it starts";
      isDone[number] = true;
      continue;
    }
    for (unsigned operand : problem.block.operations[number].operands)
      if (unsigned producer = problem.block.values[operand].producer;
          producer != OverlapProblem::kNone && !isDone[producer])
        return who + " begins before its operand " + std::to_string(operand) +
               " is made";
    for (unsigned other : problem.after[number])
      if (!isDone[other])
        return who + " begins before " + std::to_string(other) + " is done";
    isStarted[number] = true;
    isDone[number] = !problem.isCollective[number];
  }
  return "";
}
