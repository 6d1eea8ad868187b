//===- StageMeasures.h - what the stages of a step cost -------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_SCHEDULE_STAGEMEASURES_H
#define TESSERA_TRANSFORMS_STAGE_SCHEDULE_STAGEMEASURES_H

#include "Costs/OperationCosts.h"
#include "Step/Fragments.h"

#include "tessera/Stages/Cuts/StagePartition.h"
#include "tessera/Stages/Schedules/ScheduleGenerators.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

namespace tessera::stage {

/// Estimates what the tasks of `step` cost on one device, as schedules see
/// them. Seconds are the sums over the fragments' operations; a weight gradient
/// is a task without cost where the backward pass is whole, an input gradient
/// where nothing is sent back. Activations are what the backward fragments of a
/// stage read of what the forward pass has made of one microbatch, and of what
/// all ranks give it of an output layer that is spread over them; weight inputs
/// what the weight gradients read; parts of a weight gradient are known where
/// it has been taken apart. Parameters are all that a rank holds
/// during the whole step for having the stage: the arguments it reads, what it
/// carries from microbatch to microbatch, and results that take over no
/// argument's memory. Transfers cost nothing yet: they depend on where the
/// stages lie.
StageCosts measureStages(const pipe::Step &step, OperationCosts &costs);

/// Adds to `stages` what transfers take where microbatches take `routes` from
/// rank to rank: a boundary takes what it does on the route on which it takes
/// longest, a meeting over the output layer what it does on the slowest links
/// between any two ranks.
void measureTransfers(const pipe::Step &step, const OperationCosts &costs,
                      const RankLinks &links, llvm::ArrayRef<StageRoute> routes,
                      StageCosts &stages);

/// The same for boundaries that so many bytes cross forward and backward.
void placeBoundaries(llvm::ArrayRef<BoundaryCost> bytes, const RankLinks &links,
                     llvm::ArrayRef<StageRoute> routes, StageCosts &stages);

/// The routes of `placement`, of which there is one for each copy of a stage.
std::vector<StageRoute> routesOf(StagePlacement placement, int64_t ranks,
                                 int64_t stages);

/// The seconds of what runs once per step where microbatches take `routes`: the
/// fragments outside of the loop, each on every rank that has its stage, with
/// transfers in between; ranks that share a stage exchange what they have
/// accumulated, and new values of donated arguments go to all who hold them.
double measureOnce(const pipe::Step &step, OperationCosts &costs,
                   const RankLinks &links, llvm::ArrayRef<StageRoute> routes);

/// What is asked of a schedule for `step` on `ranks` pipeline ranks; with 0 one
/// per stage.
ScheduleRequest requestFor(const pipe::Step &step, int64_t ranks);

/// The seconds of one device for `fragment`.
double secondsOf(pipe::FragmentOp fragment, OperationCosts &costs);

/// The bytes on one device of the largest tensor that a rank holds during the
/// whole step: what no number of stages can be below.
int64_t largestResident(const pipe::Step &step, const OperationCosts &costs);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_SCHEDULE_STAGEMEASURES_H
