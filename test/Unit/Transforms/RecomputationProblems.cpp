//===- RecomputationProblems.cpp - plans for a solver to compare with -----===//
//
// Prints a problem of recomputation as a line of JSON: its operations, each
// with the bytes of its result, its seconds and its operands, the bytes that it
// holds as it is, and for some limits the bytes and seconds of the plan that
// was found. For `benchmarks/memory/optimum.py`.
//
//===----------------------------------------------------------------------===//

#include "RecomputationGraphs.h"

#include "Rematerialization/RecomputationSearch.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace tessera::schedule;

static void print(const RecomputationProblem &problem,
                  const std::vector<double> &shares) {
  const char *between = "{\"operations\":[";
  for (size_t i = 0; i < problem.operations.size(); ++i) {
    const RecomputationProblem::Operation &operation = problem.operations[i];
    int64_t bytes = 0;
    for (unsigned result : operation.results)
      bytes += problem.values[result].bytes;
    printf("%s[%lld,%g,[", between, static_cast<long long>(bytes),
           operation.seconds);
    for (size_t j = 0; j < operation.operands.size(); ++j)
      printf("%s%u", j ? "," : "", operation.operands[j]);
    printf("]]");
    between = ",";
  }
  int64_t peak =
      measurePlan(problem, RecomputationPlan::original(problem)).peak;
  printf("],\"peak\":%lld,\"plans\":[", static_cast<long long>(peak));
  for (size_t i = 0; i < shares.size(); ++i) {
    auto limit = static_cast<int64_t>(shares[i] * static_cast<double>(peak));
    PlanCosts costs = measurePlan(problem, findRecomputation(problem, limit));
    printf("%s[%lld,%lld,%g]", i ? "," : "", static_cast<long long>(limit),
           static_cast<long long>(costs.peak), costs.seconds);
  }
  printf("]}\n");
}

/// `layers LAYERS DEPTH SEED SHARE...` or `any OPERATIONS SEED SHARE...`;
/// shares are of what the problem holds as it is.
int main(int count, char **arguments) {
  auto number = [&](int i) {
    return i < count ? strtoul(arguments[i], nullptr, 10) : 0;
  };
  bool isLayers = count > 1 && arguments[1] == std::string("layers");
  std::mt19937 random(number(isLayers ? 4 : 3));
  RecomputationGraph graph =
      isLayers ? layersWithGradient(number(2), number(3), random)
               : anyGraph(number(2), random);
  std::vector<double> shares;
  for (int i = isLayers ? 5 : 4; i < count; ++i)
    shares.push_back(atof(arguments[i]));
  print(graph.problem, shares);
}
