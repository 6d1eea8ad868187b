//===- GroupLinks.cpp - What a group of devices communicates over ---------===//

#include "tessera/Support/GroupLinks.h"

#include <algorithm>
#include <map>

using namespace tessera;

double GroupLinks::latencySeconds(CollectiveKind kind, int64_t members) const {
  return latency * double(messageRounds(kind, members));
}

double GroupLinks::transferSeconds(CollectiveKind kind, int64_t bytes) const {
  const CollectiveInfo &info = collectiveInfo(kind);
  if (info.ringPasses == 0)
    return double(bytes) / bandwidth;
  bool isExchange = info.splitsOperand && info.joinsResult;
  return double(bytes) / (isExchange ? exchangeBandwidth : ringBandwidth);
}

double GroupLinks::seconds(CollectiveKind kind, int64_t members,
                           int64_t operandBytes) const {
  return latencySeconds(kind, members) +
         transferSeconds(kind, bytesSent(kind, members, operandBytes));
}

GroupLinks GroupLinks::slower(const GroupLinks &a, const GroupLinks &b) {
  return {std::max(a.level, b.level), std::max(a.latency, b.latency),
          std::min(a.bandwidth, b.bandwidth),
          std::min(a.ringBandwidth, b.ringBandwidth),
          std::min(a.exchangeBandwidth, b.exchangeBandwidth)};
}

/// The number of a device's group of `level`.
static int64_t groupOf(const NetworkLevel &level, int64_t device) {
  return level.devices ? device / level.devices : 0;
}

/// How many of `devices` lie in each group of `level`, by its number.
static std::map<int64_t, int64_t>
countByGroup(const NetworkLevel &level, std::span<const int64_t> devices) {
  std::map<int64_t, int64_t> counts;
  for (int64_t device : devices)
    ++counts[groupOf(level, device)];
  return counts;
}

/// The share of what a member sends to all others alike that goes over `level`,
/// of the one with the largest; `inner` is the level within, if any.
static double exchangedShare(const NetworkLevel *inner,
                             const NetworkLevel &level,
                             std::span<const int64_t> devices) {
  std::map<int64_t, int64_t> counts = countByGroup(level, devices), within;
  if (inner)
    within = countByGroup(*inner, devices);
  int64_t most = 0;
  for (int64_t device : devices)
    most = std::max(most, counts[groupOf(level, device)] -
                              (inner ? within[groupOf(*inner, device)] : 1));
  return double(most) / std::max(1.0, double(devices.size()) - 1);
}

GroupLinks tessera::linksAmong(std::span<const NetworkLevel> levels,
                               std::span<const int64_t> devices) {
  constexpr double kFree = 1e30;
  double ringBandwidth = kFree, exchangeBandwidth = kFree;
  // Of the level within, which single devices are at first: the fewest members
  // in a group of it that has any, and how many groups have.
  int64_t fewest = 1;
  auto within = static_cast<int64_t>(devices.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    const NetworkLevel &level = levels[i];
    std::map<int64_t, int64_t> counts = countByGroup(level, devices);
    auto groups = static_cast<int64_t>(counts.size());
    // Else nothing is sent at this level.
    if (groups < within) {
      ringBandwidth = std::min(ringBandwidth, double(fewest) * level.bandwidth);
      double share =
          exchangedShare(i ? &levels[i - 1] : nullptr, level, devices);
      exchangeBandwidth = std::min(exchangeBandwidth, level.bandwidth / share);
    }
    if (groups == 1) {
      GroupLinks links{int32_t(i), level.latency, level.bandwidth,
                       ringBandwidth, exchangeBandwidth};
      if (groups == within)
        links.ringBandwidth = links.exchangeBandwidth = level.bandwidth;
      return links;
    }
    fewest = std::ranges::min_element(counts, {}, [](auto &entry) {
               return entry.second;
             })->second;
    within = groups;
  }
  return {int32_t(levels.size()), 0, kFree, kFree, kFree};
}
