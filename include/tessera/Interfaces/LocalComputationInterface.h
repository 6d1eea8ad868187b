//===- LocalComputationInterface.h - one device's part --------------------===//
#ifndef TESSERA_INTERFACES_LOCALCOMPUTATIONINTERFACE_H
#define TESSERA_INTERFACES_LOCALCOMPUTATIONINTERFACE_H

#include "tessera/Sharding/Algebra/TensorSharding.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace tessera {

/// How an operation is split.
struct ShardedOperation {
  mlir::FlatSymbolRefAttr meshName;
  const Mesh &mesh;
  /// One per operand and result; of rank 0 where that is no tensor.
  llvm::SmallVector<TensorSharding, 4> operands;
  llvm::SmallVector<TensorSharding, 2> results;
};

/// `op` on local operands, with its attributes for local types; what it
/// computes by itself, not looking at which part it computes.
mlir::Operation *createLocalOperation(mlir::OpBuilder &builder,
                                      mlir::Operation *op,
                                      mlir::ValueRange localOperands,
                                      mlir::TypeRange localResults);

} // namespace tessera

#include "tessera/Interfaces/LocalComputationInterface.h.inc"

#endif // TESSERA_INTERFACES_LOCALCOMPUTATIONINTERFACE_H
