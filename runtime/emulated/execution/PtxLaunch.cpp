//===- PtxLaunch.cpp ------------------------------------------------------===//

#include "execution/PtxLaunch.h"
#include "checks/PtxGlobalRaces.h"
#include "execution/PtxWarp.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <sstream>
#include <thread>

using namespace tessera;
using namespace tessera::emulated;

namespace {

/// The blocks of a launch, which workers take one after another.
class Grid {
public:
  explicit Grid(const LaunchContext &context) : context(context) {
    const std::array<uint32_t, 3> &grid = context.shape.grid;
    count = uint64_t(grid[0]) * grid[1] * grid[2];
  }

  uint64_t blocks() const { return count; }

  /// Executes blocks until none is left or one has failed.
  void work() {
    Block block(context);
    for (;;) {
      uint64_t number = next.fetch_add(1, std::memory_order_relaxed);
      if (number >= count)
        break;
      if (std::optional<std::string> message = block.run(indexOf(number))) {
        std::lock_guard lock(mutex);
        // Of several failures the first block's is told.
        if (number < failedBlock) {
          failedBlock = number;
          failure = std::move(message);
        }
        next = count;
      }
    }
    std::lock_guard lock(mutex);
    footprint.add(block.footprint);
    statistics.warpInstructions += block.statistics.warpInstructions;
    statistics.laneInstructions += block.statistics.laneInstructions;
  }

  std::optional<std::string> failure;
  LaunchStatistics statistics;
  Footprint footprint;

private:
  std::array<uint32_t, 3> indexOf(uint64_t number) const {
    const std::array<uint32_t, 3> &grid = context.shape.grid;
    uint64_t rows = number / grid[0];
    return {static_cast<uint32_t>(number % grid[0]),
            static_cast<uint32_t>(rows % grid[1]),
            static_cast<uint32_t>(rows / grid[1])};
  }

  const LaunchContext &context;
  uint64_t count;
  std::atomic<uint64_t> next = 0;
  std::mutex mutex;
  uint64_t failedBlock = ~uint64_t(0);
};

} // namespace

static std::string tripleName(const std::array<uint32_t, 3> &values) {
  return "(" + std::to_string(values[0]) + "," + std::to_string(values[1]) +
         "," + std::to_string(values[2]) + ")";
}

/// Whether the hardware would accept the launch; what is wrong otherwise.
static std::optional<std::string>
checkLaunch(const Program &program, const LaunchShape &shape,
            std::span<const std::byte> parameters) {
  auto fail = [&](const std::string &message) {
    return std::optional<std::string>("kernel '" + program.name +
                                      "': " + message);
  };
  uint64_t threads = uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
  constexpr uint64_t maxThreads = maxWarps * warpLanes;
  if (threads == 0 || threads > maxThreads)
    return fail("expected 1 to " + std::to_string(maxThreads) +
                " threads a block, got " + std::to_string(threads));
  if (uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2] == 0)
    return fail("expected a grid with blocks, got " + tripleName(shape.grid));
  if (shape.grid[1] > 65535 || shape.grid[2] > 65535)
    return fail("expected at most 65535 blocks along y and z, got " +
                tripleName(shape.grid));
  if (program.requiredThreads[0] && program.requiredThreads != shape.block)
    return fail("expected blocks of " + tripleName(program.requiredThreads) +
                " threads (.reqntid), got " + tripleName(shape.block));
  const std::array<uint32_t, 3> &most = program.maxThreads;
  if (most[0] && threads > uint64_t(most[0]) * most[1] * most[2])
    return fail("expected at most " +
                std::to_string(uint64_t(most[0]) * most[1] * most[2]) +
                " threads a block (.maxntid), got " + std::to_string(threads));
  if (parameters.size() != program.parameterBytes)
    return fail("expected " + std::to_string(program.parameterBytes) +
                " bytes of parameters, got " +
                std::to_string(parameters.size()));
  constexpr uint64_t maxShared = 227 * 1024;
  uint64_t shared = uint64_t(program.dynamicSharedOffset) + shape.sharedBytes;
  if (shared > maxShared)
    return fail("expected at most " + std::to_string(maxShared) +
                " bytes of shared memory, got " + std::to_string(shared));
  return std::nullopt;
}

std::optional<std::string>
emulated::launch(const Kernel &kernel, const LaunchShape &shape,
                 std::span<const std::byte> parameters,
                 const DeviceMemory &memory, unsigned threads,
                 const LaunchChecks &checks, LaunchStatistics *statistics,
                 LaunchTraffic *traffic) {
  const Program &program = kernel.program();
  if (std::optional<std::string> message =
          checkLaunch(program, shape, parameters))
    return message;
  LaunchContext context{kernel, program, shape,   parameters,
                        {},     checks,  nullptr, traffic};
  context.memory = *memory.snapshot();
  for (const Program::GlobalVariable &variable : program.globalVariables)
    context.memory.push_back({variable.address, variable.bytes, variable.name});
  std::sort(context.memory.begin(), context.memory.end(),
            [](const Allocation &a, const Allocation &b) {
              return a.address < b.address;
            });
  Grid grid(context);
  // A single block races with none.
  std::optional<GlobalRaces> races;
  if (checks.globalRaces && grid.blocks() > 1)
    context.globalRaces = &races.emplace(context.memory, program.globalGranule);

  std::vector<std::jthread> workers;
  uint64_t useful = std::min<uint64_t>(threads, grid.blocks());
  for (uint64_t i = 1; i < useful; ++i)
    workers.emplace_back([&grid] { grid.work(); });
  grid.work();
  workers.clear();
  if (statistics)
    *statistics = grid.statistics;
  if (!traffic || grid.failure)
    return grid.failure;
  traffic->accesses = grid.footprint.ranges();
  uint64_t stale = grid.footprint.staleWord();
  if (!stale)
    return std::nullopt;
  std::ostringstream text;
  text << "kernel '" << program.name << "': ld.global.nc reads 0x" << std::hex
       << stale << std::dec << ", " << describeNearest(context.memory, stale)
       << ", which the launch writes";
  return text.str();
}
