//===- ChartSummary.cpp - A chart in figures ------------------------------===//

#include "tessera/Simulator/ChartSummary.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tessera;
using llvm::formatv;
namespace json = llvm::json;

/// When the first slice starts.
static double startOf(const ChartTrack &track) {
  return track.slices.empty() ? 0 : track.slices.front().start;
}

ChartFigures::ChartFigures(const Chart &chart) : makespan(chart.makespan()) {
  for (unsigned rank = 0; rank < chart.tracks.size(); ++rank) {
    const ChartTrack &track = chart.tracks[rank];
    longestStage = std::max(longestStage, track.endTime() - startOf(track));
    busy += track.busyTime() / chart.tracks.size();
    if (track.peakMemory() > peakMemory) {
      peakMemory = track.peakMemory();
      peakRank = rank;
    }
  }
}

void tessera::printSummary(const Chart &chart, llvm::raw_ostream &os) {
  ChartFigures figures(chart);
  os << chart.title << '\n';
  if (!chart.machine.empty())
    os << formatv("{0,-14} {1}\n", "machine", chart.machine);
  os << formatv("makespan       {0,12:f3} ms   bubble {1,6:f2} %\n",
                figures.makespan, 100 * figures.bubble());
  os << formatv("longest stage  {0,12:f3} ms   bubble {1,6:f2} %\n",
                figures.longestStage, 100 * figures.longestStageBubble());
  for (auto &[part, time] : chart.parts)
    os << formatv("{0,-14} {1,12:f3} ms   of each rank, in the mean\n", part,
                  time);
  if (figures.peakMemory > 0)
    os << "peak memory    "
       << llvm::format("%12.10g %s on %s", figures.peakMemory,
                       chart.memoryUnit.c_str(),
                       chart.tracks[figures.peakRank].name.c_str())
       << '\n';
  os << formatv("\n{0,-10} {1,12} {2,12} {3,12} {4,12} {5,14}\n", "", "busy ms",
                "idle ms", "start ms", "end ms", "peak memory");
  for (const ChartTrack &track : chart.tracks)
    os << formatv("{0,-10} {1,12:f3} {2,12:f3} {3,12:f3} {4,12:f3} ",
                  track.name, track.busyTime(),
                  figures.makespan - track.busyTime(), startOf(track),
                  track.endTime())
       << llvm::format("%14.10g\n", track.peakMemory());
}

json::Object tessera::summaryToJSON(const Chart &chart) {
  ChartFigures figures(chart);
  json::Array ranks;
  for (const ChartTrack &track : chart.tracks)
    ranks.push_back(json::Object{{"name", track.name},
                                 {"busy", track.busyTime()},
                                 {"start", startOf(track)},
                                 {"end", track.endTime()},
                                 {"peak_memory", track.peakMemory()}});
  json::Object parts;
  for (auto &[part, time] : chart.parts)
    parts[part] = time;
  json::Object summary{{"parts", std::move(parts)},
                       {"makespan", figures.makespan},
                       {"bubble", figures.bubble()},
                       {"longest_stage", figures.longestStage},
                       {"longest_stage_bubble", figures.longestStageBubble()},
                       {"peak_memory", figures.peakMemory},
                       {"memory_unit", chart.memoryUnit},
                       {"ranks", std::move(ranks)}};
  if (!chart.machine.empty())
    summary["machine"] = chart.machine;
  return summary;
}
