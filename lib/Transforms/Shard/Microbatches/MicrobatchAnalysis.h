//===- MicrobatchAnalysis.h - what microbatches make of values ------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_MICROBATCHES_MICROBATCHANALYSIS_H
#define TESSERA_TRANSFORMS_SHARD_MICROBATCHES_MICROBATCHANALYSIS_H

#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::shard {

/// The rows of a step: arguments of which one dimension is the batch, and how
/// they are cut.
struct Batch {
  /// An argument and its dimension that is the batch.
  struct Member {
    mlir::BlockArgument argument;
    int64_t dim = 0;
  };
  llvm::SmallVector<Member> members;
  /// All arguments that the step does not replace, members or not.
  llvm::DenseSet<mlir::Value> data;
  /// The number of rows, the same for all members.
  int64_t size = 1;
  /// The number of microbatches.
  int64_t count = 1;
  /// The number of equal blocks of rows that stay where they are: microbatch k
  /// takes the k-th piece of each. Blocks are what devices hold.
  int64_t blocks = 1;
};

/// Adds a note for each member of `batch`: which dimension of which argument.
void noteMembers(mlir::InFlightDiagnostic &diagnostic, const Batch &batch);

/// How a tensor is cut along one dimension, which is seen as [before,
/// microbatches, rest]. What stands before are the blocks of rows, and what
/// else the dimension is made of, to their left.
struct BatchSplit {
  int64_t dim = 0;
  int64_t before = 1;

  friend bool operator==(const BatchSplit &a, const BatchSplit &b) {
    return a.dim == b.dim && a.before == b.before;
  }
};

/// What microbatches make of a value.
struct BatchState {
  enum Kind {
    /// Not known yet; only while a loop is being analysed.
    Unknown,
    /// The same for all microbatches, and there before them.
    Invariant,
    /// Each microbatch has its part.
    Split,
    /// Each microbatch has a contribution; the value is their reduction.
    Pending,
    /// There when all microbatches have been computed.
    After,
  };
  Kind kind = Unknown;
  BatchSplit split;
  ReductionKind reduction = ReductionKind::Sum;
  /// Of a pending value, or one behind it: the operation that reduced rows. Of
  /// an invariant one: the operation that needed all rows, if any.
  mlir::Operation *origin = nullptr;

  static BatchState ofKind(Kind kind) {
    BatchState state;
    state.kind = kind;
    return state;
  }
  static BatchState invariant() { return ofKind(Invariant); }
  static BatchState splitAlong(BatchSplit split) {
    BatchState state = ofKind(Split);
    state.split = split;
    return state;
  }

  bool is(Kind other) const { return kind == other; }
  /// Whether the value is the same kind of thing; origins do not count.
  bool sameAs(const BatchState &other) const {
    return kind == other.kind && split == other.split &&
           reduction == other.reduction;
  }
};

/// Whether `rule` multiplies and adds: it reduces what several operands have.
bool isMatmul(const ShardingRule &rule);

/// Finds for every value of a function what microbatches make of it, operation
/// by operation, from the sharding rules alone: the batch is split as a mesh
/// axis would split it, only that the parts are computed one after another.
///
/// An operation of which an operand is split is split along the same factor.
/// Its results are split where the factor passes through, and pending where it
/// is reduced. Pending values stay so through everything that is linear in them
/// (larger and smaller ones accordingly); any other use waits until all
/// microbatches have been computed. So a training step falls into what does not
/// know the batch, what each microbatch does, and what follows the sums. Loops
/// and branches are analysed until what they carry no longer changes; states
/// only ever go from invariant to split or pending, so that takes few rounds.
///
/// Whatever needs a sum while rows are still being processed (normalisation
/// over the batch), or other rows than its own, needs the whole batch. If it
/// depends on nothing but the data and is cheap (the number of tokens that
/// count, say), it is computed on the whole batch beforehand, and is invariant
/// from then on. What needs other rows, but no row needs it (a median, the rows
/// of a queue), waits for all. Otherwise the step cannot be split, and the
/// analysis says at which operation.
///
/// Never changes the program. Time is linear in the program for each value that
/// is computed beforehand.
class MicrobatchAnalysis {
public:
  MicrobatchAnalysis(mlir::func::FuncOp function, const Batch &batch,
                     RuleCache &rules);

  /// Analyses the function; whether it can be split.
  bool run();
  /// Says why it cannot, after `run` has failed.
  void report();
  /// The same as a sentence, and where.
  std::pair<std::string, mlir::Location> whyNot() const;
  /// Analyses the function for one microbatch that has all of the batch,
  /// whatever is done with its rows (MicrobatchWhole.cpp); whether there is
  /// work that depends on something else than the parameters. `getBatch` has
  /// what it depends on.
  bool runWhole();

