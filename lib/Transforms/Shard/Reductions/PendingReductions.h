//===- PendingReductions.h - what could be reduced later ------------------===//
#ifndef TESSERA_TRANSFORMS_SHARD_REDUCTIONS_PENDINGREDUCTIONS_H
#define TESSERA_TRANSFORMS_SHARD_REDUCTIONS_PENDINGREDUCTIONS_H

#include "Support/RuleCache.h"

#include "tessera/Dialect/Tessera/Tessera.h"
#include "tessera/Interfaces/DataFlow.h"
#include "tessera/Sharding/Algebra/AxisFit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/MapVector.h"

#include <vector>

namespace tessera::shard {

/// Axes over which a reduction is pending, and its monoid.
struct PendingAxes {
  AxisList axes;
  ReductionKind kind = ReductionKind::Sum;

  /// Whether `sharding` is pending over just these axes.
  bool matches(const TensorSharding &sharding) const {
    return sharding.unreduced == axes && sharding.unreducedKind == kind;
  }
  friend bool operator==(const PendingAxes &a, const PendingAxes &b) {
    return a.axes == b.axes && a.kind == b.kind;
  }
};

/// What `sharding` is pending over; no axes if it is whole.
inline PendingAxes pendingAxes(const TensorSharding &sharding) {
  return {sharding.unreduced, sharding.unreducedKind};
}

/// The operations of a function in the order of the text, read once for all
/// sets of axes: most of them are of no interest for any.
class PendingProgram {
public:
  struct Entry {
    mlir::Operation *op;
    /// Hands values over, or makes some that are unreduced. Other operations
    /// matter only if they take what is unreduced.
    bool mayBegin;
  };

  explicit PendingProgram(mlir::func::FuncOp function) : function(function) {
    update();
  }
  /// Reads the function again, which has changed.
  void update();

  mlir::func::FuncOp getFunction() const { return function; }
  llvm::ArrayRef<Entry> getEntries() const { return entries; }
  llvm::ArrayRef<ReshardOp> getReshards() const { return reshards; }
  /// The sets of axes over which values are unreduced, in the order in which
  /// they occur first.
  llvm::SmallVector<PendingAxes> allPendingAxes() const;

private:
  mlir::func::FuncOp function;
  std::vector<Entry> entries;
  std::vector<ReshardOp> reshards;
};

/// The values of a function that are, or could be, unreduced over one set of
/// axes. An operation's result could be if its rule carries such reductions
/// over from operands of which at least one could be, and it needs all others
/// whole. What control flow carries could be in any case, for every value can
/// be made unreduced without communication: all devices but the first replace
/// it by the neutral element. Constants that are neutral already cost nothing
/// at all.
///
/// Never changes the program.
class PendingReductions {
public:
  /// A value, or region arguments and results that control flow fills
  /// together.
  struct Variable {
    llvm::SmallVector<mlir::Value, 1> values;
    /// Whether the values are unreduced as they stand.
    bool isGiven = false;
    /// Their shardings as they stand, and if they are unreduced.
    ShardingAttr current, unreduced;
    /// The operands that must be unreduced if the values are; not for given
    /// ones.
    llvm::SmallVector<mlir::OpOperand *, 2> sources;
    /// Whether an operation takes a source that no reduction is pending of:
    /// its own, or one that the values are computed from.
    bool isMasked = false;
  };

  PendingReductions(const PendingProgram &program, const PendingAxes &pending,
                    const Mesh &mesh, RuleCache &rules);

  llvm::ArrayRef<Variable> getVariables() const { return variables; }
  /// The variable of `value`, or null.
  const Variable *find(mlir::Value value) const {
    auto entry = variableOf.find(value);
    return entry == variableOf.end() ? nullptr : &variables[entry->second];
  }
  /// The variable of `operand`, or of what it is a resharding of, if it could
  /// take the operand's place unreduced, moved perhaps; null where it could
  /// not.
  const Variable *sourceOf(mlir::Value operand) const;
  /// The value that `operand` is a resharding of, if that has a variable;
  /// `operand` itself otherwise.
  mlir::Value rootOf(mlir::Value operand) const;
  /// The variable that could take the value at `use` unreduced, or null.
  const Variable *consumerOf(mlir::OpOperand *use) const {
    auto entry = consumers.find(use);
    return entry == consumers.end() ? nullptr : &variables[entry->second];
  }
  bool isPending(const TensorSharding &sharding) const {
    return pending.matches(sharding);
  }
  ReductionKind getKind() const { return pending.kind; }
  /// Whether the dimensions of `variable` are split as `sharding` says, but for
  /// the pending axes: nothing has to be moved from one to the other.
  bool isInPlace(const Variable &variable,
                 const TensorSharding &sharding) const {
    return variable.unreduced.getValue().dims ==
           without(sharding, pending.axes, mesh).dims;
  }
  /// `current` if the reduction is pending, not split over its axes; nothing
  /// where another reduction is pending already.
  std::optional<ShardingAttr> unreducedOf(ShardingAttr current) const;
  /// `sharding` with no dimension split over the axes.
  ShardingAttr withoutAxes(ShardingAttr sharding) const;

private:
  bool addGiven(mlir::Value value);
  bool mayCarry(mlir::Operation *op) const;
  void addCarried(mlir::Operation *op);
  void addDeferrable(mlir::Operation *op);
  bool mayMakeAgain(mlir::Value value) const;
  bool mayDefer(mlir::Operation *op, llvm::ArrayRef<unsigned> carried,
                bool allowMasks) const;
  bool agreesWithoutAxes(mlir::Operation *op, const ShardingRule &rule) const;
  void add(Variable variable);

  const PendingAxes &pending;
  const Mesh &mesh;
  RuleCache &rules;
  /// In the order of the text.
  llvm::SmallVector<Variable, 0> variables;
  llvm::DenseMap<mlir::Value, unsigned> variableOf;
  llvm::DenseMap<mlir::OpOperand *, unsigned> consumers;
  /// Who takes a variable's value, as it is or resharded.
  llvm::DenseSet<mlir::Operation *> takers;
};

} // namespace tessera::shard

#endif // TESSERA_TRANSFORMS_SHARD_REDUCTIONS_PENDINGREDUCTIONS_H
