//===- PtxBlock.cpp - Scheduling the warps of a block ---------------------===//

#include "execution/PtxBlock.h"
#include "execution/PtxWarp.h"

#include <algorithm>
#include <bit>

using namespace tessera;
using namespace tessera::emulated;

Block::Block(const LaunchContext &launch) : context(launch) {
  const std::array<uint32_t, 3> &shape = launch.shape.block;
  threadCount = shape[0] * shape[1] * shape[2];
  warpCount = (threadCount + warpLanes - 1) / warpLanes;
  sharedBytes = launch.shape.sharedBytes ? launch.program.dynamicSharedOffset +
                                               launch.shape.sharedBytes
                                         : launch.program.sharedBytes;
  constexpr size_t alignment = 1024;
  sharedStorage = std::make_unique<std::byte[]>(sharedBytes + alignment);
  uint64_t address = reinterpret_cast<uint64_t>(sharedStorage.get());
  sharedMemory = sharedStorage.get() + (-address & (alignment - 1));
  warpList.reserve(warpCount);
  for (unsigned i = 0; i < warpCount; ++i)
    warpList.emplace_back(*this, i);
}

Block::~Block() = default;

std::span<Warp> Block::warps() { return warpList; }

void Block::begin(std::array<uint32_t, 3> index) {
  blockIndex = index;
  const std::array<uint32_t, 3> &grid = context.shape.grid;
  blockNumber = index[0] + grid[0] * (index[1] + grid[1] * index[2]);
  synchronized = false;
  barriers.fill(NamedBarrier());
  states.clear();
  detector.begin(sharedBytes, context.program.sharedGranule, warpCount);
  for (Warp &warp : warpList)
    warp.begin();
}

std::optional<std::string> Block::run(std::array<uint32_t, 3> index) {
  begin(index);
  if (std::optional<std::string> message = runWarps())
    return message;
  for (auto &[type, state] : states)
    if (std::optional<std::string> left = state->finish(*this))
      return "kernel '" + context.program.name + "', block " + name() + ": " +
             *left;
  return std::nullopt;
}

bool Block::advanceStates() {
  bool advanced = false;
  for (auto &[type, state] : states)
    advanced |= state->advance(*this);
  return advanced;
}

std::optional<std::string> Block::runWarps() {
  // An attempt to go on may change something for others without success, so
  // that only the second round in vain is a deadlock.
  for (unsigned vain = 0;;) {
    bool moved = false, done = true;
    for (Warp &warp : warpList) {
      if (!warp.alive())
        continue;
      Warp::Status status = warp.run();
      if (status == Warp::Status::Fault)
        return report(warp.threadName(warp.faultLane), warp.faultMessage,
                      warp.programCounter());
      moved |= status != Warp::Status::Blocked;
      done &= status == Warp::Status::Done;
    }
    if (done)
      return std::nullopt;
    vain = moved ? 0 : vain + 1;
    if (vain >= 2 && !advanceStates())
      return describeDeadlock();
    if (vain >= 2)
      vain = 0;
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string Block::name() const {
  return "(" + std::to_string(blockIndex[0]) + "," +
         std::to_string(blockIndex[1]) + "," + std::to_string(blockIndex[2]) +
         ")";
}

std::string Block::describeInstruction(uint32_t counter) const {
  const Program &program = context.program;
  const Instruction &instruction = program.instructions[counter];
  std::string text = "PTX line " + std::to_string(instruction.line);
  if (instruction.location)
    text += ", " + program.locations[instruction.location];
  return text;
}

std::string Block::report(const std::string &who, const std::string &message,
                          uint32_t counter) const {
  return "kernel '" + context.program.name + "', block " + name() + ", " + who +
         ": " + message + " (" + describeInstruction(counter) + ")";
}

/// Lanes as `lanes 0-15,20`.
static std::string laneNames(LaneMask lanes) {
  std::string text;
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    unsigned end = lane;
    while (end + 1 < warpLanes && (lanes >> (end + 1) & 1))
      ++end;
    text += (text.empty() ? "" : ",") + std::to_string(lane);
    if (end > lane)
      text += "-" + std::to_string(end);
    lane = end;
  }
  return "lanes " + text;
}

std::string Block::describeWait(Warp &warp, unsigned number) {
  const Warp::Group &group = warp.groups[number];
  std::string who = "warp " + std::to_string(warp.index());
  if (group.lanes != warp.existing())
    who += " " + laneNames(group.lanes);
  who += " waits ";
  const Instruction &instruction = context.program.instructions[group.counter];
  if (!group.waitingFor) {
    who += instruction.convergence == Convergence::Warp
               ? "for the rest of the warp at an aligned instruction"
               : "for other lanes of its member mask";
  } else {
    unsigned numbers = 0;
    who += "for ";
    for (const char *c = group.waitingFor; *c; ++c)
      if (*c == '%' && numbers < 2)
        who += std::to_string(group.waitingNumbers[numbers++]);
      else
        who += *c;
  }
  return who + " (" + describeInstruction(group.counter) + ")";
}

std::string Block::describeDeadlock() {
  // Lanes of one warp that wait for each other are the likelier reason.
  bool divergent = false;
  std::string waits;
  unsigned shown = 0, waiting = 0;
  Warp *first = nullptr;
  for (Warp &warp : warpList)
    for (unsigned i = 0; i < warp.groups.size(); ++i) {
      divergent |= !warp.groups[i].waitingFor;
      first = first ? first : &warp;
      if (++waiting <= 4) {
        waits += (shown++ ? "; " : "") + describeWait(warp, i);
      }
    }
  if (waiting > shown)
    waits += "; " + std::to_string(waiting - shown) + " more wait";
  uint32_t exited = 0;
  for (Warp &warp : warpList)
    exited += std::popcount(warp.existing() & ~warp.alive());
  if (exited)
    waits += "; " + std::to_string(exited) + " threads have exited";
  unsigned lane = std::countr_zero(first->groups[0].lanes);
  return "kernel '" + context.program.name + "', block " + name() + ", " +
         first->threadName(lane) + ": " +
         (divergent ? "divergence: " : "deadlock: ") + waits;
}
