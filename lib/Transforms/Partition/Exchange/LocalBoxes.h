//===- LocalBoxes.h - boxes at computed indices of split tensors ----------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_EXCHANGE_LOCALBOXES_H
#define TESSERA_TRANSFORMS_PARTITION_EXCHANGE_LOCALBOXES_H

#include "Exchange/EmitReshard.h"

#include "tessera/Interfaces/LocalComputationInterface.h"

namespace tessera::partition {

/// One device's part of a slice, given its parts of the operands. Of a box that
/// has size 1 where the operand is split, the device that has the index gives
/// the elements, and all others zero.
llvm::SmallVector<mlir::Value> buildLocalSlice(DynamicSliceOp op,
                                               mlir::OpBuilder &outer,
                                               mlir::ValueRange operands,
                                               mlir::RankedTensorType type,
                                               const ShardedOperation &sharded);

/// One device's part of an updated tensor: it writes the part of the box that
/// lies in its part of the tensor. A box that may lie across a boundary is
/// written into a part with a margin on both sides, which then goes.
llvm::SmallVector<mlir::Value>
buildLocalUpdate(DynamicUpdateSliceOp op, mlir::OpBuilder &outer,
                 mlir::ValueRange operands, mlir::RankedTensorType type,
                 const ShardedOperation &sharded);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_EXCHANGE_LOCALBOXES_H
