//===- ModelChecks.h - is this what the user meant to compile? ------------===//
#ifndef TESSERA_DRIVER_MODELCHECKS_H
#define TESSERA_DRIVER_MODELCHECKS_H

#include "tessera/Driver/Phases.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Refuses a program that was read from `path` as it is after `from` (none: as
/// a model) and that is what a later phase leaves, or has operations that no
/// phase knows.
llvm::LogicalResult checkPhaseOf(mlir::ModuleOp module, llvm::StringRef path,
                                 std::optional<Phase> from);

/// Warns if `module`, which is as `import` leaves it, has a mesh of several
/// devices and no annotation that splits anything: all do the same work.
void warnOfEqualWork(mlir::ModuleOp module);

} // namespace tessera

#endif // TESSERA_DRIVER_MODELCHECKS_H
