//===- PtxBlock.h - A block while it is executed --------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_EXECUTION_PTXBLOCK_H
#define TESSERA_RUNTIME_EMULATED_EXECUTION_PTXBLOCK_H

#include "checks/PtxRaces.h"
#include "execution/PtxLaunch.h"
#include "ptx/PtxProgram.h"

#include <typeindex>
#include <unordered_map>

namespace tessera::emulated {

class Warp;
class Block;
class GlobalRaces;

/// What all blocks of a launch share.
struct LaunchContext {
  const Kernel &kernel;
  const Program &program;
  const LaunchShape &shape;
  std::span<const std::byte> parameters;
  /// Allocations and the module's variables, ascending by address.
  std::vector<Allocation> memory;
  const LaunchChecks &checks;
  /// Null unless `LaunchChecks::globalRaces`.
  GlobalRaces *globalRaces;
  /// May be null.
  const LaunchTraffic *traffic;
};

/// State of a block that a family of instructions adds: outstanding copies,
/// mbarriers, accumulators. One object per block and class, made when a handler
/// first asks for it (`Block::state<T>()`), destroyed with the block.
class BlockState {
public:
  virtual ~BlockState() = default;
  /// Called when no warp of the block can go on: a last chance to perform
  /// something that was deferred. True if anything changed.
  virtual bool advance(Block &) { return false; }
  /// Called when all warps have exited: what is left undone, as a message
  /// (`2 asynchronous copies were never waited for`), or nothing.
  virtual std::optional<std::string> finish(Block &) { return std::nullopt; }
};

/// A named barrier of `bar.sync` and `bar.arrive`.
struct NamedBarrier {
  /// Threads that arrived, and that must arrive (0: nobody has yet).
  uint32_t arrived = 0, expected = 0;
  /// Counts completions.
  uint32_t generation = 0;
  /// Warps that are waiting, or have arrived, since the last completion.
  uint32_t warps = 0;
  /// Joined from those that arrived.
  Clock arriving;
  /// Of `bar.red`: true predicates so far; of the last completion, and how many
  /// threads took part in it.
  uint32_t count = 0, result = 0, participants = 0;
};

/// One block: its shared memory, its warps and what they synchronise on. A
/// worker executes many blocks one after another in the same object.
class Block {
public:
  explicit Block(const LaunchContext &launch);
  ~Block();

  /// Executes block `index`; what went wrong, or nothing.
  std::optional<std::string> run(std::array<uint32_t, 3> index);

  const LaunchContext &launch() const { return context; }
  std::array<uint32_t, 3> index() const { return blockIndex; }
  /// Its index as `(1,0,0)`.
  std::string name() const;
  /// Its number in the grid, x fastest.
  uint32_t number() const { return blockNumber; }
  /// Whether it may have synchronised with other blocks (see GlobalRaces).
  bool isSynchronized() const { return synchronized; }
  void setSynchronized() { synchronized = true; }
  /// Threads of the block; the last warp may be partial.
  uint32_t threads() const { return threadCount; }
  std::span<Warp> warps();

  /// The block's shared memory; offset 0 is the shared address 0. Dynamic
  /// shared memory follows the static variables.
  std::span<std::byte> shared() { return {sharedMemory, sharedBytes}; }
  RaceDetector &races() { return detector; }
  NamedBarrier &barrier(unsigned id) { return barriers[id]; }

  /// The state that a family of instructions keeps per block.
  template <typename T> T &state() {
    std::unique_ptr<BlockState> &slot = states[std::type_index(typeid(T))];
    if (!slot)
      slot = std::make_unique<T>();
    return static_cast<T &>(*slot);
  }

  /// `PTX line 3, model.mlir:7` of an instruction.
  std::string describeInstruction(uint32_t counter) const;

  LaunchStatistics statistics;
  /// What its warps accessed in global memory, if the launch has traffic.
  Footprint footprint;

private:
  void begin(std::array<uint32_t, 3> index);
  /// Runs all warps until they have exited; what went wrong, or nothing.
  std::optional<std::string> runWarps();
  bool advanceStates();
  /// `MESSAGE (PTX line 3, model.mlir:7)` behind kernel, block and `who`.
  std::string report(const std::string &who, const std::string &message,
                     uint32_t counter) const;
  std::string describeDeadlock();
  std::string describeWait(Warp &warp, unsigned group);

  const LaunchContext &context;
  std::array<uint32_t, 3> blockIndex = {};
  uint32_t blockNumber = 0;
  bool synchronized = false;
  uint32_t threadCount, warpCount;
  std::unique_ptr<std::byte[]> sharedStorage;
  /// Aligned to 1024 bytes, as swizzled tiles are.
  std::byte *sharedMemory;
  uint32_t sharedBytes;
  std::array<NamedBarrier, 16> barriers;
  RaceDetector detector;
  std::vector<Warp> warpList;
  std::unordered_map<std::type_index, std::unique_ptr<BlockState>> states;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_EXECUTION_PTXBLOCK_H
