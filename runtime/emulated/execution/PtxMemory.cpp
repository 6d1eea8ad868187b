//===- PtxMemory.cpp - Checked accesses of a warp -------------------------===//

#include "checks/PtxGlobalRaces.h"
#include "execution/PtxWarp.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

static const char *accessName(Access access) {
  switch (access) {
  case Access::Read:
  case Access::AtomicRead:
    return "read";
  case Access::Write:
    return "write";
  case Access::Atomic:
    return "atomic access";
  }
  return "access";
}

static std::string hexadecimal(uint64_t value) {
  char digits[20];
  std::snprintf(digits, sizeof digits, "0x%llx",
                static_cast<unsigned long long>(value));
  return digits;
}

static std::string sized(Access access, unsigned bytes) {
  return std::string(accessName(access)) + " of " + std::to_string(bytes) +
         " bytes";
}

static Space resolve(Space space, uint64_t &address) {
  if (space != Space::Generic)
    return space;
  uint64_t window = address & windowMask;
  address &= ~windowMask;
  switch (window) {
  case sharedWindow:
    return Space::Shared;
  case localWindow:
    return Space::Local;
  case paramWindow:
    return Space::Param;
  default:
    address |= window;
    return Space::Global;
  }
}

/// The variable that a shared address lies in, as `'tile'+16`.
static std::string sharedName(const Program &program, uint64_t offset) {
  for (const Program::SharedVariable &variable : program.sharedVariables)
    if (offset - variable.offset < variable.bytes)
      return "'" + variable.name + "'+" +
             std::to_string(offset - variable.offset);
  return "shared address " + std::to_string(offset);
}

/// Whether `bytes` bytes at `offset` lie within `size`.
static bool within(uint64_t offset, uint64_t bytes, uint64_t size) {
  return bytes <= size && offset <= size - bytes;
}

static std::string outOf(Access access, unsigned bytes, const char *space,
                         uint64_t offset, uint64_t size) {
  return sized(access, bytes) + " at " + space + " address " +
         std::to_string(static_cast<int64_t>(offset)) + ", outside of the " +
         std::to_string(size) + " bytes of " + space + " memory";
}

bool Warp::noteShared(Agent agent, const uint64_t *offsets, LaneMask lanes,
                      unsigned bytes, Access access) {
  std::optional<RaceDetector::LaneRace> found = owner.races().accessLanes(
      agent, access, offsets, lanes, bytes, programCounter());
  if (!found)
    return true;
  auto [lane, race] = *found;
  std::string what = sized(access, bytes) + " at " +
                     sharedName(owner.launch().program, offsets[lane]);
  if (race.uninitialized)
    fault(lane, what + ", which nobody has written");
  else
    fault(lane, "race on shared memory: " + what + " is not ordered with a " +
                    accessName(race.access) + " by " +
                    (race.agent >= maxWarps ? "a copy of warp " : "warp ") +
                    std::to_string(race.agent % maxWarps) + " (" +
                    owner.describeInstruction(race.instruction) + ")");
  return false;
}

std::byte *Warp::accessShared(Agent agent, unsigned lane, uint64_t offset,
                              unsigned bytes, Access access) {
  std::span<std::byte> memory = owner.shared();
  if (!within(offset, bytes, memory.size())) {
    fault(lane, outOf(access, bytes, "shared", offset, memory.size()));
    return nullptr;
  }
  if (owner.launch().checks.sharedRaces) {
    uint64_t offsets[warpLanes];
    offsets[lane] = offset;
    if (!noteShared(agent, offsets, 1u << lane, bytes, access))
      return nullptr;
  }
  return memory.data() + offset;
}

bool Warp::avoidsHazards(const uint64_t *addresses, LaneMask lanes,
                         unsigned bytes, Access access) {
  bool isWrite = access == Access::Write || access == Access::Atomic;
  for (const Hazard &hazard : owner.launch().traffic->hazards)
    for (LaneMask rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = std::countr_zero(rest);
      uint64_t address = addresses[lane];
      if (!hazard.range.conflicts({address, address + bytes, isWrite}))
        continue;
      fault(lane, "race between streams: " + sized(access, bytes) + " at " +
                      hexadecimal(address) + " of memory that " + hazard.who +
                      (hazard.range.isWrite ? " writes" : " reads") +
                      ", and no event orders them");
      return false;
    }
  return true;
}

bool Warp::noteGlobal(const uint64_t *addresses, LaneMask lanes, unsigned bytes,
                      Access access) {
  if (owner.launch().traffic) {
    owner.footprint.note(addresses, lanes, bytes,
                         access == Access::Write || access == Access::Atomic);
    if (!avoidsHazards(addresses, lanes, bytes, access))
      return false;
  }
  if (!owner.launch().globalRaces)
    return true;
  if (access == Access::Atomic || access == Access::AtomicRead)
    owner.setSynchronized();
  if (owner.isSynchronized())
    return true;
  const std::vector<Allocation> &memory = owner.launch().memory;
  auto race = owner.launch().globalRaces->note(owner.number(),
                                               lastAllocation - memory.data(),
                                               addresses, lanes, bytes, access);
  if (!race)
    return true;
  uint64_t address = addresses[race->lane];
  fault(race->lane, "race on global memory: " + sized(access, bytes) + " at " +
                        hexadecimal(address) + ", " +
                        describeNearest(memory, address) +
                        ", is not ordered with an access by block number " +
                        std::to_string(race->block));
  return false;
}

