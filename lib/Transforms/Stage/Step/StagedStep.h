//===- StagedStep.h - a step that has been cut into fragments -------------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STEP_STAGEDSTEP_H
#define TESSERA_TRANSFORMS_STAGE_STEP_STAGEDSTEP_H

#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tessera::stage {

/// `@main` after `tessera-cut-stages`: fragments, transfers and a loop over
/// microbatches. Looks at the program whenever it is asked, so that it stays
/// right while fragments are replaced.
class StagedStep {
public:
  /// The step of `module`; nothing where none has been cut.
  static std::optional<StagedStep> find(mlir::ModuleOp module);

  mlir::func::FuncOp getFunction() const { return function; }
  mlir::scf::ForOp getLoop() const { return loop; }
  mlir::Block *getBody() const { return loop.getBody(); }
  /// One more than the largest stage of any fragment.
  int64_t stages() const;
  /// The iterations of the loop; 1 where they are not known.
  int64_t microbatches() const;

  /// The fragments of `stage` within the loop, in the order of the text.
  llvm::SmallVector<pipe::FragmentOp>
  fragmentsOf(int64_t stage, pipe::FragmentKind kind) const;
  /// Whether the output layer is spread over the pipeline ranks.
  bool isVocabularySpread() const {
    return !fragmentsOf(0, pipe::FragmentKind::VocabularyForward).empty();
  }
  /// Where it is, how often the ranks have to meet between the last stage's
  /// forward and backward task, as of a schedule; otherwise 0.
  int32_t vocabularyMeetings() const;
  /// All fragments of the function.
  llvm::SmallVector<pipe::FragmentOp> allFragments() const;

  /// Whether `value` is made anew for every microbatch and takes memory for
  /// each until its last user has run: neither from outside of the loop, nor
  /// carried by it, nor the number of the microbatch.
  bool isPerMicrobatch(mlir::Value value) const;
  /// Whether the loop carries `value`: it is overwritten by the next
  /// microbatch, which may come before the last task of this one.
  bool isCarried(mlir::Value value) const;

private:
  StagedStep(mlir::func::FuncOp function, mlir::scf::ForOp loop)
      : function(function), loop(loop) {}

  mutable mlir::func::FuncOp function;
  mutable mlir::scf::ForOp loop;
};

/// The values from outside of `op` that it and its regions read, each once.
llvm::SetVector<mlir::Value> readsOf(mlir::Operation *op);

/// The fragments of a step and what each reads, found once: for looking at a
/// program that stays as it is meanwhile.
class FragmentReads {
public:
  explicit FragmentReads(const StagedStep &step);

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

/// Whether `fragment` is part of a backward pass.
bool isBackward(pipe::FragmentOp fragment);
/// Whether `op`, which may be null, is a fragment of an output layer that is
/// spread over the pipeline ranks.
bool isOfVocabulary(mlir::Operation *op);

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

#endif // TESSERA_TRANSFORMS_STAGE_STEP_STAGEDSTEP_H
