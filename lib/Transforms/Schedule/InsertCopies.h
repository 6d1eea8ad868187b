//===- InsertCopies.h - copies that no memory plan can save ---------------===//
#ifndef TESSERA_LIB_TRANSFORMS_SCHEDULE_INSERTCOPIES_H
#define TESSERA_LIB_TRANSFORMS_SCHEDULE_INSERTCOPIES_H

#include "Calls.h"

namespace tessera {

/// Puts kernels that copy before users of values whose memory something else
/// takes over too early: values that exchange their places in a loop, arguments
/// that are returned in the place of others, and operands that a call
/// overwrites though they are still read, or are not `function`'s to overwrite.
void insertCopies(mlir::func::FuncOp function,
                  const CalledFunctions &functions);

} // namespace tessera

#endif // TESSERA_LIB_TRANSFORMS_SCHEDULE_INSERTCOPIES_H
