//===- TripCount.h - how often an operation runs --------------------------===//
#ifndef TESSERA_INTERFACES_TRIPCOUNT_H
#define TESSERA_INTERFACES_TRIPCOUNT_H

#include "mlir/IR/Operation.h"

namespace tessera {

/// How often the regions of `op` run in one run of the function around it: the
/// product of the trip counts of `op` and of all loops around it. A loop whose
/// bounds are not constant counts as 16 trips, anything else as one.
int64_t tripCount(mlir::Operation *op);

} // namespace tessera

#endif // TESSERA_INTERFACES_TRIPCOUNT_H
