//===- ArenaPeak.h - when the arena holds most ----------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_ARENAPEAK_H
#define TESSERA_TRANSFORMS_SCHEDULE_ARENAPEAK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::schedule {

/// The first moment at which the values in a function's arena take most.
struct ArenaPeak {
  /// What runs then; null where nothing lies in the arena.
  mlir::Operation *op = nullptr;
  /// What is held then; values that share a place are one, the largest of them.
  /// Those of a function that is called then are among them, but for its
  /// arguments and results.
  llvm::SmallVector<mlir::Value> held;
};

/// The peak of `function`, whose memory is planned. Takes time in proportion to
/// the operations of it and of what it calls, but for sorting.
ArenaPeak findArenaPeak(mlir::func::FuncOp function);

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_ARENAPEAK_H
