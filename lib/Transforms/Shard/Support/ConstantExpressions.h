//===- ConstantExpressions.h - values that cost nothing to make again -----===//
#ifndef TESSERA_TRANSFORMS_SHARD_SUPPORT_CONSTANTEXPRESSIONS_H
#define TESSERA_TRANSFORMS_SHARD_SUPPORT_CONSTANTEXPRESSIONS_H

#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"

namespace tessera::shard {

/// Whether `op` may be repeated anywhere, in any sharding, as far as can be
/// told from its kind and results, which are no scalars.
bool isRepeatable(mlir::Operation *op);

/// The operations of a function whose results every device can make in any
/// sharding without communication and with little work: constants, counts, and
/// what is computed element by element from these and from scalars.
///
/// Results are tensors of rank 1 or more; scalars have no dimension along which
/// a sharding could travel.
class ConstantExpressions {
public:
  explicit ConstantExpressions(mlir::Operation *function);

  bool contains(mlir::Operation *op) const {
    return op && operations.contains(op);
  }
  bool contains(mlir::Value value) const {
    return contains(value.getDefiningOp());
  }
  /// All operations, producers before their users.
  llvm::ArrayRef<mlir::Operation *> getOperations() const { return inOrder; }
  /// The index of `op`, which is one of them, in `getOperations`.
  unsigned position(mlir::Operation *op) const { return operations.at(op); }

private:
  llvm::SmallVector<mlir::Operation *> inOrder;
  llvm::DenseMap<mlir::Operation *, unsigned> operations;
};

/// The operations that make `value`, producers before their users, if it is the
/// result of a constant expression of at most eight operations; none otherwise.
llvm::SmallVector<mlir::Operation *, 4> smallExpression(mlir::Value value);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_SUPPORT_CONSTANTEXPRESSIONS_H
