//===- Chart.cpp - What every rank does when ------------------------------===//

#include "tessera/Simulator/Chart.h"

#include <algorithm>
#include <cstdio>

using namespace tessera;

const char *tessera::nameOf(SliceKind kind) {
  static constexpr const char *kNames[kNumSliceKinds] = {"forward",
                                                         "input gradient",
                                                         "weight gradient",
                                                         "backward",
                                                         "vocabulary forward",
                                                         "vocabulary backward",
                                                         "once in a step",
                                                         "kernel",
                                                         "collective",
                                                         "collective beside"};
  return kNames[static_cast<unsigned>(kind)];
}

double ChartTrack::peakMemory() const {
  if (reserved > 0)
    return reserved;
  double peak = 0;
  for (const MemoryPoint &point : memory)
    peak = std::max(peak, point.amount);
  return peak;
}

double ChartTrack::endTime() const {
  return slices.empty() ? end : std::max(end, slices.back().end);
}

double ChartTrack::busyTime() const {
  double busy = 0;
  for (const ChartSlice &slice : slices)
    busy += slice.end - slice.start;
  return busy;
}

double Chart::makespan() const {
  double end = 0;
  for (const ChartTrack &track : tracks)
    end = std::max(end, track.endTime());
  return end;
}

std::string Chart::describeAmount(double amount) const {
  const char *prefix = "";
  if (memoryUnit == "bytes")
    for (const char *larger : {"k", "M", "G", "T"})
      if (amount >= 1000) {
        amount /= 1000;
        prefix = larger;
      }
  char digits[32];
  std::snprintf(digits, sizeof digits, *prefix ? "%.3g" : "%.4g", amount);
  return std::string(digits) + " " +
         (*prefix ? std::string(prefix) + "B" : memoryUnit);
}

unsigned Chart::numChunks() const {
  unsigned chunks = 1;
  for (const ChartTrack &track : tracks)
    for (const ChartSlice &slice : track.slices)
      chunks = std::max(chunks, slice.chunk + 1);
  return chunks;
}
