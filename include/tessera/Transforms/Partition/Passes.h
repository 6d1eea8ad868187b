//===- Passes.h - the phase from whole tensors to parts -------------------===//
#ifndef TESSERA_TRANSFORMS_PARTITION_PASSES_H
#define TESSERA_TRANSFORMS_PARTITION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tessera::partition {

#define GEN_PASS_DECL
#include "tessera/Transforms/Partition/Passes.h.inc"

/// What the phase has to know of the program.
struct PartitionPhaseOptions {
  /// Whether the program may be another one than that which the phase `shard`
  /// verified at its end: it was read from a file, or cut into stages since.
  bool isNew = true;
};

/// Adds the passes of the phase `partition` to a manager of passes on modules.
void buildPartitionPhase(mlir::OpPassManager &manager,
                         const PartitionPhaseOptions &options = {});
/// Registers the passes of the phase, and the phase as
/// `tessera-partition-phase`.
void registerPartitionPhase();

/// Says how the operations that count or take places as data compute one
/// device's part.
void registerLocalComputations(mlir::DialectRegistry &registry);
/// Says how the operations that take places as data work on padded tensors.
void registerPadding(mlir::DialectRegistry &registry);

} // namespace tessera::partition

#endif // TESSERA_TRANSFORMS_PARTITION_PASSES_H
