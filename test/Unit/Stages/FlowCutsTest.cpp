//===- FlowCutsTest.cpp - stages that send each other little --------------===//

#include "tessera/Stages/Cuts/FlowCuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace tessera;

using Flow = FlowCuts::Flow;
using Variable = FlowCuts::Variable;

/// What `flow` costs under `stages`, one per variable, at the boundary before
/// stage `boundary`.
static int64_t costOf(const Flow &flow, const std::vector<int64_t> &stages,
                      int64_t boundary) {
  FlowCuts::Range from = flow.available;
  if (flow.maker)
    from = {stages[*flow.maker], stages[*flow.maker]};
  bool goesUp = false, goesDown = false;
  for (Variable user : flow.users) {
    goesUp |= from.last < boundary && stages[user] >= boundary;
    goesDown |= from.first >= boundary && stages[user] < boundary;
  }
  if (goesUp && flow.goesDown)
    return FlowCuts::kNever;
  return goesUp || goesDown ? flow.cost : 0;
}

static int64_t costOf(const std::vector<Flow> &flows,
                      const std::vector<int64_t> &stages, int64_t boundary) {
  int64_t cost = 0;
  for (const Flow &flow : flows)
    cost = std::min(cost + costOf(flow, stages, boundary), FlowCuts::kNever);
  return cost;
}

namespace {

/// Random flows between `variables` variables, the first of which is fixed on
/// stage 0 and the second on the last one.
struct RandomProblem {
  static constexpr unsigned kVariables = 8;

  RandomProblem(unsigned seed, int64_t numStages) : numStages(numStages) {
    std::mt19937 random(seed);
    auto draw = [&](unsigned size) { return random() % size; };
    for (unsigned number = 0; number < 12; ++number) {
      Flow flow;
      if (draw(3) != 0)
        flow.maker = draw(kVariables);
      else
        flow.available.last = draw(numStages);
      flow.available.first = draw(flow.available.last + 1);
      for (unsigned users = 1 + draw(3); users > 0; --users)
        flow.users.push_back(draw(kVariables));
      flow.cost = 1 + draw(20);
      // Downwards only, in the order of the variables, so that it can be.
      flow.goesDown =
          flow.maker && *flow.maker != 0 && draw(4) == 0 &&
          std::all_of(flow.users.begin(), flow.users.end(), [&](Variable user) {
            return user != 1 && user > *flow.maker;
          });
      flows.push_back(flow);
    }
  }

  std::vector<int64_t> solve() const {
    FlowCuts cuts(numStages);
    cuts.addVariable(0);
    cuts.addVariable(numStages - 1);
    for (unsigned variable = 2; variable < kVariables; ++variable)
      cuts.addVariable();
    for (const Flow &flow : flows)
      cuts.add(flow);
    cuts.solve();
    std::vector<int64_t> stages;
    for (unsigned variable = 0; variable < kVariables; ++variable)
      stages.push_back(cuts.stageOf(variable));
    return stages;
  }

  int64_t numStages;
  std::vector<Flow> flows;
};

TEST(FlowCuts, AreOptimalForTwoStages) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProblem problem(seed, 2);
    int64_t best = FlowCuts::kNever;
    for (unsigned bits = 0; bits < 1u << RandomProblem::kVariables; ++bits) {
      std::vector<int64_t> stages;
      for (unsigned i = 0; i < RandomProblem::kVariables; ++i)
        stages.push_back(bits >> i & 1);
      if (stages[0] == 0 && stages[1] == 1)
        best = std::min(best, costOf(problem.flows, stages, 1));
    }
    EXPECT_EQ(costOf(problem.flows, problem.solve(), 1), best) << seed;
  }
}

TEST(FlowCuts, AreOptimalAtTheMiddleAndKeepConstraints) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomProblem problem(seed, 4);
    std::vector<int64_t> stages = problem.solve();
    EXPECT_EQ(stages[0], 0);
    EXPECT_EQ(stages[1], 3);
    // Which of the two lower or upper stages a variable has does not matter at
    // the boundary in the middle.
    int64_t best = FlowCuts::kNever;
    for (unsigned bits = 0; bits < 1u << RandomProblem::kVariables; ++bits) {
      std::vector<int64_t> sides;
      for (unsigned i = 0; i < RandomProblem::kVariables; ++i)
        sides.push_back(bits >> i & 1 ? 3 : 0);
      if (sides[0] == 0 && sides[1] == 3)
        best = std::min(best, costOf(problem.flows, sides, 2));
    }
    EXPECT_EQ(costOf(problem.flows, stages, 2), best) << seed;
    for (int64_t boundary : {1, 3})
      EXPECT_LT(costOf(problem.flows, stages, boundary), FlowCuts::kNever)
          << seed;
  }
}

TEST(FlowCuts, CrossTheCheapestLinkOfAChain) {
  FlowCuts cuts(4);
  std::vector<Variable> chain = {cuts.addVariable(0), cuts.addVariable(),
                                 cuts.addVariable(), cuts.addVariable(3)};
  std::vector<int64_t> links = {10, 1, 10};
  for (unsigned i = 0; i < links.size(); ++i) {
    Flow flow;
    flow.maker = chain[i];
    flow.users = {chain[i + 1]};
    flow.cost = links[i];
    cuts.add(flow);
  }
  cuts.solve();
  EXPECT_EQ(cuts.stageOf(chain[1]), 0);
  EXPECT_EQ(cuts.stageOf(chain[2]), 3);
}

} // namespace
