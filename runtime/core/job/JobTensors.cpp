//===- JobTensors.cpp - Tensors into ranks and out of them ----------------===//
//
// A rank gets its shard of the rows that its program takes of an argument; of a
// sum one summand is the tensor, the others change nothing. A result is put
// together of one shard for each part, and the summands are reduced here.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include "Reduction.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::runtime;

/// Writes to `shard` what `rank` has of these rows of an argument.
void Job::fillShard(int32_t rank, const ManifestRows &rows,
                    const std::byte *global, std::byte *shard) const {
  const ManifestTensor &argument = program->manifest().arguments[rows.number];
  int32_t device = rank % program->manifest().mesh.ranks();
  // The first summand is the tensor, the others change nothing.
  if (argument.layout.summandOf(device) == 0)
    rows.layoutOf(argument).scatter(device, elementSize(argument.type), global,
                                    shard);
  else
    fillNeutral(static_cast<int32_t>(argument.type), argument.reduction, shard,
                rows.localBytes(argument) /
                    static_cast<int64_t>(elementSize(argument.type)));
}

JobStatus Job::setArgument(int32_t index, const std::byte *global) {
  if (JobStatus failure = beginArgument(index))
    return failure;
  TensorBox whole = TensorBox::whole(
      program->manifest().arguments[index].layout.globalShape());
  if (JobStatus failure = setBox(whole, global))
    return failure;
  return endArgument();
}

/// Brings what `rank` has of the argument or result at `position` of its
/// program to `global`, of all of it.
JobStatus Job::collectShard(int32_t rank, int32_t position, bool isResult,
                            std::byte *global) {
  const Manifest &manifest = program->manifest();
  const ManifestProgram &part = programOf(rank);
  const ManifestRows &rows =
      (isResult ? part.results : part.arguments)[position];
  const ManifestTensor &tensor =
      (isResult ? manifest.results : manifest.arguments)[rows.number];
  int64_t bytes = rows.localBytes(tensor);
  const std::byte *shard = nullptr;
  if (Rank *here = ranks[rank].get()) {
    void *memory = isResult ? tensorsOf(*here).results[position]
                            : ownArgument(*here, position);
    if (!memory)
      return notEnoughMemory(rank);
    shard = static_cast<const std::byte *>(memory);
  }
  std::vector<std::byte> staged;
  if (backend->processes) {
    staged.resize(leads() ? bytes : 0);
    if (backend->processes->gather(world, rank, shard, staged.data(), bytes) !=
        TESSERA_OK)
      return JobFailure{TESSERA_FAILED, backend->error(world)};
    shard = staged.data();
  }
  if (leads())
    rows.layoutOf(tensor).gather(rank % manifest.mesh.ranks(),
                                 elementSize(tensor.type), shard, global);
  return {};
}

/// Collects one summand of an argument or result, each part of it from the
/// lowest pipeline rank that has it.
JobStatus Job::collectSummand(int32_t index, int32_t summand, bool isResult,
                              std::byte *global) {
  const Manifest &manifest = program->manifest();
  const ManifestTensor &tensor =
      (isResult ? manifest.results : manifest.arguments)[index];
  std::vector<ManifestRows> known;
  for (int32_t holder = 0; holder < manifest.pipelineRanks(); ++holder) {
    const ManifestProgram &part = manifest.programs[holder];
    const std::vector<ManifestRows> &held =
        isResult ? part.results : part.arguments;
    for (size_t i = 0; i < held.size(); ++i) {
      if (held[i].number != index || std::ranges::count(known, held[i]))
        continue;
      known.push_back(held[i]);
      for (int32_t device : tensor.layout.owners(summand))
        if (JobStatus failure =
                collectShard(holder * manifest.mesh.ranks() + device,
                             static_cast<int32_t>(i), isResult, global))
          return failure;
    }
  }
  return {};
}

JobStatus Job::getArgument(int32_t index, std::byte *global) {
  const auto &arguments = program->manifest().arguments;
  if (JobStatus failure = checkArgument(index))
    return failure;
  // The first summand is the tensor, as long as nobody has computed others.
  if (arguments[index].layout.summands() > 1)
    return JobFailure::invalid("argument '" + arguments[index].name +
                               "' is a sum that ranks hold the parts of");
  return collectSummand(index, 0, /*isResult=*/false, global);
}

JobStatus Job::getResult(int32_t index, std::byte *global) {
  const auto &results = program->manifest().results;
  if (index < 0 || index >= static_cast<int32_t>(results.size()))
    return JobFailure::invalid("the program has no result " +
                               std::to_string(index));
  if (!hasRun[entered])
    return JobFailure::invalid("no step has run, so there is no result yet");
  const ManifestTensor &result = results[index];
  std::vector<std::byte> buffer;
  for (int32_t summand = 0; summand < result.layout.summands(); ++summand) {
    if (summand == 1)
      buffer.resize(result.globalBytes());
    std::byte *target = summand == 0 ? global : buffer.data();
    if (JobStatus failure =
            collectSummand(index, summand, /*isResult=*/true, target))
      return failure;
    if (summand > 0 && leads()) {
      const std::byte *sources[] = {global, target};
      reduceInto(static_cast<int32_t>(result.type), result.reduction, sources,
                 {&global, 1}, 0, *elementCountOf(result.layout.globalShape()));
    }
  }
  return {};
}
