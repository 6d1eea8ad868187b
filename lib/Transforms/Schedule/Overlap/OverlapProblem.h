//===- OverlapProblem.h - what may run beside collectives -----------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_OVERLAPPROBLEM_H
#define TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_OVERLAPPROBLEM_H

#include "../Rematerialization/RecomputationProblem.h"

namespace tessera::schedule {

/// Operations of a block, of which some are collectives, or copies to the host
/// or back: these are started, run beside all else, one behind the other of
/// their kind, and are awaited. All else runs in its order.
struct OverlapProblem {
  static constexpr unsigned kNone = RecomputationProblem::kNone;

  /// The operations, in an order in which they may run, and what they take.
  RecomputationProblem block;
  /// What is started runs behind what has been started on its stream.
  enum Stream : uint8_t { Links, ToHost, FromHost };
  static constexpr unsigned kStreams = 3;

  /// For each operation whether it is a collective, or several in one call, or
  /// a copy to the host or back.
  std::vector<bool> isCollective;
  /// For each operation others, before it, that have to be done when it begins,
  /// beside those that make its operands.
  std::vector<std::vector<unsigned>> after;
  /// For each operation that is started its stream; empty where there are
  /// collectives only.
  std::vector<Stream> streams = {};

  Stream streamOf(unsigned operation) const {
    return streams.empty() ? Links : streams[operation];
  }
};

/// The order of events: each operation runs once, or, for a collective, is
/// started and awaited.
struct OverlapPlan {
  struct Event {
    unsigned operation;
    bool isWait = false;
  };
  std::vector<Event> events;

  /// Every collective is awaited where it is started.
  static OverlapPlan original(const OverlapProblem &problem);
};

struct OverlapCosts {
  /// From the first operation to the end of the last.
  double seconds = 0;
  /// The most bytes that are held at once.
  int64_t peak = 0;
  /// For each operation the seconds for which nothing runs until it is awaited.
  std::vector<double> exposed;
};

/// What `plan`, which is right for `problem`, costs. Linear.
OverlapCosts measureOverlap(const OverlapProblem &problem,
                            const OverlapPlan &plan);

/// Why `plan` does not do what `problem` says, or an empty string: something
/// does not run once, is awaited before it starts, begins before what it needs
/// is done.
std::string verifyOverlap(const OverlapProblem &problem,
                          const OverlapPlan &plan);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_OVERLAPPROBLEM_H
