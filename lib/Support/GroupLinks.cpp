//===- GroupLinks.cpp - What a group of devices communicates over ---------===//

#include "tessera/Support/GroupLinks.h"

#include <algorithm>
#include <map>

using namespace tessera;

double GroupLinks::latencySeconds(CollectiveKind kind, int64_t members) const {
  int passes = collectiveInfo(kind).ringPasses;
  double before = launch + latency * double(messageRounds(kind, members));
  if (passes == 0)
    return before + hop;
  return before + round * double(passes) * double(members - 1) /
                      double(std::max<int64_t>(members, 1));
}

double GroupLinks::transferSeconds(CollectiveKind kind, int64_t members,
                                   int64_t bytes) const {
  const CollectiveInfo &info = collectiveInfo(kind);
  if (info.ringPasses == 0)
    return double(bytes) / bandwidth;
  bool isExchange = info.splitsOperand && info.joinsResult;
  double sent =
      double(bytes) / (isExchange ? exchangeBandwidth : ringBandwidth);
  if (copyBandwidth == 0 || members < 2)
    return sent;
  double chunk = double(bytes) / double(info.ringPasses * (members - 1));
  return sent + chunk / copyBandwidth;
}

double GroupLinks::seconds(CollectiveKind kind, int64_t members,
                           int64_t operandBytes) const {
  return latencySeconds(kind, members) +
         transferSeconds(kind, members, bytesSent(kind, members, operandBytes));
}

/// The smaller of two bandwidths, of which 0 takes no time.
static double slowerCopy(double a, double b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

GroupLinks GroupLinks::slower(const GroupLinks &a, const GroupLinks &b) {
  return {std::max(a.level, b.level),
          std::max(a.latency, b.latency),
          std::min(a.bandwidth, b.bandwidth),
          std::min(a.ringBandwidth, b.ringBandwidth),
          std::min(a.exchangeBandwidth, b.exchangeBandwidth),
          std::max(a.launch, b.launch),
          std::max(a.hop, b.hop),
          std::max(a.round, b.round),
          slowerCopy(a.copyBandwidth, b.copyBandwidth)};
}

double tessera::bandwidthPerDevice(const NetworkLevel *inner,
                                   const NetworkLevel &level) {
  if (level.details.links == 0)
    return level.bandwidth;
  return level.bandwidth * double(level.details.links) /
         double(inner ? inner->devices : 1);
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
  GroupLinks found{int32_t(levels.size()), 0, kFree, kFree, kFree};
  // Of the level within, which single devices are at first: the fewest members
  // in a group of it that has any, and how many groups have.
  int64_t fewest = 1;
  auto within = static_cast<int64_t>(devices.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    const NetworkLevel &level = levels[i],
                       *inner = i ? &levels[i - 1] : nullptr;
    double bandwidth = bandwidthPerDevice(inner, level);
    std::map<int64_t, int64_t> counts = countByGroup(level, devices);
    auto groups = static_cast<int64_t>(counts.size());
    // Else nothing is sent at this level.
    if (groups < within) {
      found.ringBandwidth =
          std::min(found.ringBandwidth, double(fewest) * bandwidth);
      found.exchangeBandwidth =
          std::min(found.exchangeBandwidth,
                   bandwidth / exchangedShare(inner, level, devices));
      found.launch = std::max(found.launch, level.details.launch);
      double hop = level.details.halfSaturation / level.bandwidth;
      found.hop = std::max(found.hop, hop);
      found.round = std::max(found.round, hop * double(within));
      found.copyBandwidth =
          slowerCopy(found.copyBandwidth, level.details.copyBandwidth);
    }
    if (groups == 1) {
      found.level = int32_t(i);
      found.latency = level.latency;
      found.bandwidth = bandwidth;
      if (groups == within)
        found.ringBandwidth = found.exchangeBandwidth = bandwidth;
      return found;
    }
    fewest = std::ranges::min_element(counts, {}, [](auto &entry) {
               return entry.second;
             })->second;
    within = groups;
  }
  return {int32_t(levels.size()), 0, kFree, kFree, kFree};
}
