//===- GroupLinks.cpp - What a group of devices communicates over ---------===//

#include "tessera/Support/GroupLinks.h"

#include <algorithm>
#include <map>

using namespace tessera;

double GroupLinks::transferSeconds(CollectiveKind kind, int64_t bytes) const {
  const CollectiveInfo &info = collectiveInfo(kind);
  bool isRing =
      info.ringPasses > 0 && !(info.splitsOperand && info.joinsResult);
  return double(bytes) / (isRing ? ringBandwidth : bandwidth);
}

double GroupLinks::seconds(CollectiveKind kind, int64_t members,
                           int64_t operandBytes) const {
  return latency * double(messageRounds(kind, members)) +
         transferSeconds(kind, bytesSent(kind, members, operandBytes));
}

GroupLinks GroupLinks::slower(const GroupLinks &a, const GroupLinks &b) {
  return {std::max(a.level, b.level), std::max(a.latency, b.latency),
          std::min(a.bandwidth, b.bandwidth),
          std::min(a.ringBandwidth, b.ringBandwidth)};
}

/// How many of `devices` lie in each group of `level`, by its number.
static std::map<int64_t, int64_t>
countByGroup(const NetworkLevel &level, std::span<const int64_t> devices) {
  std::map<int64_t, int64_t> counts;
  for (int64_t device : devices)
    ++counts[level.devices ? device / level.devices : 0];
  return counts;
}

GroupLinks tessera::linksAmong(std::span<const NetworkLevel> levels,
                               std::span<const int64_t> devices) {
  constexpr double kFree = 1e30;
  double ringBandwidth = kFree;
  // Of the level within, which single devices are at first: the fewest members
  // in a group of it that has any, and how many groups have.
  int64_t fewest = 1;
  auto within = static_cast<int64_t>(devices.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    std::map<int64_t, int64_t> counts = countByGroup(levels[i], devices);
    auto groups = static_cast<int64_t>(counts.size());
    // Else nothing is sent at this level.
    if (groups < within)
      ringBandwidth =
          std::min(ringBandwidth, double(fewest) * levels[i].bandwidth);
    if (groups == 1)
      return {int32_t(i), levels[i].latency, levels[i].bandwidth,
              groups < within ? ringBandwidth : levels[i].bandwidth};
    fewest = std::ranges::min_element(counts, {}, [](auto &entry) {
               return entry.second;
             })->second;
    within = groups;
  }
  return {int32_t(levels.size()), 0, kFree, kFree};
}
