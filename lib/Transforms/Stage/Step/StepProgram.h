//===- StepProgram.h - a step over microbatches, before it is cut ---------===//
#ifndef TESSERA_TRANSFORMS_STAGE_STEP_STEPPROGRAM_H
#define TESSERA_TRANSFORMS_STAGE_STEP_STEPPROGRAM_H

#include "tessera/Dialect/Pipe/Step.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <set>

namespace tessera::stage {

/// How an operation of a step comes into fragments.
enum class Placement {
  /// Finds out which microbatch it is; stays in the loop, in no fragment.
  Number,
  /// Takes a row of an argument, or makes a result of rows; stays around the
  /// loop, in no fragment. Such a row counts as an argument by itself.
  Boundary,
  /// A cheap function of constants, the microbatch's number and what the batch
  /// has for it: every fragment that needs it gets a copy.
  Copied,
  /// Before the loop and needed there, hence a function of arguments alone:
  /// repeated on every stage that needs it.
  Prepared,
  /// Part of the forward pass of one stage.
  Forward,
  /// Part of the backward pass of one stage.
  Backward,
  /// Part of the output layer of one rank, before and after these have met.
  VocabularyForward,
  VocabularyBackward,
  /// Adds the parts of a gradient to an accumulator; parts that come from
  /// different stages are added after the loop instead.
  Sum,
  /// Runs once per step, on one stage.
  Once,
};

/// A value that the loop over microbatches carries.
struct CarriedSum {
  /// What the body adds to it, if that is all that happens to it in the
  /// backward pass; otherwise empty.
  llvm::SmallVector<mlir::Value, 2> parts;
};

/// An argument and where the program gives the value that takes its memory: an
/// operand of the terminator or, of a row, of what puts the result together.
struct Donation {
  mlir::Value argument;
  mlir::OpOperand *newValue;
};

/// A step before it is cut: its operations around the loop and in it, and how
/// each comes into fragments. What stands inside of an operation's regions
/// belongs to the operation.
///
/// Gradients are not marked in the program. A carried value that has the
/// dimensions of something that the body reads whole (a parameter) counts as
/// one, but not a scalar of which no new value of an argument is made. The
/// forward pass is what the other carried values (the loss, metrics, collected
/// outputs) depend on or, where none of them depends on a parameter, what all
/// gradients depend on; the rest of the body is the backward pass. So values
/// that only the derivative needs belong to the backward pass although they
/// stand among the forward operations.
class StepProgram : public pipe::Step {
public:
  /// Removes what is dead, moves out of the loop what needs no microbatch, and
  /// classifies the rest. Fragments in the loop are those of an output layer,
  /// and are taken apart. `boundary` is what `unstackArguments` returns.
  explicit StepProgram(const pipe::Step &step,
                       const llvm::DenseSet<mlir::Operation *> &boundary = {});

  /// All operations but the loop, its bounds and terminators, in the order of
  /// the text.
  llvm::ArrayRef<mlir::Operation *> getOperations() const { return operations; }
  bool contains(mlir::Operation *op) const {
    return op && placements.contains(op);
  }
  Placement placementOf(mlir::Operation *op) const { return placements.at(op); }
  /// Whether `op` is one of the program's and comes into fragments as
  /// `placement`.
  bool is(mlir::Operation *op, Placement placement) const {
    return contains(op) && placements.at(op) == placement;
  }
  /// Whether `op` belongs to an output layer that is spread over the ranks.
  bool isVocabulary(mlir::Operation *op) const {
    return is(op, Placement::VocabularyForward) ||
           is(op, Placement::VocabularyBackward);
  }
  /// Its operations, and which part each belongs to.
  llvm::ArrayRef<std::pair<mlir::Operation *, int64_t>>
  getVocabularyParts() const {
    return vocabularyParts;
  }
  /// Decides anew how `op`, which is one of the program's, comes into
  /// fragments.
  void place(mlir::Operation *op, Placement placement) {
    placements.at(op) = placement;
  }
  /// Adds an operation that has just been made, at the end.
  void add(mlir::Operation *op, Placement placement);
  /// After operands in `op`, which is one of the program's, have changed.
  void updateReads(mlir::Operation *op);
  /// Erases the operations of these placements whose results nobody uses.
  void eraseUnused(llvm::ArrayRef<Placement> kinds);
  /// The operation of the program that `value` is a result of; null for
  /// arguments and results of the loop.
  mlir::Operation *definingOperation(mlir::Value value) const;

  /// The operation of the program in whose regions `op` stands, or `op` itself;
  /// null for terminators.
  mlir::Operation *outermost(mlir::Operation *op) const {
    while (op && !contains(op))
      op = op->getParentOp();
    return op;
  }

  /// The values from outside of `op` that it reads, regions included.
  llvm::ArrayRef<mlir::Value> readsOf(mlir::Operation *op) const {
    return reads.at(op);
  }
  /// Whether `value` is an argument of the function, or a row of one that has
  /// been taken apart.
  bool isArgument(mlir::Value value) const;
  /// The donated arguments; each row by itself where they have been taken
  /// apart.
  llvm::SmallVector<Donation> donations() const;
  /// The arguments that `value` depends on, other than by what a batch has for
  /// the microbatch, if it is copied, prepared, or such an argument itself;
  /// nothing for other values.
  llvm::ArrayRef<mlir::Value> argumentsOf(mlir::Value value) const;
  /// The same, where what is prepared counts itself and not the arguments that
  /// it is made of: one layer's part of stacked parameters is not another's.
  llvm::ArrayRef<mlir::Value> parametersOf(mlir::Value value) const;

  /// Per value that the loop carries.
  llvm::ArrayRef<CarriedSum> getSums() const { return sums; }

private:
  void simplify();
  void takeFragmentsApart();
  void collect();
  void recordParameters();
  void recordParameters(mlir::Operation *op);

  // Placements of operations (StepPlacements.cpp), in this order: what no stage
  // has to itself, ...
  void findNeeded();
  void classifyFree();
  bool isNumber(mlir::Operation *op) const;
  bool mayCopy(mlir::Operation *op);
  bool takesMicrobatch(mlir::Operation *op) const;
  void classifyBeforeLoop();
  bool isPrepared(mlir::Operation *op);
  // ... forward and backward, ...
  void classifyBody();
  std::set<llvm::SmallVector<int64_t>> parameterSizes() const;
  bool readsParameter(mlir::Operation *op) const;
  llvm::DenseSet<mlir::Value> resultsForState() const;
  void placeBehindVocabulary();
  // ... and sums.
  void findSums();

  llvm::SmallVector<mlir::Operation *, 0> operations;
  llvm::DenseMap<mlir::Operation *, Placement> placements;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 4>> reads;
  /// What the loop needs, around it and in it.
  llvm::DenseSet<mlir::Operation *> needed;
  /// What argumentsOf returns of results of operations that are no arguments.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 1>>
      arguments;
  /// What parametersOf returns of arguments and of results of operations.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> parameters;
  /// What is copied with a copied operation.
  struct Copies {
    /// How many operations, with itself.
    unsigned size;
    /// Whether it needs arguments, other than what a batch has for the
    /// microbatch.
    bool needsArgument;
  };
  llvm::DenseMap<mlir::Operation *, Copies> copies;
  llvm::SmallVector<CarriedSum, 0> sums;
  llvm::SmallVector<std::pair<mlir::Operation *, int64_t>, 0> vocabularyParts;
};

} // namespace tessera::stage

#endif // TESSERA_TRANSFORMS_STAGE_STEP_STEPPROGRAM_H
