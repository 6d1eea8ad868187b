//===- CheckMessages.h - do all messages arrive? --------------------------===//
#ifndef TESSERA_DIALECT_SPMD_CHECKMESSAGES_H
#define TESSERA_DIALECT_SPMD_CHECKMESSAGES_H

#include "tessera/Dialect/Pipe/RankPrograms.h"

namespace tessera::spmd {

/// Checks that the pipeline ranks, which run `programs` (with messages outside
/// of regions only) at the same time, can all reach their end, with every
/// message received as the type that it was sent as. Sends do not wait and what
/// is received does not decide what is sent, so one run, in any order, stands
/// for all.
mlir::LogicalResult checkMessages(llvm::ArrayRef<RankProgram> programs);

} // namespace tessera::spmd

#endif // TESSERA_DIALECT_SPMD_CHECKMESSAGES_H
