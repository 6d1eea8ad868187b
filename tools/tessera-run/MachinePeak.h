//===- MachinePeak.h - What this machine can do at most -------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_MACHINEPEAK_H
#define TESSERA_TOOLS_TESSERA_RUN_MACHINEPEAK_H

#include <cstdint>
#include <vector>

namespace tessera::run {

/// The roofline of one rank: how fast it computes if it waits for no memory,
/// and how fast it moves bytes if it computes nothing.
struct MachinePeak {
  bool isMeasured = false; ///< In f32 on this machine; else described.
  double operations = 0;   ///< Per second.
  /// What fits in `size` bytes is read and written at `bandwidth` bytes per
  /// second: a point for each level of the memory, the smallest first, and the
  /// last for all that is larger.
  struct Level {
    double size, bandwidth;
  };
  std::vector<Level> levels;

  /// The least seconds that so much work takes.
  double seconds(double operations, double bytes) const;
};

/// Measures the peak of one of `ranks` ranks with `threads` threads each (0: as
/// in TesseraJobOptions), with as many threads at work as there will be or as
/// the machine has cores. Takes about a tenth of a second.
MachinePeak measurePeak(int32_t ranks, int32_t threads);

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_MACHINEPEAK_H
