//===- Chart.h - What every rank does when --------------------------------===//
//
// The common form of everything that can be looked at: a replayed schedule, and
// the prediction for a compiled program. The writers (ChartWriters.h) know
// nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_CHART_H
#define TESSERA_SIMULATOR_CHART_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// What a slice is for; decides its colour.
enum class SliceKind : uint8_t {
  Forward,
  InputGradient,
  WeightGradient,
  Backward,
  VocabularyForward,
  VocabularyBackward,
  /// Once in a step, such as the optimizer.
  Once,
  /// A kernel, or a loop of kernels, that is no part of a task.
  Kernel,
  /// Communication that the rank waits for.
  Collective,
  /// Communication beside its work.
  Hidden,
};
constexpr unsigned kNumSliceKinds = 10;

/// `forward`, `input gradient`, ...
const char *nameOf(SliceKind kind);

/// One stretch of work.
struct ChartSlice {
  SliceKind kind;
  /// Which of the rank's chunks, from 0; deeper ones are drawn darker.
  unsigned chunk = 0;
  /// `2F5`, and what stands in a small box: `5`.
  std::string name, label;
  /// Milliseconds from the begin of the step; `start` <= `end`.
  double start = 0, end = 0;
};

/// How much a rank holds from `time` on.
struct MemoryPoint {
  double time, amount;
};

/// One rank. Slices are ordered and do not overlap; memory is ordered by time
/// and holds until the next point.
struct ChartTrack {
  std::string name;
  std::vector<ChartSlice> slices;
  /// What is under way beside them, ordered, without overlaps; what of it is
  /// waited for is a slice, too.
  std::vector<ChartSlice> beside;
  std::vector<MemoryPoint> memory;
  /// What is kept for it all the time, of which `memory` says how much is in
  /// use; 0 where nothing is.
  double reserved = 0;
  /// When the rank is done, if that is known to be after its last slice: what
  /// it has received there is no slice.
  double end = 0;

  /// The end of the last slice, or `end` where it is later.
  double endTime() const;
  /// What is reserved, or else the most that is held.
  double peakMemory() const;
  double busyTime() const;
};

/// A value on its way from the end of a slice to the start of another.
struct ChartArrow {
  unsigned sourceTrack, targetTrack;
  /// Positions in the tracks' slices.
  unsigned sourceSlice, targetSlice;
};

struct Chart {
  /// One line above the picture.
  std::string title;
  /// The machine that times are of, and how it is known; empty where times are
  /// given.
  std::string machine;
  /// What memory is counted in: `activations`, `bytes`.
  std::string memoryUnit;
  /// How much a rank may hold; 0 where there is no limit.
  double memoryLimit = 0;
  std::vector<ChartTrack> tracks;
  std::vector<ChartArrow> arrows;
  /// What the busy time of a rank consists of, and what is beside it, in
  /// milliseconds, in the mean of all ranks; empty where it is not known.
  std::vector<std::pair<std::string, double>> parts;

  /// When the last rank is done.
  double makespan() const;
  /// The largest number of chunks on one rank.
  unsigned numChunks() const;
  /// An amount of memory in a few digits: `5.5 activations`, `57.8 MB`.
  std::string describeAmount(double amount) const;
};

} // namespace tessera

#endif // TESSERA_SIMULATOR_CHART_H
