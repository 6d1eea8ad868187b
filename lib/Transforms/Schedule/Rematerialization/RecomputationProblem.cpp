//===- RecomputationProblem.cpp -------------------------------------------===//

#include "RecomputationProblem.h"

#include <algorithm>

using namespace tessera::schedule;

void RecomputationProblem::allowCopies(const HostMemory &host, int64_t bytes) {
  hostBytes = bytes;
  for (unsigned number = 0, count = values.size(); number < count; ++number) {
    int64_t size = values[number].bytes;
    if (size == 0 || values[number].producer == RecomputationProblem::kNone)
      continue;
    unsigned there = values.size(), offload = operations.size();
    values.push_back({0, offload});
    values[number].reload = offload + 1;
    for (Copy copy : {Copy::ToHost, Copy::FromHost}) {
      Operation &added = operations.emplace_back();
      bool isThere = copy == Copy::ToHost;
      added.operands = {isThere ? number : there};
      added.results = {isThere ? there : number};
      added.mayRepeat = true;
      added.copy = copy;
      added.copySeconds = host.seconds(size);
    }
  }
}

std::string RecomputationProblem::check() const {
  for (unsigned number = 0; number < operations.size(); ++number) {
    for (unsigned operand : operations[number].operands)
      if (values[operand].producer != RecomputationProblem::kNone &&
          values[operand].producer >= number)
        return "expected the operands of operation " + std::to_string(number) +
               " to be made before it, got value " + std::to_string(operand);
    for (unsigned result : operations[number].results)
      if (values[result].producer != number && values[result].reload != number)
        return "expected operation " + std::to_string(number) +
               " to make its result, value " + std::to_string(result);
  }
  return "";
}

