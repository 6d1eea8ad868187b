//===- Checkpoints.h - what the backward pass repeats ---------------------===//
//
// Elsewhere: rematerialization, activation (gradient) checkpointing.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_CUT_CHECKPOINTS_H
#define TESSERA_TRANSFORMS_STAGE_CUT_CHECKPOINTS_H

#include "Step/StepProgram.h"

namespace tessera::stage {

struct StageLabels;

/// Operations of the backward pass that repeat some of the forward pass, as
/// JAX's `checkpoint` writes them: what is repeated reads its inputs through a
/// barrier, together with the cotangent that makes it necessary.
///
/// A barrier ties everything that one layer reads together, so it would bring
/// all of the layer to one stage. While a program is cut it is not there. An
/// operation of the backward pass that applies the same to what a *twin* in the
/// forward pass reads, or repeats of it, belongs to the twin's stage. Where
/// a stage ends within what is repeated, later stages take what crosses from
/// the forward pass: they have it anyway.
class Checkpoints {
public:
  /// Takes the barriers out of the backward pass of `program`, and finds twins.
  explicit Checkpoints(StepProgram &program);

  /// What `op` repeats of the forward pass; null if it does not.
  mlir::Operation *twinOf(mlir::Operation *op) const {
    return twins.lookup(op);
  }
  /// The value of the forward pass, or from before the loop, that `value`
  /// repeats; `value` itself if there is none.
  mlir::Value originalOf(mlir::Value value) const;
  /// What repeats `op` of the forward pass.
  llvm::ArrayRef<mlir::Operation *> repeatsOf(mlir::Operation *op) const;

  /// When every operation has its stage: lets later stages use the forward pass
  /// instead of what earlier ones repeat, and puts a barrier for each stage
  /// back where one has been.
  void restore(StageLabels &assignment);

private:
  /// Equal for operations that compute the same.
  using Key = llvm::SmallVector<const void *>;

  void takeBarriers();
  void takeBarrier(mlir::Operation *barrier);
  Key keyOf(mlir::Operation *op) const;
  void findTwins();
  mlir::Value resharded(mlir::Value value, mlir::Value like, int64_t stage,
                        StageLabels &assignment);
  void useForwardPass(StageLabels &assignment);
  void putBack(llvm::ArrayRef<mlir::OpOperand *> uses, StageLabels &assignment);

  StepProgram &program;
  /// Per barrier the uses of its results, innermost barriers first.
  llvm::SmallVector<llvm::SmallVector<mlir::OpOperand *>> barriers;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> twins;
  /// Operations that have twins, in the order of the text.
  llvm::SmallVector<mlir::Operation *> repeats;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 1>>
      repeatsByTwin;
  /// What `originalOf` returns, and the same of values that differ by nothing
  /// but their sharding.
  llvm::DenseMap<mlir::Value, mlir::Value> originals, representatives;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_CUT_CHECKPOINTS_H
