//===- ConstantIndices.h - indices in a tensor that are known -------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STEP_CONSTANTINDICES_H
#define TESSERA_TRANSFORMS_STAGE_STEP_CONSTANTINDICES_H

#include "mlir/IR/ValueRange.h"

#include <optional>

namespace tessera::stage {

/// The numbers that the whole scalars `indices` are; nothing unless all are
/// constants.
std::optional<llvm::SmallVector<int64_t>>
constantIndices(mlir::ValueRange indices);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_STEP_CONSTANTINDICES_H
