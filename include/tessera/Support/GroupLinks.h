//===- GroupLinks.h - What a group of devices communicates over -----------===//
//
// The network of a described machine has levels, each of groups of devices with
// consecutive numbers, nested (docs/cluster.md). What a few devices send each
// other goes over the levels that separate them; the simulator predicts and the
// back end `local` measures by the same rules.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_GROUPLINKS_H
#define TESSERA_SUPPORT_GROUPLINKS_H

#include "tessera/Support/Collective.h"
#include "tessera/Support/LinkDetails.h"

#include <span>

namespace tessera {

/// A level of the network: devices of one group, with consecutive numbers, that
/// share no group of an inner level.
struct NetworkLevel {
  /// How many devices a group has; 0 for all.
  int64_t devices = 0;
  double latency = 0;   ///< Seconds until the first byte arrives.
  double bandwidth = 0; ///< Bytes per second that one device sends.
  LinkDetails details;
};

/// What the members of a group communicate over.
struct GroupLinks {
  /// The innermost level one of whose groups holds all of them: its number, or
  /// that of levels where none does.
  int32_t level = 0;
  double latency = 0;
  /// Bytes per second that a member sends to members anywhere, and to the next
  /// one of rings through all of them. As many rings as members lie in one
  /// group of an inner level leave it by the links of one member each.
  double bandwidth = 0, ringBandwidth = 0;
  /// Bytes per second that a member sends if each other one gets as many: what
  /// goes to members in its group of an inner level does not leave that.
  double exchangeBandwidth = 0;
  /// Seconds before anything begins; those that a chunk takes to the next place
  /// whatever its size, and once round all places of a ring.
  double launch = 0, hop = 0, round = 0;
  /// Bytes per second of a member's own chunk; 0 where it takes no time.
  double copyBandwidth = 0;

  /// The seconds before a message arrives, beside those of its bytes.
  double messageLatency() const { return launch + latency + hop; }
  /// The seconds of a collective of so many members beside those of its bytes:
  /// the launch, the rounds of its messages, and what rings take before the
  /// links are full.
  double latencySeconds(CollectiveKind kind, int64_t members) const;
  /// The seconds that `bytes`, which each member sends in a collective, take
  /// the links: in rings where the table of collectives has chunks go round
  /// that are alike for all members, and to all others where each gets its own.
  /// A member's own chunk is moved, too.
  double transferSeconds(CollectiveKind kind, int64_t members,
                         int64_t bytes) const;
  /// The seconds of a collective of so many members by itself.
  double seconds(CollectiveKind kind, int64_t members,
                 int64_t operandBytes) const;

  /// The larger latency and the smaller bandwidths, and the outer level.
  static GroupLinks slower(const GroupLinks &a, const GroupLinks &b);
};

/// What of the links of `level` one device has where all send at once; `inner`
/// is the level within, null for single devices.
double bandwidthPerDevice(const NetworkLevel *inner, const NetworkLevel &level);

/// The links among `devices`, of which there is one at least; `levels` are from
/// the innermost out. Free, where no level holds all of them.
GroupLinks linksAmong(std::span<const NetworkLevel> levels,
                      std::span<const int64_t> devices);

} // namespace tessera

#endif // TESSERA_SUPPORT_GROUPLINKS_H
