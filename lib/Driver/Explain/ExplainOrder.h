//===- ExplainOrder.h - why collectives are where they are ----------------===//
#ifndef TESSERA_DRIVER_EXPLAIN_EXPLAINORDER_H
#define TESSERA_DRIVER_EXPLAIN_EXPLAINORDER_H

#include "mlir/IR/BuiltinOps.h"

namespace tessera {

struct ScheduledStep;

/// Prints for the collectives of each place of `module`, which the phase
/// `schedule` leaves, in the order of their starts: between which kernels they
/// run and why there; in `step`, if it is known, what of them is hidden, by
/// what, and what would hide the rest. Then the proof that no order of them can
/// deadlock; a diagnostic where there is none.
mlir::LogicalResult printOrder(mlir::ModuleOp module, const ScheduledStep *step,
                               llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_DRIVER_EXPLAIN_EXPLAINORDER_H
