//===- TaskDonations.h - which results of tasks are written in place ------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_RANKS_TASKDONATIONS_H
#define TESSERA_TRANSFORMS_PARTITION_RANKS_TASKDONATIONS_H

#include "Ranks/RankBuilder.h"

namespace tessera::partition {

/// Marks the arguments of fragments' functions whose memory may become that of
/// a result (`tessera.donated`): values that the loop carries, with what is
/// carried on, and donated arguments of `@main`, with the result they are
/// donated to. Only where every call in `programs` allows it: where no one
/// needs the operand after the call, and it is not memory of the caller's
/// caller unless that was given away for the same result.
void donateOperands(const ScheduledStep &step,
                    const RankBuilder::FragmentFunctions &functions,
                    llvm::ArrayRef<mlir::func::FuncOp> programs);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_RANKS_TASKDONATIONS_H
