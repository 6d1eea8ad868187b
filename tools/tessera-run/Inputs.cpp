//===- Inputs.cpp ---------------------------------------------------------===//

#include "Inputs.h"

#include "tessera/Support/RandomTensor.h"
#include "tessera/Support/TensorFile.h"

#include <nlohmann/json.hpp>

using namespace tessera;
using namespace tessera::run;

/// `described` is what the manifest says of the tensor, which alone knows of
/// formats whose bytes the program takes.
static TensorSlot slotOf(const TesseraTensor &tensor,
                         const nlohmann::json &described) {
  return {tensor.name,
          static_cast<ElementType>(tensor.dtype),
          Shape(tensor.shape, tensor.shape + tensor.rank),
          std::nullopt,
          described.value("short_type", ""),
          described.value("initial", "") == "zero"};
}

Slots run::slotsOf(const TesseraProgram *program) {
  Slots slots;
  // The runtime has read it, and found as many tensors as it counts.
  auto manifest = nlohmann::json::parse(tessera_program_manifest(program));
  for (int32_t i = 0; i < tessera_program_argument_count(program); ++i) {
    const TesseraTensor *argument = tessera_program_argument(program, i);
    slots.arguments.push_back(slotOf(*argument, manifest["arguments"][i]));
    if (argument->donation >= 0)
      slots.arguments.back().donatedResult = argument->donation;
  }
  for (int32_t i = 0; i < tessera_program_result_count(program); ++i)
    slots.results.push_back(
        slotOf(*tessera_program_result(program, i), manifest["results"][i]));
  return slots;
}

const std::byte *Inputs::batch(size_t index, int64_t step) const {
  if (!batches[index])
    return nullptr;
  const HostTensor &tensor = *batches[index];
  int64_t slices = tensor.shape().front();
  return tensor.data() + step % slices * (tensor.byteSize() / slices);
}

/// Reads the batches and checks that they feed no argument that results feed.
static Fallible<BoundTensors> readBatches(const std::string &path,
                                          const Slots &slots) {
  Fallible<std::vector<NamedTensor>> tensors = readTensorFile(path);
  if (!tensors)
    return tensors.failure();
  Fallible<BoundTensors> bound =
      bindArguments(*std::move(tensors), slots.arguments, slots.results, path,
                    /*batched=*/true);
  if (!bound)
    return bound.failure();
  for (size_t i = 0; i < slots.arguments.size(); ++i)
    if ((*bound)[i] && slots.arguments[i].donatedResult)
      return Failure{path + ": argument '" +
                     slotName(slots.arguments[i], i, "arg") +
                     "' takes no batches, it is fed by a result"};
  return bound;
}

Fallible<std::vector<NamedTensor>> run::readInputFile(const Options &options) {
  if (!options.inputs)
    return std::vector<NamedTensor>();
  return readTensorFile(*options.inputs);
}

/// Binds the tensors of the file and those of the initialisation.
static Fallible<BoundTensors> bindGiven(const Options &options,
                                        const Slots &slots,
                                        std::vector<NamedTensor> given,
                                        std::vector<NamedTensor> initial) {
  BoundTensors bound(slots.arguments.size());
  if (options.inputs) {
    Fallible<BoundTensors> fromFile = bindArguments(
        std::move(given), slots.arguments, slots.results, *options.inputs);
    if (!fromFile)
      return fromFile.failure();
    bound = *std::move(fromFile);
  }
  if (!options.init)
    return bound;
  Fallible<BoundTensors> made = bindArguments(
      std::move(initial), slots.arguments, slots.results, *options.init);
  if (!made)
    return made.failure();
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!(*made)[i])
      continue;
    if (bound[i])
      return Failure{"argument '" + slotName(slots.arguments[i], i, "arg") +
                     "' is fed by " + *options.inputs + " and by " +
                     *options.init};
    bound[i] = std::move((*made)[i]);
  }
  return bound;
}

/// Fills what batches do not feed, from the file, the initialisation or at
/// random.
static Fallible<BoundTensors> readArguments(const Options &options,
                                            const Slots &slots,
                                            std::vector<NamedTensor> given,
                                            std::vector<NamedTensor> initial,
                                            const BoundTensors &batches) {
  Fallible<BoundTensors> known =
      bindGiven(options, slots, std::move(given), std::move(initial));
  if (!known)
    return known.failure();
  BoundTensors bound = *std::move(known);
  for (size_t i = 0; i < bound.size(); ++i) {
    const TensorSlot &slot = slots.arguments[i];
    if (batches[i]) {
      bound[i].reset();
    } else if (bound[i]) {
      continue;
    } else if (options.virtualKernels) {
      continue; // Nobody computes with it.
    } else if (!slots.isMade.empty() && slots.isMade[i]) {
      continue;
    } else if (slot.isInitiallyZero) {
      bound[i] = HostTensor(slot.type, slot.shape);
    } else if (options.randomSeed) {
      bound[i] = randomTensor(slot.type, slot.shape, *options.randomSeed, i);
    } else {
      const auto &file = options.inputs ? options.inputs : options.init;
      std::string where = file ? *file + ": " : std::string();
      std::string hint = file ? "" : "; give --inputs=FILE or --random";
      return Failure{where + "no tensor for argument '" +
                     slotName(slot, i, "arg") + "' of type " +
                     describeTensorType(slot.type, slot.shape) + hint};
    }
  }
  return bound;
}

Fallible<Inputs> run::readInputs(const Options &options, const Slots &slots,
                                 const std::vector<TensorSlot> &results,
                                 std::vector<NamedTensor> given,
                                 std::vector<NamedTensor> initial) {
  Inputs inputs;
  inputs.batches.resize(slots.arguments.size());
  if (options.batches) {
    Fallible<BoundTensors> batches = readBatches(*options.batches, slots);
    if (!batches)
      return batches.failure();
    inputs.batches = *std::move(batches);
  }
  Fallible<BoundTensors> arguments = readArguments(
      options, slots, std::move(given), std::move(initial), inputs.batches);
  if (!arguments)
    return arguments.failure();
  inputs.arguments = *std::move(arguments);
  if (!options.expect)
    return inputs;
  Fallible<std::vector<NamedTensor>> tensors = readTensorFile(*options.expect);
  if (!tensors)
    return tensors.failure();
  Fallible<BoundTensors> bound =
      bindResults(*std::move(tensors), results, *options.expect);
  if (!bound)
    return bound.failure();
  Fallible<std::vector<HostTensor>> expected =
      requireAllBound(*std::move(bound), results, "result", *options.expect);
  if (!expected)
    return expected.failure();
  inputs.expected = *std::move(expected);
  return inputs;
}
