//===- Mbarrier.h - Barriers that count arrivals and bytes ----------------===//

#ifndef TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_MBARRIER_H
#define TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_MBARRIER_H

#include "tessera/Support/Fallible.h"

#include <cstdint>

namespace tessera::emulated {

/// An mbarrier object of the PTX ISA. A phase is complete when all expected
/// threads have arrived and as many bytes were completed as were expected; the
/// next begins at once, with all arrivals pending again.
class Mbarrier {
public:
  /// Arrivals, and pending bytes of either sign, that an object can count.
  static constexpr uint32_t limit = (1u << 20) - 1;

  /// A barrier in phase 0 that waits for `count` arrivals, 1 to `limit`.
  static Fallible<Mbarrier> init(uint32_t count);

  /// The number of the current phase; also the token that an arrival returns.
  uint64_t phase() const { return currentPhase; }

  /// Whether the phase before the current one has parity `parity`: the test of
  /// mbarrier.try_wait.parity.
  bool hasPassedParity(uint32_t parity) const {
    return (currentPhase & 1) != (parity & 1);
  }

  /// Counts `count` arrivals; with `drops`, the following phases expect as many
  /// fewer. Fails if fewer are pending.
  Fallible<void> arrive(uint32_t count, bool drops = false);

  /// As `arrive`, but fails if this would complete the phase (.noComplete).
  Fallible<void> arriveWithoutCompleting(uint32_t count);

  /// Expects one arrival more in this phase (cp.async.mbarrier.arrive).
  Fallible<void> addPending();

  /// Adds to, and takes from, the bytes that the phase waits for.
  Fallible<void> expectBytes(uint32_t bytes);
  Fallible<void> completeBytes(uint32_t bytes);

  uint32_t pendingArrivals() const { return pending; }
  int64_t pendingBytes() const { return transactions; }

private:
  explicit Mbarrier(uint32_t count) : expected(count), pending(count) {}
  void completeIfDone();

  uint64_t currentPhase = 0;
  uint32_t expected;        ///< Arrivals of every phase.
  uint32_t pending;         ///< Arrivals that this phase still waits for.
  int64_t transactions = 0; ///< Bytes; negative if completed too soon.
};

} // namespace tessera::emulated

#endif // TESSERA_RUNTIME_EMULATED_ASYNCHRONOUS_MBARRIER_H
