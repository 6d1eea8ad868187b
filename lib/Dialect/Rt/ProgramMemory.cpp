//===- ProgramMemory.cpp - what a program needs on a device ---------------===//

#include "tessera/Dialect/Rt/ProgramMemory.h"
#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Dialect/Pipe/RankPrograms.h"
#include "tessera/Dialect/Rt/Rt.h"
#include "tessera/Dialect/Spmd/HostCopies.h"
#include "tessera/Dialect/Spmd/MemoryMap.h"
#include "tessera/Dialect/Tessera/Donation.h"
#include "tessera/Dialect/Tessera/Tessera.h"

using namespace mlir;
using namespace tessera;

/// What NCCL keeps for a communicator: 32 channels with a buffer of 4 MiB
/// (`NCCL_BUFFSIZE`) in each direction.
static constexpr int64_t kCommunicatorBytes = int64_t(32) * 2 * (4 << 20);

static constexpr int64_t kLine = 64, kHugePage = 2 << 20;

/// What a block of `bytes` takes more: it ends on a cache line or, where it is
/// large, on a huge page, and is a byte longer at least.
static int64_t roundingOf(int64_t bytes) {
  int64_t alignment = bytes >= kHugePage ? kHugePage : kLine;
  return alignment - bytes % alignment;
}

int64_t ProgramMemory::arenaWithin(int64_t limit) const {
  int64_t room = limit - peak();
  // Sizes of arenas are multiples of a cache line.
  for (int64_t alignment : {kHugePage, kLine}) {
    int64_t arena = room / alignment * alignment - kLine;
    if (room < alignment || arena + roundingOf(arena) > room)
      continue;
    return arena;
  }
  return -1;
}

ProgramMemory ProgramMemory::of(func::FuncOp program) {
  ProgramMemory memory;
  auto add = [&](int64_t bytes, int64_t &sum) {
    sum += bytes;
    memory.headroom += roundingOf(bytes);
  };
  llvm::SmallDenseSet<int64_t> taken;
  for (unsigned i = 0; i < program.getNumArguments(); ++i) {
    int64_t bytes = spmd::bytesOf(program.getArgumentTypes()[i]);
    add(bytes, memory.arguments);
    if (std::optional<unsigned> donated = getDonatedResult(program, i)) {
      memory.donated += bytes;
      taken.insert(*donated);
    }
  }
  for (unsigned i = 0; i < program.getNumResults(); ++i) {
    int64_t bytes = spmd::bytesOf(program.getResultTypes()[i]);
    if (taken.contains(i))
      memory.results += bytes;
    else
      add(bytes, memory.results);
  }
  if (auto arena = program->getAttrOfType<IntegerAttr>(
          spmd::SpmdDialect::kArenaSizeAttr))
    add(arena.getInt(), memory.temporary);
  if (auto host = program->getAttrOfType<IntegerAttr>(spmd::kHostSizeAttr))
    memory.host = host.getInt();
  auto module = program->getParentOfType<ModuleOp>();
  auto communicators =
      module->getAttrOfType<ArrayAttr>(rt::RtDialect::kCommunicatorsAttr);
  if (module->hasAttr(rt::RtDialect::kGpuAttr) && communicators)
    memory.headroom += kCommunicatorBytes * int64_t(communicators.size());
  return memory;
}

bool tessera::isProgram(func::FuncOp function) {
  return function.getName() == "main" ||
         function->hasAttr(pipe::PipeDialect::kRankAttr);
}

FailureOr<LargestProgram> tessera::findLargestProgram(ModuleOp module) {
  FailureOr<SmallVector<RankProgram>> ranks = getRankPrograms(module);
  if (failed(ranks))
    return failure();
  LargestProgram largest{module.lookupSymbol<func::FuncOp>("main"),
                         std::nullopt};
  for (auto [rank, program] : llvm::enumerate(*ranks))
    if (!largest.rank || ProgramMemory::of(program.function).peak() >
                             ProgramMemory::of(largest.function).peak())
      largest = {program.function, int64_t(rank)};
  if (!largest.function)
    return module.emitError("expected a function @main");
  return largest;
}
