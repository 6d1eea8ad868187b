//===- LoopStacks.h - values that a loop keeps, one per trip --------------===//
#ifndef TESSERA_TRANSFORMS_FUSE_ATTENTION_LOOPSTACKS_H
#define TESSERA_TRANSFORMS_FUSE_ATTENTION_LOOPSTACKS_H

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::fuse {

/// What a loop writes to the stacks that it carries: trip i puts one slot, of
/// size 1 in the first dimension, at index i, and every index gets one. In
/// these JAX's scans keep what their backward pass needs.
class LoopStacks {
public:
  explicit LoopStacks(mlir::scf::ForOp loop);

  mlir::scf::ForOp getLoop() const { return loop; }
  /// The values that are put, with the numbers of the loop's results.
  const llvm::MapVector<mlir::Value, unsigned> &getSlots() const {
    return slots;
  }
  /// The value of the body that `read` takes one of; null if `read` reads no
  /// stack of the loop, or not one whole slot.
  mlir::Value getSlot(DynamicSliceOp read) const;
  /// Whether `value`, a scalar tensor of the body, is the number of the trip.
  bool isTrip(mlir::Value value) const;
  /// Operations, each on the result of the one before, that only move the
  /// elements of `value`, and the last of which gives a slot (none if `value`
  /// is one). Nothing if it is in no slot for which `mayUse` holds.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  findSlotOf(mlir::Value value,
             llvm::function_ref<bool(mlir::Value)> mayUse) const;

private:
  mlir::scf::ForOp loop;
  llvm::MapVector<mlir::Value, unsigned> slots;
};

} // namespace tessera::fuse

#endif // TESSERA_TRANSFORMS_FUSE_ATTENTION_LOOPSTACKS_H
