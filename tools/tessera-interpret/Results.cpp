//===- Results.cpp - What happens to a program's results ------------------===//

#include "Results.h"

#include "tessera/Support/TensorFile.h"
#include "tessera/Support/TensorText.h"

using namespace tessera;

void tessera::printResults(const Boundary &boundary,
                           const std::vector<HostTensor> &results) {
  for (auto [i, result] : llvm::enumerate(results))
    llvm::outs() << slotName(boundary.results[i], i, "result") << ": "
                 << result.describeType() << " = " << tensorText(result)
                 << "\n";
}

void tessera::printStep(const Boundary &boundary,
                        const std::vector<HostTensor> &results, int64_t step,
                        int64_t steps) {
  llvm::outs() << "step " << step + 1 << "/" << steps;
  for (auto [i, result] : llvm::enumerate(results))
    if (result.shape().empty())
      llvm::outs() << " " << slotName(boundary.results[i], i, "result") << "="
                   << tensorText(result);
  llvm::outs() << "\n";
}

Fallible<void> tessera::writeResults(const Boundary &boundary,
                                     const std::vector<HostTensor> &results,
                                     const std::string &path) {
  std::vector<NamedTensor> tensors;
  for (auto [i, result] : llvm::enumerate(results))
    tensors.push_back({slotName(boundary.results[i], i, "result"), result});
  return writeTensorFile(path, tensors);
}

Fallible<bool> tessera::compareResults(const Boundary &boundary,
                                       const std::vector<HostTensor> &results,
                                       const std::string &path,
                                       const Tolerance &tolerance) {
  auto tensors = readTensorFile(path);
  if (!tensors)
    return tensors.failure();
  auto bound = bindResults(std::move(*tensors), boundary.results, path);
  if (!bound)
    return bound.failure();
  auto expected =
      requireAllBound(std::move(*bound), boundary.results, "result", path);
  if (!expected)
    return expected.failure();
  bool agree = true;
  for (auto [i, result] : llvm::enumerate(results)) {
    TensorDifference difference = compareTensors(result, (*expected)[i]);
    Tolerance limit = tolerance.of(result.type());
    bool within = difference.within(limit);
    agree &= within;
    llvm::outs() << slotName(boundary.results[i], i, "result") << ": "
                 << (within ? "agrees, " : "differs, ")
                 << difference.describe(limit, result.shape()) << "\n";
  }
  return agree;
}