RecomputationPlan
RecomputationPlan::original(const RecomputationProblem &problem) {
  RecomputationPlan plan;
  for (unsigned number = 0; number < problem.operations.size(); ++number) {
    if (problem.operations[number].copy != RecomputationProblem::Copy::None)
      break;
    Step step{number, {}};
    for (unsigned operand : problem.operations[number].operands)
      step.sources.push_back(problem.values[operand].producer);
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

namespace {

/// When what the steps of a plan make is held: one instance for each result of
/// each step.
class Instances {
public:
  Instances(const RecomputationProblem &problem, const RecomputationPlan &plan);

  std::vector<int64_t> liveBytes();

private:
  unsigned find(unsigned step, unsigned value) const;
  void overwrite(unsigned step);

  const RecomputationProblem &problem;
  const RecomputationPlan &plan;
  std::vector<unsigned> first;
  std::vector<int64_t> begin, end, bytes;
};

} // namespace

Instances::Instances(const RecomputationProblem &problem,
                     const RecomputationPlan &plan)
    : problem(problem), plan(plan) {
  for (unsigned number = 0; number < plan.steps.size(); ++number) {
    const RecomputationPlan::Step &step = plan.steps[number];
    const auto &operation = problem.operations[step.operation];
    first.push_back(begin.size());
    for (unsigned result : operation.results) {
      begin.push_back(number);
      end.push_back(number);
      bytes.push_back(problem.values[result].bytes);
    }
    for (unsigned i = 0; i < step.sources.size(); ++i)
      if (step.sources[i] != RecomputationProblem::kNone)
        end[find(step.sources[i], operation.operands[i])] = number;
  }
}

unsigned Instances::find(unsigned step, unsigned value) const {
  const auto &results = problem.operations[plan.steps[step].operation].results;
  return first[step] +
         (std::find(results.begin(), results.end(), value) - results.begin());
}

/// What `step` writes over an operand holds nothing of its own while it runs.
void Instances::overwrite(unsigned step) {
  const auto &operation = problem.operations[plan.steps[step].operation];
  std::vector<unsigned> taken;
  for (const auto &[operand, result] : operation.overwrites) {
    unsigned position = std::find(operation.operands.begin(),
                                  operation.operands.end(), operand) -
                        operation.operands.begin();
    unsigned source = plan.steps[step].sources[position];
    if (source == RecomputationProblem::kNone || bytes[find(step, result)] == 0)
      continue;
    unsigned instance = find(source, operand);
    if (end[instance] != step || begin[instance] >= step ||
        std::find(taken.begin(), taken.end(), result) != taken.end())
      continue;
    --end[instance];
    taken.push_back(result);
  }
}

std::vector<int64_t> Instances::liveBytes() {
  for (unsigned step = 0; step < plan.steps.size(); ++step)
    overwrite(step);
  std::vector<int64_t> live(plan.steps.size() + 1, 0);
  for (unsigned i = 0; i < begin.size(); ++i) {
    live[begin[i]] += bytes[i];
    live[end[i] + 1] -= bytes[i];
  }
  for (unsigned step = 1; step < live.size(); ++step)
    live[step] += live[step - 1];
  live.pop_back();
  for (unsigned step = 0; step < live.size(); ++step)
    live[step] += problem.operations[plan.steps[step].operation].ownBytes;
  return live;
}

/// What the steps of `plan` take, with what they wait for copies.
static double measureSeconds(const RecomputationProblem &problem,
                             const RecomputationPlan &plan) {
  using Copy = RecomputationProblem::Copy;
  auto of = [&](unsigned step) -> const RecomputationProblem::Operation & {
    return problem.operations[plan.steps[step].operation];
  };
  std::vector<std::vector<unsigned>> copies(plan.steps.size());
  for (unsigned step = 0; step < plan.steps.size(); ++step)
    if (of(step).copy == Copy::ToHost)
      copies[plan.steps[step].sources.front()].push_back(step);
  CopyClock clock;
  double sum = 0;
  std::vector<double> ends(plan.steps.size(), 0);
  for (unsigned step = 0; step < plan.steps.size(); ++step) {
    for (unsigned source : plan.steps[step].sources)
      if (source != RecomputationProblem::kNone &&
          of(source).copy == Copy::FromHost)
        clock.await(ends[source]);
    if (of(step).copy == Copy::ToHost)
      clock.await(ends[step]);
    if (of(step).copy == Copy::FromHost)
      ends[step] = clock.start(of(step));
    sum += of(step).seconds;
    clock.run(of(step));
    for (unsigned copy : copies[step])
      ends[copy] = clock.start(of(copy));
  }
  return sum + clock.waited;
}

PlanCosts tessera::schedule::measurePlan(const RecomputationProblem &problem,
                                         const RecomputationPlan &plan) {
  PlanCosts costs;
  costs.live = Instances(problem, plan).liveBytes();
  for (int64_t bytes : costs.live)
    costs.peak = std::max(costs.peak, bytes);
  costs.seconds = measureSeconds(problem, plan);
  return costs;
}

/// What is wrong with the operands of step `number`, where each operation runs
/// last at `lastRuns`.
static std::string verifySources(const RecomputationProblem &problem,
                                 const RecomputationPlan &plan, unsigned number,
                                 const std::vector<unsigned> &lastRuns) {
  const RecomputationPlan::Step &step = plan.steps[number];
  const auto &operands = problem.operations[step.operation].operands;
  std::string who = "step " + std::to_string(number);
  if (operands.size() != step.sources.size())
    return who + ": expected a source for each operand";
  for (unsigned i = 0; i < operands.size(); ++i) {
    const RecomputationProblem::Value &value = problem.values[operands[i]];
    unsigned source = step.sources[i];
    if (value.producer == RecomputationProblem::kNone
            ? source != RecomputationProblem::kNone
            : source >= number ||
                  (plan.steps[source].operation != value.producer &&
                   plan.steps[source].operation != value.reload))
      return who + ": expected value " + std::to_string(operands[i]) +
             " to be made before it";
    if (value.readBefore != RecomputationProblem::kNone &&
        number > lastRuns[value.readBefore])
      return who + " reads value " + std::to_string(operands[i]) +
             " after it may have been overwritten";
  }
  return "";
}

std::string tessera::schedule::verifyPlan(const RecomputationProblem &problem,
                                          const RecomputationPlan &plan) {
  std::vector<unsigned> runs(problem.operations.size(), 0),
      lastRuns(problem.operations.size(), 0);
  unsigned lastFixed = 0;
  for (unsigned number = 0; number < plan.steps.size(); ++number) {
    unsigned operation = plan.steps[number].operation;
    ++runs[operation];
    lastRuns[operation] = number;
    if (problem.operations[operation].mayRepeat)
      continue;
    if (operation < lastFixed)
      return "operation " + std::to_string(operation) + " is out of order";
    lastFixed = operation;
  }
  for (unsigned number = 0; number < problem.operations.size(); ++number)
    if (runs[number] != 1 && !problem.operations[number].mayRepeat)
      return "expected operation " + std::to_string(number) +
             " to run once, got " + std::to_string(runs[number]) + " times";
  for (unsigned number = 0; number < plan.steps.size(); ++number)
    if (std::string wrong = verifySources(problem, plan, number, lastRuns);
        !wrong.empty())
      return wrong;
  return "";
}
