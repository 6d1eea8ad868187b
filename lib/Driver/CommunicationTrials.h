//===- CommunicationTrials.h - ways to communicate, tried -----------------===//
#ifndef TESSERA_DRIVER_COMMUNICATIONTRIALS_H
#define TESSERA_DRIVER_COMMUNICATIONTRIALS_H

#include "tessera/Driver/Compiler.h"
#include "tessera/Driver/Phases.h"

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

/// Whether a machine is described for `module`, so that seconds mean something.
bool hasDescribedMachine(mlir::ModuleOp module);

/// In which way the step of `module`, whose collectives have moved to the
/// iterations that they run in, is shortest when it has been scheduled. Prices
/// of the phase `communicate` are estimates before there are kernels and an
/// order; here, copies of the program are scheduled, without a limit of memory,
/// and played through (ScheduledStep.h): with all else that the phase would do,
/// with nothing else, and with calls of several collectives or products by
/// pieces only. Nothing is scheduled where the phase makes neither, and fewer
/// ways, or only the first, are known of programs of tens of thousands of
/// operations.
///
/// `asked` has what phases are asked for. A way in which a copy cannot be
/// compiled is not taken; the first if none can.
CommunicationWay
chooseCommunication(mlir::ModuleOp module,
                    llvm::function_ref<CompileOptions(Phase)> asked);

} // namespace tessera

#endif // TESSERA_DRIVER_COMMUNICATIONTRIALS_H
