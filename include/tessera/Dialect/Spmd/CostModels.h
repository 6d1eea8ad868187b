//===- CostModels.h - what the operations of tessera and spmd cost --------===//
#ifndef TESSERA_DIALECT_SPMD_COSTMODELS_H
#define TESSERA_DIALECT_SPMD_COSTMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tessera {

/// Gives the operations of `tessera`, `spmd`, `arith` and `math` their
/// `CostInterface`.
void registerOperationCosts(mlir::DialectRegistry &registry);

} // namespace tessera

#endif // TESSERA_DIALECT_SPMD_COSTMODELS_H
