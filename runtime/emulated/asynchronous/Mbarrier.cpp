//===- Mbarrier.cpp -------------------------------------------------------===//

#include "asynchronous/Mbarrier.h"

#include <string>

using namespace tessera;
using namespace tessera::emulated;

Fallible<Mbarrier> Mbarrier::init(uint32_t count) {
  if (count < 1 || count > limit)
    return Failure{"expected an mbarrier of 1 to " + std::to_string(limit) +
                   " arrivals, got " + std::to_string(count)};
  return Mbarrier(count);
}

void Mbarrier::completeIfDone() {
  if (pending != 0 || transactions != 0)
    return;
  ++currentPhase;
  pending = expected;
}

Fallible<void> Mbarrier::arrive(uint32_t count, bool drops) {
  if (count < 1 || count > pending)
    return Failure{"mbarrier expected at most " + std::to_string(pending) +
                   " more arrivals in its phase, got " + std::to_string(count)};
  if (drops)
    expected -= count;
  pending -= count;
  completeIfDone();
  return {};
}

Fallible<void> Mbarrier::arriveWithoutCompleting(uint32_t count) {
  if (count >= pending)
    return Failure{"mbarrier arrival with .noComplete would complete the "
                   "phase: " +
                   std::to_string(pending) + " arrivals were pending"};
  pending -= count;
  return {};
}

Fallible<void> Mbarrier::addPending() {
  if (pending == limit)
    return Failure{"mbarrier counts too many pending arrivals"};
  ++pending;
  return {};
}

Fallible<void> Mbarrier::expectBytes(uint32_t bytes) {
  if (transactions + int64_t(bytes) > int64_t(limit))
    return Failure{"mbarrier expects too many bytes: " +
                   std::to_string(transactions + int64_t(bytes))};
  transactions += bytes;
  return {};
}

Fallible<void> Mbarrier::completeBytes(uint32_t bytes) {
  if (transactions - int64_t(bytes) < -int64_t(limit))
    return Failure{"mbarrier got too many bytes that nothing had expected: " +
                   std::to_string(int64_t(bytes) - transactions)};
  transactions -= bytes;
  completeIfDone();
  return {};
}
