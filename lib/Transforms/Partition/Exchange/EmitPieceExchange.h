//===- EmitPieceExchange.h - exchanges of pieces as permutes --------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_EXCHANGE_EMITPIECEEXCHANGE_H
#define TESSERA_TRANSFORMS_PARTITION_EXCHANGE_EMITPIECEEXCHANGE_H

#include "tessera/Sharding/Pieces/PieceExchange.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::partition {

/// Builds what turns `local`, a device's old part of a tensor, into its new
/// part of type `to`: one permute of a piece per round of `exchange`, between
/// slices that look up in tables, by the index of the device, which piece it
/// sends and where what it has received belongs.
mlir::Value emitPieceExchange(mlir::ImplicitLocOpBuilder &builder,
                              const PieceExchange &exchange,
                              mlir::FlatSymbolRefAttr meshName,
                              mlir::RankedTensorType to, mlir::Value local);

/// The dimensions of `value` cut and put together: first those of `shape`, in
/// the order `permutation`, then joined to `joined`.
mlir::Value rearrange(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                      llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> permutation,
                      llvm::ArrayRef<int64_t> joined);

/// What `table` says of this device, whose index is `device`: a scalar.
mlir::Value lookUp(mlir::ImplicitLocOpBuilder &builder, mlir::Value device,
                   llvm::ArrayRef<int32_t> table);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_EXCHANGE_EMITPIECEEXCHANGE_H
