//===- StagePartitioner.cpp - Cut a model into stages ---------------------===//

#include "tessera/Stages/Cuts/StagePartitioner.h"

#include "Cuts/StagePartitionTerms.h"

#include <cassert>

using namespace tessera;

StagePartitionResult tessera::solve(const StagePartitionProblem &problem,
                                    const StagePartitionOptions &options) {
  assert(!problem.check() && "expected a sensible problem");
  StagePartitionResult result;
  auto blocks = static_cast<int32_t>(problem.blocks.size());
  if (blocks < problem.assignment.stages) {
    result.exact = true;
    result.feasibleStages = blocks;
    result.infeasible = "expected at most " + std::to_string(blocks) +
                        " stages, for so many blocks has the model, got " +
                        std::to_string(problem.assignment.stages);
    return result;
  }
  PartitionTerms terms(problem);
  if (isNested(problem.assignment))
    solveNested(terms, result);
  else
    searchPartition(terms, options, result);
  if (result.partition) {
    result.cost = problem.evaluate(*result.partition);
    return result;
  }
  result.infeasible = "expected a memory limit of at least " +
                      std::to_string(*result.feasibleMemory) +
                      " bytes per rank for " +
                      std::to_string(problem.assignment.stages) +
                      " stages on " + std::to_string(problem.assignment.ranks) +
                      " ranks, got " + std::to_string(*problem.memoryLimit);
  return result;
}
