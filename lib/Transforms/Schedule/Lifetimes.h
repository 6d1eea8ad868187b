//===- Lifetimes.h - when values are made and last read -------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_LIFETIMES_H
#define TESSERA_TRANSFORMS_SCHEDULE_LIFETIMES_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::schedule {

/// Times of the operations of a function: they count up in the order of
/// execution, through regions (but not into kernels). An operation with regions
/// spans the times of what is in them. A collective that is started has the
/// time of its start, reads until its wait, and writes from then on.
class Lifetimes {
public:
  explicit Lifetimes(mlir::Operation *function);

  int64_t begin(mlir::Operation *op) const { return spans.lookup(op).first; }
  int64_t end(mlir::Operation *op) const { return spans.lookup(op).second; }

  /// The time of a use as the block of `value` sees it: the beginning of the
  /// user, for a collective that is started that of its wait, or, if the user
  /// is inside of a region, the end of the operation with that region (a loop
  /// comes back to it).
  int64_t timeOf(mlir::OpOperand &use) const;
  /// The time of the last use of `value`; that of its definition if there is
  /// none.
  int64_t lastUse(mlir::Value value) const;

private:
  void number(mlir::Operation *op, int64_t &time);

  llvm::DenseMap<mlir::Operation *, std::pair<int64_t, int64_t>> spans;
};

/// The start of a collective or a copy; null if it is not started but simply
/// runs.
spmd::StartOp startOf(mlir::Operation *collective);

/// Whether `user` has `value` as one operand only.
bool isReadOnce(mlir::Value value, mlir::Operation *user);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_LIFETIMES_H
