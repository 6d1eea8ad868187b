//===- JobMemory.cpp - The memory of the ranks of a job -------------------===//
//
// Each rank has an arena, arguments and results of its own; a donated argument
// and its result are one piece. On devices the back end allocates. Guards watch
// every piece, between red zones.
//
//===----------------------------------------------------------------------===//

#include "Job.h"

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

/// Bytes that one rank needs.
static double memoryOf(const Manifest &manifest,
                       const ManifestProgram &program) {
  double bytes = static_cast<double>(program.arenaBytes) +
                 static_cast<double>(program.hostBytes);
  for (const ManifestRows &rows : program.arguments)
    bytes +=
        static_cast<double>(rows.localBytes(manifest.arguments[rows.number]));
  for (int32_t i = 0; i < static_cast<int32_t>(program.results.size()); ++i)
    if (const ManifestRows &rows = program.results[i];
        manifest.donorOf(program, i) < 0)
      bytes +=
          static_cast<double>(rows.localBytes(manifest.results[rows.number]));
  return bytes;
}

/// Whether the machine has memory for the ranks of this process; a system that
/// promises more than it has would kill the process later, without a word.
JobStatus Job::checkMemory() const {
  if (backend->devices || kernelTimes)
    return {}; // The device says when it has no more; what is virtual needs
               // none.
  const Manifest &manifest = program.manifest();
  double needed = 0;
  int32_t here = 0;
  for (int32_t rank = 0; rank < manifest.ranks(); ++rank) {
    if (!backend->is_local(world, rank))
      continue;
    ++here;
    needed += memoryOf(manifest, programOf(rank));
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

/// The job's memory for the argument at `position` of the rank's program; null
/// if there is none left.
void *Job::ownArgument(Rank &rank, int32_t position) {
  const Manifest &manifest = program.manifest();
  const ManifestRows &rows = programOf(rank.context.rank).arguments[position];
  if (!rank.arguments[position])
    rank.arguments[position] =
        allocateBlock(rank, nameOf("argument", manifest.arguments, rows.number),
                      rows.localBytes(manifest.arguments[rows.number]));
  return rank.arguments[position];
}

/// As `ownArgument`; of a result with a donated argument, that one's.
void *Job::ownResult(Rank &rank, int32_t position) {
  const Manifest &manifest = program.manifest();
  const ManifestProgram &part = programOf(rank.context.rank);
  const ManifestRows &rows = part.results[position];
  if (int32_t donor = manifest.donorOf(part, position); donor >= 0)
    rank.results[position] = ownArgument(rank, donor);
  else if (!rank.results[position])
    rank.results[position] =
        allocateBlock(rank, nameOf("result", manifest.results, rows.number),
                      rows.localBytes(manifest.results[rows.number]));
  return rank.results[position];
}

bool Job::allocate(Rank &rank) {
  const ManifestProgram &part = programOf(rank.context.rank);
  rank.arguments.resize(part.arguments.size());
  rank.results.resize(part.results.size());
  rank.arena = allocateBlock(rank, "the arena", part.arenaBytes);
  // Back ends with devices have none, so that each copy there is refused.
  if (part.hostBytes > 0 && !backend->devices) {
    rank.context.hostBytes = part.hostBytes;
    rank.context.hostArena = static_cast<std::byte *>(
        allocateBlock(rank, "the host's arena", part.hostBytes));
    if (!rank.context.hostArena)
      return false;
  }
  return rank.arena && (allocatesOnDemand || allocateTensors(rank));
}

/// Gives the rank memory for all arguments and results that have none.
bool Job::allocateTensors(Rank &rank) {
  for (size_t i = 0; i < rank.arguments.size(); ++i)
    if (!ownArgument(rank, static_cast<int32_t>(i)))
      return false;
  for (size_t i = 0; i < rank.results.size(); ++i)
    if (!ownResult(rank, static_cast<int32_t>(i)))
      return false;
  return true;
}

/// Lets the contexts of all ranks watch their memory, if that is wanted.
JobStatus Job::addGuards() {
  if (!hasGuards)
    return {};
  if (backend->devices)
    return JobFailure::invalid(
        "expected the back end 'local' for guards, got '" +
        std::string(backend->name) + "'");
  Fallible<KernelTable> table = parseKernels(program.manifest().text);
  if (!table)
    return JobFailure::invalid(table.message());
  kernels = std::move(*table);
  for (std::unique_ptr<Rank> &rank : ranks) {
    if (!rank)
      continue;
    rank->context.guards = std::make_unique<MemoryGuards>(kernels);
    for (const Rank::Block &block : rank->blocks)
      rank->context.guards->addBlock(block.name, block.begin, block.bytes);
  }
  return {};
}
