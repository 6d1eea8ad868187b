//===- IterationPoints.cpp - How much an operation computes ---------------===//
#include "tessera/Sharding/Rules/IterationPoints.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

double tessera::iterationPoints(const ShardingRule &rule,
                                llvm::ArrayRef<double> sizes) {
  llvm::SmallVector<unsigned> numTensors(sizes.size(), 0);
  double largest = 1;
  for (size_t tensor = 0; tensor < rule.numTensors(); ++tensor) {
    double elements = 1;
    for (const auto &dim : rule.tensor(tensor).dims)
      for (FactorId factor : dim) {
        elements *= sizes[factor];
        ++numTensors[factor];
      }
    largest = std::max(largest, elements);
  }
  double points = 1;
  for (auto [size, count] : llvm::zip_equal(sizes, numTensors))
    points *= count > 1 ? size : 1;
  return std::max(points, largest);
}
