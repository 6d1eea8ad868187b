//===- InPlace.h - kernels that may overwrite what they read --------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_INPLACE_H
#define TESSERA_TRANSFORMS_SCHEDULE_INPLACE_H

#include "tessera/Dialect/Spmd/MemoryMap.h"

namespace tessera::schedule {

using spmd::bytesOf;

/// Whether `op` may write a result of the same size over `operand`: it reads
/// each element of it before, and only for the element that takes its place (of
/// any result), or, in row kernels, for the row. `op` is a kernel or a
/// collective.
bool mayOverwrite(mlir::Operation *op, mlir::Value operand);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_INPLACE_H
