//===- StepInputs.cpp - What each step of a run starts from ---------------===//

#include "StepInputs.h"

#include "tessera/Support/TensorFile.h"

using namespace tessera;

/// The tensors of `path` by argument; none where the path is empty.
static Fallible<BoundTensors>
readBound(const std::string &path, const Boundary &boundary, bool batched) {
  if (path.empty())
    return BoundTensors(boundary.arguments.size());
  auto tensors = readTensorFile(path);
  if (!tensors)
    return tensors.failure();
  return bindArguments(std::move(*tensors), boundary.arguments,
                       boundary.results, path, batched);
}

Fallible<StepInputs> StepInputs::read(const Boundary &boundary,
                                      const std::string &inputPath,
                                      uint64_t seed,
                                      const std::string &batchPath) {
  StepInputs inputs;
  auto batches = readBound(batchPath, boundary, /*batched=*/true);
  if (!batches)
    return batches.failure();
  inputs.batches = std::move(*batches);
  auto values = readBound(inputPath, boundary, /*batched=*/false);
  if (!values)
    return values.failure();
  inputs.values = std::move(*values);
  for (auto [i, slot] : llvm::enumerate(boundary.arguments)) {
    if (inputs.values[i] || inputs.batches[i])
      continue;
    if (slot.isInitiallyZero) {
      inputs.values[i] = HostTensor(slot.type, slot.shape);
      continue;
    }
    if (!inputPath.empty())
      return Failure{inputPath + ": no tensor for argument '" +
                     slotName(slot, i, "arg") + "' of type " +
                     describeTensorType(slot.type, slot.shape)};
    inputs.values[i] = randomTensor(slot.type, slot.shape, seed, i);
  }
  return inputs;
}

std::vector<HostTensor> StepInputs::arguments(int64_t step) const {
  std::vector<HostTensor> arguments;
  for (auto [value, batch] : llvm::zip_equal(values, batches))
    arguments.push_back(
        batch ? sliceLeading(*batch, step % batch->shape().front()) : *value);
  return arguments;
}

void StepInputs::feed(const Boundary &boundary,
                      const std::vector<HostTensor> &results) {
  for (auto [i, slot] : llvm::enumerate(boundary.arguments))
    if (slot.donatedResult && !batches[i])
      values[i] = results[*slot.donatedResult];
}
