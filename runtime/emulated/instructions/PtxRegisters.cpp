//===- PtxRegisters.cpp - setmaxnreg --------------------------------------===//
//
// Which registers a warp has does not matter to the interpreter, but a GPU
// lets warp groups only move what the block was given when it began: the
// registers that ptxas knows a thread to have at the entry, which it does where
// the size of blocks and their number on a multiprocessor are declared, or the
// number of registers itself. A warp group that asks for more than the others
// have given back waits for ever.
//
//===----------------------------------------------------------------------===//

#include "execution/PtxBlock.h"
#include "execution/PtxWarp.h"
#include "ptx/PtxDecoder.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// Registers of a multiprocessor, the unit in which a thread has them, and the
/// most that it has.
constexpr uint32_t allRegisters = 64 << 10, registerUnit = 8,
                   mostRegisters = 255;
constexpr uint32_t warpsOfGroup = 4;

/// What the warps of a block have, and what they have given back.
class RegisterPool : public BlockState {
public:
  /// Takes and gives back so that each thread of the warp has `count`.
  Outcome set(Warp &warp, uint32_t count, bool increases);
  std::optional<std::string> finish(Block &block) override;

private:
  uint32_t free = 0;
  /// Registers of a thread by warp, and the calls that set them; empty until
  /// the first.
  std::vector<std::vector<uint32_t>> counts;
};

} // namespace

/// Registers of a thread when a block begins; 0 if ptxas cannot know.
static uint32_t registersAtEntry(const Program &program, uint32_t threads) {
  if (program.threadRegisters)
    return program.threadRegisters;
  if (!program.leastBlocks ||
      !(program.maxThreads[0] || program.requiredThreads[0]))
    return 0;
  uint32_t share = allRegisters / (threads * program.leastBlocks);
  return std::min(share, mostRegisters) / registerUnit * registerUnit;
}

Outcome RegisterPool::set(Warp &warp, uint32_t count, bool increases) {
  Block &block = warp.block();
  if (counts.empty()) {
    uint32_t entry = registersAtEntry(block.launch().program, block.threads());
    if (!entry)
      return warp.fault(0, "setmaxnreg has no effect in a kernel without "
                           ".minnctapersm and .reqntid, or .maxnreg");
    counts.assign(block.warps().size(), {entry});
  }
  std::vector<uint32_t> &own = counts[warp.index()];
  uint32_t before = own.back();
  if (increases ? count < before : count > before)
    return warp.fault(
        0, std::string("setmaxnreg.") + (increases ? "inc" : "dec") + " to " +
               std::to_string(count) + " registers in a warp with " +
               std::to_string(before));
  if (increases) {
    uint32_t needed = (count - before) * warpLanes;
    if (needed > free)
      return warp.block("% registers, where others have given back %", needed,
                        free);
    free -= needed;
  } else {
    free += (before - count) * warpLanes;
  }
  own.push_back(count);
  return Outcome::Continue;
}

std::optional<std::string> RegisterPool::finish(Block &) {
  for (size_t warp = 0; warp < counts.size(); ++warp)
    if (counts[warp] != counts[warp / warpsOfGroup * warpsOfGroup])
      return "warp " + std::to_string(warp) +
             " has executed other setmaxnreg than its warp group";
  return std::nullopt;
}

static Outcome setRegisters(Warp &warp, const Instruction &instruction,
                            LaneMask) {
  return warp.block().state<RegisterPool>().set(warp, instruction.data[0],
                                                instruction.data[1]);
}

static void decodeSetmaxnreg(Decoding &d) {
  int direction = d.takeOneOf({"inc", "dec"});
  if (direction < 0)
    return d.fail("expected '.inc' or '.dec'");
  d.expect("sync");
  d.expect("aligned");
  d.expect("u32");
  int64_t count = d.immediate();
  if (count < 24 || count > 256 || count % registerUnit)
    return d.fail("expected a multiple of 8 from 24 to 256, got " +
                  std::to_string(count));
  d.instruction.data[0] = static_cast<uint32_t>(count);
  d.instruction.data[1] = direction == 0;
  d.converge(Convergence::Warp);
  d.handle(setRegisters);
}

std::span<const Opcode> emulated::registerOpcodes() {
  static constexpr Opcode opcodes[] = {{"setmaxnreg", decodeSetmaxnreg}};
  return opcodes;
}
