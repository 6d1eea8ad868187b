//===- RecomputationSearch.h - the cheapest recomputation that fits -------===//
//
// A greedy search in seconds per byte at the peak (Kirisame et al., Dynamic
// Tensor Rematerialization, ICLR 2021, decide so while a program runs; XLA's
// HloRematerialization on a schedule, but by bytes alone). While more is held
// somewhere than there is room for, every value that is held over the peak and
// not read there has a price: what it takes to make it again right before it is
// read next, with everything for it that is no longer there by then. Of that,
// each value is made again as well, held a while longer, or, where it is made
// again later anyway, made that much earlier (a chain of layers so becomes one
// from a checkpoint), whichever is cheapest per byte. What is cheapest goes;
// what has nothing to read it before the peak so only moves. At the end what
// turned out to fit is kept after all, the dearest, found last, first.
//
// No change holds more than the present peak anywhere, so that each round
// lowers the peak or has fewer of them, and the search ends. A round is linear;
// the changes of one round are independent of each other. Several searches that
// differ in how they weigh prices run side by side, and the best plan counts.
// Of that a part is taken back at random, and the peak lowered again (ruin and
// recreate: Schrimpf et al., Record Breaking Optimization Results Using the
// Ruin and Recreate Principle, 2000).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RECOMPUTATIONSEARCH_H
#define TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RECOMPUTATIONSEARCH_H

#include "RecomputationProblem.h"

namespace tessera::schedule {

/// A plan for `problem` that holds at most `limit` bytes at once, and takes the
/// fewest seconds that were found; or, if none was found, the plan that holds
/// fewest. The same for the same arguments.
RecomputationPlan findRecomputation(const RecomputationProblem &problem,
                                    int64_t limit);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_REMATERIALIZATION_RECOMPUTATIONSEARCH_H
