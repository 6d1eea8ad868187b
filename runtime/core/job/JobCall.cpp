//===- JobCall.cpp - A step on memory of the caller's ---------------------===//
//
// Every rank finds out by itself where its shards are: in place in the caller's
// memory where that can be, else in the job's, and copies what it must before
// and after its program. So ranks copy at the same time, and a call whose
// shards are aligned copies nothing.
//
// Results are placed first: a donated argument is computed on at the address of
// its result. Where the caller has both in one place, the rank that owns a
// piece of the result writes it where replicas read it, so that no rank begins
// before all have what they copy.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include <algorithm>
#include <cstring>

using namespace tessera;
using namespace tessera::runtime;

/// Entry `index` of a list of the caller's; null if there is none.
template <typename Pointer>
static Pointer at(Pointer const *list, int64_t index) {
  return list ? list[index] : nullptr;
}

/// Whether the caller has memory for a shard of tensor `index` on any rank.
static bool hasShards(void *const *shards, int32_t index, size_t ranks) {
  return shards &&
         std::any_of(shards + index * ranks, shards + (index + 1) * ranks,
                     [](void *shard) { return shard; });
}

/// Shards must be where the ABI promises models that they are. Guards and
/// virtual ranks know only memory of the job.
bool Job::canUseInPlace(const void *memory) const {
  return memory && reinterpret_cast<uintptr_t>(memory) % 64 == 0 &&
         !hasGuards && !kernelTimes;
}

/// Where the rank's shard of a tensor is in the caller's memory, of which
/// `shard` or `global` is given; null if it is not there as the rank needs it.
void *Job::addressOf(const Rank &rank, const ManifestRows &rows,
                     const ManifestTensor &tensor, const void *shard,
                     const void *global) const {
  int32_t device = rank.context.rank % program->manifest().mesh.ranks();
  const void *address = shard;
  if (!shard && global && tensor.layout.summands() == 1)
    if (std::optional<int64_t> offset =
            rows.layoutOf(tensor).offsetInGlobal(device))
      address = static_cast<const std::byte *>(global) +
                *offset * static_cast<int64_t>(elementSize(tensor.type));
  return canUseInPlace(address) ? const_cast<void *>(address) : nullptr;
}

/// Sets `address` to where the rank's program finds the argument at `position`,
/// with its value; `result` is the address of the result that it is donated to,
/// if there is one. False if there is no memory for it.
bool Job::bringArgument(Rank &rank, int32_t position, const TesseraCall &call,
                        void *result, void *&address) {
  const ManifestRows &rows = programOf(rank.context.rank).arguments[position];
  const ManifestTensor &argument = program->manifest().arguments[rows.number];
  auto count = static_cast<int64_t>(ranks.size());
  const void *shard =
      at(call.argument_shards, rows.number * count + rank.context.rank);
  const void *global = at(call.arguments, rows.number);
  address = addressOf(rank, rows, argument, shard, global);
  if (address && !result)
    return true;
  bool isGiven = shard || global;
  const void *source = address   ? address
                       : isGiven ? shard
                                 : ownArgument(rank, position);
  address = result ? result : ownArgument(rank, position);
  if (!address || !(isGiven || source))
    return false;
  if (!source)
    fillShard(rank.context.rank, rows, static_cast<const std::byte *>(global),
              static_cast<std::byte *>(address));
  else if (source != address)
    std::memcpy(address, source, rows.localBytes(argument));
  if (rank.context.guards)
    rank.context.guards->setBlock(address);
  return true;
}

/// Whether the ranks themselves write the shards of a global result: each one
/// is on one rank, and all of it counts.
bool Job::isGatheredByRanks(int32_t result) const {
  const Manifest &manifest = program->manifest();
  return manifest.pipelineRanks() == 1 &&
         manifest.results[result].layout.summands() == 1;
}

/// Sets `address` to where the rank's program is to write the result at
/// `position`. False if there is no memory for it.
bool Job::placeResult(Rank &rank, int32_t position, const TesseraCall &call,
                      void *&address) {
  const ManifestRows &rows = programOf(rank.context.rank).results[position];
  const ManifestTensor &result = program->manifest().results[rows.number];
  auto count = static_cast<int64_t>(ranks.size());
  void *shard = at(call.result_shards, rows.number * count + rank.context.rank);
  void *global = at(call.results, rows.number);
  bool owns = isGatheredByRanks(rows.number) &&
              std::ranges::count(result.layout.owners(), rank.context.rank);
  address = addressOf(rank, rows, result, shard, owns ? global : nullptr);
  if (!address)
    address = ownResult(rank, position);
  return address != nullptr;
}

/// Copies the result at `position` from `address` to the caller's memory,
/// unless it is there.
void Job::takeResult(const Rank &rank, int32_t position,
                     const TesseraCall &call, const void *address) const {
  const ManifestRows &rows = programOf(rank.context.rank).results[position];
  const ManifestTensor &result = program->manifest().results[rows.number];
  auto count = static_cast<int64_t>(ranks.size());
  void *shard = at(call.result_shards, rows.number * count + rank.context.rank);
  void *global = at(call.results, rows.number);
  if (shard && shard != address)
    std::memcpy(shard, address, rows.localBytes(result));
  if (shard || !global || !isGatheredByRanks(rows.number) ||
      !std::ranges::count(result.layout.owners(), rank.context.rank) ||
      addressOf(rank, rows, result, nullptr, global) == address)
    return;
  result.layout.gather(rank.context.rank, elementSize(result.type),
                       static_cast<const std::byte *>(address),
                       static_cast<std::byte *>(global));
}

