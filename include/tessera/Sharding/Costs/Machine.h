//===- Machine.h - The machine under a mesh -------------------------------===//
#ifndef TESSERA_SHARDING_COSTS_MACHINE_H
#define TESSERA_SHARDING_COSTS_MACHINE_H

#include "tessera/Sharding/Costs/CollectiveCosts.h"
#include "tessera/Support/HostMemory.h"

namespace tessera {

/// What plans may know of the machine that a mesh lies on. The defaults are the
/// built-in description: devices alike, one level of links.
struct Machine {
  /// The links along each axis of the mesh.
  llvm::SmallVector<LinkCosts, 4> links;
  /// Floating-point operations per second of one device.
  double compute = 800e9;
  /// Bytes per second that one device reads from or writes to its memory.
  double memoryBandwidth = 100e9;
  /// Bytes of memory that one device has.
  int64_t memory = 64'000'000'000;
  /// The built-in machine has none.
  HostMemory host;

  Machine() = default;
  /// The built-in description of a machine for `mesh`.
  explicit Machine(const Mesh &mesh) { links.resize(mesh.axes.size()); }

  /// Why this does not describe a machine under `mesh` (a number of links other
  /// than that of its axes, rates that are not positive), or an empty string.
  std::string verify(const Mesh &mesh) const;

  friend bool operator==(const Machine &a, const Machine &b);
  friend llvm::hash_code hash_value(const Machine &machine);
};

} // namespace tessera

#endif // TESSERA_SHARDING_COSTS_MACHINE_H
