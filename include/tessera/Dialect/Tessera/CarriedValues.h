//===- CarriedValues.h - other values carried by a loop -------------------===//
#ifndef TESSERA_DIALECT_TESSERA_CARRIEDVALUES_H
#define TESSERA_DIALECT_TESSERA_CARRIEDVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/BitVector.h"

namespace tessera {

/// A constant of zeros with the type and the sharding of `like`.
mlir::Value makeZero(mlir::OpBuilder &builder, mlir::Value like);

/// Makes the values that `yield` gives, inside of a loop that also carries
/// `more`.
using YieldBuilder = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &builder, mlir::ValueRange more)>;

/// Replaces `loop` by one that does not carry its values `dropped`, of which
/// neither the region arguments nor the results are used, and behind the others
/// carries new ones that start as `inits`; they have the shardings of these.
/// What the body does for them is added before its end by `build`. Operations
/// of the body stay what they are. Returns the new loop.
mlir::scf::ForOp replaceCarried(mlir::scf::ForOp loop,
                                const llvm::BitVector &dropped,
                                mlir::ValueRange inits, YieldBuilder build);

} // namespace tessera

#endif // TESSERA_DIALECT_TESSERA_CARRIEDVALUES_H
