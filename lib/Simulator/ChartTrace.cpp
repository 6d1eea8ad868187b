//===- ChartTrace.cpp - Charts for Perfetto -------------------------------===//

#include "tessera/Simulator/ChartWriters.h"

#include "llvm/Support/JSON.h"

using namespace tessera;
namespace json = llvm::json;

/// The colour of a kind for viewers that know such names (chrome://tracing);
/// Perfetto colours by the name without digits, which is the kind too.
static const char *colourOf(SliceKind kind) {
  static constexpr const char *kColours[kNumSliceKinds] = {
      "thread_state_runnable",
      "thread_state_iowait",
      "good",
      "terrible",
      "rail_animation",
      "rail_load",
      "yellow",
      "olive",
      "grey",
      "white"};
  return kColours[static_cast<unsigned>(kind)];
}

/// Events count in microseconds.
static double microseconds(double milliseconds) { return 1e3 * milliseconds; }

/// Writes an event of the process that stands for the whole program.
template <typename Fields>
static void writeEvent(json::OStream &stream, llvm::StringRef phase,
                       llvm::StringRef name, Fields fields) {
  stream.object([&] {
    stream.attribute("ph", phase);
    stream.attribute("name", name);
    stream.attribute("pid", 0);
    fields();
  });
}

/// The number of a track; 0 is left to the steps, as in traces of a run.
static int64_t threadOf(unsigned track) { return track + 1; }

static void writeSlices(json::OStream &stream,
                        const std::vector<ChartSlice> &slices, int64_t thread) {
  for (const ChartSlice &slice : slices)
    writeEvent(stream, "X", slice.name, [&] {
      stream.attribute("tid", thread);
      stream.attribute("cat", nameOf(slice.kind));
      stream.attribute("cname", colourOf(slice.kind));
      stream.attribute("ts", microseconds(slice.start));
      stream.attribute("dur", microseconds(slice.end - slice.start));
      stream.attributeObject("args",
                             [&] { stream.attribute("chunk", slice.chunk); });
    });
}

static void writeTrack(json::OStream &stream, const ChartTrack &track,
                       unsigned number, llvm::StringRef memoryUnit) {
  auto writeThread = [&] { stream.attribute("tid", threadOf(number)); };
  writeEvent(stream, "M", "thread_name", [&] {
    writeThread();
    stream.attributeObject("args",
                           [&] { stream.attribute("name", track.name); });
  });
  writeEvent(stream, "M", "thread_sort_index", [&] {
    writeThread();
    stream.attributeObject(
        "args", [&] { stream.attribute("sort_index", threadOf(number)); });
  });
  writeSlices(stream, track.slices, threadOf(number));
  for (const MemoryPoint &point : track.memory)
    writeEvent(stream, "C", "memory of " + track.name, [&] {
      stream.attribute("ts", microseconds(point.time));
      stream.attributeObject(
          "args", [&] { stream.attribute(memoryUnit, point.amount); });
    });
}

/// An arrow is an event inside the slice where it starts, and one inside the
/// slice where it ends.
static void writeArrow(json::OStream &stream, const Chart &chart,
                       unsigned number) {
  const ChartArrow &arrow = chart.arrows[number];
  auto writeEnd = [&](const char *phase, unsigned track, double time) {
    writeEvent(stream, phase, "transfer", [&] {
      stream.attribute("cat", "transfer");
      stream.attribute("id", number);
      stream.attribute("tid", threadOf(track));
      stream.attribute("ts", microseconds(time));
      if (*phase == 'f')
        stream.attribute("bp", "e");
    });
  };
  const ChartSlice &source =
      chart.tracks[arrow.sourceTrack].slices[arrow.sourceSlice];
  const ChartSlice &target =
      chart.tracks[arrow.targetTrack].slices[arrow.targetSlice];
  writeEnd("s", arrow.sourceTrack,
           source.start + 0.999 * (source.end - source.start));
  writeEnd("f", arrow.targetTrack, target.start);
}

void tessera::writeTrace(const Chart &chart, llvm::raw_ostream &os) {
  json::OStream stream(os);
  stream.object([&] {
    stream.attribute("displayTimeUnit", "ms");
    stream.attributeArray("traceEvents", [&] {
      writeEvent(stream, "M", "process_name", [&] {
        stream.attributeObject(
            "args", [&] { stream.attribute("name", "tessera-sim"); });
      });
      for (unsigned track = 0; track < chart.tracks.size(); ++track)
        writeTrack(stream, chart.tracks[track], track, chart.memoryUnit);
      for (unsigned arrow = 0; arrow < chart.arrows.size(); ++arrow)
        writeArrow(stream, chart, arrow);
    });
  });
  os << '\n';
}
