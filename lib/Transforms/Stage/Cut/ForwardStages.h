//===- ForwardStages.h - where the forward pass is cut --------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_FORWARDSTAGES_H
#define TESSERA_TRANSFORMS_STAGE_CUT_FORWARDSTAGES_H

#include "Cut/ForwardChain.h"
#include "Cut/StageFlow.h"

#include "tessera/Stages/StageSchedule.h"
#include "tessera/Transforms/Stage/Costs/RankLinks.h"

namespace tessera::stage {

/// The schedule that `chain` is cut for where `name`, a name or a file, is
/// asked of so many ranks: marks decide how many stages a rank has. A
/// diagnostic at the loop where there is none, or where there are fewer blocks
/// than ranks.
mlir::FailureOr<StageSchedule> findScheduleToCutFor(const StepProgram &program,
                                                    const ForwardChain &chain,
                                                    int64_t ranks,
                                                    llvm::StringRef name);

/// The positions at which `chain` is cut into the stages of `schedule`,
/// ascending.
///
/// The operations, in the order of the text, are a chain. Where `stage_end`
/// marks stand, they are the cuts. Otherwise positions to cut are those between
/// two operations that no more bytes cross than what is next to them; the
/// blocks between them cost what their operations do, plus the operations of
/// the backward pass that need their values. `tessera/Stages/StagePartition.h`
/// says which blocks become a stage. Every
/// transfer is taken to cross the slowest of `links` that the schedule uses.
///
/// `memoryLimit` is what a device may use, 0 for no limit. Fails with a
/// diagnostic at the loop if there is no such cut.
mlir::FailureOr<llvm::SmallVector<int64_t>>
chooseCuts(const StepProgram &program, const ForwardChain &chain,
           const StageSchedule &schedule, const RankLinks &links,
           int64_t memoryLimit);

/// Gives every operation of the forward pass, which is `chain`, one of the
/// stages of `schedule`, cut as above. What is computed of the batch alone,
/// like a mask, runs on the first stage that needs it.
mlir::LogicalResult cutForward(const StepProgram &program,
                               const Checkpoints &checkpoints,
                               const ForwardChain &chain,
                               const StageSchedule &schedule,
                               const RankLinks &links, int64_t memoryLimit,
                               StageLabels &assignment);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_FORWARDSTAGES_H
