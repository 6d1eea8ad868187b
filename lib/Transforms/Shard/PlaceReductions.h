//===- PlaceReductions.h - where pending reductions are resolved ----------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PLACEREDUCTIONS_H
#define TESSERA_TRANSFORMS_SHARD_PLACEREDUCTIONS_H

#include "Reductions/PendingReductions.h"

#include "tessera/Dialect/Tessera/ReshardCosts.h"

namespace tessera::shard {

/// Fails with an error if some tensor of `function` has no sharding.
llvm::LogicalResult requireShardings(mlir::func::FuncOp function);

/// Moves the reductions of `program` that are pending over one of `sets` to
/// where they cost least: one set after the other, and then those over which
/// reductions have come to be pending by it. Everything in the function must
/// have a sharding.
void placeReductions(PendingProgram &program, ReshardCosts &costs,
                     RuleCache &rules, llvm::SmallVector<PendingAxes> sets);

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_PLACEREDUCTIONS_H
