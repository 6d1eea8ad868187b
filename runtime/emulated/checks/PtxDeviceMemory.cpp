//===- PtxDeviceMemory.cpp ------------------------------------------------===//

#include "checks/PtxDeviceMemory.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::emulated;

static bool beginsBefore(const Allocation &allocation, uint64_t address) {
  return allocation.address < address;
}

void DeviceMemory::add(uint64_t address, uint64_t bytes, std::string name) {
  std::lock_guard lock(mutex);
  auto changed = std::make_shared<std::vector<Allocation>>(*allocations);
  auto at =
      std::lower_bound(changed->begin(), changed->end(), address, beginsBefore);
  if (at != changed->end() && at->address == address)
    *at = {address, bytes, std::move(name)};
  else
    changed->insert(at, {address, bytes, std::move(name)});
  allocations = std::move(changed);
}

bool DeviceMemory::remove(uint64_t address) {
  std::lock_guard lock(mutex);
  auto changed = std::make_shared<std::vector<Allocation>>(*allocations);
  auto at =
      std::lower_bound(changed->begin(), changed->end(), address, beginsBefore);
  if (at == changed->end() || at->address != address)
    return false;
  changed->erase(at);
  allocations = std::move(changed);
  return true;
}

std::optional<Allocation> DeviceMemory::find(uint64_t address) const {
  Snapshot current = snapshot();
  if (const Allocation *found = findAllocation(*current, address))
    return *found;
  return std::nullopt;
}

DeviceMemory::Snapshot DeviceMemory::snapshot() const {
  std::lock_guard lock(mutex);
  return allocations;
}

/// The last allocation that begins at or before `address`, or null.
static const Allocation *lastBefore(const std::vector<Allocation> &allocations,
                                    uint64_t address) {
  auto behind = std::upper_bound(
      allocations.begin(), allocations.end(), address,
      [](uint64_t at, const Allocation &other) { return at < other.address; });
  return behind == allocations.begin() ? nullptr : &*std::prev(behind);
}

const Allocation *
emulated::findAllocation(const std::vector<Allocation> &allocations,
                         uint64_t address) {
  const Allocation *found = lastBefore(allocations, address);
  return found && address - found->address < found->bytes ? found : nullptr;
}

/// As messages call an allocation.
static std::string nameOf(const Allocation &allocation) {
  std::string name = allocation.name.empty() ? std::string("an allocation")
                                             : "'" + allocation.name + "'";
  return name + " (" + std::to_string(allocation.bytes) + " bytes)";
}

std::string
emulated::describeNearest(const std::vector<Allocation> &allocations,
                          uint64_t address) {
  const Allocation *before = lastBefore(allocations, address);
  const Allocation *after = before ? before + 1 : allocations.data();
  if (after == allocations.data() + allocations.size())
    after = nullptr;
  if (before && address - before->address < before->bytes)
    return "at byte " + std::to_string(address - before->address) + " of " +
           nameOf(*before);
  uint64_t behind = before ? address - before->address - before->bytes : ~0ull;
  uint64_t ahead = after ? after->address - address : ~0ull;
  if (!before && !after)
    return "the device has no memory";
  if (behind <= ahead)
    return std::to_string(behind) + " bytes after the end of " +
           nameOf(*before);
  return std::to_string(ahead) + " bytes before " + nameOf(*after);
}
