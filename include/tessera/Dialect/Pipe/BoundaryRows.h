//===- BoundaryRows.h - arguments and results by rows ---------------------===//
#ifndef TESSERA_DIALECT_PIPE_BOUNDARYROWS_H
#define TESSERA_DIALECT_PIPE_BOUNDARYROWS_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {

/// The dimension along which a tensor of type `part` has only some of what one
/// of type `whole` has, the rows; 0 where it has all.
int64_t rowDim(mlir::Type whole, mlir::Type part);

/// Of a function that has been cut into stages: `op`, if it stands outside of
/// fragments and takes some rows, one after the other, of one of the function's
/// arguments: a part of one dimension, all of the others. Such rows are an
/// argument by themselves. Null for other operations, and where devices share
/// the rows out.
SliceOp asArgumentRows(mlir::Operation *op);

/// The same for what puts a result of the function together from rows, and is
/// used for nothing else.
ConcatenateOp asResultOfRows(mlir::Operation *op);

/// An argument of a function that has been cut, or rows of it.
struct ArgumentRows {
  mlir::Value value;
  unsigned argument;
  /// The first row; 0 for the whole argument.
  int64_t first;
};

/// A value that a function that has been cut returns, alone or as rows.
struct ResultRows {
  mlir::Value value;
  unsigned result;
  int64_t first;
};

/// The arguments of `function`, those in rows by their rows; ascending.
llvm::SmallVector<ArgumentRows> getArgumentRows(mlir::func::FuncOp function);

/// What `function` returns, ascending.
llvm::SmallVector<ResultRows> getResultRows(mlir::func::FuncOp function);

} // namespace tessera

#endif // TESSERA_DIALECT_PIPE_BOUNDARYROWS_H
