//===- ScheduleSearch.h - The schedule `auto` -----------------------------===//
#ifndef TESSERA_STAGES_SEARCH_SCHEDULESEARCH_H
#define TESSERA_STAGES_SEARCH_SCHEDULESEARCH_H

#include "tessera/Stages/Schedules/ScheduleGenerators.h"

#include <limits>

namespace tessera {

/// Where the stages may lie, and what they cost if they do: one model cut for
/// several placements gives several of these.
struct SearchPlacement {
  StagePlacement placement = StagePlacement::Looped;
  /// Stages per rank, as in ScheduleRequest.
  int32_t chunks = 1;
  /// Of ranks x chunks stages.
  StageCosts costs;
  /// StageSchedule::vocabularyMeetings of the schedules: 0 if the output layer
  /// is part of the last stage.
  int32_t vocabularyMeetings = 0;
  /// Seconds that a step takes under this placement beside its tasks.
  double once = 0;
};

/// What a search makes least; where several schedules are equal, it takes the
/// one that is less by the other.
enum class ScheduleFigure {
  /// Timeline::makespan: where a step begins when the one before has ended.
  Step,
  /// Timeline::longestStage: where ranks begin the next step one after another,
  /// as they ended, so that their skew costs nothing.
  LongestStage,
};

/// What is asked of the search.
struct ScheduleSearchRequest {
  int32_t ranks = 1;
  int32_t microbatches = 1;
  /// At least one; the best schedule of all is the answer.
  std::vector<SearchPlacement> placements;
  /// The most bytes on a rank, `StageCost::parameters` included.
  double memoryLimit = std::numeric_limits<double>::infinity();
  /// Whether backward tasks may be split in I and W.
  bool splitsBackward = true;
  ScheduleFigure minimizes = ScheduleFigure::Step;
  /// Whether the search goes on, for some part of its time, for a schedule that
  /// is as good as the best and better by the other figure.
  bool breaksTies = false;
  /// How many schedules may be timed while starts are improved (the result
  /// depends on nothing but the request). If 0, as many as take about a second
  /// for 1,000 tasks and some seconds for 10,000.
  int64_t replays = 0;
  /// Whether starts are improved. Without, the result is the best start, which
  /// takes a fraction of the time to find: for comparing placements.
  bool improves = true;
};

/// The schedule that was found, and what it was measured against.
struct ScheduleSearchResult {
  /// Named `auto`; passes checkSchedule.
  StageSchedule schedule;
  /// The index of its placement in the request.
  size_t placement = 0;
  /// Seconds of a step and of the longest stage, SearchPlacement::once
  /// included, and Timeline::peakMemory.
  double makespan = 0;
  double longestStage = 0;
  double peakMemory = 0;
  /// Of the figures below, seconds of what is minimised.
  ///
  /// The best schedule found whose weight gradients are one task each; the
  /// result's take several where that saves half a percent, and only then this
  /// is larger.
  double wholeSeconds = 0;
  /// What no schedule under these placements is below.
  double bound = 0;
  /// The best published schedule within the memory limit: no better than the
  /// result. Empty, and infinity, if none fits.
  std::string published;
  double publishedSeconds = std::numeric_limits<double>::infinity();
  size_t publishedPlacement = 0;
  /// By placement, the best start: infinity if nothing fits the memory. Of
  /// placements that cannot be the best only the published ones are starts.
  std::vector<double> starts;
  /// Schedules timed.
  int64_t replays = 0;
};

/// Searches for the schedule with the smallest makespan, or longest stage,
/// within the memory limit (docs/rationale/schedule-search.md). Never worse
/// than the best of listSchedules() under the same placements and limit.
/// Deterministic.
///
/// Fails if the request makes no sense (no placement, costs that do not fit),
/// and if the memory limit is too small for any order of tasks; the message
/// then names the least limit that is not.
Fallible<ScheduleSearchResult>
searchSchedule(const ScheduleSearchRequest &request);

} // namespace tessera

#endif // TESSERA_STAGES_SEARCH_SCHEDULESEARCH_H
