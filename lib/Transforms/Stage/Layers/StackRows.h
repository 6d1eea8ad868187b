//===- StackRows.h - the rows of a stack of tensors -----------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_LAYERS_STACKROWS_H
#define TESSERA_TRANSFORMS_STAGE_LAYERS_STACKROWS_H

#include "tessera/Dialect/Tessera/Tessera.h"

namespace tessera::stage {

/// The type of `value` with one row, the first dimension being that of rows.
mlir::RankedTensorType rowType(mlir::Value value);

/// Row `row` of `value`, with its sharding, at the insertion point, if `value`
/// has been put together from parts, row by row: by a concatenation, by writes
/// into a stack, or by padding, as the gradient of `w[i]` is. It comes from the
/// part that has it, or is what was padded with, and depends on nothing else.
/// Null where `value` is no such thing.
mlir::Value findRow(mlir::OpBuilder &builder, mlir::Value value, int64_t row);

/// The same, or else the row sliced off `value`.
mlir::Value takeRow(mlir::OpBuilder &builder, mlir::Value value, int64_t row);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_LAYERS_STACKROWS_H
