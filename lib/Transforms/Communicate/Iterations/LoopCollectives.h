//===- LoopCollectives.h - collectives for another iteration --------------===//
#ifndef TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_LOOPCOLLECTIVES_H
#define TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_LOOPCOLLECTIVES_H

#include "tessera/Dialect/Spmd/Spmd.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::communicate {

/// A reduction over devices of a stack that a loop makes part by part. Parts
/// may be reduced instead.
struct StackReduction {
  /// Behind the loop.
  spmd::CollectiveOpInterface collective;
  /// What is done to the stack before that, in this order: it is filled up with
  /// zeros, or gets another precision.
  llvm::SmallVector<mlir::Operation *, 1> steps;
  /// Writes a part into what the loop carries.
  DynamicUpdateSliceOp update;
  /// Which of the carried values the stack is.
  unsigned number;
  /// The dimension along which parts are stacked.
  unsigned dim;

  /// The type of the reduced stack.
  mlir::RankedTensorType stackType() const;
  /// Where along `dim` the part begins.
  mlir::Value index() const;
  /// The part.
  mlir::Value part() const;
};

/// The collectives of a loop that may run in another iteration.
struct LoopCollectives {
  /// How often the loop runs, twice or more.
  int64_t trips = 0;
  /// In its body: what they send follows from the number of the iteration and
  /// from what is there before the loop, by operations that are not heavy, as
  /// the slice of a stacked parameter does.
  llvm::SmallVector<spmd::CollectiveOpInterface> gathers;
  llvm::SmallVector<StackReduction> reductions;

  bool empty() const { return gathers.empty() && reductions.empty(); }
};

/// Finds them. None where the number of iterations is not constant or less than
/// two, or where the body has effects and cannot be repeated.
LoopCollectives findLoopCollectives(mlir::scf::ForOp loop);

} // namespace tessera::communicate

#endif // TESSERA_TRANSFORMS_COMMUNICATE_ITERATIONS_LOOPCOLLECTIVES_H
