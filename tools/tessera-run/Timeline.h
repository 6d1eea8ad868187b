//===- Timeline.h - What every rank did at every moment -------------------===//
//
// The runtime records events: what a rank's own thread (or its device's compute
// stream) did, one thing after another, and what went on in the background.
// From them comes an account of each rank's time in which every nanosecond of
// every step belongs to one part, so that shares add up to all of it.
//
// What ranks did together (a collective of a group, a message) is put together
// by the numbers that the runtime gives its events. It could begin when the
// last rank had come: until then the others waited *for that rank*; from then
// on the time is that of moving data, until the first rank knew it was
// complete.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_RUN_TIMELINE_H
#define TESSERA_TOOLS_TESSERA_RUN_TIMELINE_H

#include "tessera/runtime.h"

#include <array>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace tessera::run {

/// When a step ran, by the runtime's clock.
struct StepTime {
  int64_t begin, end;
};

/// What a rank's time can be spent on.
enum class Part {
  Kernel,      ///< It computes.
  Transfer,    ///< It moves data of a collective or message, or waits for that.
  WaitForRank, ///< It waits for another rank to come or to send.
  WaitForCore, ///< It could go on, and other threads have the cores.
  Between,     ///< The program between kernels and communication.
  Idle,        ///< Before the first and after the last thing it does in a step.
};
inline constexpr size_t partCount = 6;

/// `kernel`, `waiting for a rank`, ...
const char *nameOf(Part part);

/// Part of a rank's time.
struct Segment {
  int64_t begin, end;
  Part part;
  /// What the rank did; null between and outside of events.
  const TesseraEvent *event = nullptr;
  /// The rank that this one waited for, or -1.
  int32_t late = -1;

  int64_t duration() const { return end - begin; }
};

/// One collective of a group, or one message, on all ranks.
struct Exchange {
  /// An event of a rank, other than a start or wait.
  struct Member {
    int32_t rank;
    const TesseraEvent *event;
  };
  std::vector<Member> members;
  /// When the last member came, or the message was sent, and which it was.
  int64_t ready = INT64_MIN;
  int32_t late = -1;
  /// When the first member had it; the end of time for messages.
  int64_t done = INT64_MAX;
};

/// What the ranks of a job did in its steps.
class Timeline {
public:
  /// `events` are those of each rank and outlive this; of ranks in other
  /// processes there may be none. `onDevices`: no rank's thread waits for a
  /// core.
  Timeline(std::vector<std::span<const TesseraEvent>> events,
           std::vector<StepTime> steps, bool onDevices);

  size_t ranks() const { return allEvents.size(); }
  const std::vector<StepTime> &steps() const { return allSteps; }
  /// The time of all steps.
  int64_t duration() const;

  std::span<const TesseraEvent> events(size_t rank) const {
    return allEvents[rank];
  }
  /// In order, one behind the other within each step: their durations sum up to
  /// `duration()`.
  std::span<const Segment> segments(size_t rank) const {
    return allSegments[rank];
  }
  /// The segments of `rank` that lie in [begin, end) at least in part.
  std::span<const Segment> segmentsIn(size_t rank, int64_t begin,
                                      int64_t end) const;

  /// What an event of `rank` is a part of; null for those of one rank only.
  const Exchange *exchangeOf(size_t rank, const TesseraEvent &event) const;
  /// All of them, those of a group or pair of ranks in order.
  std::vector<const Exchange *> exchanges() const;

private:
  /// Communicator and group, or source and target with the tag; the number.
  using Key = std::array<int64_t, 5>;
  static Key keyOf(size_t rank, const TesseraEvent &event);

  void putTogether();
  void account(size_t rank, bool onDevices);
  /// Adds the segments of an event from `begin` to `end`.
  void split(size_t rank, const TesseraEvent &event, int64_t begin, int64_t end,
             bool onDevices);

  std::vector<std::span<const TesseraEvent>> allEvents;
  std::vector<StepTime> allSteps;
  std::map<Key, Exchange> together;
  std::vector<std::vector<Segment>> allSegments;
};

/// Whether an event stands for other events of its rank.
bool isTask(const TesseraEvent &event);
/// Whether an event is what its rank itself did.
bool isForeground(const TesseraEvent &event);

} // namespace tessera::run

#endif // TESSERA_TOOLS_TESSERA_RUN_TIMELINE_H