/// Whether a donated argument, as a global tensor, is at the place of its
/// result.
bool Job::donatesInPlace(const TesseraCall &call) const {
  const std::vector<ManifestTensor> &arguments = program->manifest().arguments;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (const void *global = at(call.arguments, static_cast<int64_t>(i));
        global && arguments[i].donation &&
        global == at(call.results, *arguments[i].donation))
      return true;
  return false;
}

/// What the thread of a rank does in a call.
int32_t Job::callRank(Rank &rank, CallInProgress &progress) {
  const TesseraCall &call = progress.call;
  const ManifestProgram &part = programOf(rank.context.rank);
  std::vector<void *> arguments(part.arguments.size()),
      results(part.results.size()), donatedTo(part.arguments.size());
  bool hasMemory = true;
  for (int32_t i = 0; hasMemory && i < static_cast<int32_t>(results.size());
       ++i) {
    hasMemory = placeResult(rank, i, call, results[i]);
    if (int32_t donor = program->manifest().donorOf(part, i); donor >= 0)
      donatedTo[donor] = results[i];
  }
  for (int32_t i = 0; hasMemory && i < static_cast<int32_t>(arguments.size());
       ++i)
    hasMemory = bringArgument(rank, i, call, donatedTo[i], arguments[i]);
  if (progress.taken)
    progress.taken->arrive_and_wait();
  if (!hasMemory) {
    backend->fail(world, notEnoughMemory(rank.context.rank)->message.c_str());
    return TESSERA_FAILED;
  }
  if (int32_t status = runRank(rank, arguments, results))
    return status;
  for (int32_t i = 0; i < static_cast<int32_t>(results.size()); ++i)
    takeResult(rank, i, call, results[i]);
  return 0;
}

/// A call on a back end with devices or other processes, where memory of the
/// caller's is never in place.
JobStatus Job::callByCopies(const TesseraCall &call) {
  const Manifest &manifest = program->manifest();
  for (size_t i = 0; i < manifest.arguments.size(); ++i)
    if (const void *global = at(call.arguments, static_cast<int64_t>(i)))
      if (JobStatus failure = setArgument(
              static_cast<int32_t>(i), static_cast<const std::byte *>(global)))
        return failure;
  auto setCallbacks = [&](const TesseraHostCallbacks *callbacks) {
    for (const std::unique_ptr<Rank> &rank : ranks)
      if (rank)
        rank->context.hostCallbacks = callbacks;
  };
  setCallbacks(call.host_callbacks);
  JobStatus failure = step();
  setCallbacks(nullptr); // The caller's.
  if (failure)
    return failure;
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (void *global = at(call.results, static_cast<int64_t>(i)))
      if (JobStatus failure = getResult(static_cast<int32_t>(i),
                                        static_cast<std::byte *>(global)))
        return failure;
  return {};
}

JobStatus Job::call(const TesseraCall &call) {
  const Manifest &manifest = program->manifest();
  if ((call.argument_shards || call.result_shards) &&
      (isRemote() || manifest.pipelineRanks() > 1))
    return JobFailure{TESSERA_INVALID,
                      "expected global tensors for " +
                          (isRemote()
                               ? "back end '" + std::string(backend->name) + "'"
                               : std::to_string(manifest.pipelineRanks()) +
                                     " pipeline ranks") +
                          ", got shards"};
  if (isRemote())
    return callByCopies(call);
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (auto index = static_cast<int32_t>(i);
        !isGatheredByRanks(index) && at(call.results, index) &&
        hasShards(call.result_shards, index, ranks.size()))
      return JobFailure{TESSERA_INVALID,
                        "expected the global tensor of result '" +
                            manifest.results[i].name +
                            "' or its shards, got both"};
  CallInProgress progress{*this, call, {}};
  // Under virtual time a rank goes on when the clock says so, and waits for no
  // other one beside it.
  if (ranks.size() > 1 && !kernelTimes && donatesInPlace(call))
    progress.taken.emplace(std::ranges::count_if(
        ranks, [](const std::unique_ptr<Rank> &rank) { return bool(rank); }));
  auto body = [](void *data, int32_t rank) {
    auto &theCall = *static_cast<CallInProgress *>(data);
    Rank &called = *theCall.job.ranks[rank];
    called.context.hostCallbacks = theCall.call.host_callbacks;
    int32_t status = theCall.job.callRank(called, theCall);
    called.context.hostCallbacks = nullptr; // The caller's.
    return status;
  };
  if (JobStatus failure = run(body, &progress))
    return failure;
  for (size_t i = 0; i < manifest.results.size(); ++i)
    if (auto index = static_cast<int32_t>(i); !isGatheredByRanks(index))
      if (void *global = at(call.results, index))
        if (JobStatus failure =
                getResult(index, static_cast<std::byte *>(global)))
          return failure;
  return {};
}
