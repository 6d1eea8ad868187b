//===- Calls.h - what a call does to memory -------------------------------===//
#ifndef TESSERA_TRANSFORMS_SCHEDULE_CALLS_H
#define TESSERA_TRANSFORMS_SCHEDULE_CALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace tessera::schedule {

/// The bytes that the arena of `program` may take where a device has `limit`,
/// which is above 0: beside arguments and results, and what its pipeline rank
/// leaves of the limit (`reserved`, by rank).
int64_t arenaWithin(mlir::func::FuncOp program, int64_t limit,
                    llvm::ArrayRef<int64_t> reserved);

/// A function that is called runs like a program of its own: the caller gives
/// it the memory of its arguments, its results and its arena. An argument that
/// is donated to a result is the memory of both.
class CalledFunctions {
public:
  explicit CalledFunctions(mlir::ModuleOp module) : symbols(module) {}

  /// The function that `call` calls; null if there is none.
  mlir::func::FuncOp find(mlir::func::CallOp call) const {
    return symbols.lookup<mlir::func::FuncOp>(call.getCallee());
  }
  /// For each operand of `call` the result that takes over its memory, or -1.
  llvm::SmallVector<int64_t> donations(mlir::func::CallOp call) const;
  /// Bytes of the arena that `call` needs; 0 before it is planned.
  int64_t arenaSize(mlir::func::CallOp call) const;

  /// The functions with a body, each behind those that it calls. Fails with a
  /// diagnostic if one calls itself, or one without a body.
  static llvm::FailureOr<llvm::SmallVector<mlir::func::FuncOp>>
  inOrder(mlir::ModuleOp module);

private:
  mlir::SymbolTable symbols;
};

} // namespace tessera::schedule

#endif // TESSERA_TRANSFORMS_SCHEDULE_CALLS_H
