//===- Accumulators.h - what a loop over microbatches sums up -------------===//
#ifndef TESSERA_DIALECT_PIPE_ACCUMULATORS_H
#define TESSERA_DIALECT_PIPE_ACCUMULATORS_H

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Sharding/Algebra/ReductionKind.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::pipe {

/// How the body of a loop that is not cut adds to a value that it carries: by
/// one addition, which alone reads the value and is all that is yielded in its
/// place.
struct LoopAddition {
  mlir::Operation *op;
  /// What an iteration adds.
  mlir::Value added;
};

/// What `loop`, which is not cut, adds to the value number `number` that it
/// carries; nothing where it does anything else with it.
std::optional<LoopAddition> findAddition(mlir::scf::ForOp loop,
                                         unsigned number);

/// A value that a loop whose body has been cut carries only to add to it, so
/// that its iterations may run in any order, and parts of them apart: the
/// loop's argument goes through a chain of additions (or products, maxima, ...)
/// within fragments, each its only user, to what is yielded in its place. A
/// slice written into zeros is added, too, for every iteration writes elsewhere
/// in it.
struct LoopAccumulator {
  /// One fragment on the chain: what it uses, and which of its results is that
  /// with its addition.
  struct Link {
    mlir::Value input;
    mlir::OpResult result;
  };
  /// Links of one stage and kind of fragment, one behind the other: they run in
  /// one task, those of different segments maybe far apart. A segment sums up a
  /// part of its own. What the last link of the last one gives is yielded.
  llvm::SmallVector<llvm::SmallVector<Link>> segments;
  /// How two parts are combined.
  ReductionKind kind = ReductionKind::Sum;
};

/// What `loop`, whose body has been cut, does with the value number `number`
/// that it carries; nothing where it does not accumulate it.
std::optional<LoopAccumulator> findAccumulator(mlir::scf::ForOp loop,
                                               unsigned number);

/// Whether a part may start from the same value as another of the accumulator:
/// whether combining `value` with itself gives itself. `value` is looked up in
/// the fragment that makes it.
bool isNeutralStart(mlir::Value value, ReductionKind kind);

} // namespace tessera::pipe

#endif // TESSERA_DIALECT_PIPE_ACCUMULATORS_H
