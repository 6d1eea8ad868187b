//===- StageMeasures.h - what the stages of a step cost -------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STAGEMEASURES_H
#define TESSERA_TRANSFORMS_STAGE_STAGEMEASURES_H

#include "OperationCosts.h"
#include "StagedStep.h"

#include "tessera/Stages/ScheduleGenerators.h"

namespace tessera {

/// Estimates what the tasks of `step` cost on one device, as schedules see
/// them. Seconds are the sums over the fragments' operations; a weight gradient
/// is a task without cost where the backward pass is whole, an input gradient
/// where nothing is sent back. Activations are what the backward fragments of a
/// stage read of what the forward pass has made of one microbatch, weight
/// inputs what the weight gradients read. Parameters are all that a rank holds
/// during the whole step for having the stage: the arguments it reads, what it
/// carries from microbatch to microbatch, and results that take over no
/// argument's memory. Boundaries are as slow as the links between ranks.
StageCosts measureStages(const StagedStep &step, OperationCosts &costs);

/// The seconds by which a step takes longer if each stage is on two ranks, of
/// which each has two stages: what runs once per step then runs for both, and
/// ranks that share a stage exchange what they have accumulated.
double measureCopies(const StagedStep &step, OperationCosts &costs);

/// What is asked of a schedule for `step` on `ranks` pipeline ranks; with 0 one
/// per stage.
ScheduleRequest requestFor(const StagedStep &step, int64_t ranks);

/// The seconds of one device for `fragment`.
double secondsOf(pipe::FragmentOp fragment, OperationCosts &costs);

/// The bytes on one device that one microbatch holds between the forward and
/// the backward fragments of `stage`.
int64_t activationBytes(const StagedStep &step, int64_t stage,
                        const OperationCosts &costs);

} // namespace tessera

#endif // TESSERA_TRANSFORMS_STAGE_STAGEMEASURES_H
