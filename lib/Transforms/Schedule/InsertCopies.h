//===- InsertCopies.h - copies that no memory plan can save ---------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_INSERTCOPIES_H
#define TESSERA_TRANSFORMS_SCHEDULE_INSERTCOPIES_H

#include "Calls.h"

namespace tessera::schedule {

/// Puts kernels that copy before users of values whose memory something else
/// takes over too early: values that exchange their places in a loop, arguments
/// that are returned in the place of others, and operands that a call
/// overwrites though they are still read, or are not `function`'s to overwrite.
void insertCopies(mlir::func::FuncOp function,
                  const CalledFunctions &functions);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_INSERTCOPIES_H
