//===- LoopAccumulators.h - what a loop over microbatches sums up ---------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_RANKS_LOOPACCUMULATORS_H
#define TESSERA_TRANSFORMS_PARTITION_RANKS_LOOPACCUMULATORS_H

#include "tessera/Dialect/Pipe/Pipe.h"
#include "tessera/Sharding/Algebra/ReductionKind.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::partition {

/// A value that a loop carries only to add to it, so that its iterations may
/// run in any order, and parts of them apart: the loop's argument goes through
/// a chain of additions (or products, maxima, ...) within fragments, each its
/// only user, to what is yielded in its place. A slice written into zeros is
/// added, too, for every iteration writes to another place.
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

/// What `loop` does with the value number `number` that it carries; nothing
/// where it does not accumulate it.
std::optional<LoopAccumulator> findAccumulator(mlir::scf::ForOp loop,
                                               unsigned number);

/// Whether a part may start from the same value as another of the accumulator:
/// whether combining `value` with itself gives itself. `value` is looked up in
/// the fragment that makes it.
bool isNeutralStart(mlir::Value value, ReductionKind kind);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_RANKS_LOOPACCUMULATORS_H
