//===- Initialization.cpp -------------------------------------------------===//

#include "Initialization.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::run;

TesseraJobOptions run::jobOptionsFor(const Options &options) {
  TesseraJobOptions jobOptions = {};
  jobOptions.size = sizeof jobOptions;
  jobOptions.backend = options.backend.c_str();
  jobOptions.ranks = options.ranks;
  jobOptions.threads = options.threads;
  jobOptions.timeout = options.timeout;
  return jobOptions;
}

static bool hasSlot(const std::vector<TensorSlot> &slots,
                    const std::string &name) {
  return std::ranges::find(slots, name, &TensorSlot::name) != slots.end();
}

/// Takes the tensors for `slots` out of `given`; a copy of those that the main
/// program takes as well.
static std::vector<StoredTensor>
takeArguments(const Slots &slots, const Slots &mainSlots,
              std::vector<StoredTensor> &given) {
  std::vector<StoredTensor> taken, left;
  for (StoredTensor &tensor : given) {
    bool isHere = hasSlot(slots.arguments, tensor.name);
    bool isThere = hasSlot(mainSlots.arguments, tensor.name);
    if (isHere && isThere)
      taken.push_back(tensor);
    (isHere && !isThere ? taken : left).push_back(std::move(tensor));
  }
  given = std::move(left);
  return taken;
}

/// The elements of all arguments, none of which may be missing.
static Fallible<std::vector<HostTensor>>
readAll(const BoundStored &stored, const std::vector<TensorSlot> &slots,
        const std::string &where) {
  BoundTensors read(stored.size());
  for (size_t i = 0; i < stored.size(); ++i) {
    if (!stored[i])
      continue;
    Fallible<HostTensor> whole = stored[i]->readWhole();
    if (!whole)
      return whole.failure();
    read[i] = *std::move(whole);
  }
  return requireAllBound(std::move(read), slots, "argument", where);
}

std::optional<Stop> run::runInitialization(const Options &options,
                                           const Slots &mainSlots,
                                           std::vector<StoredTensor> &given,
                                           std::vector<StoredTensor> &initial) {
  Program program{nullptr, &tessera_program_destroy};
  if (std::optional<Stop> stop = loadProgram(*options.init, program))
    return stop;
  if (int32_t count = tessera_program_entry_count(program.get()); count > 1)
    return Stop{1, "--init: expected a program of one entry point, got " +
                       std::to_string(count) + " in " + *options.init};
  Slots slots = slotsOf(program.get());
  std::string where = options.inputs.value_or(*options.init);
  auto bound = bindArguments(takeArguments(slots, mainSlots, given),
                             slots.arguments, slots.results, where);
  if (!bound)
    return Stop{1, bound.message()};
  auto arguments = readAll(*std::move(bound), slots.arguments, where);
  if (!arguments)
    return Stop{1, arguments.message()};

  // It has as many ranks as its own mesh.
  Options own = options;
  own.ranks = 0;
  TesseraJobOptions jobOptions = jobOptionsFor(own);
  Job job{nullptr, &tessera_job_destroy};
  TesseraJob *made = nullptr;
  if (TesseraStatus status =
          tessera_job_create(program.get(), &jobOptions, &made))
    return runtimeStop(status);
  job.reset(made);
  for (size_t i = 0; i < arguments->size(); ++i)
    if (TesseraStatus status = tessera_job_set_argument(
            made, static_cast<int32_t>(i), (*arguments)[i].data()))
      return runtimeStop(status);
  if (TesseraStatus status = tessera_job_step(made))
    return runtimeStop(status);
  for (size_t i = 0; i < slots.results.size(); ++i) {
    HostTensor tensor(slots.results[i].type, slots.results[i].shape);
    if (TesseraStatus status = tessera_job_get_result(
            made, static_cast<int32_t>(i), tensor.data()))
      return runtimeStop(status);
    initial.push_back(StoredTensor(
        {slotName(slots.results[i], i, "result"), std::move(tensor)}));
  }
  return {};
}
