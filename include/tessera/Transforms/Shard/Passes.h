//===- Passes.h - the phase that decides all shardings --------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_PASSES_H
#define TESSERA_TRANSFORMS_SHARD_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tessera/Transforms/Shard/Passes.h.inc"

/// Adds the passes of the phase `shard` to a manager of passes on modules.
/// `provenance` says of what it is recorded.
void buildShardPhase(mlir::OpPassManager &manager,
                     const RecordProvenanceOptions &provenance = {});
/// Registers the phase under the name `tessera-shard-phase`.
void registerShardPhase();

} // namespace tessera

#endif // TESSERA_TRANSFORMS_SHARD_PASSES_H
