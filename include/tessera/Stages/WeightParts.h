//===- WeightParts.h - Weight gradients in several tasks --------*- C++ -*-===//
//
// What the gradients of a stage's parameters take from a microbatch is many
// computations that hardly depend on one another. One task of all of them may
// be longer than the gaps of a schedule; taken apart into several, some fit.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_STAGES_WEIGHTPARTS_H
#define TESSERA_STAGES_WEIGHTPARTS_H

#include "tessera/Stages/StageCosts.h"

namespace tessera {

/// `schedule` with each B as I and W, one after the other.
StageSchedule splitBackward(const StageSchedule &schedule);

/// `schedule` with all parts of a weight gradient, one after the other, where
/// it is one task; where `costs` knows no parts, it stays one.
StageSchedule takeWeightsApart(const StageSchedule &schedule,
                               const StageCosts &costs);

/// `schedule` with one task where all parts of a weight gradient follow each
/// other. Takes the same time.
StageSchedule joinWeights(const StageSchedule &schedule);

} // namespace tessera

#endif // TESSERA_STAGES_WEIGHTPARTS_H
