//===- JobMemory.cpp - The memory of the ranks of a job -------------------===//
//
// Each rank has an arena, arguments and results of its own; a donated argument
// and its result are one piece, and so is what entry points share. On devices
// the back end allocates. Guards watch every piece, between red zones.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::runtime;

JobStatus Job::notEnoughMemory(int32_t rank) {
  return JobFailure{TESSERA_FAILED,
                    "rank " + std::to_string(rank) + ": not enough memory"};
}

/// Bytes that one rank needs for all entry points.
double Job::memoryOf(int32_t rank) const {
  double bytes = 0;
  int64_t arena = 0, host = 0;
  std::vector<bool> isCounted(state.size());
  for (size_t i = 0; i < entryPoints.size(); ++i) {
    const Manifest &manifest = entryPoints[i]->manifest();
    const ManifestProgram &part =
        manifest.programs[rank / manifest.mesh.ranks()];
    auto add = [&](const ManifestRows &rows, const ManifestTensor &tensor,
                   int32_t shared) {
      if (shared >= 0 && isCounted[shared])
        return;
      if (shared >= 0)
        isCounted[shared] = true;
      bytes += static_cast<double>(rows.localBytes(tensor));
    };
    for (const ManifestRows &rows : part.arguments)
      add(rows, manifest.arguments[rows.number],
          state.ofArgument(i, rows.number));
    for (int32_t j = 0; j < static_cast<int32_t>(part.results.size()); ++j)
      if (const ManifestRows &rows = part.results[j];
          manifest.donorOf(part, j) < 0)
        add(rows, manifest.results[rows.number],
            state.ofResult(i, rows.number));
    arena = std::max(arena, part.arenaBytes);
    host = std::max(host, part.hostBytes);
  }
  return bytes + static_cast<double>(arena) + static_cast<double>(host);
}

/// Whether the machine has memory for the ranks of this process; a system that
/// promises more than it has would kill the process later, without a word.
JobStatus Job::checkMemory() const {
  if (backend->devices || kernelTimes)
    return {}; // The device says when it has no more; what is virtual needs
               // none.
  const Manifest &manifest = program->manifest();
  double needed = 0;
  int32_t here = 0;
  for (int32_t rank = 0; rank < manifest.ranks(); ++rank) {
    if (!backend->is_local(world, rank))
      continue;
    ++here;
    needed += memoryOf(rank);
  }
  double present = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed <= present)
    return {};
  char text[160];
  std::snprintf(
      text, sizeof text,
      "the model needs %.1f GiB (ranks here: %d), this machine has %.1f "
      "GiB of memory",
      needed / 0x1p30, here, present / 0x1p30);
  return JobFailure::invalid(text);
}

/// Memory for tensors: zeros, on huge pages where that pays.
Job::Buffer Job::allocateZeros(int64_t bytes) {
  constexpr int64_t hugePage = 2 << 20;
  int64_t alignment = bytes >= hugePage ? hugePage : 64;
  int64_t capacity = (bytes + alignment) / alignment * alignment;
  auto *memory =
      static_cast<std::byte *>(std::aligned_alloc(alignment, capacity));
  if (memory && alignment == hugePage)
    madvise(memory, capacity, MADV_HUGEPAGE);
  if (memory)
    std::memset(memory, 0, capacity);
  return Buffer(memory);
}

/// Addresses for tensors that nobody computes; what is read there is zero.
Job::Buffer Job::reserveZeros(int64_t bytes) {
  size_t capacity = static_cast<size_t>(bytes) + 64;
  void *memory = mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return Buffer();
  return Buffer(static_cast<std::byte *>(memory), FreeMemory{capacity});
}

void Job::FreeMemory::operator()(std::byte *pointer) const {
  if (reserved > 0)
    munmap(pointer, reserved);
  else
    std::free(pointer);
}

/// `argument 2`, `result 'loss'`: for messages.
static std::string nameOf(const char *what,
                          const std::vector<ManifestTensor> &tensors,
                          int32_t number) {
  const std::string &name = tensors[number].name;
  return what +
         (name.empty() ? " " + std::to_string(number) : " '" + name + "'");
}

/// Memory of the rank for this purpose; null if there is none left.
void *Job::allocateBlock(Rank &rank, const std::string &name, int64_t bytes) {
  if (backend->devices)
    return backend->devices->allocate(world, rank.context.rank, bytes);
  int64_t zone = hasGuards ? MemoryGuards::redZone : 0;
  Buffer memory =
      kernelTimes ? reserveZeros(bytes) : allocateZeros(bytes + 2 * zone);
  if (!memory)
    return nullptr;
  rank.blocks.push_back({name, memory.get() + zone, bytes});
  rank.owned.push_back(std::move(memory));
  return rank.blocks.back().begin;
}

/// The number, among what entry points share, of the argument or result at
/// `position` of the rank's program; -1 if it is none of that.
int32_t Job::numberOfShared(const Rank &rank, int32_t position,
                            bool isResult) const {
  const ManifestProgram &part = programOf(rank.context.rank);
  return isResult ? state.ofResult(entered, part.results[position].number)
                  : state.ofArgument(entered, part.arguments[position].number);
}

