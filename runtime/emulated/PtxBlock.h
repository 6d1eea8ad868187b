//===- PtxBlock.h - A block while it is executed --------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_PTXBLOCK_H
#define TESSERA_RUNTIME_EMULATED_PTXBLOCK_H

#include "PtxLaunch.h"
#include "PtxProgram.h"
#include "PtxRaces.h"

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
  /// Joined from those that arrived; of the last completion.
  Clock arriving, completed;
  /// Result of `barrier.red`.
  uint32_t count = 0, result = 0;
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

  LaunchStatistics statistics;

private:
  friend class Warp;
  void begin(std::array<uint32_t, 3> index);
  std::optional<std::string> describeDeadlock();

  const LaunchContext &context;
  std::array<uint32_t, 3> blockIndex = {};
  uint32_t threadCount, warpCount;
  std::unique_ptr<std::byte[]> sharedStorage;
  std::byte *sharedMemory;
  uint32_t sharedBytes;
  std::array<NamedBarrier, 16> barriers;
  RaceDetector detector;
  std::vector<Warp> warpList;
  std::unordered_map<std::type_index, std::unique_ptr<BlockState>> states;
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_PTXBLOCK_H
