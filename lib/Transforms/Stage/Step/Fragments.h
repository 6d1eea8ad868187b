//===- Fragments.h - what fragments of a step are made of -----------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STEP_FRAGMENTS_H
#define TESSERA_TRANSFORMS_STAGE_STEP_FRAGMENTS_H

#include "tessera/Dialect/Pipe/Step.h"

#include "mlir/IR/IRMapping.h"

namespace tessera::stage {

/// The fragments of a step and what each reads, found once: for looking at a
/// program that stays as it is meanwhile.
class FragmentReads {
public:
  explicit FragmentReads(const pipe::Step &step);

  /// In the order of the text, all of them.
  llvm::ArrayRef<pipe::FragmentOp> all() const { return fragments; }
  /// Those of `stage` within the loop.
  llvm::ArrayRef<pipe::FragmentOp> ofStage(int64_t stage) const {
    return stages[stage];
  }
  /// What `fragment` reads, each value once.
  llvm::ArrayRef<mlir::Value> of(pipe::FragmentOp fragment) const {
    return reads.at(fragment);
  }

private:
  llvm::SmallVector<pipe::FragmentOp, 0> fragments;
  llvm::SmallVector<llvm::SmallVector<pipe::FragmentOp>, 0> stages;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 0>> reads;
};

/// The operations of a fragment, and which of them every fragment may repeat
/// for nothing: constants and what follows from them element by element.
class FragmentBody {
public:
  explicit FragmentBody(pipe::FragmentOp fragment);

  /// Without the terminator, in order.
  llvm::ArrayRef<mlir::Operation *> getOperations() const { return operations; }
  bool isFree(mlir::Operation *op) const { return free.contains(op); }
  /// The operation of this body, not inside of another, that `value` is a
  /// result of; null for values from outside.
  mlir::Operation *producerOf(mlir::Value value) const;
  llvm::ArrayRef<mlir::Value> readsOf(mlir::Operation *op) const {
    return reads.at(op).getArrayRef();
  }
  llvm::ArrayRef<mlir::Value> results() const { return yielded; }

private:
  mlir::Block *block;
  llvm::SmallVector<mlir::Operation *, 0> operations;
  llvm::SmallVector<mlir::Value> yielded;
  llvm::DenseSet<mlir::Operation *> free;
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::Value>> reads;
};

/// Builds a fragment like `like`, before it, from copies of `operations`, which
/// are some of its own in order, and yields `yields`. `mapping` says what
/// stands for values that are not among them.
pipe::FragmentOp cloneFragment(pipe::FragmentOp like, pipe::FragmentKind kind,
                               llvm::ArrayRef<mlir::Operation *> operations,
                               llvm::ArrayRef<mlir::Value> yields,
                               mlir::IRMapping &mapping);

/// Lets `fragment`, which has no results yet, yield what is used outside of it;
/// returns the fragment that takes its place.
pipe::FragmentOp exportResults(pipe::FragmentOp fragment);

/// Gives the results of `fragment` the shardings of what it yields, where these
/// are known; for fragments whose results have changed.
void inheritShardings(pipe::FragmentOp fragment);

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_STEP_FRAGMENTS_H
