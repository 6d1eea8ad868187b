//===- RecomputationGraphs.h - problems of recomputation at random --------===//
#ifndef TESSERA_TEST_UNIT_TRANSFORMS_RECOMPUTATIONGRAPHS_H
#define TESSERA_TEST_UNIT_TRANSFORMS_RECOMPUTATIONGRAPHS_H

#include "Rematerialization/RecomputationProblem.h"

#include <random>

namespace tessera::schedule {

/// Operations with a result each, and one at the end that runs once and reads
/// what the program returns.
struct RecomputationGraph {
  RecomputationProblem problem;

  unsigned add(int64_t bytes, double seconds, std::vector<unsigned> operands) {
    unsigned number = problem.operations.size();
    problem.values.push_back({bytes, number, RecomputationProblem::kNone});
    problem.operations.push_back(
        {std::move(operands), {number}, seconds, 0, true, {}});
    return number;
  }
  void end(std::vector<unsigned> operands) {
    problem.operations.push_back({std::move(operands), {}, 0, 0, false, {}});
  }
};

/// A chain of `layers` values and its gradient, with sizes and times at random.
RecomputationGraph chainWithGradient(unsigned layers, std::mt19937 &random);

/// `layers` chains of `depth` values, each with a residual around it, and their
/// gradients.
RecomputationGraph layersWithGradient(unsigned layers, unsigned depth,
                                      std::mt19937 &random);

/// `operations` operations that read others before them, about two each.
RecomputationGraph anyGraph(unsigned operations, std::mt19937 &random);

} // namespace tessera::schedule

#endif // TESSERA_TEST_UNIT_TRANSFORMS_RECOMPUTATIONGRAPHS_H
