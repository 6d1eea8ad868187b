//===- OverlapSearch.h - an order that hides collectives ------------------===//
//
// Two sweeps over a program's order, both of which move one event at a time, so
// that there is a right order, and its memory is known, at any moment:
//
//   1. From the end to the beginning, as XLA's latency-hiding scheduler goes. A
//      collective that holds more than it lets go, a gather, starts just as
//      early as it has to, to be done when it is needed: its lead holds bytes.
//      Any other starts at once. Where what lies between start and first reader
//      is too little, operations from before the start that nobody needs until
//      then run behind it (weight gradients).
//   2. From the beginning to the end. A wait for what is still under way moves
//      down to the first reader; where that stands, too, operations from behind
//      it that do not need it run before.
//
// Both also from an order in which updates of shards that are gathered run as
// soon as their gradients are summed, not where the text has all of them.
//
// An operation moves over `kWindow` events at most, and only where no more
// bytes are held than allowed. So each sweep is linear in a program's length,
// and no weight gradient is put off far: every one that waits keeps an
// activation and a gradient.
//
// How many bytes are worth it is asked of the whole program: the sweeps run for
// several limits from the order's own peak up, and what has the smallest
// product of seconds and bytes is taken (the space-time product: Denning,
// 1968). One percent more memory has to save one percent of the time.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_OVERLAPSEARCH_H
#define TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_OVERLAPSEARCH_H

#include "OverlapProblem.h"

namespace tessera::schedule {

/// What a plan may take.
struct OverlapMemory {
  /// The bytes that may be held at once; where the order needs more without
  /// overlap, that many.
  int64_t limit = 0;
  /// What the program takes apart from these.
  int64_t otherBytes = 0;
  /// Whether the machine is known, so that seconds mean something. If not, all
  /// starts as early and is awaited as late as the order, which stays, and its
  /// memory without overlap permit.
  bool hasSeconds = true;
};

/// An order that hides collectives; never slower, as `measureOverlap` says,
/// than without overlap. The same for the same arguments.
OverlapPlan findOverlap(const OverlapProblem &problem,
                        const OverlapMemory &memory);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_OVERLAP_OVERLAPSEARCH_H
