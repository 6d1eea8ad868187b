//===- Inputs.cpp ---------------------------------------------------------===//

#include "Inputs.h"

#include "tessera/Support/RandomTensor.h"
#include "tessera/Support/TensorBox.h"
#include "tessera/Support/TensorFile.h"
#include "tessera/pieces.h"

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

std::optional<StoredTensor> Inputs::batch(size_t index, int64_t step) const {
  if (!batches[index])
    return {};
  return batches[index]->slice(step % batches[index]->shape.front());
}

/// Opens the batches and checks that they feed no argument that results feed.
static Fallible<BoundStored> openBatches(const std::string &path,
                                         const Slots &slots) {
  Fallible<std::vector<StoredTensor>> tensors = openTensorFile(path);
  if (!tensors)
    return tensors.failure();
  Fallible<BoundStored> bound =
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

Fallible<std::vector<StoredTensor>> run::openInputFile(const Options &options) {
  if (!options.inputs)
    return std::vector<StoredTensor>();
  return openTensorFile(*options.inputs);
}

/// Binds the tensors of the file and those of the initialisation.
static Fallible<BoundStored> bindGiven(const Options &options,
                                       const Slots &slots,
                                       std::vector<StoredTensor> given,
                                       std::vector<StoredTensor> initial) {
  BoundStored bound(slots.arguments.size());
  if (options.inputs) {
    Fallible<BoundStored> fromFile = bindArguments(
        std::move(given), slots.arguments, slots.results, *options.inputs);
    if (!fromFile)
      return fromFile.failure();
    bound = *std::move(fromFile);
  }
  if (!options.init)
    return bound;
  Fallible<BoundStored> made = bindArguments(
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
static Fallible<BoundStored> readArguments(const Options &options,
                                           const Slots &slots,
                                           std::vector<StoredTensor> given,
                                           std::vector<StoredTensor> initial,
                                           const BoundStored &batches) {
  Fallible<BoundStored> known =
      bindGiven(options, slots, std::move(given), std::move(initial));
  if (!known)
    return known.failure();
  BoundStored bound = *std::move(known);
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
      bound[i] = StoredTensor({slot.name, HostTensor(slot.type, slot.shape)});
    } else if (options.randomSeed) {
      bound[i] =
          StoredTensor({slot.name, randomTensor(slot.type, slot.shape,
                                                *options.randomSeed, i)});
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
                                 std::vector<StoredTensor> given,
                                 std::vector<StoredTensor> initial) {
  Inputs inputs;
  inputs.batches.resize(slots.arguments.size());
  if (options.batches) {
    Fallible<BoundStored> batches = openBatches(*options.batches, slots);
    if (!batches)
      return batches.failure();
    inputs.batches = *std::move(batches);
  }
  Fallible<BoundStored> arguments = readArguments(
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

std::optional<Stop> run::fillArgument(TesseraJob *job, int32_t index,
                                      const StoredTensor &tensor) {
  constexpr int64_t blockBytes = 1 << 20;
  if (TesseraStatus status = tessera_job_begin_argument(job, index))
    return Stop{status, tessera_error_message()};
  BlockedBox blocks(TensorBox::whole(tensor.shape), elementSize(tensor.type),
                    blockBytes);
  std::vector<std::byte> buffer;
  for (int64_t i = 0; i < blocks.count(); ++i) {
    TensorBox block = blocks.block(i);
    if (!tessera_job_needs_box(job, block.begin.data(), block.size.data()))
      continue;
    buffer.resize(block.elements() * elementSize(tensor.type));
    if (Fallible<void> read = tensor.read(blocks.firstElement(i),
                                          block.elements(), buffer.data());
        !read)
      return Stop{TESSERA_FAILED, read.message()};
    if (TesseraStatus status = tessera_job_set_box(
            job, block.begin.data(), block.size.data(), buffer.data()))
      return Stop{status, tessera_error_message()};
  }
  if (TesseraStatus status = tessera_job_end_argument(job))
    return Stop{status, tessera_error_message()};
  return {};
}