  const Batch &getBatch() const { return batch; }
  /// Whether the members of the batch are whole arguments.
  bool isOfWhole() const { return isWhole; }
  BatchState lookup(mlir::Value value) const { return states.lookup(value); }
  /// Whether `op` computes from parts or contributions.
  bool isInside(mlir::Operation *op) const { return inside.contains(op); }
  /// Whether `op`, which is inside, may run behind the loop instead: it uses no
  /// rows.
  bool mayDefer(mlir::Operation *op) const;
  /// Whether `op` waits for all microbatches.
  bool isAfter(mlir::Operation *op) const { return after.contains(op); }
  /// How operand or result `tensor` of `op` (operands first) is cut if the
  /// operation computes one microbatch; nothing if it is not.
  std::optional<BatchSplit> splitOf(mlir::Operation *op, size_t tensor) const;
  /// The multiplications that microbatches do, and all of them, in one step.
  std::pair<double, double> countWork();
  /// What `target`, a region argument or result of control flow, must be handed
  /// over as in a value of `type`: the same as it is, but for rows that are
  /// also split over devices where they enter or leave per-device code.
  BatchState stateBeforeEdge(mlir::Value target, mlir::Type type) const;
  /// Per operand how it is cut, if it is.
  using OperandSplits = llvm::SmallVector<std::optional<BatchSplit>, 2>;
  /// What of its operands `op`, which computes an invariant value element by
  /// element, needs for the part `split` of its only result; nothing if it does
  /// not work so.
  std::optional<OperandSplits> splitsForResult(mlir::Operation *op,
                                               const BatchSplit &split) const;

private:
  /// A factor of a rule, and what stands before the microbatches within it.
  struct FactorSplit {
    FactorId factor;
    int64_t before;
    friend bool operator==(const FactorSplit &a, const FactorSplit &b) {
      return a.factor == b.factor && a.before == b.before;
    }
  };

  llvm::DenseSet<mlir::Operation *>
  dependents(llvm::function_ref<bool(mlir::Value)> isRoot);
  llvm::DenseSet<mlir::Operation *> findWorkOfData();
  bool isWork(mlir::Operation *op);

  bool analyseBlock(mlir::Block &block);
  bool analyse(mlir::Operation *op);
  bool analyseComputation(mlir::Operation *op, const ShardingRule *rule);
  bool analyseSplit(mlir::Operation *op, const ShardingRule &rule);
  bool analysePending(mlir::Operation *op, const ShardingRule *rule);
  bool analyseHandover(mlir::Operation *op);
  bool analyseControlFlow(mlir::Operation *op);
  bool analyseRegions(mlir::Operation *op);
  bool updateTargets(mlir::Operation *op, bool isFirst, bool &changed);
  bool checkControls(mlir::Operation *op);
  bool crossEdge(BatchState &state, mlir::Type type, mlir::Value target);
  bool join(BatchState &state, const BatchState &other, mlir::Operation *op);
  void makeAfter(mlir::Operation *op);

  std::optional<FactorSplit> factorOf(const ShardingRule &rule, size_t tensor,
                                      const BatchSplit &split) const;
  std::optional<BatchSplit> splitOf(const ShardingRule &rule, size_t tensor,
                                    const FactorSplit &factor) const;
  /// Whether dimension `split.dim` of `value` has whole pieces.
  bool fits(mlir::Value value, const BatchSplit &split) const;
  bool needsIndex(mlir::Operation *op, const ShardingRule &rule,
                  FactorId factor) const;
  bool isData(mlir::Value value);
  bool isDataComputation(mlir::Operation *op);

  bool set(mlir::Operation *op, const BatchState &state);
  bool waitForRows(mlir::Operation *op, const llvm::Twine &why,
                   mlir::Operation *origin = nullptr);
  bool cannotWait(mlir::Operation *cause);
  bool needsWholeBatch(mlir::Operation *op, const llvm::Twine &why,
                       mlir::Operation *origin = nullptr);
  bool needsSum(mlir::Operation *op, mlir::Value operand);
  bool computeBeforehand(mlir::Operation *op);

  mlir::func::FuncOp function;
  Batch batch;
  RuleCache &rules;
  llvm::DenseMap<mlir::Value, BatchState> states;
  llvm::DenseSet<mlir::Operation *> inside, after;
  /// Of what is inside of one microbatch that has all: what leads to work.
  llvm::DenseSet<mlir::Operation *> working;
  bool isWhole = false;
  /// The factor along which an operation inside is split.
  llvm::DenseMap<mlir::Operation *, FactorSplit> factors;
  llvm::DenseMap<mlir::Operation *, bool> dataComputations;
  /// Operations that are computed on the whole batch beforehand.
  llvm::DenseSet<mlir::Operation *> beforehand;
  /// Whether `beforehand` has grown since the analysis began.
  bool again = false;

  struct Problem {
    mlir::Operation *op = nullptr;
    std::string why;
    mlir::Operation *origin = nullptr;
  };
  Problem problem;
  /// What waits for all rows of its operands, and why. It is the origin of what
  /// is computed from it.
  llvm::DenseMap<mlir::Operation *, Problem> waiting;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_MICROBATCHES_MICROBATCHANALYSIS_H
