//===- Step.h - a step over microbatches ----------------------------------===//
#ifndef TESSERA_DIALECT_PIPE_STEP_H
#define TESSERA_DIALECT_PIPE_STEP_H

#include "tessera/Dialect/Pipe/Pipe.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tessera::pipe {

/// One step of a model in microbatches: a function, `@main`, and in its body
/// one loop over microbatches.
///
///  - Before the loop: what its iterations share, computed from the function's
///    arguments (parameters prepared, zeros to sum up from).
///  - In the loop: one iteration for each microbatch. Its variable is the
///    number of the microbatch; what reads a batch takes a slice there, and
///    what reads an argument or something from before the loop whole reads a
///    parameter.
///  - Carried by the loop: what microbatches leave behind together, mostly sums
///    of gradients (Accumulators.h), and outputs that each writes its rows of.
///  - Behind the loop: what needs all microbatches, the update of parameters.
///
/// `shard` marks the loop (`pipe.microbatches`). `stage` cuts all of it into
/// fragments with transfers in between, and gives the loop a schedule;
/// `partition` makes a program of it for each pipeline rank. Their views add
/// what they have found out: `stage::StepProgram` how operations come into
/// fragments, `partition::ScheduledStep` which rank runs them.
///
/// This one keeps nothing but the two operations: it looks at the program
/// whenever it is asked, and stays right while fragments are replaced.
class Step {
public:
  /// The step of `main`, cut or not: with the loop that is marked. A diagnostic
  /// unless there is one.
  static mlir::FailureOr<Step> find(mlir::func::FuncOp main);
  /// The step of `module` that has been cut; nothing where none has.
  static std::optional<Step> findCut(mlir::ModuleOp module);
  /// The marked loops of `main`, in the order of the text.
  static llvm::SmallVector<mlir::scf::ForOp>
  markedLoopsOf(mlir::func::FuncOp main);

  /// No step: a null function and loop.
  Step() = default;
  /// `loop` stands in the body of `function`.
  Step(mlir::func::FuncOp function, mlir::scf::ForOp loop)
      : function(function), loop(loop) {}

  mlir::func::FuncOp getFunction() const { return function; }
  mlir::scf::ForOp getLoop() const { return loop; }
  /// After the loop has been replaced.
  void setLoop(mlir::scf::ForOp newLoop) { loop = newLoop; }
  mlir::Block *getBody() const { return getLoop().getBody(); }
  /// The iterations of the loop; 1 where they are not known.
  int64_t microbatches() const;
  /// Whether the loop carries `value`: it is overwritten by the next
  /// microbatch, which may come before the last task of this one.
  bool isCarried(mlir::Value value) const;

  // Of a step that has been cut; fragments in the order of the text.

  /// The fragments before the loop, in it, behind it, and all of these.
  llvm::SmallVector<FragmentOp> fragmentsBefore() const;
  llvm::SmallVector<FragmentOp> fragmentsInLoop() const;
  llvm::SmallVector<FragmentOp> fragmentsBehind() const;
  llvm::SmallVector<FragmentOp> allFragments() const;
  /// The fragments of `stage` within the loop.
  llvm::SmallVector<FragmentOp> fragmentsOf(int64_t stage,
                                            FragmentKind kind) const;
  /// One more than the largest stage of any fragment.
  int64_t stages() const;
  /// Whether `value` is made anew for every microbatch and takes memory for
  /// each until its last user has run: neither from outside of the loop, nor
  /// carried by it, nor the number of the microbatch.
  bool isPerMicrobatch(mlir::Value value) const;
  /// Whether the output layer is spread over the pipeline ranks.
  bool isVocabularySpread() const {
    return !fragmentsOf(0, FragmentKind::VocabularyForward).empty();
  }
  /// Where it is, how often the ranks have to meet between the last stage's
  /// forward and backward task, as of a schedule; otherwise 0.
  int32_t vocabularyMeetings() const;

protected:
  mlir::func::FuncOp function;
  mlir::scf::ForOp loop;
};

/// The values from outside of `op` that it and its regions read, each once.
llvm::SetVector<mlir::Value> readsOf(mlir::Operation *op);

/// Whether `fragment` is part of a backward pass.
bool isBackward(FragmentOp fragment);
/// Whether `op`, which may be null, is a fragment of an output layer that is
/// spread over the pipeline ranks.
bool isOfVocabulary(mlir::Operation *op);

} // namespace tessera::pipe

#endif // TESSERA_DIALECT_PIPE_STEP_H
