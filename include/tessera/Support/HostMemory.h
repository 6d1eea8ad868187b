//===- HostMemory.h - memory of the host beside a device ------------------===//
#ifndef TESSERA_SUPPORT_HOSTMEMORY_H
#define TESSERA_SUPPORT_HOSTMEMORY_H

#include <cstdint>

namespace tessera {

/// What a machine says of the memory of the host that one device copies to and
/// from, and of the link between them, which copies in both directions at once.
struct HostMemory {
  /// Seconds until the first byte arrives, and bytes per second in each
  /// direction; no bandwidth where there is no such link.
  double latency = 0, bandwidth = 0;
  /// Bytes for each device.
  int64_t bytes = 0;

  bool isThere() const { return bandwidth > 0; }
  /// What a copy of `size` bytes takes where the link is idle.
  double seconds(int64_t size) const {
    return latency + double(size) / bandwidth;
  }
  bool operator==(const HostMemory &) const = default;
};

} // namespace tessera

#endif // TESSERA_SUPPORT_HOSTMEMORY_H