/// The job's memory for the argument at `position` of the rank's program; null
/// if there is none left.
void *Job::ownArgument(Rank &rank, int32_t position) {
  const Manifest &manifest = program->manifest();
  const ManifestRows &rows = programOf(rank.context.rank).arguments[position];
  void *&memory = tensorsOf(rank).arguments[position];
  int32_t number = numberOfShared(rank, position, /*isResult=*/false);
  if (!memory && number >= 0)
    memory = rank.shared[number];
  if (!memory)
    memory =
        allocateBlock(rank, nameOf("argument", manifest.arguments, rows.number),
                      rows.localBytes(manifest.arguments[rows.number]));
  if (number >= 0)
    rank.shared[number] = memory;
  return memory;
}

/// As `ownArgument`; of a result with a donated argument, that one's.
void *Job::ownResult(Rank &rank, int32_t position) {
  const Manifest &manifest = program->manifest();
  const ManifestProgram &part = programOf(rank.context.rank);
  const ManifestRows &rows = part.results[position];
  void *&memory = tensorsOf(rank).results[position];
  if (int32_t donor = manifest.donorOf(part, position); donor >= 0)
    return memory = ownArgument(rank, donor);
  int32_t number = numberOfShared(rank, position, /*isResult=*/true);
  if (!memory && number >= 0)
    memory = rank.shared[number];
  if (!memory)
    memory =
        allocateBlock(rank, nameOf("result", manifest.results, rows.number),
                      rows.localBytes(manifest.results[rows.number]));
  if (number >= 0)
    rank.shared[number] = memory;
  return memory;
}

/// Lets guards know that what other entry points read has been written.
void Job::setShared(Rank &rank, std::span<void *const> results) const {
  if (!rank.context.guards)
    return;
  for (size_t i = 0; i < results.size(); ++i)
    if (numberOfShared(rank, static_cast<int32_t>(i), /*isResult=*/true) >= 0)
      rank.context.guards->setBlock(results[i]);
}

/// Gives the rank the arenas, large enough for each entry point, and where
/// memory is not allocated on demand that of all tensors.
bool Job::allocate(Rank &rank) {
  int64_t arenaBytes = 0, hostBytes = 0;
  for (const Program *entryPoint : entryPoints) {
    const Manifest &manifest = entryPoint->manifest();
    const ManifestProgram &part =
        manifest.programs[rank.context.rank / manifest.mesh.ranks()];
    rank.tensors.push_back({std::vector<void *>(part.arguments.size()),
                            std::vector<void *>(part.results.size())});
    arenaBytes = std::max(arenaBytes, part.arenaBytes);
    hostBytes = std::max(hostBytes, part.hostBytes);
  }
  rank.shared.resize(state.size());
  rank.arena = allocateBlock(rank, "the arena", arenaBytes);
  // Back ends with devices have none, so that each copy there is refused.
  if (hostBytes > 0 && !backend->devices) {
    rank.context.hostBytes = hostBytes;
    rank.context.hostArena = static_cast<std::byte *>(
        allocateBlock(rank, "the host's arena", hostBytes));
    if (!rank.context.hostArena)
      return false;
  }
  return rank.arena != nullptr;
}

/// Gives the rank memory for all arguments and results of the entry point that
/// the job is in.
bool Job::allocateTensors(Rank &rank) {
  Rank::Tensors &tensors = tensorsOf(rank);
  for (size_t i = 0; i < tensors.arguments.size(); ++i)
    if (!ownArgument(rank, static_cast<int32_t>(i)))
      return false;
  for (size_t i = 0; i < tensors.results.size(); ++i)
    if (!ownResult(rank, static_cast<int32_t>(i)))
      return false;
  return true;
}

/// Gives the ranks of this process their memory.
JobStatus Job::allocateRanks() {
  for (std::unique_ptr<Rank> &rank : ranks)
    if (rank && !allocate(*rank))
      return notEnoughMemory(rank->context.rank);
  for (size_t i = entryPoints.size(); !allocatesOnDemand && i-- > 0;) {
    // Guards are not there yet.
    if (JobStatus failure = enter(static_cast<int32_t>(i)))
      return failure;
    for (std::unique_ptr<Rank> &rank : ranks)
      if (rank && !allocateTensors(*rank))
        return notEnoughMemory(rank->context.rank);
  }
  return {};
}

/// Lets the contexts of all ranks watch their memory, if that is wanted.
JobStatus Job::addGuards() {
  if (!hasGuards)
    return {};
  if (backend->devices)
    return JobFailure::invalid(
        "expected the back end 'local' for guards, got '" +
        std::string(backend->name) + "'");
  for (const Program *entryPoint : entryPoints) {
    Fallible<KernelTable> table = parseKernels(entryPoint->manifest().text);
    if (!table)
      return JobFailure::invalid(table.message());
    kernels.push_back(std::move(*table));
  }
  for (std::unique_ptr<Rank> &rank : ranks) {
    if (!rank)
      continue;
    rank->context.guards = std::make_unique<MemoryGuards>(kernels.front());
    for (const Rank::Block &block : rank->blocks)
      rank->context.guards->addBlock(block.name, block.begin, block.bytes);
  }
  return {};
}
