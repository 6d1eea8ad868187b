//===- PtxLaunch.h - Executing a kernel on the CPU ------------------------===//

#ifndef TESSERA_RUNTIME_EMULATED_EXECUTION_PTXLAUNCH_H
#define TESSERA_RUNTIME_EMULATED_EXECUTION_PTXLAUNCH_H

#include "checks/PtxFootprint.h"
#include "ptx/PtxModule.h"

#include <optional>

namespace tessera::emulated {

/// The shape of a launch, x first.
struct LaunchShape {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  /// Dynamic shared memory of a block, in bytes.
  uint32_t sharedBytes = 0;
};

/// What a launch is checked for, beside what is always checked (bounds,
/// alignment, barriers, deadlock), and what it may cost.
struct LaunchChecks {
  /// Unordered accesses to shared memory, and reads of what nobody wrote.
  bool sharedRaces = true;
  /// Plain accesses of different blocks to the same global memory, one of them
  /// a write.
  bool globalRaces = true;
  /// Instructions that one warp may execute before it counts as running away.
  uint64_t instructionsPerWarp = uint64_t(1) << 32;
};

/// What a launch did, for measurements.
struct LaunchStatistics {
  /// Instructions that warps executed, and the same times active lanes.
  uint64_t warpInstructions = 0, laneInstructions = 0;
};

/// Executes `kernel` over the grid on `threads` host threads and returns when
/// it is done. `parameters` is the parameter block, laid out as
/// `Kernel::parameters` says. Returns nothing on success; otherwise one line
/// that says what went wrong, with kernel, block, thread, line of the PTX and
/// source line (`.loc`), after which the contents of the memory that the kernel
/// writes are unspecified. Launches may run at the same time; `traffic` says
/// what goes on beside this one.
std::optional<std::string>
launch(const Kernel &kernel, const LaunchShape &shape,
       std::span<const std::byte> parameters, const DeviceMemory &memory,
       unsigned threads = 1, const LaunchChecks &checks = {},
       LaunchStatistics *statistics = nullptr,
       LaunchTraffic *traffic = nullptr);

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_EXECUTION_PTXLAUNCH_H