std::byte *Warp::accessGlobal(unsigned lane, uint64_t address, unsigned bytes,
                              Access access) {
  const std::vector<Allocation> &memory = owner.launch().memory;
  if (!inLastAllocation(address, address, bytes)) {
    const Allocation *found = findAllocation(memory, address);
    if (!found || !found->contains(address, bytes)) {
      fault(lane, sized(access, bytes) + " at global address " +
                      hexadecimal(address) + ", " +
                      describeNearest(memory, address));
      return nullptr;
    }
    lastAllocation = found;
  }
  uint64_t addresses[warpLanes];
  addresses[lane] = address;
  if (!noteGlobal(addresses, 1u << lane, bytes, access))
    return nullptr;
  return reinterpret_cast<std::byte *>(address);
}

std::byte *Warp::accessAs(Agent agent, Space space, unsigned lane,
                          uint64_t address, unsigned bytes, Access access,
                          unsigned alignment) {
  if (!alignment)
    alignment = bytes;
  if (address & (alignment - 1)) {
    fault(lane, "misaligned " + sized(access, bytes) + " at address " +
                    hexadecimal(address) + ", expected a multiple of " +
                    std::to_string(alignment));
    return nullptr;
  }
  space = resolve(space, address);
  switch (space) {
  case Space::Generic:
  case Space::Global:
    return accessGlobal(lane, address, bytes, access);
  case Space::Shared:
    return accessShared(agent, lane, address, bytes, access);
  case Space::Local: {
    uint64_t size = owner.launch().program.localBytes;
    if (!within(address, bytes, size)) {
      fault(lane, outOf(access, bytes, "local", address, size));
      return nullptr;
    }
    return local.data() + lane * size + address;
  }
  case Space::Param: {
    std::span<const std::byte> block = owner.launch().parameters;
    if (!within(address, bytes, block.size()) || access != Access::Read) {
      fault(lane, outOf(access, bytes, "parameter", address, block.size()));
      return nullptr;
    }
    return const_cast<std::byte *>(block.data()) + address;
  }
  }
  return nullptr;
}

bool Warp::locate(const Instruction &instruction, const Operand &operand,
                  LaneMask mask, unsigned bytes, Access access,
                  std::byte *(&pointers)[warpLanes]) {
  uint64_t addresses[warpLanes];
  if (operand.bytes == 8) {
    const uint64_t *base = lanes<uint64_t>(operand);
    for (unsigned i = 0; i < warpLanes; ++i)
      addresses[i] = base[i] + operand.displacement;
  } else {
    const uint32_t *base = lanes<uint32_t>(operand);
    for (unsigned i = 0; i < warpLanes; ++i)
      addresses[i] = base[i] + operand.displacement;
  }
  // The common case: all lanes, aligned, in the allocation used last.
  uint64_t least = ~uint64_t(0), most = 0, bits = 0;
  if (mask == allLanes) {
    for (unsigned i = 0; i < warpLanes; ++i) {
      least = std::min(least, addresses[i]);
      most = std::max(most, addresses[i]);
      bits |= addresses[i];
    }
  } else {
    for (unsigned i = 0; i < warpLanes; ++i) {
      bool on = mask >> i & 1;
      least = std::min(least, on ? addresses[i] : ~uint64_t(0));
      most = std::max(most, on ? addresses[i] : 0);
      bits |= on ? addresses[i] : 0;
    }
  }
  if ((bits & (bytes - 1)) == 0) {
    bool global = instruction.space == Space::Global ||
                  (instruction.space == Space::Generic && most < sharedWindow);
    // Instructions alternate between buffers.
    if (global && !inLastAllocation(least, most, bytes))
      if (const Allocation *other =
              findAllocation(owner.launch().memory, least))
        lastAllocation = other;
    if (global && inLastAllocation(least, most, bytes)) {
      for (unsigned i = 0; i < warpLanes; ++i)
        pointers[i] = reinterpret_cast<std::byte *>(addresses[i]);
      return noteGlobal(addresses, mask, bytes, access);
    }
    std::span<std::byte> shared = owner.shared();
    if (instruction.space == Space::Shared &&
        within(most, bytes, shared.size())) {
      for (unsigned i = 0; i < warpLanes; ++i)
        pointers[i] = shared.data() + addresses[i];
      return !owner.launch().checks.sharedRaces ||
             noteShared(warpIndex, addresses, mask, bytes, access);
    }
  }
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    pointers[lane] =
        this->access(instruction.space, lane, addresses[lane], bytes, access);
    if (!pointers[lane])
      return false;
  }
  return true;
}
