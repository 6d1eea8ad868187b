//===- Machine.cpp - The machine under a mesh -----------------------------===//
#include "tessera/Sharding/Costs/Machine.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace tessera;

static bool isPositive(double value) {
  return std::isfinite(value) && value > 0;
}

std::string Machine::verify(const Mesh &mesh) const {
  if (links.size() != mesh.axes.size())
    return "expected links for " + std::to_string(mesh.axes.size()) +
           " axes, got " + std::to_string(links.size());
  for (const LinkCosts &link : links) {
    if (!std::isfinite(link.latency) || link.latency < 0)
      return "expected a latency of at least 0";
    if (!isPositive(link.bandwidth))
      return "expected a positive bandwidth";
  }
  if (!isPositive(compute) || !isPositive(memoryBandwidth) || memory <= 0)
    return "expected positive numbers for compute, memory_bandwidth and memory";
  if (host.isThere() && (!isPositive(host.bandwidth) || host.bytes <= 0 ||
                         !std::isfinite(host.latency) || host.latency < 0))
    return "expected positive numbers for bandwidth and memory of the host, "
           "and "
           "a latency of at least 0";
  return "";
}

bool tessera::operator==(const Machine &a, const Machine &b) {
  return a.compute == b.compute && a.memoryBandwidth == b.memoryBandwidth &&
         a.memory == b.memory && a.host == b.host &&
         std::equal(a.links.begin(), a.links.end(), b.links.begin(),
                    b.links.end(), [](const LinkCosts &l, const LinkCosts &r) {
                      return l.latency == r.latency &&
                             l.bandwidth == r.bandwidth;
                    });
}

llvm::hash_code tessera::hash_value(const Machine &machine) {
  auto bits = [](double value) { return llvm::bit_cast<uint64_t>(value); };
  llvm::hash_code hash =
      llvm::hash_combine(bits(machine.compute), bits(machine.memoryBandwidth),
                         machine.memory, bits(machine.host.latency),
                         bits(machine.host.bandwidth), machine.host.bytes);
  for (const LinkCosts &link : machine.links)
    hash = llvm::hash_combine(hash, bits(link.latency), bits(link.bandwidth));
  return hash;
}
