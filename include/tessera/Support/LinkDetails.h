//===- LinkDetails.h - How links differ from latency and bandwidth --------===//

#ifndef TESSERA_SUPPORT_LINKDETAILS_H
#define TESSERA_SUPPORT_LINKDETAILS_H

#include <cstdint>

namespace tessera {

/// What links do beside a latency for every round of messages and a bandwidth
/// (docs/cluster.md). All zero: nothing.
struct LinkDetails {
  /// Seconds before a collective or a message begins at all.
  double launch = 0;
  /// Bytes: where a chunk goes round a ring of n places (nodes, or devices
  /// inside of one), tensors of n times as many reach half of the bandwidth.
  double halfSaturation = 0;
  /// Bytes per second at which a member of a collective moves its own chunk;
  /// 0 where that takes no time.
  double copyBandwidth = 0;
  /// How many links leave each group of the level within; 0 for one of each
  /// device. What leaves at once shares them evenly.
  int64_t links = 0;

  friend bool operator==(const LinkDetails &, const LinkDetails &) = default;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_LINKDETAILS_H
