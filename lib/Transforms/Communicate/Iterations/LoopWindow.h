//===- LoopWindow.h - what stands around a loop ---------------------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_LOOPWINDOW_H
#define TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_LOOPWINDOW_H

#include "Iterations/LoopCollectives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tessera::communicate {

/// The part of a function that may hide the collectives of a loop: the loop,
/// the ones before and behind it, all between these and the next ones, and the
/// reductions of the loop's stacks wherever they are. The windows of all loops
/// together are three times the function.
class LoopWindow {
public:
  /// A copy as a function of its own. What is made outside is an argument,
  /// unless it is a constant, and what is read outside a result.
  struct Copy {
    mlir::func::FuncOp function;
    /// From the operations of the window to those of the copy.
    mlir::IRMapping mapping;
  };

  /// `loop` is in a function's own block.
  LoopWindow(mlir::scf::ForOp loop, const LoopCollectives &collectives);

  /// The first operation of the window of `loop`.
  static mlir::Operation *frontOf(mlir::scf::ForOp loop);
  /// By number of the copy's arguments, the bytes of those that nobody outside
  /// reads and that are not the function's: they are there until they are read.
  llvm::ArrayRef<int64_t> argumentBytes() const { return endingBytes; }

  /// Appends a copy to `module`.
  Copy copyTo(mlir::ModuleOp module) const;

private:
  mlir::Block *block;
  llvm::SetVector<mlir::Operation *> ops;
  /// What is made outside and read here, without constants; those constants.
  llvm::SetVector<mlir::Value> arguments;
  llvm::SetVector<mlir::Operation *> constants;
  llvm::SmallVector<mlir::Value> results;
  llvm::SmallVector<int64_t> endingBytes;
};

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_LOOPWINDOW_H
